"""The stage for attacks on whoever opens a recording of somebody else's: a file, without host, server and headers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from cloche.testing import Cassette
from cloche.testing.cassettes import shared_page as shared_module
from cloche.testing.cassettes.lines import FORMAT, Answer, AnyLine, Ask, Header, PageLine, Start, View
from tests.attacks.canary import Canary
from tests.support.chromium import FLAGS
from tools.chromium import chromium

DEADLINE = 50.0
PATIENCE = 15_000
"""Milliseconds in which a page that works shows its first view."""

SECRET = "what was said to somebody else"


@dataclass(frozen=True, kw_only=True)
class Lure:
    """What a recording holds that does no good."""

    name: str
    script: str = ""
    """What the view runs; `http` is the attacker's address, `win(proof)` says that it succeeded."""
    text: str = ""
    """What a tool answers."""
    title: str = "look"
    """What the tool is called."""
    picture: tuple[str, str] | None = None
    """Kind and data of a picture that a tool answers."""
    leaves: bool = False
    """Whether the view's page ends with the attack, whatever comes of it, and says nothing more."""
    opener: bool = False
    """Whether another page opens the file, and can be sent elsewhere."""

    def __str__(self) -> str:
        return self.name


def html_of(attack: Lure, canary: Canary, folder: Path) -> Path:
    """The file with this attack in it."""
    setup = {"http": f"{canary.origin}/x", "udp": canary.udp_port}
    script = f"const {{http, udp}} = {json.dumps(setup)};" + WIN + f"try {{ {attack.script} }} catch {{}} tried();"
    page = PageLine(hash="x", html=f"<!doctype html><body><script>{script}</script>")
    text = attack.text.format(http=canary.origin) if attack.text else SECRET
    content = [{"type": "text", "text": text}]
    if attack.picture is not None:
        kind, data = attack.picture
        content.append({"type": "image", "mimeType": kind, "data": data})
    lines: list[AnyLine] = [
        Header(format=FORMAT, made="2026-11-18T12:00:00+00:00", cloche="1.0", servers=["evil"]),
        Ask(time=1.0, server="evil", exchange=1, method="tools/call", params={"name": "look"}),
        Answer(time=1.5, server="evil", exchange=1, result={"content": content}),
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


BROKEN_OUT = "broken out"
"""What a script calls the page that it should not run in."""

SHOWN_OR_BROKEN = f"() => document.title === '{BROKEN_OUT}' || document.querySelector('#stage:not([hidden])')"


async def opened_from(page: Page, file: str, folder: Path) -> None:
    """Open the file from another one of the person's, which the file can then name as its opener."""
    own = folder / "own.html"
    own.write_text("<!doctype html><title>the person's own page</title>", encoding="utf-8")
    await page.goto(own.as_uri())
    async with page.expect_popup():
        await page.evaluate("(file) => void window.open(file)", file)


@asynccontextmanager
async def started() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


async def attempt(browser: Browser, attack: Lure, folder: Path) -> str:
    """What is seen of its success; empty when it fails."""
    over: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def end(proof: str) -> None:
        if not over.done():
            over.set_result(proof)

    async with Canary() as canary:
        canary.on_song = end
        context = await browser.new_context()
        file = html_of(attack, canary, folder).as_uri()

        def hear(said: ConsoleMessage) -> None:
            if said.text.startswith(SAID):
                end(said.text.removeprefix(SAID))
            elif attack.leaves and said.text.startswith(REFUSED):
                end("")

        context.on("console", hear)
        page = await context.new_page()
        if attack.opener:
            await opened_from(page, file, folder)
        else:
            await page.goto(file)
        if not attack.script:
            # Our page shows the first view; one that something else has taken over never does.
            try:
                await page.wait_for_function(SHOWN_OR_BROKEN, timeout=PATIENCE)
            except PlaywrightError:
                end("the page does not work any more")
            end("a script ran" if await page.title() == BROKEN_OUT else "")
        proof = await asyncio.wait_for(over, DEADLINE)
        await context.close()
    return proof
