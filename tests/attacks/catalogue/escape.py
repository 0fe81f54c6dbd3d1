"""Leaving the sandbox: the whole page, new windows, dialogs, files."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from playwright.async_api import Error, Frame

from tests.attacks.attack import Attack
from tests.attacks.catalogue.exfiltration import OPEN_NETWORK, SHALLOW, without_headers
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit, Patch

KIND = "sandbox escape"

EVERYTHING = (
    "allow-scripts allow-same-origin allow-forms allow-top-navigation allow-popups allow-popups-to-escape-sandbox "
    "allow-modals allow-downloads allow-pointer-lock allow-presentation allow-orientation-lock"
)

PROXY = Edit(
    "host/frame.js",
    'const PROXY_SANDBOX = "allow-scripts allow-same-origin allow-forms";',
    f'const PROXY_SANDBOX = "{EVERYTHING}";',
)
INNER = Edit(
    "sandbox/proxy.js",
    'inner.setAttribute("sandbox", SANDBOX.filter((token) => frame.sandbox.split(" ").includes(token)).join(" "));',
    f'inner.setAttribute("sandbox", "{EVERYTHING.replace(" allow-same-origin", "")}");',
)
ALLOW = Edit("host/frame.js", "this.element.allow = options.frame.allow;", 'this.element.allow = "fullscreen *";')
ALLOW_INNER = Edit("sandbox/proxy.js", "inner.allow = frame.allow;", 'inner.allow = "fullscreen *";')


LOOSE = Control(
    "loose-sandbox",
    "the restrictive sandbox attributes of both frames",
    (without_headers(b"permissions-policy", b"connection-allowlist"),),
    (PROXY, INNER, ALLOW, ALLOW_INNER),
)
LOOSE_WITH_CHILDREN = Control(
    "loose-sandbox-with-children",
    "the restrictive sandbox attributes of both frames, and a depth at which there are no child frames",
    LOOSE.patches,
    (*LOOSE.edits, SHALLOW),
)
LOOSE_FILES = Control(
    "loose-sandbox-for-files",
    "the restrictive sandbox attributes of both frames, and frame-src, which is about downloads, too, in Firefox",
    OPEN_NETWORK.patches,
    LOOSE.edits,
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
        Patch("cloche.host.web.sandbox_urls:SandboxUrls.complete", as_declared),
    ),
)


async def watch(scene: Scene, attempt: Attempt) -> None:
    """Windows, dialogs and files are seen by the test itself."""
    page = scene.page
    name = attempt.attack.name

    def saved(download: Any) -> None:
        if download.suggested_filename == f"{name}.exe":
            attempt.win("a file")

    async def dismiss(dialog: Any) -> None:
        if dialog.message != name:
            return
        attempt.win("a dialog")
        with contextlib.suppress(Error):  # gone with the page
            await dialog.dismiss()

    page.on("dialog", dismiss)
    page.on("download", saved)

    def went(frame: Frame) -> None:
        if frame == page.main_frame and not frame.url.startswith(scene.house.url):
            attempt.win(f"the page is {frame.url}")

    page.on("framenavigated", went)


async def click(scene: Scene, attempt: Attempt) -> None:
    """A person clicks on the view, more than once: nothing tells when the view has begun to listen."""
    await scene.page.bring_to_front()
    for _ in range(CLICKS):
        if attempt.won.is_set():
            return
        await scene.page.mouse.click(200, 200)
        await asyncio.sleep(0.2)


CLICKS = 10


def attack(name: str, case: str, **options: Any) -> Attack:
    given = {"control": LOOSE, "alone": True, "silent": True, "watcher": watch, **options}
    return Attack(name=name, kind=KIND, case=case, script="escape", **given)


ATTACKS = [
    *(attack(name, "W10") for name in ("top-location", "top-about-blank")),
    attack("top-link", "W10", driver=click),
    attack("top-of-child", "W10", control=LOOSE_WITH_CHILDREN),
    *(attack(name, "W21", driver=click) for name in ("popup", "popup-blank")),
    *(attack(name, "W21") for name in ("alert", "confirm")),
    attack("top-form", "W10", dormant="form-action 'none' stops it before the frame does"),
    attack("fullscreen", "W21", driver=click),
    *(attack(name, "W27", control=LOOSE_FILES) for name in ("download", "download-data")),
    attack(
        "sandbox-in-metadata",
        "W05",
        control=METADATA,
        alone=False,
        silent=False,
        meta={"ui": {"sandbox": "allow-scripts Allow-Same-Origin allow-same-origin allow-top-navigation"}},
    ),
]
