"""A view that is played from a cassette: no server, no network, the clock and the chance of the recording."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError
from cloche.host.profile import HostProfile
from cloche.host.view_resource import ViewSource
from cloche.host.web.headers import sandbox_headers
from cloche.testing.browser_page import HOST, Frame, Stage
from cloche.testing.cassettes.cassette import RecordedView
from cloche.testing.cassettes.differences import Difference
from cloche.testing.cassettes.lines import PageLine, Start
from cloche.testing.cassettes.played_host import PlayedConversation
from cloche.testing.cassettes.player import Player
from cloche.testing.cassettes.recorded_answers import RecordedAnswers
from cloche.testing.cassettes.scripts import played_page
from cloche.testing.session import SANDBOX_DEADLINE, ViewOptions, ViewSession
from cloche.wire.apps.csp import Sources, content_policy
from cloche.wire.apps.mime import RESOURCE_MIME_TYPE
from cloche.wire.apps.origins import checked_csp

if TYPE_CHECKING:
    from playwright.async_api import Browser, Route

CLOSING = (b"connection-allowlist", b"permissions-policy", b"x-dns-prefetch-control", b"referrer-policy")
"""Headers of the product's sandbox that a played view gets as well; its policy is made from what was recorded."""

ROOM = 40
"""Pixels around a view, so that the mouse can leave it."""


def played_frame(page: PageLine, width: int, height: int) -> Frame:
    """The frame of a recorded view. A cassette is somebody's file: what it says of origins is parsed as a server's is.
    The headers are those of the product's sandbox: WebRTC, which no stage intercepts, obeys the allowlist alone.
    """
    sources, more = Sources(checked_csp(page.csp, [])), HostProfile(csp=page.more).csp
    headers = {
        name.decode(): value.decode() for name, value in sandbox_headers(sources, (), HOST, more) if name in CLOSING
    }
    return Frame(content_policy(sources, HOST, more), "", width, height, headers)


class OfflineStage(Stage):
    """A stage without the world: what was not said in the cassette is not there."""

    async def _elsewhere(self, route: Route) -> None:
        if route.request.url in self._responses:
            await super()._elsewhere(route)
        else:
            await route.abort()


class PlayedSession(ViewSession):
    """One recorded view, open in a browser. `start` shows it, `play` plays it."""

    def __init__(self, recorded: RecordedView, *, pace: float = 0.0, html: str | None = None) -> None:
        start = recorded.start
        if start is None:
            raise ConfigurationError(f"{recorded.name} cannot be played: the recording ended before it began")
        options = ViewOptions(
            theme=start.theme,
            width=start.width,
            height=start.height,
            locale=start.locale,
            time_zone=start.time_zone,
        )
        super().__init__(recorded.opened.tool, recorded.opened.arguments or {}, options)
        self.stage = OfflineStage(self.record, self._arrived, {})
        self._recorded = recorded
        self._begin: Start = start
        self._pace = pace
        self._html = recorded.page.html if html is None else html
        self._counter = f"cloche-{secrets.token_hex(8)}"
        times = [round(start.time) + time for time in recorded.times]
        self._source = ViewSource(
            uri=recorded.opened.uri,
            html=played_page(self._html, recorded.opened.seed, times, self._counter),
            hash="",
            mime_type=RESOURCE_MIME_TYPE,
            csp=checked_csp(recorded.page.csp, []),
            widget_csp={},
        )
        self._is_playing = True

    async def start(self, browser: Browser) -> None:
        """Open the browser's page, with the clock standing where the recorded view began."""
        begin = self._begin
        await self.stage.open(
            browser,
            theme=begin.theme,
            width=max(begin.width, 300) + ROOM,
            height=max(600, begin.height) + ROOM,
            locale=begin.locale,
            timezone_id=begin.time_zone,
            device_scale_factor=begin.scale,
        )
        clock, began = self.stage.page.clock, begin.time / 1000
        await clock.install(time=began - 3600)
        await clock.pause_at(began)

    async def play(self) -> Difference | None:
        """Play the view from its beginning to its end, or to the first difference."""
        self._is_playing = True
        answers = RecordedAnswers(self._recorded)
        await self.talk.close()
        talk = self.talk = PlayedConversation(self.record, self.stage.post, answers)
        self._sandbox_ready.clear()
        await self.stage.show(played_frame(self._recorded.page, self._begin.width, self._begin.height))
        async with asyncio.timeout(SANDBOX_DEADLINE):
            await self._sandbox_ready.wait()
        player = Player(self._recorded, self.stage, talk, answers, self._counter, self._pace)
        resource = {"html": self.source.html, "allow": ""}
        await self.stage.post(
            {"jsonrpc": "2.0", "method": "ui/notifications/sandbox-resource-ready", "params": resource}
        )
        difference = await player.play()
        with contextlib.suppress(Exception):  # of a page that the browser has ended
            await self.stage.page.clock.resume()
        self._is_playing = False
        return difference

    async def show(self) -> None:
        """Play it again; the clock cannot go back, so a view that shows the time differs."""
        await self.play()

    async def _follow_size(self) -> None:
        """While it is played, the view has the room that it had."""
        if not self._is_playing:
            await super()._follow_size()


async def play_all(
    views: Iterable[RecordedView], browser: Browser, *, pace: float = 0.0, keep: bool = False
) -> AsyncIterator[tuple[RecordedView, Difference | None]]:
    """Each view with the first difference, if there is one. With `pace` the time between two steps passes, up to so
    many seconds; with `keep` each page stays until it is closed by hand.
    """
    for view in views:
        session = PlayedSession(view, pace=pace)
        try:
            await session.start(browser)
            yield view, await session.play()
            if keep:
                await session.stage.page.wait_for_event("close", timeout=0)
        finally:
            await session.close()
