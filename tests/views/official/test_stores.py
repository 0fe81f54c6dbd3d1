"""A store in a view that the official host shows, which tells views of nothing: so the view asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from cloche import Server, Store, View
from cloche.testing.sync_client import SyncClient
from tests.support.official_app.harness import LAYOUTS, VERSIONS, Theatre

PAGE = '<h1 data-bind="cart.title"></h1><input data-bind="cart.note" aria-label="Note">'

Answer = Callable[[dict[str, Any]], Any]


def cart() -> tuple[Server, Store[dict[str, str]]]:
    server, store = Server("cart"), Store({"title": "Cart", "note": ""}, name="cart")
    server.attach(store)

    @server.tool(view=View(PAGE, uri="ui://cart/page.html"))
    async def show() -> str:
        """Show the cart."""
        return "shown"

    return server, store


def patient(client: SyncClient, changes: Callable[[], None]) -> Answer:
    """A host that lets calls wait: the store changes while the first one does."""
    waiting = threading.Event()

    def change() -> None:
        assert waiting.wait(30)
        changes()

    threading.Thread(target=change, daemon=True).start()

    def answer(params: dict[str, Any]) -> Any:
        if "wait" in params["arguments"] and waiting.is_set():
            return {"content": [], "isError": True}  # the page's own loop runs in this thread: no second one waits
        if "wait" in params["arguments"]:
            waiting.set()
        return client.request("tools/call", params)

    return answer


def impatient(client: SyncClient, changes: Callable[[], None]) -> Answer:
    """A host that answers a call that would wait with an error; then the store changes."""

    def answer(params: dict[str, Any]) -> Any:
        if "wait" in params["arguments"]:
            changes()
            return {"content": [{"type": "text", "text": "too slow"}], "isError": True}
        return client.request("tools/call", params)

    return answer


@pytest.mark.parametrize(
    ("host", "version", "layout"),
    [(patient, VERSIONS[-1], LAYOUTS[0]), (impatient, VERSIONS[0], LAYOUTS[1])],
    ids=["patient", "impatient"],
)
def test_a_view_keeps_up_where_the_host_tells_it_nothing(
    host: Callable[[SyncClient, Callable[[], None]], Answer], version: str, layout: str, stage: Theatre
) -> None:
    server, store = cart()
    with SyncClient(server) as client:
        (content,) = client.request("resources/read", {"uri": "ui://cart/page.html"})["contents"]
        answer = host(client, lambda: store.state.update(title="Basket"))
        with stage.hosted(content["text"], version, layout, server=answer) as hosted:
            hosted.until_handled("initialized")
            says = "text => document.querySelector('h1').textContent === text"
            hosted.view.wait_for_function(says, arg="Basket")
            hosted.view.fill("input", "soon")
            hosted.view.locator("input").blur()
            hosted.until("() => host.handled.some(([, params]) => params?.arguments?.patch)")
            hosted.view.wait_for_function("() => cloche.store.get('cart.note') === 'soon'")
            assert store.state["note"] == "soon"
            logged = [params for name, params in hosted.kept("handled") if name == "loggingmessage"]
            assert [*logged, *hosted.kept("errors")] == []


class Restarted:
    """A host of which the server goes away, and comes back as another one with another state."""

    def __init__(self, first: SyncClient) -> None:
        self.client: SyncClient | None = first
        self.waits: list[str] = []
        self.changes: Callable[[], None] = lambda: None

    def __call__(self, params: dict[str, Any]) -> Any:
        waits = "wait" in params["arguments"]
        if waits:
            self.waits.append("here" if self.client else "gone")
        if self.client is None:
            return {"content": [{"type": "text", "text": "the server is gone"}], "isError": True}
        if waits:
            self.changes()
        return self.client.request("tools/call", params)


@pytest.mark.parametrize(("version", "layout"), [(VERSIONS[-1], LAYOUTS[0]), (VERSIONS[0], LAYOUTS[1])])
def test_a_view_that_asks_goes_on_with_the_server_that_comes_back(version: str, layout: str, stage: Theatre) -> None:
    (server, store), (successor, other) = cart(), cart()
    other.state["title"] = "Another life"
    with SyncClient(server) as client, SyncClient(successor) as again:
        (content,) = client.request("resources/read", {"uri": "ui://cart/page.html"})["contents"]
        host = Restarted(client)
        host.changes = lambda: store.state.update(title="First")
        with stage.hosted(content["text"], version, layout, server=host) as hosted:
            hosted.until_handled("initialized")
            says = "text => document.querySelector('h1').textContent === text"
            hosted.view.wait_for_function(says, arg="First")
            host.client, host.waits = None, []
            store.state["title"] = "Nobody sees this"
            hosted.until("() => host.handled.filter(([, params]) => params?.arguments?.wait).length >= 3")
            hosted.view.fill("input", "unseen")
            hosted.view.locator("input").blur()
            hosted.view.wait_for_function("() => document.querySelector('input').dataset.error")
            host.changes = lambda: other.state.update(title="Told by a call that waits")
            host.client = again
            hosted.view.wait_for_function(says, arg="Told by a call that waits")
            assert "gone" in host.waits
            hosted.view.fill("input", "soon")
            hosted.view.locator("input").blur()
            hosted.view.wait_for_function("() => cloche.store.get('cart.note') === 'soon'")
            assert (store.state["note"], other.state["note"]) == ("", "soon")
            assert hosted.kept("errors") == []
