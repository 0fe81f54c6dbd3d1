"""What a view may do: the policy, and the rules about links and rates that no policy can loosen.

A policy answers "allow", "ask" or "deny" to one `Request`. What no policy is asked about, because it is never allowed,
stands in the bridge: another server's tools, tools that are not for views, links that are no web links.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias, get_args

from cloche.errors import ConfigurationError, InvalidParamsError, shorten
from cloche.host.relaxations import Relaxation, checked_relax
from cloche.wire.types import Json

Kind: TypeAlias = Literal[
    "tool",
    "link",
    "download",
    "permission",
    "sampling",
    "message",
    "context",
    "display-mode",
    "sign-in",
    "tab-tool",
    "agent-tool",
    "agent-view-tool",
    "copilot-tool",
    "elicitation",
    "server-sampling",
]
Answer: TypeAlias = Literal["allow", "ask", "deny"]
Rule: TypeAlias = Literal["allow", "ask", "deny", "gesture"]
"""`"gesture"` allows what comes right after a click, tap or key in the view, and asks about everything else."""
LeakyBrowsers: TypeAlias = Literal["allow", "warn", "refuse"]

OF_AGENTS = ("tab-tool", "agent-tool", "agent-view-tool", "copilot-tool")
"""What a model or a copilot wants to run, and no view: each tool is asked about by itself."""

CONSENT_SECONDS = 30.0
"""How long a question waits; no answer means no."""

UNPROMPTED = 1
"""Questions that a view may cause although the person has not used it: one, for a view that must ask at its start."""

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
    gesture: bool = False
    """Whether the person has just used the view, and that gesture has not paid for a request of this kind yet."""


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

    The words are "allow", "ask", "deny" and "gesture", which allows what comes right after a click, tap or key in the
    view and asks about everything else. A tool that says that it is destructive is asked about; `unannotated="ask"`
    also asks about tools that say neither `destructiveHint` nor `readOnlyHint`, unless they are for views only.
    `always_ask` and `never_ask` name tools whatever they say, as `server.tool`, with `*` for anything.

    A question needs a gesture in the view that causes it, but for the first `unprompted` ones: what a view asks for
    beyond is denied. `ask` puts the question to the user instead of the dialog in the page; no answer within `seconds`
    means no.

    `agent_tool` is about tools that a browser agent calls on a page: `"ask"` asks unless the tool says that it only
    reads. `agent_view_tool` is about the tools of views: with `"deny"`, the default, no agent sees them.
    `copilot_tool` is as `agent_tool`, about what copilots in frames of the page call (`Host(copilots={…})`).

    `relax={"server": ["unsafe-eval"]}` lets the views of one server do what the strict policy forbids and libraries
    need. `elicitation="deny"` tells servers that users cannot be asked, and `server_sampling` is about servers that ask
    your model, while `sampling` is about views that do. `leaky_browsers` says what happens in a browser
    that does not enforce `Connection-Allowlist`, where a view can send data out by WebRTC and name lookups: `"allow"`
    shows views there, `"warn"` also logs it, `"refuse"` shows none.
    """

    def __init__(
        self,
        *,
        tool: Rule = "allow",
        link: Rule = "ask",
        download: Rule = "ask",
        permission: Rule = "ask",
        sampling: Rule = "deny",
        message: Rule = "gesture",
        context: Rule = "allow",
        display_mode: Rule = "gesture",
        tab_tool: Rule = "ask",
        agent_tool: Rule = "ask",
        agent_view_tool: Rule = "deny",
        copilot_tool: Rule = "ask",
        elicitation: Literal["ask", "deny"] = "ask",
        server_sampling: Literal["allow", "ask", "deny"] = "ask",
        unannotated: Literal["allow", "ask"] = "allow",
        always_ask: Sequence[str] = (),
        never_ask: Sequence[str] = (),
        unprompted: int = UNPROMPTED,
        ask: Ask | None = None,
        seconds: float = CONSENT_SECONDS,
        relax: Mapping[str, Sequence[Relaxation]] | None = None,
        leaky_browsers: LeakyBrowsers = "allow",
    ) -> None:
        self.rules: dict[str, Rule] = {
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
            "agent-tool": agent_tool,
            "agent-view-tool": agent_view_tool,
            "copilot-tool": copilot_tool,
            "elicitation": elicitation,
            "server-sampling": server_sampling,
        }
        for kind, answer in self.rules.items():
            if answer not in get_args(Rule):
                raise ConfigurationError(f"Policy({kind}={answer!r}): it is 'allow', 'ask', 'deny' or 'gesture'")
        if unannotated not in ("allow", "ask"):
            raise ConfigurationError(f"Policy(unannotated={unannotated!r}): it is 'allow' or 'ask'")
        if isinstance(always_ask, str) or isinstance(never_ask, str):
            raise ConfigurationError("always_ask and never_ask are lists of tools, such as ['files.delete', 'git.*']")
        self.unannotated = unannotated
        self.always_ask = tuple(always_ask)
        self.never_ask = tuple(never_ask)
        self.unprompted = unprompted
        self.ask = ask
        self.seconds = seconds
        self.relax = checked_relax(relax)
        if leaky_browsers not in get_args(LeakyBrowsers):
            raise ConfigurationError(f"Policy(leaky_browsers={leaky_browsers!r}): it is 'allow', 'warn' or 'refuse'")
        self.leaky_browsers: LeakyBrowsers = leaky_browsers

    async def decide(self, request: Request) -> Answer:
        """Whether a request is allowed, denied, or the user's to decide."""
        if request.kind == "tool":
            return self.decide_tool(request)
        if request.kind == "tab-tool":
            return self.decide_tab_tool(request)
        if request.kind in ("agent-tool", "agent-view-tool", "copilot-tool"):
            return self.decide_agent_tool(request)
        answer = self._ruled(request)
        if request.kind == "display-mode" and request.details.get("mode") == "inline" and answer == "ask":
            return "allow" if self.rules["display-mode"] == "gesture" else "ask"  # it only gives room back
        if request.kind == "link" and request.details.get("own") is True and answer == "allow":
            return "ask"  # a page of the product acts on the user's session
        return answer

    def _ruled(self, request: Request) -> Answer:
        rule = self.rules[request.kind]
        if rule == "gesture":
            return "allow" if request.gesture else "ask"
        return rule

    def decide_tool(self, request: Request) -> Answer:
        """Whether a view may call a tool of its own server."""
        name = f"{request.server}.{request.details.get('name')}"
        answer = self._ruled(request)
        if _is_named(name, self.always_ask):
            return "ask"
        if _is_named(name, self.never_ask):
            return answer
        doubtful = self.unannotated == "ask" and is_unannotated(request.details)
        asked = doubtful or is_destructive(request.details.get("annotations"))
        return "ask" if asked and answer == "allow" else answer

    def decide_tab_tool(self, request: Request) -> Answer:
        """Whether the model may run a tool in the visitor's tab; "ask" is as `InBrowser(ask=…)` says."""
        name = f"{request.server}.{request.tool}"
        rule = self._ruled(request)
        if rule != "deny" and _is_named(name, self.always_ask):
            return "ask"
        if rule == "ask" and _is_named(name, self.never_ask):
            return "allow"
        return "allow" if rule == "ask" and request.details.get("ask") is False else rule

    def decide_agent_tool(self, request: Request) -> Answer:
        """Whether a browser agent or a copilot may run a tool; "ask" is for what does not say that it only reads."""
        name = f"{request.server}.{request.tool}"
        rule = self._ruled(request)
        annotations = request.details.get("annotations")
        if rule == "deny" or _is_named(name, self.always_ask):
            return "deny" if rule == "deny" else "ask"
        if _is_named(name, self.never_ask):
            return "allow"
        if is_destructive(annotations):
            return "ask"
        reads = isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
        return "allow" if reads else rule


