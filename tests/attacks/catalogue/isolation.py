"""Reaching what is not the view's own: proxy, other views, the host's page, and what they store."""

from __future__ import annotations

from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.catalogue.exfiltration import NO_ALLOWLIST, without_headers
from tests.support.controls import Control, Edit, Patch

KIND = "DOM and storage of others"


def with_origin(original: Any, *args: Any) -> Any:
    """A packet that gives the view's frame the origin of the proxy."""
    packet = original(*args)
    frame = packet["frame"]
    return {**packet, "frame": {**frame, "sandbox": frame["sandbox"] + " allow-same-origin"}}


def on_the_pages_origin(original: Any, _self: Any, _server: str, *, page: str, **_options: Any) -> str:
    return page


async def serving_sandbox_everywhere(original: Any, self: Any, scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http" and scope["path"] == f"{self.at}/sandbox":
        await self.routes.sandbox(scope, scope["path"], send)
    else:
        await original(self, scope, receive, send)


VISIBLE = Edit("host/frame.js", "place.append(this.element);", "document.body.append(this.element);")
"""Frames inside a shadow root are in nobody's list of frames; these are."""

ANY_ADDRESS = Edit("host/frame.js", 'if (!isSandbox(this.options.sandbox)) return this.#end("address");', "")
"""The page looks at a sandbox's address itself: it shows none that is its own."""

COMPLETE = Patch("cloche.host.web.sandbox_urls:SandboxUrls.complete", with_origin)
SHARED_ORIGIN = Control("shared-origin", "an opaque origin for the view: it has the proxy's", (COMPLETE,))
SHARED_AND_VISIBLE = Control(
    "shared-origin-visible",
    "an opaque origin for the view, and a shadow root that keeps frames from finding each other",
    (COMPLETE,),
    (VISIBLE,),
)
NO_SANDBOX_SITE = Control(
    "no-sandbox-site",
    "a site of its own for the sandbox, and an opaque origin in it: the view has the page's origin",
    (
        COMPLETE,
        Patch("cloche.host.web.sandbox:Sandboxes.origin", on_the_pages_origin),
        Patch("cloche.host.web.wrapper:Wrapper.__call__", serving_sandbox_everywhere),
    ),
    (VISIBLE, ANY_ADDRESS),
)


def without_page_around(
    original: Any, self: Any, server: str, page: str, address: str, *rest: Any, **given: Any
) -> Any:
    """The proxy page itself, on an origin of its own, straight in the host's page."""
    sources = rest[0]
    claims = {"csp": sources.lists, "permissions": given["granted"], "host": page, "own": True}
    return self._signed(server, page, address, view=given["view"], **claims)


def around_on_the_same_origin(original: Any, self: Any, server: str, *, view: str = "", **given: Any) -> Any:
    return original(self, server, view=view.removesuffix(" around"), **given)


NOT_AROUND = Control(
    "no-page-around",
    "the page around a view with a permission, and the header Connection-Allowlist",
    (Patch("cloche.host.web.sandbox_urls:SandboxUrls.alone", without_page_around), *NO_ALLOWLIST.patches),
)
AROUND_IN_REACH = Control(
    "page-around-in-reach",
    "an origin of its own for the page around a view with a permission, and the header Connection-Allowlist",
    (
        Patch("cloche.host.web.sandbox:Sandboxes.origin", around_on_the_same_origin),
        Patch("cloche.host.web.routes:around_headers", without_headers(b"connection-allowlist").instead),
        *NO_ALLOWLIST.patches,
    ),
)

TOUCHING_PROXY = ("proxy-dom", "proxy-script", "proxy-listener", "own-frame-element")
TOUCHING_VIEWS = ("sibling-dom", "sibling-function")
SHARING = ("local-storage", "session-storage", "indexed-db", "cache-storage", "broadcast-channel", "web-locks")
TOUCHING_HOST = ("host-dom", "host-variable", "host-storage", "host-cookie", "host-script")


def attack(name: str, case: str, control: Control, **options: Any) -> Attack:
    return Attack(name=name, kind=KIND, case=case, control=control, script="isolation", **options)


ATTACKS = [
    *(attack(name, "W05", SHARED_ORIGIN) for name in TOUCHING_PROXY),
    *(attack(name, "W22", SHARED_AND_VISIBLE) for name in TOUCHING_VIEWS),
    *(attack(name, "W22", SHARED_ORIGIN, copies=2, stores=True) for name in SHARING),
    *(attack(name, "W07", NO_SANDBOX_SITE) for name in TOUCHING_HOST),
    attack("other-server-dom", "W22", NO_SANDBOX_SITE, with_victim=True, alone=True),
    *(
        attack(
            name,
            "W10",
            control,
            alone=True,
            silent=True,
            meta={"ui": {"permissions": {"camera": {}}}},
            agrees_to=("permission",),
        )
        for name, control in {
            "permission-then-away": NOT_AROUND,
            "permission-then-away-outside": AROUND_IN_REACH,
        }.items()
    ),
]
