"""From what a person types to servers of a host: files, commands, URLs, or the examples that come with the package."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, LoadError, shorten
from cloche.host.upstreams.remote import Command


@dataclass(frozen=True)
class DevServer:
    """One server of the playground."""

    name: str
    spec: Any
    file: Path | None = None
    """The user's own file, which is watched."""


def servers_of(targets: Sequence[str], command: Sequence[str] = ()) -> list[DevServer]:
    """The servers that were named, under names that differ."""
    found = [_one(target) for target in targets]
    if command:
        found.append(DevServer(_command_name(command), Command(list(command))))
    seen: dict[str, int] = {}
    named = []
    for server in found:
        seen[server.name] = seen.get(server.name, 0) + 1
        name = server.name if seen[server.name] == 1 else f"{server.name}-{seen[server.name]}"
        named.append(DevServer(name, server.spec, server.file))
    return named


def _one(target: str) -> DevServer:
    if target.partition("://")[0].lower() in ("http", "https"):
        return DevServer(_slug(urlsplit(target).hostname or "remote"), target)
    path, _, name = target.rpartition(":") if not Path(target).is_file() and ":" in target else (target, "", "")
    file = Path(path)
    if file.suffix != ".py":
        raise ConfigurationError(
            f"{shorten(target)!r} is no Python file and no URL: a command goes after two dashes, cloche dev -- npx …"
        )
    if not file.is_file():
        raise LoadError(f"there is no file {shorten(path)!r}: check the path")
    file = file.resolve()
    # A process of its own: what crashes there is shown here, and starting it anew is all that a change needs.
    words = [sys.executable, "-m", "cloche", "run", f"{file}:{name}" if name else str(file)]
    label = file.parent.name if file.stem == "server" else file.stem
    return DevServer(_slug(label), Command(words, cwd=file.parent, ours=True), file)


def _command_name(command: Sequence[str]) -> str:
    words = [word for word in command if not word.startswith("-")]
    last = words[-1] if words else command[0]
    return _slug(re.sub(r"@[\d.]+$", "", last.rpartition("/")[2]))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:32].strip("-") or "server"
