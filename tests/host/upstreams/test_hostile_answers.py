"""A client, and a host, against servers whose answers are too long, too many or unreadable: an error, and at once."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from cloche import Client
from cloche.errors import BudgetError, McpError, RemoteProtocolError, RequestTimeoutError, TransportError
from cloche.host import HostLimits
from cloche.host.upstreams import open_upstream
from cloche.host.upstreams.base import Upstream
from tests.host.upstreams.watching import closing
from tests.support.hostile_upstream import (
    INITIALIZED,
    Scripts,
    body,
    events,
    honest,
    message,
    over_http,
    raw,
    text_result,
)

MANY = b'{"content":[],"structuredContent":{"x":[' + b"[]," * 600_000 + b"0]}}"
DIGITS = b'{"content":[],"structuredContent":{"x":' + b"1" * 10_000 + b"}}"


async def asked(scripts: Scripts, method: str = "tools/call") -> Any:
    """What a client gets for one request."""
    async with over_http(scripts) as url, Client(url) as client:
        return await client.request(method, {"name": "answer", "arguments": {}}, timeout=30)


@pytest.mark.parametrize("answer", [MANY, DIGITS], ids=["many values", "many digits"])
@pytest.mark.parametrize("way", [body, events], ids=["body", "event"])
async def test_an_answer_that_cannot_be_read_is_an_error_at_once(answer: bytes, way: Any) -> None:
    with pytest.raises(McpError, match=r"more than 1000000 values|cannot be read"):
        await asked({"tools/call": lambda number, _: way(raw(number, answer))})
    fine = await asked({"tools/call": lambda number, _: way(raw(number, text_result(5)))})  # the control
    assert fine["content"][0]["text"] == "xxxxx"


async def test_a_list_is_weighed_over_all_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.client.client.MAX_LIST_BYTES", 250_000)

    def page(pages: int) -> Any:
        def answer(number: Any, params: dict[str, Any]) -> Any:
            at = int(params.get("cursor", 1))
            tool = {"name": f"t{at}", "description": "d" * 100_000, "inputSchema": {"type": "object"}}
            more = {"nextCursor": str(at + 1)} if at < pages else {}
            return body(message(number, {"tools": [tool], **more}))

        return answer

    for pages, fits in ((2, True), (3, False)):
        async with over_http({"tools/list": page(pages)}) as url, Client(url) as client:
            if fits:
                assert len(await client.list_tools()) == pages
            else:
                with pytest.raises(RemoteProtocolError, match="over 250000 bytes"):
                    await client.list_tools()


class SlowPages(Upstream):
    """A server that gives each page of its list 25 seconds later."""

    def __init__(self) -> None:
        super().__init__("slow")
        self.now = 1000.0
        self.allowed: list[float] = []

    async def _ask(self, method: str, params: Any, timeout: float, on_progress: Any, by: Any) -> Any:
        self.allowed.append(timeout)
        if timeout < 25.0:
            raise RequestTimeoutError(method)
        self.now += 25.0
        return {"tools": [], "nextCursor": "more"}

    async def _subscribe(self, uri: str) -> None: ...

    async def _unsubscribe(self, uri: str) -> None: ...

    async def _set_log_level(self, level: str) -> None: ...

    async def _disconnect(self) -> None: ...


async def test_all_pages_of_a_list_share_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowPages()
    monkeypatch.setattr("cloche.host.upstreams.base.monotonic", lambda: slow.now)
    with pytest.raises(RequestTimeoutError):
        await slow.tools()
    assert slow.allowed == [60.0, 60.0, 35.0, 10.0]


async def test_a_server_that_says_too_much_of_itself_is_not_greeted() -> None:
    for size, fits in ((900_000, True), (1_100_000, False)):
        long = INITIALIZED | {"instructions": "i" * size}
        async with over_http({"initialize": lambda number, _, long=long: body(message(number, long))}) as url:
            if fits:
                async with Client(url) as client:
                    assert len(client.instructions or "") == size
            else:
                with pytest.raises(RemoteProtocolError, match="says of itself is over"):
                    await Client(url).connect()


async def test_what_a_server_calls_itself_is_cut() -> None:
    named = INITIALIZED | {"serverInfo": {"name": "n" * 500_000, "version": "1", "icons": [{"src": "x" * 400_000}]}}
    async with (
        over_http({"initialize": lambda number, _: body(message(number, named))}) as url,
        closing(open_upstream("hostile", url)) as upstream,
    ):
        await upstream.tools()
        assert upstream.server_info is not None
        assert len(str(upstream.server_info)) < 1100


async def test_a_host_takes_no_compressed_answer_and_a_client_counts_what_comes_out_of_one() -> None:
    def packed(number: Any, _: Any) -> Any:
        return body(gzip.compress(raw(number, text_result(100))), b"content-encoding: gzip")

    async with over_http({"tools/call": packed}) as url:
        async with closing(open_upstream("hostile", url)) as upstream:
            with pytest.raises((McpError, TransportError), match="compressed"):
                await upstream.call_tool("answer", {})
        async with Client(url) as client:
            assert len((await client.call_tool("answer")).text) == 100


async def test_the_limits_of_a_host_are_those_of_its_servers() -> None:
    limits = HostLimits(answer_bytes=50_000, tools=3, subscriptions=0)
    tools = [{"name": f"t{number}", "inputSchema": {"type": "object"}} for number in range(4)]
    scripts: Scripts = {
        "tools/call": lambda number, _: body(raw(number, text_result(60_000))),
        "tools/list": lambda number, _: body(message(number, {"tools": tools})),
    }
    told: list[BudgetError] = []
    async with over_http(scripts) as url, closing(open_upstream("hostile", url, limits=limits)) as upstream:
        upstream.on_budget = lambda _, error: told.append(error)
        with pytest.raises(McpError, match="over 50000 bytes"):
            await upstream.call_tool("answer", {})
        with pytest.raises(BudgetError, match=r"HostLimits\(tools=3\)"):
            await upstream.tools()
        with pytest.raises(BudgetError, match=r"HostLimits\(subscriptions=0\)"):
            await upstream.follow("a://b", lambda _: None)
    assert [error.limit for error in told] == ["tools", "subscriptions"]


def test_an_honest_answer_is_one() -> None:
    assert b"Method not found" in honest("nothing", 1)
