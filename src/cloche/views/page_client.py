"""The client of a page and every transport it may need as one small module, for pages without a build step."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from posixpath import dirname, join, normpath

from cloche.views.shrink import shrink

INDEX = "transports/index.js"
MODULE_LINE = re.compile(r'^(?:import|export (?:\*|\{))[^;]*? from "([^"]+)";\n', re.MULTILINE)
ALIAS = re.compile(r"(\w+) as (\w+)")
DECLARED = re.compile(r"^(export )?(?:async )?(?:class|function|const|let) (\w+)", re.MULTILINE)
EXPORTS = re.compile(r"export\{([^}]*)\};?$")


@cache
def page_client() -> str:
    """`McpClient` and the transports of `cloche.web` as one module: write it to a file of your site and import it."""
    transports = sorted(file.name for file in (resources.files("cloche.web") / "transports").iterdir())
    return as_one_module(*(f"transports/{name}" for name in transports if name.endswith(".js")), "client.js")


def as_one_module(*names: str) -> str:
    """These modules of `cloche.web` and those that they import as one, which exports the classes and functions of the
    named ones.
    """
    modules = _with_imports(*names)
    aliases = dict(ALIAS.findall(modules.get(INDEX, "")))
    exported = _exported(modules, names)
    code = re.sub(r"^export ", "", "".join(MODULE_LINE.sub("", text) for text in modules.values()), flags=re.MULTILINE)
    short = shrink(f"{code}export {{ {', '.join(exported)} }};\n")
    return EXPORTS.sub(lambda found: _exports(found[1], aliases), short)


def _exports(listed: str, aliases: dict[str, str]) -> str:
    """The names that others know, for the short ones; `listed` has them as `name:short`."""
    pairs = [pair.split(":") for pair in listed.split(",")]
    known = [(short, name) for name, short in pairs]
    known += [(short, aliases[name]) for name, short in pairs if name in aliases]
    return f"export{{{','.join(f'{short} as {name}' for short, name in known)}}};"


def _with_imports(*names: str) -> dict[str, str]:
    """Modules by name, each after those that it imports."""
    found: dict[str, str] = {}
    for name in names:
        text = (resources.files("cloche.web") / name).read_text(encoding="utf-8")
        imported = (normpath(join(dirname(name), path)) for path in MODULE_LINE.findall(text))
        found |= _with_imports(*(one for one in imported if one not in found)) | {name: text}
    return found


def _exported(modules: dict[str, str], names: tuple[str, ...]) -> list[str]:
    """What the named modules export, except for constants, which are for those who read the modules. A name that two
    modules declare would mean the same in both.
    """
    where: dict[str, str] = {}
    exported: list[str] = []
    for module, text in modules.items():
        for export, name in DECLARED.findall(text):
            if name in where:
                raise ValueError(f"{name} is declared in {where[name]} and in {module}: one file has room for one")
            where[name] = module
            if export and module in names and not name.isupper():
                exported.append(name)
    return exported
