"""Messages in somebody else's name, handshakes that somebody else answers first, frames that become another page."""

from __future__ import annotations

from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.catalogue.exfiltration import SECOND_LIFE
from tests.attacks.catalogue.isolation import VISIBLE
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit

SPOOFING, RACES = "spoofed messages", "pinning races"

ANY_SOURCE = Control(
    "any-source",
    "the look at who sent a message, in the proxy, and a shadow root that keeps frames from finding each other",
    (),
    (
        VISIBLE,
        Edit(
            "sandbox/proxy.js",
            "if (inner === null || event.source !== inner.contentWindow) return;",
            "if (inner === null || event.source === parent) return;",
        ),
    ),
)
ANY_HANDSHAKE = Control(
    "any-handshake",
    "the check of source, origin and nonce in the page's handshake, and the watch over messages to the page's window",
    (),
    (
        Edit("host/stray.js", 'addEventListener("message", hear, { capture: true });', ""),
        Edit(
            "host/frame.js",
            'data?.method === OWN + "proxy-ready" && data.params?.nonce === this.#nonce &&'
            "\n      origin === this.options.sandbox.origin && source !== null && source === this.#proxy()",
            'data?.method === OWN + "proxy-ready"',
        ),
        Edit(
            "host/frame.js",
            "this.#proxy()?.postMessage(welcome, this.options.sandbox.origin, [channel.port2]);",
            'event.source.postMessage(welcome, "*", [channel.port2]);',
        ),
    ),
)
ANY_PORT = Control(
    "any-port",
    "the check of source, origin and nonce in the proxy's handshake, its being the only one, and the shadow root",
    (),
    (
        VISIBLE,
        Edit(
            "sandbox/proxy.js",
            "event.source !== host || event.origin !== hostOrigin || event.data?.params?.nonce !== nonce",
            'event.data?.method !== OWN + "port"',
        ),
        Edit("sandbox/proxy.js", 'removeEventListener("message", takePort);', ""),
    ),
)


async def late_victim(scene: Scene, attempt: Attempt) -> None:
    """The other server's view comes onto the page while the hostile one is waiting for it."""
    scene.house.add_view(scene.user, "victims", scene.victim, {}, "victim")
    with scene.house.acting():
        call = await scene.house.host.session(scene.user).start("victim.victims", {})
        embed = call.embed()
    await scene.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", embed)


def attack(script: str, name: str, kind: str, case: str, control: Control, **options: Any) -> Attack:
    return Attack(name=name, kind=kind, case=case, control=control, script=script, **options)


FORGED = {
    "call-in-anothers-name": "victim.touch",
    "message-in-anothers-name": "message from victim",
    "context-in-anothers-name": "context from victim",
    "goodbye-in-anothers-name": "closed victim",
}
HANDSHAKES: dict[str, tuple[str, ...]] = {
    "handshake-for-the-page": (),
    "handshake-for-the-tools": ("victim.touch",),
}

ATTACKS = [
    *(
        attack(
            "messages",
            name,
            SPOOFING,
            "W07",
            ANY_SOURCE,
            with_victim=True,
            alone=True,
            signs=(sign,),
            agrees_to=("message",),
        )
        for name, sign in FORGED.items()
    ),
    *(
        attack("messages", name, RACES, "W09", ANY_HANDSHAKE, driver=late_victim, alone=True, signs=signs)
        for name, signs in HANDSHAKES.items()
    ),
    *(
        attack("messages", name, RACES, "W09", ANY_PORT, driver=late_victim, alone=True)
        for name in ("port-as-the-host", "port-as-the-watchdog")
    ),
    *(
        attack("lifetimes", name, RACES, "W10", SECOND_LIFE, silent=True)
        for name in ("reload", "document-open", "blob-page", "data-page")
    ),
    attack(
        "lifetimes",
        "javascript-page",
        RACES,
        "W10",
        SECOND_LIFE,
        silent=True,
        dormant="Chromium loads no second time for a javascript: address",
    ),
]
