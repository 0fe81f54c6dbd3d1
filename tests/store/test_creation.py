"""Stores by the calls of the source documents."""

from __future__ import annotations

import pytest

from cloche import Client, Principal, Server
from cloche.errors import McpError, SecurityError
from cloche.store import Operation, create_secure_store, create_store, define_store
from tests.store.shopping import Cart, Item


@pytest.mark.requirement(177)
def test_a_created_store_has_state_snapshots_and_listeners() -> None:
    store = create_store({"count": 0})
    heard: list[object] = []
    before = store.snapshot()
    store.subscribe(lambda change: heard.append(change.version))
    store.subscribe_key("count", heard.append)
    store.on_mutation(lambda patch: heard.append(patch[0].path))
    store.state["count"] += 1
    assert heard == [1, 1, "/count"]
    assert before == {"count": 0}


@pytest.mark.requirement(166)
async def test_a_secure_store_is_for_allowed_clients() -> None:
    server = Server("secure")
    store = create_secure_store({"a": 1, "b": 2}, read_only_paths=[["b"]], allowed_clients=["ada"])
    server.attach(store)
    ada = Client(await server.join(principal=Principal("ada")))
    eve = Client(await server.join(principal=Principal("eve")))
    async with ada, eve:
        await ada.read_resource("store://state")
        with pytest.raises(McpError):
            await eve.read_resource("store://state")
        assert "read-only" in (await ada.call_tool("store_set", {"path": "/b", "value": 1})).text
    with pytest.raises(SecurityError):
        store.apply([Operation("add", "/__proto__/x", 1)])


@pytest.mark.requirement(181)
async def test_a_defined_store_has_its_actions_as_tools() -> None:
    def add(cart: Cart, name: str, count: int = 1) -> int:
        """Put something on the list."""
        cart.items.append(Item(name, count))
        return len(cart.items)

    store, server = define_store("cart", Cart, {"add": add}), Server("s")
    server.attach(store)
    async with Client(server) as client:
        tool = next(tool for tool in await client.list_tools() if tool.name == "cart.add")
        assert tool.description == "Put something on the list."
        assert (await client.call_tool("cart.add", {"name": "milk", "count": 2})).structured_content == 1
        assert (await client.call_tool("cart.add", {"name": "milk", "count": "x"})).is_error
    assert store.state.items == [Item("milk", 2)]
    store.reset()
    assert store.state == Cart()
