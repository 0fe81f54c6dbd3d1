"""The servers of a playground: what it calls them, and how a host starts them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cloche.host.upstreams.remote import Command, Remote
from cloche.wire.apps.origins import host_name, is_loopback

RUNNERS = (
    *("npx", "npm", "node", "bunx", "bun", "deno", "pnpm", "yarn", "uvx", "uv", "pipx", "python"),
    *("run", "exec", "dlx"),
)
"""Words of a command that say how something is run, not what."""

EVERYWHERE = ("index", "main", "server", "cli", "app", "dist", "build", "src", "lib", "bin")
"""Files and folders that every package has."""


@dataclass(frozen=True)
class DevServer:
    """One server of the playground."""

    name: str
    spec: Any
    file: Path | None = None
    """The user's own file, which is watched."""
    is_stranger: bool = False
    """Whether it is on somebody else's machine."""
    about: str = ""
    """What it is, in a sentence, and the address of a `picture` of it: for the page of examples."""
    picture: str = ""

    @property
    def is_own(self) -> bool:
        """Whether the developer's own code runs: a file, a module, an object, not a program or a URL of others."""
        return self.spec.ours if isinstance(self.spec, Command) else not isinstance(self.spec, str | Remote)

    @property
    def target(self) -> str | list[str] | None:
        """What reaches it from elsewhere: a URL, or the words of a command; None for an object of this process."""
        if isinstance(self.spec, Command):
            return ["cloche", "run", self.file.name] if self.file is not None else list(self.spec.words)
        if isinstance(self.spec, Remote):
            return self.spec.url
        return self.spec if isinstance(self.spec, str) else None


def of_file(file: Path, words: Sequence[str], env: Mapping[str, str] | None = None) -> DevServer:
    """A file, which `words` run in a process of its own, so that a change only has to restart it."""
    label = file.parent.name if file.stem == "server" else file.stem
    return DevServer(_slug(label), Command(words, env=env, cwd=file.parent, ours=True), file)


def of_module(module: str, words: Sequence[str], env: Mapping[str, str] | None = None) -> DevServer:
    """A module that Python finds."""
    return DevServer(_slug(module.rpartition(".")[2]), Command(words, env=env, cwd=Path.cwd(), ours=True))


def of_url(
    url: str,
    host: str,
    *,
    headers: Mapping[str, str] | None = None,
    token: str | None = None,
    signs_in: bool = False,
) -> DevServer:
    """A server somewhere else. With `signs_in` the person is asked to sign in where the server wants that, unless
    headers or a token say already who they are.
    """
    spec: Any = url
    if headers or token:
        spec = Remote(url, headers=headers, auth=token)
    elif signs_in:
        spec = Remote(url, oauth=True)
    return DevServer(_slug(host), spec, is_stranger=not is_loopback(host_name(urlsplit(url).netloc)))


def of_command(words: Sequence[str], env: Mapping[str, str] | None = None) -> DevServer:
    """A program, under the name of the package or file that it runs."""
    plain = [word for word in words if not word.startswith("-")] or [words[0]]
    named = next((word for word in plain if Path(word).stem.rstrip("0123456789.") not in RUNNERS), plain[-1])
    parts = [re.sub(r"@[^@/]*$", "", part) for part in re.split(r"[/\\\\]", named.lstrip("@"))]
    telling = [part for part in parts if part and part.partition(".")[0] not in EVERYWHERE]
    return DevServer(_slug((telling or parts)[-1]), Command(list(words), env=env))


def with_own_names(servers: Sequence[DevServer]) -> list[DevServer]:
    """The same servers, under names that differ."""
    seen: dict[str, int] = {}
    named = []
    for server in servers:
        seen[server.name] = seen.get(server.name, 0) + 1
        count = seen[server.name]
        named.append(server if count == 1 else replace(server, name=f"{server.name}-{count}"))
    return named


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:32].strip("-") or "server"
