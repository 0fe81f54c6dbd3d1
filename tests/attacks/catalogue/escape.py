"""Leaving the sandbox: the whole page, new windows, dialogs, files."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Error

from tests.attacks.attack import Attack
from tests.attacks.controls import Control, Edit, Patch
from tests.attacks.scene import Attempt, Scene

KIND = "sandbox escape"

EVERYTHING = (
    "allow-scripts allow-same-origin allow-forms allow-top-navigation allow-popups allow-popups-to-escape-sandbox "
    "allow-modals allow-downloads allow-pointer-lock allow-presentation allow-orientation-lock"
)

PROXY = Edit(
    "host/frame.js", 'const PROXY_SANDBOX = "allow-scripts allow-same-origin allow-forms";', f'const PROXY_SANDBOX = "{EVERYTHING}";'
)
INNER = Edit(
    "sandbox/proxy.js",
    'inner.setAttribute("sandbox", SANDBOX.filter((token) => frame.sandbox.split(" ").includes(token)).join(" "));',
    f'inner.setAttribute("sandbox", "{EVERYTHING.replace(" allow-same-origin", "")}"); inner.allow = "fullscreen *";',
)
ALLOW = Edit("host/frame.js", "this.element.allow = options.frame.allow;", 'this.element.allow = "fullscreen *";')


def without_fullscreen_ban(original: Any, *args: Any) -> Any:
    return [(name, value) for name, value in original(*args) if name not in (b"permissions-policy", b"connection-allowlist")]


LOOSE = Control(
    "loose-sandbox",
    "the restrictive sandbox attributes of both frames",
    (Patch("cloche.host.web.routes:sandbox_headers", without_fullscreen_ban),),
    (PROXY, INNER, ALLOW),
)

_declared: dict[str, str] = {}


def remembering(original: Any, uri: str, content: Any, metas: Any, limit: int) -> Any:
    _declared[uri] = str(content.get("_meta", {}).get("ui", {}).get("sandbox", ""))
    return original(uri, content, metas, limit)


def as_declared(original: Any, self: Any, view: Any, *args: Any) -> Any:
    packet = original(self, view, *args)
    return {**packet, "frame": {"sandbox": _declared[view.source.uri], "allow": ""}}


METADATA = Control(
    "sandbox-from-metadata",
    "a sandbox attribute of the host's own: it takes the server's",
    (
        Patch("cloche.host.view_resource:_checked", remembering),
        Patch("cloche.host.web.packets:Packets.complete", as_declared),
    ),
)


async def watch(scene: Scene, attempt: Attempt) -> None:
    """Windows, dialogs and files are seen by the test itself."""
    page = scene.page
    page.on("download", lambda download: attempt.win(f"a file: {download.suggested_filename}"))
    page.on("popup", lambda popup: attempt.win(f"a window: {popup.url}"))

    async def dismiss(dialog: Any) -> None:
        attempt.win(f"a dialog: {dialog.message}")
        try:
            await dialog.dismiss()
        except Error:
            pass  # gone with the page

    page.on("dialog", dismiss)
    page.on("framenavigated", lambda frame: frame == page.main_frame and attempt.win(f"the page went to {frame.url}"))


async def click(scene: Scene, attempt: Attempt) -> None:
    """A person clicks on the view."""
    await scene.page.mouse.click(200, 200)


def attack(name: str, case: str, **options: Any) -> Attack:
    given = {"control": LOOSE, "alone": True, "silent": True, "watcher": watch, **options}
    return Attack(name=name, kind=KIND, case=case, script="escape", **given)


ATTACKS = [
    *(attack(name, "W10") for name in ("top-location", "top-link", "top-form", "top-of-child", "top-about-blank")),
    *(attack(name, "W21") for name in ("popup", "popup-link", "popup-form", "popup-blank")),
    *(attack(name, "W21") for name in ("alert", "confirm", "prompt")),
    attack("print", "W21", dormant="headless Chromium has no printer to show"),
    *(attack(name, "W21", driver=click) for name in ("fullscreen", "pointer-lock")),
    *(attack(name, "W27") for name in ("download", "download-data")),
    attack(
        "sandbox-in-metadata",
        "W05",
        control=METADATA,
        alone=False,
        silent=False,
        meta={"ui": {"sandbox": "allow-scripts Allow-Same-Origin allow-same-origin allow-top-navigation"}},
    ),
]
