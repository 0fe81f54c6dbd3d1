"""What a host's servers can be given as, beside objects, plain commands and URLs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, shorten
from cloche.host.upstreams.frame_setups import MemorySetups, SetupStore
from cloche.host.upstreams.frame_urls import checked_frame_url
from cloche.wire.types import Json

Auth: TypeAlias = str | Callable[[], Any]
"""A bearer token, or a function (async or not) that gives one for each request."""

Asking: TypeAlias = Literal["always", "once", "changes", "never"]
"""When a visitor is asked before a tool runs in their tab."""


class Remote:
    """A server by its URL.

    `auth` is a bearer token, or a function that returns one. `oauth=True` signs each user in by the server's own
    authorization server, and keeps the tokens per user. `per_user=True` gives each user a connection of their own; with
    `oauth` that is always so.

    Where the product is registered at the authorization server already, `client_id` says as what, and the host does not
    register itself; a `client_secret` is sent to the authorization server `issuer` and to no other.
    `client_metadata_url` is the https address of a client metadata document, for authorization servers that take one.
    `intranet=True` says that the server's own name leads to a private address.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        auth: Auth | None = None,
        oauth: bool = False,
        client_id: str | None = None,
        client_secret: str | None = None,
        client_metadata_url: str | None = None,
        issuer: str | None = None,
        intranet: bool = False,
        per_user: bool = False,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigurationError(f"A remote server needs an http or https URL, not {shorten(url, 80)!r}")
        if parts.username is not None or parts.password is not None:
            raise ConfigurationError("Put no name or password into the URL: use Remote(url, auth=token)")
        oauth = oauth or client_id is not None or client_metadata_url is not None
        if oauth and auth is not None:
            raise ConfigurationError("Remote(auth=…, oauth=True): give a token of your own, or have users sign in")
        if client_secret is not None and (client_id is None or issuer is None):
            raise ConfigurationError(
                "Remote(client_secret=…) also needs client_id=…, and issuer='https://…', the authorization server that "
                "gave it: no other one gets to see it"
            )
        if client_metadata_url is not None and not _is_document(client_metadata_url):
            raise ConfigurationError("Remote(client_metadata_url=…) is the https address of a document, with its path")
        self.client_id, self.client_secret, self.issuer = client_id, client_secret, issuer
        self.client_metadata_url = client_metadata_url
        self.intranet = intranet
        self.url = url
        self.headers = dict(headers or {})
        self.auth = auth
        self.oauth = oauth
        self.per_user = per_user or oauth

    def __repr__(self) -> str:  # without headers and token, which would end up in logs
        return f"Remote({self.url!r})"


def _is_document(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "https" and bool(parts.hostname) and parts.path not in ("", "/") and not parts.fragment


class Command:
    """A server that is a program, where a plain list of words is not enough.

    The program gets the few variables that it needs to run (`PATH`, `HOME`, …) and those in `env`, not everything that
    the host's own environment has. `ours` says that it is a server of Cloche, such as `cloche run`: then Cloche's own
    client speaks to it, which starts sooner.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        ours: bool = False,
    ) -> None:
        if isinstance(words, str) or not words or not all(isinstance(word, str) for word in words):
            raise ConfigurationError("A command is a list of words, such as ['uvx', 'mcp-server-git']")
        self.words = tuple(words)
        self.env = dict(env or {})
        self.cwd = cwd
        self.ours = ours

    def __repr__(self) -> str:
        return f"Command({list(self.words)!r})"


class InBrowser:
    """A server that the visitor's own page offers: it runs in a worker, a frame or an extension there.

    `ask` says when the visitor is asked before a tool runs: `"once"`, and they may allow a tool for as long as the page
    is open; `"always"`, before every call; `"changes"`, like once, but never for tools that say that they only read;
    `"never"`, when the product has asked already. The host's policy comes before it.
    """

    def __init__(self, *, ask: Asking = "once") -> None:
        if ask not in get_args(Asking):
            raise ConfigurationError(
                f"{type(self).__name__}(ask={shorten(repr(ask))}): it is one of {', '.join(get_args(Asking))}"
            )
        self.ask: Asking = ask

    def asks(self, tool: Json) -> bool:
        """Whether the visitor is asked before this tool runs."""
        annotations = tool.get("annotations")
        reads = isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
        return self.ask != "never" and not (self.ask == "changes" and reads)

    def __repr__(self) -> str:
        return f"InBrowser(ask={self.ask!r})"


class InFrame(InBrowser):
    """A server by its URL that is a web page: the user's own page has it in a frame, sets it up there and connects to
    it (`session.server_element(name)`).

    Only a page of the URL's own origin is taken for the server. `ask` is as for `InBrowser`. `setups` keeps for each
    user how they set the server up; without one that is gone when the process ends.
    """

    def __init__(self, url: str, *, ask: Asking = "once", setups: SetupStore | None = None) -> None:
        super().__init__(ask=ask)
        self.url, self.origin = checked_frame_url(url, "InFrame")
        """The origin is where the server's page has to be from."""
        self.setups: SetupStore = setups or MemorySetups()

    def __repr__(self) -> str:
        return f"InFrame({self.url!r})"
