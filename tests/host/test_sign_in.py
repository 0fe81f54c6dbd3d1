"""Signing in at a server: who is asked, what is opened, and whose answer counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.errors import ConfigurationError, UpstreamError
from cloche.host import Host, HostSession
from cloche.host.upstreams.oauth import Authorization
from tests.host.servers import Weather
from tests.support.host_page import SECRET, hosting, opened

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


async def test_on_this_machine_the_request_says_where_answers_come_back() -> None:
    """The product calls a server that signs users in while it makes its first page: no view was ever opened."""
    async with hosting({"weather": Weather().server}) as host:
        seen: list[str | None] = []

        async def product(scope: Any, receive: Any, send: Any) -> None:
            seen.append(host.sign_ins.callback_url)

        app = host.wrap(product)

        async def visit(*hosts: bytes) -> None:
            headers = [(b"host", name) for name in hosts]
            await app({"type": "http", "path": "/", "scheme": "http", "headers": headers}, None, None)

        await visit(b"evil.example")
        await visit(b"localhost@evil.example")
        await visit(b"evil@localhost:1")
        await visit(b"[")
        await visit(b"localhost", b"localhost")
        await visit()
        assert seen == [None] * 6
        await visit(b"localhost:8000")
        await visit(b"127.0.0.1:8000")
        assert seen[6:] == ["http://localhost:8000/cloche/oauth/callback"] * 2
        call = await host.session("ann").start("weather.forecast", {"city": "x"})
        for reached in ("http://127.0.0.1:3000", "http://localhost:9"):  # a page knows better, and the first one stays
            await host.open_view(
                call.ticket(), context={}, page_origin=reached, at_url=reached, send=lambda frame: None
            )
        assert host.sign_ins.callback_url == "http://127.0.0.1:3000/cloche/oauth/callback"


async def test_the_user_is_asked_before_the_host_registers_and_not_a_second_time() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        agreeing = asyncio.create_task(host.sign_ins.agree("ann", "notes", "login.example"))
        asked = await page.asked()
        assert asked["question"]["text"] == "“notes” wants you to sign in at “login.example”."
        page.view.answered(asked["ask"], True)
        await agreeing
        page.frames.clear()
        signing_in = asyncio.create_task(host.sign_ins.ask("ann", "notes", URL, "login.example"))
        await page.until(lambda frame: frame == {"do": "open-link", "url": URL})
        assert not [frame for frame in page.frames if "ask" in frame]
        host.sign_ins.finish("ann", "?state=abc&code=1")
        await signing_in
        other = asyncio.create_task(host.sign_ins.ask("ann", "notes", URL, "another.example"))
        page.view.answered((await page.asked())["ask"], False)
        with pytest.raises(UpstreamError, match="not agreed to"):
            await other


@pytest.mark.parametrize("url", ["http://app.example", "app.example", "https://a@b.example", "https://a.example?x", ""])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ConfigurationError, match="the product's address"):
        Host({"weather": Weather().server}, secret=SECRET, url=url)
