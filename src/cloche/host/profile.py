"""How a host presents itself to views, as plain data: what it says of itself, offers, passes on, allows and leaves out.

The default is this host's own profile, and changes nothing. Others are for trying a view as another host would show it:
`cloche.testing.profiles` has those that are known, the playground and `open_view(profile=…)` use them. A
profile can allow a view more than this host does, where it says so in `csp`: a product leaves it alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cloche.errors import ConfigurationError, RegistrationError, shorten
from cloche.host.view_handshake import OFFERED_MODES
from cloche.views.scripts import put_first
from cloche.web import bundled
from cloche.wire.apps.csp import KEYWORDS, More
from cloche.wire.apps.methods import Dialect
from cloche.wire.apps.origins import parse_source
from cloche.wire.types import Json

_DIRECTIVE = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, kw_only=True)
class HostProfile:
    """How a host presents itself to views."""

    host_info: Mapping[str, str] | None = None
    """What it calls itself; None for the host's own name."""
    without: tuple[str, ...] = ()
    """Capabilities that it does not have."""
    unannounced: tuple[str, ...] = ()
    """Capabilities that it has and does not mention."""
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    """What it says of a capability that it has, such as `{"message": {"text": {}}}`."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the host context that are always so."""
    without_context: tuple[str, ...] = ()
    """Keys of the host context that it does not give."""
    display_modes: tuple[str, ...] = OFFERED_MODES
    """The display modes that it offers."""
    without_result: tuple[str, ...] = ()
    """Members of a tool's result that the view is not sent; what the view calls itself is answered in full."""
    csp: More = field(default_factory=dict)
    """Sources that the policy has besides our own, by directive; `-blob:` and `-data:` take one away."""
    ignores_csp: tuple[str, ...] = ()
    """Lists of `_meta.ui.csp` that it does not look at, such as `"frameDomains"`."""
    widget_csp: bool = False
    """Whether it reads the declared origins from `_meta["openai/widgetCSP"]`, and only from there."""
    openai: bool = False
    """Whether pages find `window.openai`, and tools may lead to them by `_meta["openai/outputTemplate"]`."""
    dialect: Dialect = field(default_factory=Dialect)

    def __post_init__(self) -> None:
        for directive, sources in self.csp.items():
            if not _DIRECTIVE.fullmatch(directive):
                raise ConfigurationError(f"HostProfile(csp=…) names {shorten(directive)!r}, which is not a directive")
            for source in sources:
                _check_source(source)

    # What the view is told

    def greeting(self, answer: Json) -> Json:
        """The answer to `ui/initialize`, from the one that this host would give with a context that is seen already."""
        said = {
            "protocolVersion": self.dialect.version,
            "hostInfo": dict(self.host_info) if self.host_info is not None else answer["hostInfo"],
            "hostCapabilities": self._announced(answer["hostCapabilities"]),
            "hostContext": answer["hostContext"],
        }
        return {name: value for name, value in said.items() if name not in self.dialect.omits}

    def offered(self, capabilities: Json) -> Json:
        """The capabilities that a host of this profile has, from all that there are."""
        kept = {name: value for name, value in capabilities.items() if name not in self.without}
        return {name: self.capabilities.get(name, value) for name, value in kept.items()}

    @property
    def keeps_state(self) -> bool:
        """Whether it keeps what a view asks it to keep."""
        return "experimental" not in self.without

    def _announced(self, offered: Json) -> Json:
        if self.dialect.capabilities is not None:
            return dict(self.dialect.capabilities)
        return {name: value for name, value in offered.items() if name not in self.unannounced}

    def seen_context(self, context: Json) -> Json:
        """The host context as the view gets it."""
        return {**self.seen_changes(context), **self.context}

    def seen_changes(self, changes: Json) -> Json:
        """What the view hears of a change of the host context."""
        hidden = {*self.without_context, *self.context}
        return {name: value for name, value in changes.items() if name not in hidden}

    def seen_result(self, result: Json) -> Json:
        """A tool's result as the view is sent it: the same object, where nothing is left out of it."""
        if not self.without_result:
            return result
        return {name: value for name, value in result.items() if name not in self.without_result}

    def for_page(self) -> Json | None:
        """What the element in the page has to know to answer `ui/initialize` itself; None when that is nothing."""
        if not (self.context or self.without_context or self.dialect.omits):
            return None
        return {
            "context": dict(self.context),
            "withoutContext": list(self.without_context),
            "omits": list(self.dialect.omits),
        }

    # What the view may load

    def honoured(self, kind: str, sources: list[str]) -> list[str]:
        """What this host makes of one declared list of origins."""
        return [] if kind in self.ignores_csp else sources


def _check_source(source: str) -> None:
    if source in KEYWORDS:
        return
    try:
        parsed = parse_source(source, "HostProfile(csp=…)")
    except RegistrationError as error:
        raise ConfigurationError(str(error)) from None
    if parsed != source:
        raise ConfigurationError(f"HostProfile(csp=…) has {shorten(source)!r}: write {parsed!r}")


PLAIN = HostProfile()
"""This host's own profile."""


# A page with `window.openai` in it, for hosts that show it as ChatGPT would (`HostProfile(openai=True)`).

SAFE_AREA: Json = {"insets": {"top": 0, "bottom": 0, "left": 0, "right": 0}}
DESKTOP: Json = {"device": {"type": "desktop"}, "capabilities": {"hover": True, "touch": False}}


def with_openai(
    html: str,
    context: Json,
    arguments: Json | None,
    result: Json | None,
    state: object = None,
    *,
    keeps_state: bool = False,
) -> str:
    """The page with a script before all others that makes `window.openai` from what is known already.

    `keeps_state` when the host keeps what the page gives to `setWidgetState`, and gives it back as `state`.
    """
    room = context.get("containerDimensions") or {}
    found = result or {}
    known: Json = {
        "theme": context.get("theme", "light"),
        "locale": context.get("locale", "en-US"),
        "displayMode": context.get("displayMode", "inline"),
        "maxHeight": room.get("maxHeight") or room.get("height"),
        "safeArea": context.get("safeAreaInsets") or SAFE_AREA,
        "userAgent": DESKTOP,
        "view": None,
        "toolInput": arguments or {},
        "toolOutput": found.get("structuredContent"),
        "toolResponseMetadata": found.get("_meta"),
        "widgetState": state,
    }
    return put_first(html, f"<script>{bundled('window-openai.js', GLOBALS=known, KEEPS_STATE=keeps_state)}</script>")
