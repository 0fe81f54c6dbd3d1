"""The client of a page and every transport it may need as one small module, for pages without a build step."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from itertools import zip_longest
from posixpath import dirname, join, normpath

from cloche.views.renaming import letters_like
from cloche.views.shrink import COMMENT, shrink

CLIENT = ("McpClient", "McpBrowserClient", "Heartbeat", "ReconnectingTransport")
TRANSPORTS = (
    "Transport",
    "EventTransport",
    "PortTransport",
    "WindowTransport",
    "PostMessageTransport",
    "IframeParentTransport",
    "IframeChildTransport",
    "BroadcastChannelTransport",
    "TabServerTransport",
    "TabClientTransport",
    "ExtensionServerTransport",
    "connectToExtension",
)
ERRORS = ("TransportError", "TransportClosedError", "RequestTimeoutError", "RequestCancelledError")
INSIDE = (
    *("about", "announce", "arrived", "carriesBuffers", "channel", "hearer", "heard", "idKey", "isOpen", "lost"),
    *("ready", "reconnecting", "shake", "station", "storageKey", "talk", "violated"),
    *("agreed", "answers", "asked", "asks", "waiting"),
)
"""Members of transports and sessions that are not for those who use or write one."""
MODULE_LINE = re.compile(r'^(?:import|export (?:\*|\{))[^;]*? from "([^"]+)";\n', re.MULTILINE)
DECLARATION = re.compile(r"^(?:export )?(?:async )?(?:class|function|const|let) (\w+)", re.MULTILINE)
EXPORTS = re.compile(r"export\{([^}]*)\};?$")
WORD = re.compile(r"[\w$]+")


@cache
def page_client() -> str:
    """`McpClient` and the transports of `cloche.web` as one module: write it to a file of your site and import it.

    What only servers need stays in the modules: those who listen for connections, and the server itself.
    """
    return as_one_module(["client.js", "transports/index.js"], [*CLIENT, *TRANSPORTS, *ERRORS], INSIDE)


def as_one_module(modules: Iterable[str], names: Iterable[str], inside: Iterable[str] = ()) -> str:
    """What these modules of `cloche.web`, or those that they import, declare under these names, and what it needs of
    the others, as one module; members of objects that are called like one of those `inside` are nobody else's.
    """
    names = list(names)
    declared = _declarations(with_imports(*modules))
    missing = [name for name in names if name not in declared]
    if missing:
        raise ValueError(f"nothing declares {', '.join(missing)}")
    needed = _needed(declared, names)
    code = "".join(text for name, text in declared.items() if name in needed)
    whole = f"{code}export {{ {', '.join(names)} }};\n"
    short = shrink(whole, letters_like(shrink(whole)), inside)
    return EXPORTS.sub(lambda found: _exports(found[1]), short)


def _exports(listed: str) -> str:
    """The names that others know, for the short ones; `listed` has them as `name:short`."""
    pairs = [pair.split(":") for pair in listed.split(",")]
    return f"export{{{','.join(f'{short} as {name}' for name, short in pairs)}}};"


def with_imports(*names: str) -> dict[str, str]:
    """Modules by name, each after those that it imports."""
    found: dict[str, str] = {}
    for name in names:
        text = (resources.files("cloche.web") / name).read_text(encoding="utf-8")
        imported = (normpath(join(dirname(name), path)) for path in MODULE_LINE.findall(text))
        found |= with_imports(*(one for one in imported if one not in found)) | {name: text}
    return found


def _declarations(modules: dict[str, str]) -> dict[str, str]:
    """What the modules declare, by name, in their order. A name that two declare would mean the same in both."""
    where: dict[str, str] = {}
    found: dict[str, str] = {}
    for module, text in modules.items():
        code = MODULE_LINE.sub("", text)
        starts = [*DECLARATION.finditer(code)]
        for start, after in zip_longest(starts, starts[1:]):
            name = start[1]
            if name in where:
                raise ValueError(f"{name} is declared in {where[name]} and in {module}: one file has room for one")
            where[name] = module
            found[name] = code[start.start() : after and after.start()].removeprefix("export ")
    return found


def _needed(declared: dict[str, str], names: list[str]) -> set[str]:
    """These names and those that they need."""
    words = {name: set(WORD.findall(COMMENT.sub("", text))) for name, text in declared.items()}
    found: set[str] = set()
    to_do = [*names]
    while to_do:
        name = to_do.pop()
        if name not in found:
            found.add(name)
            to_do += words[name] & declared.keys()
    return found
