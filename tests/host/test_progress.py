"""Progress and logs of servers: from every kind of upstream to the product, the page and the timeline."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from fastmcp import Context as FastContext
from fastmcp import FastMCP

from cloche import Context, Server
from cloche.errors import ConfigurationError
from cloche.host import Call, Host, HostSession, Progress, ServerLog
from tests.host.servers import PAGE, Weather
from tests.support import talking
from tests.support.host_page import Page, hosting, opened, ticket_in

EXPECTED = [Progress(step, 3, f"step {step}") for step in (1, 2, 3)]


@pytest.mark.filterwarnings("ignore:The logging capability is deprecated")
@pytest.mark.parametrize("kind", talking.WAYS)
async def test_progress_and_logs_arrive_from_every_kind_of_upstream(kind: str) -> None:
    async with talking.upstream_of(kind) as spec, hosting({"talking": spec}) as host:
        logs: asyncio.Queue[tuple[HostSession | None, ServerLog]] = asyncio.Queue()
        told: list[tuple[Call, Progress]] = []
        host.on_server_log(lambda session, line: logs.put_nowait((session, line)))
        host.on_progress(lambda call, progress: told.append((call, progress)))
        call = await host.session("ann").start("talking.steps")
        assert [update async for update in call.progress()] == EXPECTED
        await call.result()
        session, line = await asyncio.wait_for(logs.get(), 5)
        assert line == ServerLog("talking", "warning", {"disk": "full"}, "disks")
        assert (session is host.session("ann")) == (kind == "cloche object")  # all others are shared connections
        assert {call.id for call, _ in told} == {call.id}
        assert call.latest_progress == EXPECTED[-1]
        assert [one.server for one in host.timeline.entries(action="server-log")] == ["talking"]
        assert host.timeline.entries(action="progress")[0].call == call.id


async def test_the_page_shows_the_latest_progress_until_the_call_is_over() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.slow", {"steps": 4})
        await weather.started.wait()
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        shown = await page.until(lambda frame: frame.get("do") == "progress" and frame.get("fraction") == 1.0)
        assert shown["step"] == "step 4"
        weather.release.set()
        await page.until(lambda frame: frame.get("do") == "progress" and frame.get("over") is True)
        late = await Page().open(host, ticket_in(call.embed()))
        assert [frame for frame in late.greet().frames if frame.get("do") == "progress"] == []


async def test_a_server_that_reports_all_the_time_floods_nobody() -> None:
    server = FastMCP("eager")

    @server.tool(meta={"ui": {"resourceUri": "ui://eager"}})
    async def count(ctx: FastContext) -> str:
        for step in range(3000):
            await ctx.report_progress(step, None, "x" * 5000 + "\u202e")
        return "done"

    @server.resource("ui://eager", mime_type="text/html;profile=mcp-app")
    def page_of_it() -> str:
        return PAGE

    async with hosting({"eager": server}) as host:
        call = await host.session("ann").start("eager.count")
        page = await Page().open(host, ticket_in(call.embed()))
        updates = [update async for update in call.progress()]
        await call.result()
        assert updates[-1].progress == 2999
        assert updates[-1].fraction is None
        said = str(updates[-1].message)
        assert (len(said) <= 200, said.endswith("⟨U+202E⟩")) == (True, True)
        shown = [frame for frame in page.frames if frame.get("do") == "progress"]
        assert 2 <= len(shown) < 300
        assert len(host.timeline.entries(action="progress")) < 10


async def test_a_hook_that_is_slow_gets_the_last_word() -> None:
    weather = Weather()
    told: list[float] = []
    go = asyncio.Event()
    finished = asyncio.Event()

    async with hosting({"weather": weather.server}) as host:

        @host.on_progress
        async def progress(call: Call, update: Progress) -> None:
            await go.wait()
            told.append(update.progress)
            if update.progress == 5:
                finished.set()

        call = await host.session("ann").start("weather.slow", {"steps": 5})
        await weather.started.wait()
        weather.release.set()
        await call.result()
        go.set()
        await asyncio.wait_for(finished.wait(), 5)
        assert told in ([5.0], [1.0, 5.0])


async def test_a_view_hears_of_the_progress_of_its_own_calls() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        weather.release.set()
        meta = {"progressToken": "p1"}
        await page.result("tools/call", {"name": "slow", "arguments": {"steps": 2}, "_meta": meta})
        assert await page.told("notifications/progress") == {
            "progressToken": "p1", "progress": 1, "total": 2, "message": "step 1"
        }  # fmt: skip


async def test_without_a_hook_logs_go_to_pythons_logging_on_one_line(caplog: pytest.LogCaptureFixture) -> None:
    server = Server("noisy")

    @server.tool
    async def shout(ctx: Context) -> str:
        await ctx.log("error", "first\nFAKE second line")
        await ctx.log("info", "below the level")
        return "done"

    caplog.set_level(logging.DEBUG, "cloche.host.server")
    async with hosting({"noisy": server}, server_log_level="warning") as host:
        await host.session("ann").run("noisy.shout")
    lines = [record for record in caplog.records if record.name == "cloche.host.server"]
    assert [(one.levelno, one.getMessage()) for one in lines] == [(logging.ERROR, "noisy: first FAKE second line")]


async def test_a_flood_of_log_lines_is_cut() -> None:
    server = Server("noisy")

    @server.tool
    async def shout(ctx: Context) -> str:
        for number in range(1000):
            await ctx.log("error", number)
        return "done"

    async with hosting({"noisy": server}) as host:
        heard: list[Any] = []
        host.on_server_log(lambda _, line: heard.append(line.data))
        await host.session("ann").run("noisy.shout")
        upstream = host.session("ann").upstream("noisy")
        assert 200 <= len(host.timeline.entries(action="server-log")) < 400
        assert upstream.lines_left_out > 600


def test_a_log_level_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="debug, info"):
        Host({}, secret="x" * 16, server_log_level="loud")  # type: ignore[arg-type]
