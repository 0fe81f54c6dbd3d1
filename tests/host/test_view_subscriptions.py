"""Views subscribe to resources of their own server: who is told, how often, about how many, and until when."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Capability, Principal, Server, View
from cloche.host import HostLimits, HostProfile
from tests.support.host_page import Page, hosting, opened

UPDATED = "notifications/resources/updated"


class Watch(Capability):
    """Counts the subscriptions of each resource at the server."""

    name = "watch"

    def __init__(self) -> None:
        self.count: dict[str, int] = {}

    def on_subscribe(self, uri: str, principal: Principal | None) -> None:
        self.count[uri] = self.count.get(uri, 0) + 1

    def on_unsubscribe(self, uri: str, principal: Principal | None) -> None:
        self.count[uri] -= 1


def prices(name: str = "shop") -> tuple[Server, Watch]:
    server, watch = Server(name), Watch()
    server.attach(watch)
    server.register_tool(lambda: "shown", name="show", view=View("<p>Prices</p>"))
    server.register_resource(f"{name}://prices", lambda: "bread 4", name="prices")
    server.register_resource(f"{name}://costs", lambda: "bread 1", name="costs", scopes=["owner"])
    return server, watch


def told(page: Page) -> list[str]:
    messages = [frame["message"] for frame in page.frames if "message" in frame]
    return [message["params"]["uri"] for message in messages if message.get("method") == UPDATED]


async def test_a_view_is_told_when_a_resource_of_its_server_changes_until_it_unsubscribes() -> None:
    server, watch = prices()
    async with hosting({"shop": server}) as host:
        page = await opened(host, "shop.show", {})
        assert "cloche/subscribe" in page.view.initialize_result()["hostCapabilities"]["experimental"]
        assert {"resources/subscribe", "resources/unsubscribe"} <= set(page.view.packet()["methods"])
        assert await page.result("resources/subscribe", {"uri": "shop://prices"}) == {}
        assert await page.result("resources/subscribe", {"uri": "shop://prices"}) == {}
        assert watch.count == {"shop://prices": 1}
        server.resource_updated("shop://prices")
        await page.until(lambda _: told(page) == ["shop://prices"])
        assert await page.result("resources/unsubscribe", {"uri": "shop://prices"}) == {}
        assert await page.result("resources/unsubscribe", {"uri": "shop://never"}) == {}
        assert watch.count == {"shop://prices": 0}
        server.resource_updated("shop://prices")
        await page.result("resources/read", {"uri": "shop://prices"})
        assert told(page) == ["shop://prices"]
        actions = [entry.action for entry in host.timeline.entries(user="ann") if "subscribe" in entry.action]
        assert actions.count("resources/subscribe") == 2


async def test_views_of_one_user_share_a_subscription_and_the_last_to_leave_ends_it() -> None:
    server, watch = prices()
    async with hosting({"shop": server}) as host:
        first, second = [await opened(host, "shop.show", {}) for _ in range(2)]
        for page in (first, second):
            await page.result("resources/subscribe", {"uri": "shop://prices"})
        assert watch.count == {"shop://prices": 1}
        await first.view.close("done")
        assert watch.count == {"shop://prices": 1}
        server.resource_updated("shop://prices")
        await second.until(lambda _: told(second))
        assert told(first) == []
        await second.view.close("done")
        assert watch.count == {"shop://prices": 0}


async def test_a_view_hears_of_its_own_server_only() -> None:
    (shop, _), (bank, watch) = prices(), prices("bank")
    async with hosting({"shop": shop, "bank": bank}) as host:
        page = await opened(host, "shop.show", {})
        for uri in ("shop://prices", "bank://prices"):
            await page.result("resources/subscribe", {"uri": uri})
        assert watch.count == {}
        bank.resource_updated("bank://prices")
        shop.resource_updated("shop://prices")
        await page.until(lambda _: told(page))
        assert told(page) == ["shop://prices"]


@pytest.mark.parametrize(
    ("params", "code", "text"),
    [
        ({"uri": "shop://costs"}, -32003, "This needs the scope 'owner'"),
        ({"uri": "x" * 2001}, -32602, "at most 2000 characters"),
        ({"uri": 7}, -32602, "Invalid params for resources/subscribe"),
        ({}, -32602, "Invalid params for resources/subscribe"),
    ],
    ids=["a scope that the user lacks", "too long", "a number", "empty"],
)
async def test_what_the_server_or_the_host_refuses_is_not_subscribed_to(params: Any, code: int, text: str) -> None:
    server, watch = prices()
    async with hosting({"shop": server}) as host:
        page = await opened(host, "shop.show", {})
        got, said = await page.error("resources/subscribe", params)
        assert (got, text in said) == (code, True)
        assert watch.count == {}
        assert host.session("ann").upstream("shop").subscribed == set()


async def test_a_view_has_so_many_subscriptions_and_no_more() -> None:
    server, _ = prices()
    async with hosting({"shop": server}, limits=HostLimits(view_subscriptions=2)) as host:
        page, other = [await opened(host, "shop.show", {}) for _ in range(2)]
        for number in range(2):
            await page.result("resources/subscribe", {"uri": f"shop://{number}"})
        _, said = await page.error("resources/subscribe", {"uri": "shop://2"})
        assert "A view subscribes to at most 2 resources" in said
        await other.result("resources/subscribe", {"uri": "shop://2"})
        await page.result("resources/unsubscribe", {"uri": "shop://0"})
        await page.result("resources/subscribe", {"uri": "shop://3"})


async def test_a_server_that_changes_all_the_time_does_not_flood_the_view_and_the_last_change_is_told() -> None:
    server, _ = prices()
    async with hosting({"shop": server}) as host:
        page = await opened(host, "shop.show", {})
        await page.result("resources/subscribe", {"uri": "shop://prices"})
        for _ in range(200):
            server.resource_updated("shop://prices")
        await page.until(lambda _: len(told(page)) == 2)
        await page.result("resources/read", {"uri": "shop://prices"})
        assert len(told(page)) == 2


async def test_a_subscription_outlives_the_connection_and_the_view_is_told_that_it_may_have_missed_something() -> None:
    server, watch = prices()
    async with hosting({"shop": server}) as host:
        page = await opened(host, "shop.show", {})
        await page.result("resources/subscribe", {"uri": "shop://prices"})
        upstream = host.session("ann").upstream("shop")
        await upstream.rest()
        upstream.everything_changed()
        await page.until(lambda _: told(page) == ["shop://prices"])
        await page.result("resources/read", {"uri": "shop://prices"})
        assert watch.count == {"shop://prices": 1}


async def test_in_a_host_that_does_not_offer_it_the_method_does_not_exist() -> None:
    server, watch = prices()
    async with hosting({"shop": server}, profile=HostProfile(without=("experimental",))) as host:
        page = await opened(host, "shop.show", {})
        assert (await page.error("resources/subscribe", {"uri": "shop://prices"}))[0] == -32601
        assert "experimental" not in page.view.initialize_result()["hostCapabilities"]
        assert "resources/subscribe" not in page.view.packet()["methods"]
        assert watch.count == {}


async def test_closing_while_the_server_is_asked_leaves_no_subscription() -> None:
    server, watch = prices()
    asked, go_on = asyncio.Event(), asyncio.Event()

    async with hosting({"shop": server}) as host:
        page = await opened(host, "shop.show", {})
        upstream = host.session("ann").upstream("shop")
        subscribe = upstream._subscribe

        async def slowly(uri: str) -> None:
            asked.set()
            await go_on.wait()
            await subscribe(uri)

        upstream._subscribe = slowly  # type: ignore[method-assign]
        page.say({"jsonrpc": "2.0", "id": "s", "method": "resources/subscribe", "params": {"uri": "shop://prices"}})
        await asked.wait()
        closing = asyncio.create_task(page.view.close("done", gone=True))
        await asyncio.sleep(0)
        go_on.set()
        await closing
        assert watch.count.get("shop://prices", 0) == 0
        assert upstream.subscribed == set()
