"""What a view may do: the policy, and the rules about links and rates that no policy can loosen.

A policy answers "allow", "ask" or "deny" to one `Request`. What no policy is asked about, because it is never allowed,
stands in the bridge: another server's tools, tools that are not for views, links that are no web links.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias, get_args

from cloche.errors import ConfigurationError, InvalidParamsError, shorten
from cloche.host.budgets import Bucket as Bucket  # noqa: PLC0414 (it was here before)
from cloche.wire.types import Json

Kind: TypeAlias = Literal[
    "tool", "link", "download", "permission", "sampling", "message", "context", "display-mode", "sign-in", "tab-tool"
]
Answer: TypeAlias = Literal["allow", "ask", "deny"]

CONSENT_SECONDS = 30.0
"""How long a question waits; no answer means no."""

MAX_URL = 2048


@dataclass(frozen=True)
class Request:
    """What a view wants to do."""

    kind: Kind
    user: str
    server: str
    tool: str
    """The tool whose view it is; of a tab, the tool that shall run."""
    view: str
    """The view, or the tab."""
    details: Json = field(default_factory=dict)
    """What it is about: `{"name", "arguments", "annotations"}` of a tool, `{"url"}` of a link …"""


@dataclass(frozen=True)
class Question:
    """What the user is asked when the policy says "ask"."""

    kind: Kind
    user: str
    server: str
    tool: str
    view: str
    title: str
    text: str
    details: Json
    accept: str = "Allow"
    refuse: str = "Don't allow"
    seconds: float = CONSENT_SECONDS
    lasting: str | None = None
    """The word for a yes that lasts as long as the page is open; without one there is none."""

    def for_page(self) -> Json:
        """The question as the page shows it."""
        return {
            "kind": self.kind,
            "title": self.title,
            "text": self.text,
            "details": self.details,
            "accept": self.accept,
            "refuse": self.refuse,
            "seconds": self.seconds,
            **({} if self.lasting is None else {"lasting": self.lasting}),
        }


Ask: TypeAlias = Callable[[Question], Awaitable[bool | Literal["page"]]]
"""Only `True` is a yes, and `"page"` where the question has a word for a yes that lasts."""


class Policy:
    """The default policy, with one word per kind of request; subclass it and write `decide` for rules of your own.

    A tool that says that it is destructive is asked about. `always_ask` and `never_ask` name tools whatever they say,
    as `server.tool`, with `*` for anything. `ask` puts the question to the user instead of the dialog in the page; no
    answer within `seconds` means no.
    """

    def __init__(
        self,
        *,
        tool: Answer = "allow",
        link: Answer = "ask",
        download: Answer = "ask",
        permission: Answer = "ask",
        sampling: Answer = "deny",
        message: Answer = "allow",
        context: Answer = "allow",
        display_mode: Answer = "allow",
        tab_tool: Answer = "ask",
        always_ask: Sequence[str] = (),
        never_ask: Sequence[str] = (),
        ask: Ask | None = None,
        seconds: float = CONSENT_SECONDS,
    ) -> None:
        self.rules: dict[str, Answer] = {
            "tool": tool,
            "link": link,
            "download": download,
            "permission": permission,
            "sampling": sampling,
            "message": message,
            "context": context,
            "display-mode": display_mode,
            "sign-in": "ask",
            "tab-tool": tab_tool,
        }
        for kind, answer in self.rules.items():
            if answer not in get_args(Answer):
                raise ConfigurationError(f"Policy({kind}={answer!r}): it is 'allow', 'ask' or 'deny'")
        if isinstance(always_ask, str) or isinstance(never_ask, str):
            raise ConfigurationError("always_ask and never_ask are lists of tools, such as ['files.delete', 'git.*']")
        self.always_ask = tuple(always_ask)
        self.never_ask = tuple(never_ask)
        self.ask = ask
        self.seconds = seconds

    async def decide(self, request: Request) -> Answer:
        """Whether a request is allowed, denied, or the user's to decide."""
        if request.kind == "tool":
            return self.decide_tool(request)
        if request.kind == "tab-tool":
            return self.decide_tab_tool(request)
        return self.rules[request.kind]

    def decide_tool(self, request: Request) -> Answer:
        """The same for a tool that a view calls."""
        name = f"{request.server}.{request.details.get('name')}"
        if any(fnmatchcase(name, pattern) for pattern in self.always_ask):
            return "ask"
        if any(fnmatchcase(name, pattern) for pattern in self.never_ask):
            return self.rules["tool"]
        destructive = is_destructive(request.details.get("annotations"))
        return "ask" if destructive and self.rules["tool"] == "allow" else self.rules["tool"]

    def decide_tab_tool(self, request: Request) -> Answer:
        """The same for a tool that the model wants to run in the visitor's tab; "ask" is as `InBrowser(ask=…)` says."""
        name = f"{request.server}.{request.tool}"
        rule = self.rules["tab-tool"]
        if rule != "deny" and any(fnmatchcase(name, pattern) for pattern in self.always_ask):
            return "ask"
        if rule == "ask" and any(fnmatchcase(name, pattern) for pattern in self.never_ask):
            return "allow"
        return "allow" if rule == "ask" and request.details.get("ask") is False else rule


def is_destructive(annotations: object) -> bool:
    """Whether a tool says that it destroys something; one that says nothing is not taken for it."""
    said = annotations if isinstance(annotations, dict) else {}
    return said.get("destructiveHint") is True and said.get("readOnlyHint") is not True


_LINK = re.compile(r"(?P<scheme>https?)://(?P<host>[^/?#\\@:]+)(?::(?P<port>[0-9]{1,5}))?(?P<rest>[/?#].*)?", re.I)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))*\.?")
_REST = re.compile(r"[!-\[\]-~]*")


def checked_link(url: object) -> str:
    """A web link, put together again from its parts; every other scheme and every trick is refused (W17)."""
    if not isinstance(url, str) or len(url) > MAX_URL:
        raise InvalidParamsError(f"ui/open-link: the URL is a text of at most {MAX_URL} characters")
    found = _LINK.fullmatch(url)
    if found is None:
        raise InvalidParamsError(f"ui/open-link opens http and https links only, not {shorten(repr(url))}")
    host, rest = _ascii_host(found["host"]), _ascii_rest(found["rest"] or "/")
    port = found["port"]
    if not _HOST.fullmatch(host) or not _REST.fullmatch(rest) or (port is not None and not 0 < int(port) < 65536):
        raise InvalidParamsError(f"ui/open-link opens http and https links only, not {shorten(repr(url))}")
    rest = rest if rest.startswith("/") else f"/{rest}"
    return f"{found['scheme'].lower()}://{host}{f':{int(port)}' if port else ''}{rest}"


def link_host(url: str) -> str:
    """The host of a checked link, as the user should see it: without the alphabets that look alike."""
    return url.partition("://")[2].partition("/")[0]


def _ascii_host(host: str) -> str:
    try:
        return host.lower() if host.isascii() else host.encode("idna").decode().lower()
    except UnicodeError:
        return ""


def _ascii_rest(rest: str) -> str:
    return "".join(
        character if character.isascii() else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
        for character in rest
    )
