"""A store on a server: resources, subscriptions in both eras, tools, actions, users, and a state that loads."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cloche import Client, Context, Principal, Server, Store, ToolError
from cloche.errors import LocalError, McpError, RegistrationError
from cloche.store import Replica
from cloche.store.owners import owner_of
from cloche.store.patches import apply_patch, read_patch
from tests.store.shopping import Cart, Item

ERAS = ["2025-11-25", "2026-07-28"]


def shop() -> tuple[Server, Store[Cart]]:
    server, store = Server("shop"), Store(Cart([Item("bread")]), name="cart", private=["/notes"])

    @store.action
    def add(name: str, count: int = 1) -> int:
        """Put something on the list."""
        store.state.items.append(Item(name, count))
        if count < 1:
            raise ToolError("Nothing is bought less than once")
        return len(store.state.items)

    @store.action(title="Clear the list")
    async def clear() -> list[Item]:
        """Take everything off the list."""
        store.state.items.clear()
        return store.state.items

    server.attach(store)
    return server, store


class Heard:
    """The notifications that a client gets, waited for."""

    def __init__(self, client: Client) -> None:
        self.uris: list[str] = []
        self._more = asyncio.Event()
        client.on_notification("notifications/resources/updated", self._updated)

    def _updated(self, params: dict[str, Any]) -> None:
        self.uris.append(params["uri"])
        self._more.set()

    async def until(self, *uris: str) -> None:
        async with asyncio.timeout(10):
            while not set(uris) <= set(self.uris):
                self._more.clear()
                await self._more.wait()


async def read(client: Client, uri: str) -> Any:
    return json.loads((await client.read_resource(uri)).contents[0].text or "")


@pytest.mark.requirement(72, 178)
@pytest.mark.parametrize("version", ERAS)
async def test_the_state_and_its_parts_are_resources(version: str) -> None:
    server, store = shop()
    async with Client(server, version=version) as client:
        assert "store://cart" in [one.uri for one in await client.list_resources()]
        assert "store://cart/{+path}" in [one.uri_template for one in await client.list_resource_templates()]
        whole = await read(client, "store://cart")
        assert whole["items"] == [{"name": "bread", "count": 1, "tags": []}]
        assert "notes" not in whole
        assert await read(client, "store://cart/items/0/name") == "bread"
        store.state.notes["a/b"] = 1
        store.state.shop.prices["é / x"] = 2
        assert await read(client, "store://cart/shop/prices/%C3%A9%20~1%20x") == 2
        for hidden in ("notes", "notes/a~1b", "items/7", "nothing"):
            with pytest.raises(McpError):
                await client.read_resource(f"store://cart/{hidden}")
        with pytest.raises(McpError):
            await client.subscribe_resource("store://cart/notes")


@pytest.mark.requirement(178)
@pytest.mark.parametrize("version", ERAS)
async def test_who_missed_changes_asks_for_them_by_version(version: str) -> None:
    server, store = shop()
    async with Client(server, version=version) as client:
        templates = [one.uri_template for one in await client.list_resource_templates()]
        assert "store://cart{?version,epoch}" in templates
        replica = Replica()
        first = await read(client, replica.uri("store://cart"))
        replica.take(first)
        (all_of_it,) = (await client.read_resource("store://cart")).contents
        about = {"cloche/version": replica.version, "cloche/epoch": replica.epoch}
        assert ((all_of_it.meta or {}).items() >= about.items(), replica.value) == (
            True,
            json.loads(all_of_it.text or ""),
        )
        store.state.notes["hidden"] = "from models"
        store.state.items.insert(0, Item("milk"))
        missed = await read(client, replica.uri("store://cart"))
        assert missed["version"] == store.version == 2
        assert [one["path"] for one in missed["patch"]] == ["/items/0"]
        replica.take(missed)
        assert replica.value == await read(client, "store://cart")
        assert (await read(client, replica.uri("store://cart")))["patch"] == []
        for query in ("version=-1", "version=99", "epoch=another", "version=1&epoch=another"):
            assert (await read(client, f"store://cart?{query}"))["value"] == replica.value, query
        with pytest.raises(McpError):
            await client.read_resource("store://cart?version=x")
        with pytest.raises(McpError):
            await client.subscribe_resource("store://cart?version=1")


@pytest.mark.requirement(71, 74, 178)
@pytest.mark.parametrize("version", ERAS)
async def test_a_mutation_tells_whoever_subscribed_to_it_once_a_turn(version: str) -> None:
    server, store = shop()
    async with Client(server, version=version) as client:
        heard = Heard(client)
        for path in ("", "/items", "/items/0/count", "/shop/shopName", "/count"):
            await client.subscribe_resource("store://cart" + path)
        store.state.items[0].more()
        store.state.items[0].more()
        store.state.items.append(Item("milk"))
        await heard.until("store://cart", "store://cart/items", "store://cart/items/0/count")
        store.state.count = 1
        await heard.until("store://cart/count")
        assert sorted(heard.uris) == sorted(
            ["store://cart", "store://cart/items", "store://cart/items/0/count", "store://cart", "store://cart/count"]
        )
        await client.unsubscribe_resource("store://cart/count")
        heard.uris.clear()
        await asyncio.to_thread(setattr, store.state, "count", 2)
        await asyncio.to_thread(setattr, store.state, "shop", store.state.shop.__class__("other"))
        await heard.until("store://cart/shop/shopName", "store://cart")
        assert "store://cart/count" not in heard.uris
    await server.close()
    assert store.notices.subscribed.count == 0


@pytest.mark.requirement(181)
async def test_an_action_is_a_tool_and_one_that_fails_changed_nothing() -> None:
    server, store = shop()
    async with Client(server) as client:
        tools = {tool.name: tool for tool in await client.list_tools()}
        assert tools["add"].description == "Put something on the list."
        assert tools["clear"].title == "Clear the list"
        assert (await client.call_tool("add", {"name": "milk"})).structured_content == 2
        failed = await client.call_tool("add", {"name": "salt", "count": 0})
        assert failed.is_error
        assert [item.name for item in store.state.items] == ["bread", "milk"]
        assert (await client.call_tool("clear")).structured_content == []
        assert store.version == 2

        @store.action
        def late(count: int) -> None:
            """An action that comes later."""
            store.state.count = count

        await client.call_tool("late", {"count": 4})
        assert store.state.count == 4


@pytest.mark.requirement(178)
async def test_store_set_checks_path_type_and_version() -> None:
    server, store = shop()
    async with Client(server) as client:

        async def put(path: str, value: Any = None, **more: Any) -> Any:
            answer = await client.call_tool("store_set", {"path": path, "value": value, **more})
            return answer.text if answer.is_error else answer.structured_content["version"]

        assert await put("/items/0/count", 3) == 1
        assert await put("items.0.name", "rye") == 2
        assert await put("/items/-", {"name": "milk"}) == 3
        assert await put("/items/1", remove=True) == 4
        assert store.state.items == [Item("rye", 3)]
        assert "expected an integer" in await put("/items/0/count", "many")
        assert "nothing at" in await put("/items/9/count", 1)
        assert "nothing at" in await put("/notes/x", 1)
        assert "not allowed" in await put("/shop/prices/__proto__", 1)
        assert "changed meanwhile" in await put("/items/0/count", 1, version=2)
        assert await put("/items/0/count", 1, version=4) == 5
        assert "There is no store" in await put("/count", 1, store="other")
    closed = Server("closed")
    closed.attach(Store({}, settable=False))
    async with Client(closed) as client:
        assert [tool.name for tool in await client.list_tools()] == ["store_sync"]


async def test_views_keep_up_with_store_sync() -> None:
    server, store = shop()
    async with Client(server) as client:
        tool = next(tool for tool in await client.list_tools() if tool.name == "store_sync")
        assert (tool.meta or {})["ui"]["visibility"] == ["app"]

        async def sync(**arguments: Any) -> Any:
            return (await client.call_tool("store_sync", {"store": "cart", **arguments})).structured_content

        first = await sync()
        assert first["value"] == store.json()
        known = {"epoch": first["epoch"], "version": first["version"]}
        waiting = asyncio.get_running_loop().create_task(sync(**known, wait=20))
        await asyncio.sleep(0)  # the call is under way, and waits
        store.state.notes["seen"] = "by views"
        told = await waiting
        assert told["patch"] == [{"op": "add", "path": "/notes/seen", "value": "by views"}]
        written = await sync(**known, patch=[{"op": "replace", "path": "/count", "value": 5}])
        assert [one["path"] for one in written["patch"]] == ["/notes/seen", "/count"]
        lost = await sync(**known, patch=[{"op": "replace", "path": "/count", "value": 6}])
        assert lost["refused"]["conflict"]
        assert lost["version"] == 2
        assert (await sync(epoch="another", version=2))["value"]["count"] == 5
        known["version"] = 2
        wrong = await sync(**known, patch=[{"op": "replace", "path": "/count", "value": "x"}])
        assert "expected an integer" in wrong["refused"]["message"]
        assert "patch" in wrong


async def test_a_view_says_what_its_change_was_made_from_and_what_it_wrote_itself() -> None:
    server, store = shop()
    async with Client(server) as client:

        async def sync(**arguments: Any) -> Any:
            return (await client.call_tool("store_sync", {"store": "cart", **arguments})).structured_content

        def count(value: int) -> dict[str, Any]:
            return {"patch": [{"op": "replace", "path": "/count", "value": value}]}

        first = await sync()
        known = {"epoch": first["epoch"], "version": first["version"]}
        known["base"] = dict(known)
        assert "refused" not in await sync(**known, **count(1), writer="ann")
        assert "refused" not in await sync(**known, **count(2), writer="ann")
        assert (await sync(**known, **count(3), writer="ben"))["refused"]["conflict"]
        assert (await sync(**known, **count(3)))["refused"]["conflict"]
        store.state.notes["other"] = "place"
        assert "refused" not in await sync(**known, **count(3), writer="ann")
        store.state.count = 4
        newest = {**known, "version": store.version}
        told = await sync(**newest, **count(5), writer="ann")
        assert told["refused"]["conflict"]
        assert told["patch"] == []
        newest["base"] = {"epoch": store.epoch, "version": store.version}
        assert "refused" not in await sync(**newest, **count(5), writer="ann")
        newest["base"]["version"] = store.version
        assert (await sync(**{**newest, "base": {}}, **count(6)))["refused"]["conflict"]
        newest["epoch"] = newest["base"]["epoch"] = "another life"
        refused = await sync(**newest, **count(6), writer="ann")
        assert refused["refused"]["conflict"]
        assert refused["value"]["count"] == store.state.count == 5


async def test_two_stores_have_tools_in_common_and_a_name_is_taken_once() -> None:
    server = Server("two")
    one, two = Store({"a": 1}, name="one"), Store(list[int](), name="two")
    server.attach(one)
    server.attach(two)
    with pytest.raises(RegistrationError, match="attached already"):
        server.attach(Store({}, name="one"))
    async with Client(server) as client:
        assert (await client.call_tool("store_set", {"path": "/-", "value": 1, "store": "two"})).is_error is False
        assert two.json() == [1]
        refused = await client.call_tool("store_set", {"path": "/a", "value": 2})
        assert "one, two" in refused.text


@pytest.mark.parametrize("version", ERAS)
async def test_nobody_reads_changes_or_hears_of_another_users_state(version: str) -> None:
    server, store = Server("notes"), Store({"mine": "nothing"}, name="notes", per_user=True)

    @store.action
    def write(ctx: Context, text: str) -> str:
        """Write a note."""
        store.of(ctx).state["mine"] = text
        return text

    server.attach(store)
    with pytest.raises(RegistrationError, match="ctx: Context"):
        store.action(name="x")(lambda: None)
    ada = Client(await server.join(principal=Principal("ada")), version=version)
    eve = Client(await server.join(principal=Principal("eve")), version=version)
    anonymous = Client(await server.join(), version=version)
    async with ada, eve, anonymous:
        told = Heard(eve)
        await eve.subscribe_resource("store://notes")
        heard = Heard(ada)
        await ada.subscribe_resource("store://notes/mine")
        await ada.call_tool("write", {"text": "secret"})
        await heard.until("store://notes/mine")
        await ada.call_tool("store_set", {"path": "/mine", "value": "secret 2"})
        assert await read(ada, "store://notes/mine") == "secret 2"
        for other in (eve, anonymous):
            assert await read(other, "store://notes") == {"mine": "nothing"}
            assert (await other.call_tool("store_sync")).structured_content["value"] == {"mine": "nothing"}
        assert told.uris == []
        store.of("eve").state["mine"] = "hers"
        await told.until("store://notes")
        assert store.of(Principal("ada")).state == {"mine": "secret 2"}
        with pytest.raises(LocalError, match="state for each user"):
            _ = store.state
    await server.close()


async def test_without_a_user_and_without_a_session_nothing_is_read() -> None:
    with pytest.raises(McpError, match="whose it is"):
        owner_of(None, None)


async def test_a_store_for_some_is_not_there_for_others() -> None:
    server = Server("some")
    server.attach(Store({"a": 1}, visible_to=lambda principal: principal is not None))
    async with Client(server) as client:
        assert await client.list_resources() == []
        with pytest.raises(McpError):
            await client.read_resource("store://state")
        with pytest.raises(McpError):
            await client.subscribe_resource("store://state")
        for tool in ("store_set", "store_sync"):
            arguments = {"path": "/a", "value": 2} if tool == "store_set" else {}
            assert "it is one of none" in (await client.call_tool(tool, arguments)).text


@pytest.mark.requirement(180)
async def test_a_state_that_loads_is_waited_for_and_one_that_fails_says_so() -> None:
    gate = asyncio.Event()

    async def fetch() -> dict[str, int]:
        await gate.wait()
        return {"n": 5}

    server, store = Server("late"), Store({"n": 0}, load=fetch)
    server.attach(store)
    assert store.status == "loading"
    async with Client(server) as client:
        reading = asyncio.get_running_loop().create_task(read(client, "store://state"))
        await asyncio.sleep(0)
        assert not reading.done()
        gate.set()
        assert await reading == {"n": 5}
        assert store.status == "ready"

    async def fail() -> dict[str, int]:
        raise OSError("the disk is gone")

    server, store = Server("broken"), Store({"n": 0}, load=fail)
    server.attach(store)
    async with Client(server) as client:
        with pytest.raises(McpError, match="could not be loaded"):
            await client.read_resource("store://state")
        assert store.status == "error"


async def test_a_replica_in_another_process_catches_up_over_the_wire() -> None:
    server, store = shop()
    async with Client(server) as client:
        first = (await client.call_tool("store_sync")).structured_content
        replica = Replica(first["version"], first["value"])
        for number in range(20):
            store.state.items.insert(number // 2, Item(f"item {number}"))
        known = {"epoch": first["epoch"], "version": first["version"]}
        later = (await client.call_tool("store_sync", known)).structured_content
        assert apply_patch(replica.value, read_patch(later["patch"])) == store.json()