def _is_named(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_destructive(annotations: object) -> bool:
    """Whether a tool says that it destroys something; one that says nothing is not taken for it."""
    said = annotations if isinstance(annotations, dict) else {}
    return said.get("destructiveHint") is True and said.get("readOnlyHint") is not True


def is_unannotated(details: Json) -> bool:
    """Whether a tool says neither that it destroys something nor that it does not. A tool that only views can call was
    written for them: what it does is what its view is for.
    """
    annotations = details.get("annotations")
    said = annotations if isinstance(annotations, dict) else {}
    if isinstance(said.get("destructiveHint"), bool) or said.get("readOnlyHint") is True:
        return False
    return list(details.get("visibility") or ()) != ["app"]


_LINK = re.compile(r"(?P<scheme>https?)://(?P<host>[^/?#\\@:]+)(?::(?P<port>[0-9]{1,5}))?(?P<rest>[/?#].*)?", re.I)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))*\.?")
_REST = re.compile(r"[!-\[\]-~]*")


def checked_link(url: object, method: str = "ui/open-link") -> str:
    """A web link, put together again from its parts; every other scheme and every trick is refused (W17)."""
    if not isinstance(url, str) or len(url) > MAX_URL:
        raise InvalidParamsError(f"{method}: the URL is a text of at most {MAX_URL} characters")
    found = _LINK.fullmatch(url)
    if found is None:
        raise InvalidParamsError(f"{method} opens http and https links only, not {shorten(repr(url))}")
    host, rest = _ascii_host(found["host"]), _ascii_rest(found["rest"] or "/")
    port = found["port"]
    if not _HOST.fullmatch(host) or not _REST.fullmatch(rest) or (port is not None and not 0 < int(port) < 65536):
        raise InvalidParamsError(f"{method} opens http and https links only, not {shorten(repr(url))}")
    rest = rest if rest.startswith("/") else f"/{rest}"
    return f"{found['scheme'].lower()}://{host}{f':{int(port)}' if port else ''}{rest}"


def link_host(url: str) -> str:
    """The host of a checked link, as the user should see it: without the alphabets that look alike."""
    return url.partition("://")[2].partition("/")[0]


def is_own_link(url: str, page_origin: str) -> bool:
    """Whether a checked link leads to the site of the page, whatever its port: cookies do not look at that."""
    host, own = (link_host(address).partition(":")[0].rstrip(".") for address in (url, page_origin.lower()))
    return bool(own) and (host == own or host.endswith(f".{own}") or own.endswith(f".{host}"))


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
