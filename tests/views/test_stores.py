"""A store in a view, in a real browser: told by the host, or asking by itself; and changed from the view."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from cloche import Server, Store, View
from cloche.testing import ViewOpener


@dataclass
class Row:
    """A row of the list."""

    name: str
    done: bool = False


@dataclass
class Listed:
    """What the view shows."""

    title: str = "Shopping"
    count: int = 0
    rows: list[Row] = field(default_factory=list)


PAGE = """<h1 data-bind="list.title"></h1> <output data-bind="list.left"></output>
<input type="number" data-bind="list.count" aria-label="Count">
<ul data-each="list.rows"><template><li><input type="checkbox" data-bind=".done" aria-label="Done">
<b data-bind=".name"></b></li></template></ul>
<pre id="heard"></pre>
<script>cloche.store.on("list.rows", (rows) => document.getElementById("heard").textContent = rows?.length);</script>"""


def listed() -> tuple[Server, Store[Listed]]:
    server, store = Server("lists"), Store(Listed(rows=[Row("bread")]), name="list")

    @store.derived
    def left(state: Listed) -> int:
        return sum(not row.done for row in state.rows)

    server.attach(store)

    @server.tool(view=View(PAGE))
    async def show() -> str:
        """Show the list."""
        return "shown"

    return server, store


@pytest.mark.requirement(74)
@pytest.mark.parametrize("host", [{}, {"without": ("experimental",)}], ids=["told", "asking"])
def test_a_mutation_shows_in_the_view_and_a_change_in_the_view_reaches_the_store(
    host: dict[str, Any], open_view: ViewOpener
) -> None:
    server, store = listed()
    view = open_view(server, "show", **host)
    view.expect("h1").to_have_text("Shopping")
    can_tell = view.evaluate("'cloche/subscribe' in (cloche.hostCapabilities.experimental ?? {})")
    assert can_tell is (not host)
    view.expect("li b").to_have_text(["bread"])
    store.state.title = "Groceries"
    store.state.rows.insert(0, Row("milk <b>"))
    view.expect("h1").to_have_text("Groceries")
    view.expect("li b").to_have_text(["milk <b>", "bread"])
    view.expect("#heard").to_have_text("2")
    view.expect("output").to_have_text("2")
    view.locator("li input").first.check()
    view.expect("output").to_have_text("1")
    assert [row.done for row in store.state.rows] == [True, False]
    view.locator("input[type=number]").fill("7")
    view.locator("input[type=number]").blur()
    view.expect("input[type=number]:not([data-error])").to_have_value("7")
    store.state.rows.pop()
    view.expect("li b").to_have_text(["milk <b>"])
    view.check()
    assert store.state.count == 7
