"""What a server declares: policies that open themselves, permissions, malformed pages."""

from __future__ import annotations

from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.catalogue.isolation import with_origin
from tests.support.controls import Control, Patch

CSP, PERMISSIONS, PAGES = "CSP strings", "permissions", "malformed pages"


# Policies


def as_given(original: Any, declared: Any, *_rest: Any) -> Any:
    """The declared texts as they stand, without those that hold a forbidden character: what others do."""
    lists = declared if isinstance(declared, dict) else {}
    return {name: [str(one) for one in lists.get(name, []) if not set(str(one)) & set("\r\n'\" ")] for name in LISTS}


def admitted_as_given(original: Any, declared: Any, page: str, **_: Any) -> Any:
    from cloche.wire.apps.csp import Sources

    return Sources({name: list(declared.get(name, [])) for name in LISTS})


def without_allowlist(original: Any, *args: Any) -> Any:
    return [(name, value) for name, value in original(*args) if name != b"connection-allowlist"]


LISTS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
AS_GIVEN = Control(
    "csp-as-given",
    "the parser of declared origins, in front of both policy headers",
    (
        Patch("cloche.wire.apps.metadata:checked_csp", as_given),
        Patch("cloche.host.web.sandbox_urls:admitted_sources", admitted_as_given),
        Patch("cloche.host.web.routes:sandbox_headers", without_allowlist),
    ),
)
STRINGS: dict[str, Any] = {
    "tab": {"connectDomains": ["https://a.example\t{evil}"]},
    "star": {"connectDomains": ["*"]},
    "scheme": {"connectDomains": ["http:"]},
    "star-host": {"connectDomains": ["http://*:*"]},
    "star-port": {"connectDomains": ["http://evil.localhost:*"]},
    "star-one-label": {"connectDomains": ["http://*.localhost:{port}"]},
    "semicolon": {"connectDomains": ["https://a.example;style-src-elem\thttp:"]},
    "other-list": {"resourceDomains": ["https:\thttp:"]},
    "ten-thousand": {"connectDomains": [f"https://a{number}.example" for number in range(900)] + ["http:"]},
}

# Permissions


def granting_all(original: Any, *args: Any) -> Any:
    packet = with_origin(original, *args)
    return {
        **packet,
        "frame": {**packet["frame"], "allow": "camera; microphone; geolocation; clipboard-write; clipboard-read"},
    }


def without_permissions_policy(original: Any, *args: Any) -> Any:
    return [(name, value) for name, value in original(*args) if name != b"permissions-policy"]


async def never_asking(original: Any, self: Any) -> None:
    await original(self)
    self.state.granted = self.source.permissions


def any_word(original: Any, declared: Any, left_out: list[str]) -> Any:
    return tuple(declared) if isinstance(declared, dict) else ()


GRANTED = Control(
    "all-granted",
    "the closed Permissions-Policy and allow attribute, and an opaque origin",
    (
        Patch("cloche.host.web.sandbox_urls:SandboxUrls.complete", granting_all),
        Patch("cloche.host.web.routes:sandbox_headers", without_permissions_policy),
    ),
)
NOT_ASKED = Control(
    "permissions-not-asked",
    "the question to the person before a permission",
    (Patch("cloche.host.bridge:MountedView.ready", never_asking),),
)

# Pages

ANY_PAGE = Control(
    "any-page",
    "the checks of a view's resource: type, number, size",
    (
        Patch("cloche.host.view_resource:is_app_mime_type", lambda original, kind: True),
        Patch("cloche.host.view_resource:_list", lambda original, given: given[:1] if isinstance(given, list) else []),
        Patch(
            "cloche.host.view_resource:_checked",
            lambda original, uri, content, metas, limit: original(uri, content, metas, 10**9),
        ),
    ),
)


def csp(name: str, declared: Any) -> Attack:
    return Attack(
        name=name,
        kind=CSP,
        case="W04" if name == "ten-thousand" else "W03",
        control=AS_GIVEN,
        script="declarations",
        meta={"ui": {"csp": declared}},
        setup={"how": "stylesheet" if name == "semicolon" else "image" if name == "other-list" else "fetch"},
    )


def permission(name: str, control: Control = GRANTED, **options: Any) -> Attack:
    return Attack(name=name, kind=PERMISSIONS, case="W06", control=control, script="permissions", **options)


def page(name: str, **meta: Any) -> Attack:
    return Attack(
        name=name,
        kind=PAGES,
        case="W25",
        control=ANY_PAGE,
        script="declarations",
        refused=True,
        meta=meta,
        setup={"how": "start"},
    )


ATTACKS = [
    *(csp(name, declared) for name, declared in STRINGS.items()),
    *(permission(name) for name in ("camera", "microphone", "geolocation", "clipboard-write")),
    permission("declared-camera", NOT_ASKED, meta={"ui": {"permissions": {"camera": {}}}}),
    permission(
        "declared-all", NOT_ASKED, meta={"ui": {"permissions": {"camera": {}, "microphone": {}, "geolocation": {}}}}
    ),
    page("wrong-type", mimeType="text/html"),
    page("script-type", mimeType="image/svg+xml"),
    page("two-pages", twice=True),
    page("ten-megabytes", padding=10_000_000),
]
