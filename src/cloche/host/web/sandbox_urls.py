"""Signed URLs of the pages that views are shown in, and the packet that a page gets to mount a view."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from cloche.errors import InvalidParamsError
from cloche.host.bridge import MountedView
from cloche.host.preloads import PreloadedView
from cloche.host.relaxations import relaxed
from cloche.host.web.bodies import URL_SECONDS
from cloche.host.web.mounts import Mount
from cloche.host.web.sandbox import Sandboxes
from cloche.wire.apps.csp import More, Sources, admitted_sources
from cloche.wire.apps.origins import host_name
from cloche.wire.json import encode
from cloche.wire.signing import Signer
from cloche.wire.types import Json

PURPOSE = "sandbox"


class Claim(msgspec.Struct, omit_defaults=True):
    """What the address of a proxy page says, signed: the policy it is served with, and for whom."""

    name: str
    host: str
    e: int
    csp: dict[str, list[str]] = msgspec.field(default_factory=dict)
    permissions: list[str] = msgspec.field(default_factory=list)
    own: bool = False
    lasts: bool = False
    """Whether the browser may keep the page, for the views that a page is ready for."""
    around: str = ""
    """The origin of the page around this one, when there is one."""
    more: dict[str, list[str]] = {}
    """What the host's profile adds to the policy."""
    kind: Literal["proxy", "probe", "around"] = "proxy"
    """The page that is served: a view's proxy, one that tries the browser, or one around a proxy."""
    inside: str = ""
    """The address of the proxy page, for the page around it."""


@dataclass
class SandboxUrls:
    """Makes the signed URLs of proxy pages and reads them back."""

    signer: Signer
    sandboxes: Sandboxes
    at: str

    def complete(self, view: MountedView | PreloadedView, mount: Mount, page: str, address: str) -> Json:
        """The packet of a view on a page of this origin, or of a preloaded one. Raises `SandboxError`."""
        granted = list(view.granted)
        sources = admitted_sources(view.csp, page, stranger=view.server in view.session.host.strangers)
        host, html = view.session.host, view.html
        if isinstance(view, MountedView):
            for problem in sources.problems:
                view.event("violation", {"text": problem})
            if host.recorder is not None:
                html = host.recorder.prepare(view, html)
        more = relaxed(view.profile.csp, host.policy.relax.get(view.server, ()))
        lasts = isinstance(view, PreloadedView)
        sandbox = self.sandbox(view.server, page, address, sources, more, lasts=lasts)
        if granted:
            sandbox = self.alone(view.server, page, address, sources, more, granted=granted, view=view.id)
        packet = view.packet()
        frame: Json = packet["frame"]
        if sources.of("frameDomains"):
            frame["framed"] = True
        if host.traffic.is_watched:
            frame["console"] = True
        packet |= {"html": mount.hold_html(html), "sandbox": sandbox}
        if _can_be_early(view):
            packet["early"] = _digest(view.server, page, sources.lists, more, frame, packet["limits"], view.source.hash)
        if host.policy.leaky_browsers != "allow":
            packet["leaky"] = {"do": host.policy.leaky_browsers, "probe": self.probe(view.server, page, address)}
        return packet

    def sandbox(
        self, server: str, page: str, address: str, sources: Sources, more: More | None = None, *, lasts: bool = False
    ) -> Json:
        """Origin and address of a proxy page for views of a server."""
        return self._signed(server, page, address, csp=sources.lists, host=page, more=_lists(more), lasts=lasts)

    def alone(
        self,
        server: str,
        page: str,
        address: str,
        sources: Sources,
        more: More | None = None,
        *,
        granted: list[str],
        view: str,
    ) -> Json:
        """Origin and URLs for a view with permissions: on an origin of its own, in a page of another origin that keeps
        it from going elsewhere. The view can reach its proxy page, and not the page around that.
        """
        given: dict[str, Any] = {"permissions": granted, "host": page, "own": True}
        around = self.sandboxes.origin(server, page=page, address=_origin(address), view=f"{view} around")
        inside = self._signed(
            server, page, address, view=view, csp=sources.lists, more=_lists(more), around=around, **given
        )
        outside = self._signed(
            server, page, address, view=f"{view} around", kind="around", inside=inside["url"], **given
        )
        return {"url": outside["url"], "origin": inside["origin"], "around": outside["origin"]}

    def probe(self, server: str, page: str, address: str) -> Json:
        """Origin and address of a page that tries whether the browser knows Connection-Allowlist."""
        return self._signed(server, page, address, host=page, kind="probe")

    def _signed(self, server: str, page: str, address: str, *, view: str = "", **claims: Any) -> Json:
        """Origin and address of a page; with `view` on an origin that it has for itself."""
        origin = self.sandboxes.origin(server, page=page, address=_origin(address), view=view)
        claim = Claim(name=host_name(urlsplit(origin).netloc), e=int(time.time()) + URL_SECONDS, **claims)
        token = self.signer.sign(PURPOSE, msgspec.json.encode(claim))
        return {"url": f"{origin}{self.at}/sandbox?p={token}", "origin": origin}

    def read(self, token: str, host: str) -> Claim | None:
        """What an address says; None when it is not ours, has expired, or was made for another name."""
        try:
            claim = msgspec.json.decode(self.signer.open(PURPOSE, token), type=Claim)
        except (InvalidParamsError, msgspec.DecodeError):
            return None
        return claim if claim.e > time.time() and claim.name == host_name(host) else None


def _lists(more: More | None) -> dict[str, list[str]]:
    return {name: list(sources) for name, sources in (more or {}).items()}


def _can_be_early(view: MountedView | PreloadedView) -> bool:
    """Whether a page that is ready for this view may begin to load it while the host still looks at the ticket: nothing
    in its page depends on the call, the user has not been asked about permissions, and no browser is refused.
    """
    host = view.session.host
    alike = not (view.granted or view.source.permissions or view.profile.openai or host.recorder)
    return alike and host.policy.leaky_browsers != "refuse"


def _digest(*parts: object) -> str:
    """One short text for everything that decides how a view is loaded: two views with the same one are loaded alike."""
    return hashlib.sha256(encode(parts)).hexdigest()[:32]


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
