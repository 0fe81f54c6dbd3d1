"""How a command gets into the server that it is told: `--header`, `--token` and `--env`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cloche.cli.targets import ServerWords
from cloche.errors import ConfigurationError, shorten
from cloche.terminal import say
from cloche.wire.apps.origins import host_name, is_loopback

if TYPE_CHECKING:
    from cloche.transports.base import Transport
    from cloche.transports.stdio.client import Stderr

TOKEN_VARIABLE = "CLOCHE_TOKEN"
"""Where a token is read from that should not stand in the shell's history."""

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Access:
    """What a server wants to see before it answers."""

    headers: dict[str, str] = field(default_factory=dict)
    token: str | None = field(default=None, repr=False)
    token_was_typed: bool = False
    env: dict[str, str] = field(default_factory=dict, repr=False)

    def check(self, servers: Sequence[ServerWords]) -> Access:
        """Raise when an option was given that none of these servers can use."""
        urls = [words.url for words in servers if words.url is not None]
        if not urls and (self.headers or self.token_was_typed):
            option = "--header" if self.headers else "--token"
            raise ConfigurationError(f"{option} is for a server behind a URL: a program gets --env NAME=VALUE")
        if self.env and len(urls) == len(servers):
            raise ConfigurationError("--env is for a file or a command: a server behind a URL gets --header or --token")
        if self.token is not None and any(_is_open(url) for url in urls):
            say("The token travels unencrypted to an http:// address on another machine: use https://", "yellow")
        return self

    def apply(self) -> None:
        """Give the variables to a server that runs in this process."""
        os.environ.update(self.env)


@dataclass(frozen=True, slots=True)
class Reached:
    """A server behind a URL or a command, as a target of `Client`."""

    words: ServerWords
    access: Access
    stderr: Stderr = "inherit"

    async def join(self) -> Transport:
        """Open a connection to it."""
        if self.words.url is None:
            from cloche.transports.stdio.client import StdioTransport

            # A file of the user's own sees what it would see if they ran it; a program of others sees little.
            whole = dict(os.environ) if self.words.target is not None else {}
            return await StdioTransport.start(self.words.process, env={**whole, **self.access.env}, stderr=self.stderr)
        if self.words.url.lower().startswith("http"):
            from cloche.transports.http.client import HttpTransport

            return HttpTransport(self.words.url, headers=self.access.headers, auth=self.access.token)
        from cloche.transports.websocket.client import WebSocketTransport

        bearer = {"Authorization": f"Bearer {self.access.token}"} if self.access.token is not None else {}
        return await WebSocketTransport.connect(self.words.url, headers={**self.access.headers, **bearer})


def access_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--header`, `--token` and `--env` to a command, which gets them as `access`."""

    @wraps(function)
    def with_access(*, headers: Sequence[str], token: str | None, variables: Sequence[str], **options: Any) -> Any:
        return function(access=read_access(headers, token, variables), **options)

    for option in (
        click.option(
            "--env",
            "variables",
            metavar="NAME[=VALUE]",
            multiple=True,
            help="Environment variable for a file or a command; without a value, the one it has here. Repeatable.",
        ),
        click.option(
            "--token",
            metavar="TOKEN",
            help=f"Bearer token for a URL. Better: set {TOKEN_VARIABLE}, which leaves no trace in the history.",
        ),
        click.option(
            "--header", "headers", metavar="NAME:VALUE", multiple=True, help="HTTP header for a URL; repeatable."
        ),
    ):
        with_access = option(with_access)
    return with_access


def read_access(headers: Sequence[str], token: str | None, variables: Sequence[str]) -> Access:
    """Check what was typed."""
    named = dict(_header(text) for text in headers)
    from_environment = os.environ.get(TOKEN_VARIABLE, "").strip() or None
    chosen = token if token is not None else from_environment
    if chosen is not None and (not chosen.isprintable() or not chosen.isascii() or " " in chosen or not chosen):
        raise ConfigurationError("the token has characters that a token cannot have: check for spaces and line breaks")
    if token is not None and any(name.lower() == "authorization" for name in named):
        raise ConfigurationError("--token and --header Authorization are the same header: give one of them")
    if any(name.lower() == "authorization" for name in named):
        chosen = None
    return Access(named, chosen, token is not None, dict(_variable(text) for text in variables))


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not _HEADER_NAME.fullmatch(name) or not value.strip().isprintable():
        raise ConfigurationError(f"--header takes NAME:VALUE, as in 'X-Api-Key: abc', and this is {shorten(name)!r}")
    return name, value.strip()


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not _VARIABLE_NAME.fullmatch(name):
        raise ConfigurationError(f"--env takes NAME=VALUE, or NAME of a variable here, and this is {shorten(name)!r}")
    if not equals and name not in os.environ:
        raise ConfigurationError(f"--env {name}: there is no such variable here, so write --env {name}=VALUE")
    return name, value if equals else os.environ[name]


def _is_open(url: str) -> bool:
    """Whether what is sent there can be read on the way."""
    scheme, _, rest = url.partition("://")
    return scheme.lower() in ("http", "ws") and not is_loopback(host_name(rest.partition("/")[0]))
