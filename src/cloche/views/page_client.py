"""The client of a page and every transport it may need as one small module, for pages without a build step."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from posixpath import dirname, join, normpath

from cloche.views.shrink import shrink

INDEX = "transports/index.js"
MODULE_LINE = re.compile(r'^(?:import|export \{)[^;]*? from "([^"]+)";\n', re.MULTILINE)
PASSED_ON = re.compile(r"^export \{([^}]*)\} from ", re.MULTILINE)
DECLARED = re.compile(r"^(export )?(?:async )?(?:class|function|const|let) (\w+)", re.MULTILINE)
EXPORTS = re.compile(r"export\{([^}]*)\};?$")


@cache
def page_client() -> str:
    """`McpClient` and the transports of `cloche.web` as one module: write it to a file of your site and import it."""
    return as_one_module(INDEX, "client.js")


def as_one_module(*names: str) -> str:
    """These modules of `cloche.web` and those that they import as one, which exports the classes and functions of the
    named ones, and those that they pass on.
    """
    modules = _with_imports(*names)
    exported = _exported(modules, names)
    code = re.sub(r"^export ", "", "".join(MODULE_LINE.sub("", text) for text in modules.values()), flags=re.MULTILINE)
    short = shrink(f"{code}export {{ {', '.join(exported)} }};\n")
    return EXPORTS.sub(lambda found: _exports(found[1]), short)


def _exports(listed: str) -> str:
    """The names that others know, for the short ones; `listed` has them as `name:short`."""
    pairs = [pair.split(":") for pair in listed.split(",")]
    return f"export{{{','.join(f'{short} as {name}' for name, short in pairs)}}};"


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
    listed = (one for module in names for one in PASSED_ON.findall(modules[module]))
    passed_on = {name.strip() for one in listed for name in one.split(",")}
    where: dict[str, str] = {}
    exported: list[str] = []
    for module, text in modules.items():
        for export, name in DECLARED.findall(text):
            if name in where:
                raise ValueError(f"{name} is declared in {where[name]} and in {module}: one file has room for one")
            where[name] = module
            if export and (module in names or name in passed_on) and not name.isupper():
                exported.append(name)
    return exported
