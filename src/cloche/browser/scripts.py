"""The scripts of a bundle: as they are written, for pages to import; what the worker waits for, as one file each."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from posixpath import dirname, join, normpath

from cloche.views.page_client import MODULE_LINE, with_imports

WORKER = "python/worker.js"
PAGE = "python/page.js"
"""What the worker begins with, and what it hands over to Python."""

SCRIPTS = ("python/start.js", WORKER, "client.js", "transports/index.js")
"""The scripts that a page or a worker begins with; what they import comes along."""

IMPORTED = re.compile(r"""^(?:import|export) .*?from "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)""", re.MULTILINE)
PASSED_ON = re.compile(r"""^export (?:\*|\{([^}]*)\}) from "([^"]+)";""", re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:class|function|const|let) (\w+)", re.MULTILINE)


def write_scripts(target: Path) -> None:
    """Write them."""
    waiting, known = list(SCRIPTS), set(SCRIPTS)
    while waiting:
        name = waiting.pop()
        text = _script(name)
        _write(target / name, text)
        found = {_beside(name, one or other) for one, other in IMPORTED.findall(text)}
        waiting += found - known
        known |= found
    for name in (WORKER, PAGE):
        code = "".join(MODULE_LINE.sub("", text) for text in with_imports(name).values())
        exported = ", ".join(_exported(name))
        _write(target / name, f"{EXPORT.sub('', code)}export {{ {exported} }};\n")


def _exported(name: str) -> list[str]:
    """What a script exports, its own and what it passes on."""
    text = _script(name)
    found: list[str] = EXPORTED.findall(text)
    for listed, other in PASSED_ON.findall(text):
        found += [one.strip() for one in listed.split(",")] if listed else _exported(_beside(name, other))
    return found


def _script(name: str) -> str:
    return (resources.files("cloche.web") / name).read_text(encoding="utf-8")


def _beside(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
