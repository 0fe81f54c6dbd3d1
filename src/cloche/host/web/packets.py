"""What the web side adds to a mount packet: where the HTML is fetched, and the sandbox it is shown in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from cloche.errors import InvalidParamsError
from cloche.host.manner import PLAIN, Manner
from cloche.host.web.bodies import URL_SECONDS
from cloche.host.web.headers import Sources, admitted_sources, allow_attribute
from cloche.host.web.mounts import Mount
from cloche.host.web.sandbox import Sandboxes, host_name
from cloche.wire.signing import Signer
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView

PURPOSE = "sandbox"

FRAME = "allow-scripts allow-forms"
"""What a view's own frame may do: its origin is opaque."""

FRAME_ALONE = "allow-scripts allow-forms allow-same-origin"
"""With a permission it needs an origin, and gets one that nothing else has: an opaque frame has no camera."""


class Claim(msgspec.Struct):
    """What the address of a proxy page says, signed: the policy it is served with, and for whom."""

    name: str
    csp: dict[str, list[str]]
    permissions: list[str]
    host: str
    e: int
    own: bool = False
    more: dict[str, list[str]] | msgspec.UnsetType = msgspec.UNSET
    """What the host's manner adds to the policy."""

    @property
    def manner(self) -> Manner:
        """The manner as far as the policy goes."""
        return PLAIN if self.more is msgspec.UNSET else Manner(csp=self.more)


class Packets:
    """Makes the addresses of proxy pages, and reads them."""

    def __init__(self, signer: Signer, sandboxes: Sandboxes, at: str) -> None:
        self._signer = signer
        self._sandboxes = sandboxes
        self._at = at

    def complete(self, view: MountedView, mount: Mount, page: str, address: str) -> Json:
        """The whole packet of a view on a page of this origin. Raises `SandboxError`."""
        granted = list(view.granted)
        sources = admitted_sources(view.csp, page, stranger=view.server in view.session.host.strangers)
        for problem in sources.problems:
            view.event("violation", {"text": problem})
        alone = view.id if granted else ""
        sandbox = self.sandbox(view.server, page, address, sources, granted, alone, view.manner)
        frame: Json = {"sandbox": FRAME_ALONE if granted else FRAME, "allow": allow_attribute(granted)}
        host = view.session.host
        if host.traffic.is_watched:
            frame["console"] = True
        html = view.html if host.recorder is None else host.recorder.prepare(view, view.html)
        return {**view.packet(), "html": mount.hold_html(html), "sandbox": sandbox, "frame": frame}

    def sandbox(
        self,
        server: str,
        page: str,
        address: str,
        sources: Sources,
        granted: list[str] | None = None,
        view: str = "",
        manner: Manner = PLAIN,
    ) -> Json:
        """Origin and address of a proxy page; with `view` on an origin that it has for itself."""
        origin = self._sandboxes.origin(server, page=page, address=_origin(address), view=view)
        name = host_name(urlsplit(origin).netloc)
        more = {name: list(sources) for name, sources in manner.csp.items()} or msgspec.UNSET
        claim = Claim(name, sources.lists, granted or [], page, int(time.time()) + URL_SECONDS, bool(view), more)
        token = self._signer.sign(PURPOSE, msgspec.json.encode(claim))
        return {"url": f"{origin}{self._at}/sandbox?p={token}", "origin": origin}

    def read(self, token: str, host: str) -> Claim | None:
        """What an address says; None when it is not ours, has expired, or was made for another name."""
        try:
            claim = msgspec.json.decode(self._signer.open(PURPOSE, token), type=Claim)
        except (InvalidParamsError, msgspec.DecodeError):
            return None
        return claim if claim.e > time.time() and claim.name == host_name(host) else None


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
