"""Pages that have a server by URL in a frame: what they tell the host of it, true or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche.errors import ConfigurationError, LocalProtocolError, UpstreamError
from cloche.host import HostLimits, InBrowser, InFrame
from cloche.host.upstreams.frame_setups import MemorySetups
from cloche.host.web.wrapper import Wrapper
from tests.host.upstreams.in_browser.tabs import Page, hosted, names, said, session, until
from tests.support.host_surface import connect

Json = dict[str, Any]

URL = "https://greeter.example/app/"
SETUP: Json = {
    "sessionId": "mcp-1",
    "protocolVersion": "1.0",
    "origin": "https://greeter.example",
    "displayName": "Greeter",
    "transportVisibility": {"requirement": "hidden"},
    "permissions": [{"name": "camera", "phase": ["transport"]}],
}


def ticket(wrapper: Wrapper, user: str = "ann") -> str:
    return session(wrapper, user).server_element("mine").partition('ticket="')[2].partition('"')[0]


@asynccontextmanager
async def shown(wrapper: Wrapper, user: str = "ann", name: str = "page") -> AsyncIterator[Page]:
    """A page of this user with the element."""
    page = await Page(await connect(wrapper), name=name).offered(ticket(wrapper, user))
    try:
        yield page
    finally:
        await page.leave()
        await page.socket.drop()


async def noted(wrapper: Wrapper, action: str, count: int = 1) -> None:
    """Wait until the timeline has this so often."""
    changed = asyncio.Event()
    timeline = wrapper.host.timeline
    stop = timeline.on_entry(lambda _: changed.set())
    async with asyncio.timeout(10):
        while len(timeline.entries(action=action)) < count:
            await changed.wait()
            changed.clear()
    stop()


async def listed(wrapper: Wrapper, *expected: str) -> None:
    async def is_so() -> bool:
        return await names(wrapper) == [f"mine_{name}" for name in expected]

    await until(wrapper, is_so)


async def refusal(work: Callable[[], Awaitable[object]]) -> str:
    with pytest.raises(UpstreamError) as refused:
        await work()
    return refused.value.message


async def test_its_tools_are_there_from_connected_to_lost_and_each_connection_greets_a_server_anew() -> None:
    async with hosted(InFrame(URL, ask="never")) as wrapper:
        ann = session(wrapper)

        async def call() -> str:
            return said(await ann.run("mine.read", {}))

        assert "open one that has session.server_element('mine')" in await refusal(call)
        async with shown(wrapper) as page:
            assert page.packet["url"] == URL
            assert page.packet["setup"] is None
            assert (await refusal(call)).endswith("the user has not set it up")
            page.send(event="connected")
            await listed(wrapper, "read", "write", "wipe")
            assert await call() == "read in page"
            page.send(event="lost", message="The server has to be set up again\n(AUTH_EXPIRED): sign in")
            await listed(wrapper)
            assert (await refusal(call)).endswith(": The server has to be set up again (AUTH_EXPIRED): sign in")
            greetings = len([one for one in page.asked if one["method"] == "initialize"])
            page.send(event="connected")
            await listed(wrapper, "read", "write", "wipe")
            assert await call() == "read in page"
            assert len([one for one in page.asked if one["method"] == "initialize"]) == greetings + 1
        await listed(wrapper)
        actions = [entry.action for entry in wrapper.host.timeline.entries(server="mine")]
        assert {"frame-opened", "offered", "frame-lost", "call", "offer-ended"} <= {*actions}


async def test_a_call_under_way_fails_when_the_frame_is_lost() -> None:
    async with hosted(InFrame(URL, ask="never")) as wrapper, shown(wrapper) as page:
        page.holds.add("read")
        page.send(event="connected")
        await listed(wrapper, "read", "write", "wipe")
        call = await session(wrapper).start("mine.read", {})
        await page.until_asked("tools/call")
        page.send(event="lost", message="The server's page was reloaded")
        assert "was closed before it answered" in await refusal(call.result)
        assert "The server's page was reloaded" in await refusal(lambda: session(wrapper).run("mine.read", {}))


async def test_a_setup_is_kept_for_its_user_and_forgotten_when_the_server_is_removed() -> None:
    setups = MemorySetups()
    async with hosted(InFrame(URL, setups=setups)) as wrapper:
        async with shown(wrapper) as page:
            page.send(event="setup", setup=SETUP)
            await noted(wrapper, "frame-set-up")
        async with shown(wrapper) as page, shown(wrapper, "bob") as other:
            assert page.packet["setup"] == SETUP
            assert other.packet["setup"] is None
            page.send(event="removed")
            await noted(wrapper, "frame-lost")
        async with shown(wrapper) as page:
            assert page.packet["setup"] is None
        assert await setups.get("ann", URL) is None


FORGED: list[Any] = [
    {**SETUP, "origin": "https://evil.example"},
    {**SETUP, "origin": "https://greeter.example:8443"},
    {**SETUP, "sessionId": "x" * 201},
    {**SETUP, "permissions": [{"name": "camera; geolocation *", "phase": ["transport"]}]},
    {**SETUP, "displayName": "x" * 2000},
    {},
    "setup",
    None,
]


async def test_a_setup_of_another_origin_or_none_at_all_is_not_kept() -> None:
    setups = MemorySetups()
    async with hosted(InFrame(URL, setups=setups)) as wrapper:
        async with shown(wrapper) as page:
            for forged in FORGED:
                page.send(event="setup", setup=forged)
            await noted(wrapper, "misbehaved", len(FORGED))
        assert await setups.get("ann", URL) is None
        async with shown(wrapper) as page:
            page.send(event="setup", setup=SETUP)  # the control
            await noted(wrapper, "frame-set-up")
        # Of another server that had this URL before, the store may still know.
        await setups.put("ann", URL, FORGED[0])
        async with shown(wrapper) as page:
            assert page.packet["setup"] is None


async def test_pages_that_are_too_many_are_let_go_and_one_user_has_no_other_users_frame() -> None:
    async with (
        hosted(InFrame(URL, ask="never"), limits=HostLimits(tabs=1)) as wrapper,
        shown(wrapper) as first,
        shown(wrapper, name="second") as second,
    ):
        assert (await first.refused())["code"] == "limit"
        second.send(event="connected")
        await listed(wrapper, "read", "write", "wipe")
        assert await names(wrapper, "bob") == []
        assert "No page of this user" in await refusal(lambda: session(wrapper, "bob").run("mine.read", {}))


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("greeter.example", "needs an http or https URL"),
        ("ftp://greeter.example/", "needs an http or https URL"),
        ("https://grüße.example/", "needs an http or https URL"),
        ("https://greeter.example:port/", "is not a URL"),
        ("https://ann:word@greeter.example/", "no name or password"),
        ("https://greeter.example/#setup", "Leave the #"),
    ],
)
def test_an_url_that_is_none_of_a_server_is_refused_in_a_sentence(url: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        InFrame(url)


def test_the_origin_is_the_urls() -> None:
    assert InFrame("https://Greeter.example:443/a?b=c").origin == "https://greeter.example"
    assert InFrame("http://[::1]:8000/").origin == "http://[::1]:8000"
    with pytest.raises(ConfigurationError, match=r"InFrame\(ask='no'\)"):
        InFrame(URL, ask="no")  # type: ignore[arg-type]


async def test_each_kind_of_server_in_the_browser_has_its_own_way_in() -> None:
    async with hosted(InFrame(URL)) as wrapper:
        with pytest.raises(LocalProtocolError, match=r"use session\.server_element"):
            session(wrapper).offer("mine")
        with pytest.raises(LocalProtocolError, match=r"declare it with InFrame\(url\)"):
            session(wrapper).server_element("dice")
    async with hosted(InBrowser()) as wrapper:
        with pytest.raises(LocalProtocolError, match=r"declare it with InFrame\(url\)"):
            session(wrapper).server_element("mine")
