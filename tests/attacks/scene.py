"""One page with hostile views on it, and what is seen of each attack."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Error, Page

from tests.attacks.attack import Attack
from tests.attacks.canary import HOST, Canary
from tests.attacks.net_log import NetLog
from tests.engines.driving import DriverError, Engine
from tests.support.house import HOST_SECRET, House

VIEWS = Path(__file__).parent / "views"


VICTIM = f"<!doctype html><p>victim's view</p><script>{(VIEWS / 'victim.js').read_text(encoding='utf-8')}</script>"
"""An honest view of another server."""


class Attempt:
    """One attack on one page."""

    def __init__(self, attack: Attack, canary: Canary) -> None:
        self.attack = attack
        self.canary = canary
        self.started = asyncio.Event()
        self.tried = asyncio.Event()
        self.refused = asyncio.Event()
        self.won = asyncio.Event()
        self.over = False
        """Whether what happens from now on, such as leaving the page, no longer counts."""
        self.proof = ""
        self.note = ""
        """What was measured."""
        self.said: list[Any] = []
        self.started_at = 0.0
        self.seconds = 0.0
        """From the start to success."""
        self.lookup = f"stolen-{secrets.token_hex(8)}.{HOST}"
        """A name that nothing but this attack looks up."""
        canary.on_song = self.win

    def win(self, proof: str) -> None:
        """It succeeded."""
        if not self.won.is_set() and not self.over:
            self.proof = proof
            self.seconds = time.monotonic() - self.started_at if self.started_at else 0.0
            self.won.set()

    def hear(self, data: Any) -> None:
        """The view logged something."""
        self.said.append(data)
        text = data if isinstance(data, str) else json.dumps(data)
        if text == "started":
            self.started_at = time.monotonic()
            self.started.set()
        elif text.startswith("tried"):
            self.tried.set()
        elif text.startswith("won: "):
            self.win(text[5:])

    def meta(self) -> dict[str, Any]:
        """What the server declares, with the canary's address in it."""
        text = json.dumps(self.attack.meta)
        evil, port = self.canary.origin, str(self.canary.http_port)
        found: dict[str, Any] = json.loads(text.replace("{evil}", evil).replace("{port}", port))
        return found

    def html(self) -> str:
        """The hostile page."""
        attack = self.attack
        setup = {
            "name": attack.name,
            "http": f"{self.canary.origin}/{attack.name}",
            "host": HOST,
            "lookup": self.lookup,
            "tcp": self.canary.tcp_port,
            "udp": self.canary.udp_port,
            "hostSecret": HOST_SECRET,
            **attack.setup,
        }
        padding = " " * attack.meta.get("padding", 0)
        code = [f"const setup = {json.dumps(setup)};".replace("<", "\\u003c")]
        code += [(VIEWS / f"{name}.js").read_text(encoding="utf-8") for name in ("prelude", str(attack.script))]
        return f"<!doctype html><body><script>{''.join(code)}attempt();</script>" + padding


class Scene:
    """A page of a house with one view per attack."""

    def __init__(self, house: House, user: str, page: Page, attempts: list[Attempt]) -> None:
        self.house = house
        self.user = user
        self.page = page
        self.attempts = attempts
        self.diary = house.diary(user)
        self.victim = VICTIM
        self._exposed: dict[str, list[Callable[[Any], None]]] = {}
        self.victim_started = asyncio.Event()
        self.deadline = 0.0
        """Seconds until an attack on a control is a dead one."""
        self.net_log: NetLog | None = None
        """What the browser writes of names that it looks up, where it does."""

    async def expose(self, name: str, handler: Callable[[Any], None]) -> None:
        """Let the page call `name(value)`; several may want to hear of it."""
        if name not in self._exposed:
            self._exposed[name] = []
            await self.page.expose_binding(name, lambda _, value: [heard(value) for heard in self._exposed[name]])
        self._exposed[name].append(handler)

    def attempt(self, name: str) -> Attempt | None:
        """The attempt whose view is of this tool."""
        return next((attempt for attempt in self.attempts if attempt.attack.name == name), None)

    async def reload(self, attempt: Attempt) -> None:
        """Load the page again, and wait until both views are there."""
        attempt.started.clear()
        self.victim_started.clear()
        await self.page.reload()
        async with asyncio.timeout(45):
            await attempt.started.wait()
            await self.victim_started.wait()

    def on_entry(self, what: str, value: Any) -> None:
        """The host or a server did something."""
        if what == "log":
            attempt = self.attempt(value[0])
            if attempt is not None:
                attempt.hear(value[1])
            elif value == ("victims", "started"):
                self.victim_started.set()
        for attempt in self.attempts:
            if what in attempt.attack.signs:
                attempt.win(what)


@contextlib.asynccontextmanager
async def opened(
    browser: BrowserContext | Engine,
    house: House,
    user: str,
    attacks: list[Attack],
    deadline: float,
    net_log: NetLog | None = None,
) -> AsyncIterator[Scene]:
    """Put the attacks on one page of the house, and open it."""
    async with contextlib.AsyncExitStack() as stack:
        attempts = [Attempt(attack, await stack.enter_async_context(Canary())) for attack in attacks]
        for attempt in attempts:
            house.add_view(user, attempt.attack.name, attempt.html(), attempt.meta(), attempt.attack.server)
        tools = [f"{attack.server}.{attack.name}" for attack in attacks for _ in range(attack.copies)]
        if any(attack.with_victim for attack in attacks):
            house.add_view(user, "victims", VICTIM, {}, "victim")
            tools.append("victim.victims")
        house.agrees_to[user] = tuple(kind for attack in attacks for kind in attack.agrees_to)
        url = await house.embed(user, *tools)
        page = await browser.new_page()
        stack.push_async_callback(_close, page)
        scene = Scene(house, user, page, attempts)
        scene.deadline, scene.net_log = deadline, net_log
        scene.diary.on_entry(scene.on_entry)
        for attempt in attempts:
            if attempt.attack.watcher is not None:
                await attempt.attack.watcher(scene, attempt)
        await page.goto(url, wait_until="commit")
        yield scene


async def _close(page: Page) -> None:
    with contextlib.suppress(Error, DriverError, TimeoutError):  # an attack may have taken it along, or keep it busy
        await asyncio.wait_for(page.close(), 5)
