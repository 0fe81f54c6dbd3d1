"""A store with a state per user in a product: what a hostile view gets of another user's, and what it is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cloche import Client, Context, Server, Store, View
from tests.support.host_page import Page, hosting, opened

SECRET = "the door code is 4711"
UPDATED = "notifications/resources/updated"


def notes(*, per_user: bool) -> tuple[Server, Store[dict[str, Any]]]:
    server = Server("notes")
    store: Store[dict[str, Any]] = Store({"text": "", "of": "nobody"}, name="notes", per_user=per_user)

    @store.action(visibility=["app", "model"])
    def write(ctx: Context, text: str) -> None:
        """Write a note."""
        store.of(ctx).state["text"] = text

    server.attach(store)
    server.register_tool(lambda: "shown", name="show", view=View("<p data-bind='notes.text'></p>"))
    return server, store


async def attack(page: Page, known: dict[str, Any]) -> str:
    """Everything that a view can do to read what is not its user's; all that came of it, as text."""
    calls = [
        ("resources/read", {"uri": "store://notes"}),
        ("resources/read", {"uri": "store://notes/text"}),
        ("resources/read", {"uri": "store://notes/../notes/text"}),
        ("resources/read", {"uri": "store://notes/user:ann"}),
        ("resources/read", {"uri": "store://notes/user%3Aann/text"}),
        ("resources/subscribe", {"uri": "store://notes/text"}),
        ("tools/call", {"name": "store_sync", "arguments": {"store": "notes"}}),
        ("tools/call", {"name": "store_sync", "arguments": {"store": "notes", **known}}),
        ("tools/call", {"name": "store_sync", "arguments": {"store": "notes/user:ann"}}),
        ("tools/call", {"name": "store_set", "arguments": {"path": "/of", "value": "eve"}}),
    ]
    return json.dumps([await page.ask(method, params) for method, params in calls])


@pytest.mark.parametrize("per_user", [True, False], ids=["protected", "control"])
async def test_a_hostile_view_reads_and_hears_nothing_of_another_users_state(per_user: bool) -> None:
    server, store = notes(per_user=per_user)
    async with hosting({"notes": server}) as host:
        ann, eve = await opened(host, "notes.show", {}), await opened(host, "notes.show", {}, user="eve")
        await ann.result("tools/call", {"name": "write", "arguments": {"text": SECRET}})
        first = await ann.result("tools/call", {"name": "store_sync", "arguments": {"store": "notes"}})
        told = first["structuredContent"]
        assert told["value"]["text"] == SECRET

        got = await attack(eve, {"epoch": told["epoch"], "version": 0})
        await ann.result("resources/subscribe", {"uri": "store://notes/text"})
        await ann.result("tools/call", {"name": "write", "arguments": {"text": SECRET + "!"}})
        await ann.until(lambda frame: frame.get("message", {}).get("method") == UPDATED)
        await eve.result("resources/read", {"uri": "store://notes"})  # whatever eve is told came before this answer
        heard = [frame for frame in eve.frames if frame.get("message", {}).get("method") == UPDATED]
        if not per_user:
            assert SECRET in got
            assert heard
            assert store.state["of"] == "eve"
            return
        assert SECRET not in got
        assert heard == []
        assert store.of("ann").state == {"text": SECRET + "!", "of": "nobody"}
        assert store.of("eve").state == {"text": "", "of": "eve"}


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_session_without_a_user_never_shares_a_state(version: str) -> None:
    server, _ = notes(per_user=True)
    async with Client(server, version=version) as one, Client(server, version=version) as other:
        await one.call_tool("write", {"text": SECRET})
        for client, expected in ((one, SECRET), (other, "")):
            (content,) = (await client.read_resource("store://notes")).contents
            assert json.loads(content.text or "")["text"] == expected
