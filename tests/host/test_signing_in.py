"""Signing in at a server: who is asked, what is opened, and whose answer counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.errors import ConfigurationError, UpstreamError
from cloche.host import Host, HostSession
from cloche.host.upstreams.oauth import Authorization
from tests.host.page import SECRET, hosting, opened
from tests.host.servers import Weather

URL = "https://login.example/authorize?state=abc"


async def test_a_view_that_is_open_asks_and_its_page_brings_the_answer() -> None:
    async with hosting({"weather": Weather().server}) as host:
        ann = await opened(host, "weather.forecast", {"city": "Paris"})
        eve = await opened(host, "weather.forecast", {"city": "Paris"}, user="eve")
        signing_in = asyncio.create_task(host.sign_ins.ask("ann", "notes", URL))
        asked = await ann.asked()
        assert asked["question"]["text"] == "“notes” wants you to sign in at “login.example”."
        assert not [frame for frame in ann.frames if "do" in frame]
        ann.view.answered(asked["ask"], True)
        await ann.until(lambda frame: frame == {"do": "open-link", "url": URL})
        eve.view.event("sign-in", {"query": "?state=abc&code=stolen"})
        ann.view.event("sign-in", {"query": "?state=other&code=x"})
        ann.view.event("sign-in", {})
        assert not signing_in.done()
        ann.view.event("sign-in", {"query": "?state=abc&code=1234"})
        assert await signing_in == {"state": "abc", "code": "1234"}
        assert not [frame for frame in eve.frames if "ask" in frame]
        outcomes = [(entry.user, entry.outcome) for entry in host.timeline.entries(action="sign-in") if entry.outcome]
        assert outcomes == [("eve", "refused"), ("ann", "refused"), ("ann", "refused"), ("ann", "done")]


@pytest.mark.parametrize("there", [True, False], ids=["says no", "nobody there"])
async def test_without_a_yes_nothing_opens(there: bool) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        if not there:
            page.view.detach()
        signing_in = asyncio.create_task(host.sign_ins.ask("ann", "notes", URL))
        if there:
            page.view.answered((await page.asked())["ask"], False)
        with pytest.raises(UpstreamError, match="not agreed to"):
            await signing_in
        assert not [frame for frame in page.frames if "do" in frame]
        assert host.timeline.entries(action="sign-in", decision="denied")


async def test_the_product_can_ask_itself() -> None:
    async with hosting({"weather": Weather().server}) as host:
        wanted: list[Any] = []

        @host.on_sign_in
        async def open_it(session: HostSession, authorization: Authorization) -> bool:
            wanted.append((session.user, authorization.site))
            host.sign_ins.finish(session.user, "?state=abc&code=1")
            return True

        assert (await host.sign_ins.ask("ann", "notes", URL))["code"] == "1"
        assert wanted == [("ann", "login.example")]


@pytest.mark.parametrize(
    ("url", "reached", "known"),
    [
        ("https://app.example", "http://evil.example", "https://app.example/cloche/oauth/callback"),
        (None, "http://localhost:8000", "http://localhost:8000/cloche/oauth/callback"),
        (None, "https://evil.example", None),
    ],
    ids=["said", "on this machine", "somebody's Host header"],
)
async def test_where_answers_come_back(url: str | None, reached: str, known: str | None) -> None:
    async with hosting({"weather": Weather().server}, url=url) as host:
        host.wrap(lambda scope, receive, send: None)
        call = await host.session("ann").start("weather.forecast", {"city": "x"})
        await host.open_view(call.ticket(), context={}, page_origin=reached, at_url=reached, send=lambda frame: None)
        assert host.sign_ins.callback_url == known


@pytest.mark.parametrize("url", ["http://app.example", "app.example", "https://a@b.example", "https://a.example?x", ""])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ConfigurationError, match="the product's address"):
        Host({"weather": Weather().server}, secret=SECRET, url=url)
