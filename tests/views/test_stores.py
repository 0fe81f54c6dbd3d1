"""A store in a view, in a real browser: told by the host, or asking by itself; and changed from the view."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from cloche import Server, Store, View
from cloche.components import ComponentView, bar_chart
from cloche.errors import VersionConflictError
from cloche.store import Operation, Replica
from cloche.testing import ViewOpener
from cloche.views import Html, h
from cloche.views.scripts import script


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


@pytest.mark.requirement(166)
@pytest.mark.parametrize("host", [{}, {"without": ("experimental",)}], ids=["told", "asking"])
def test_what_a_person_typed_never_overwrites_what_changed_meanwhile(
    host: dict[str, Any], open_view: ViewOpener
) -> None:
    """Two views and a writer in Python: the view's copy is newer than the field in which somebody types."""
    server, store = listed()
    ann, ben = (open_view(server, "show", **host) for _ in range(2))
    for view in (ann, ben):
        view.expect("li b").to_have_text(["bread"])
        view.evaluate("void cloche.on('store:refused', (refused) => { window.refused = refused; })")
    ann.type("[type=number]", "4")  # and does not leave the field yet
    store.state.rows.append(Row("milk"))
    for view in (ann, ben):
        view.expect("#heard").to_have_text("2")
    ann.locator("[type=number]").blur()  # a change elsewhere is no conflict
    ben.expect("[type=number]").to_have_value("4")
    assert store.state.count == 4

    ann.locator("[type=number]").fill("5")
    ben.locator("[type=number]").fill("6")
    ben.locator("[type=number]").blur()
    ann.expect("#heard").to_have_text("2")
    store.state.title = "After"  # when this is in the view, so is what Ben wrote
    ann.expect("h1").to_have_text("After")
    ann.expect("[type=number]").to_have_value("5")
    ann.locator("[type=number]").blur()
    ann.expect("[type=number]").to_have_attribute("data-error", re.compile("changed meanwhile"))
    ann.expect("[type=number]").to_have_value("6")
    assert ann.evaluate("[refused.target.dataset.bind, refused.value, refused.error.isConflict]") == [
        "list.count",
        5,
        True,
    ]
    assert store.state.count == 6

    replica = Replica(*store.at())  # a writer in Python that has seen this
    ben.locator("[type=number]").fill("7")
    ben.locator("[type=number]").blur()
    ann.expect("[type=number]").to_have_value("7")
    with pytest.raises(VersionConflictError):
        store.apply([Operation("replace", "/count", 8)], version=replica.version)
    ann.locator("[type=number]").fill("9")  # told once, and with the new value before the eyes
    ann.locator("[type=number]").blur()
    ben.expect("[type=number]").to_have_value("9")
    ann.expect("[type=number]:not([data-error])").to_have_value("9")
    assert ben.evaluate("window.refused === undefined")
    for view in (ann, ben):
        view.check()


@pytest.mark.requirement(166)
def test_a_script_that_read_before_others_wrote_is_told_and_its_own_writes_are_no_conflict(
    open_view: ViewOpener,
) -> None:
    server, store = listed()
    view = open_view(server, "show")
    view.expect("#heard").to_have_text("1")
    assert view.evaluate("Promise.all([1, 2, 3].map((count) => cloche.store.set('list.count', count)))") == [None] * 3
    assert store.state.count == 3
    store.state.count = 10
    view.expect("[type=number]").to_have_value("10")
    with view.hold("store_sync"):
        view.evaluate(
            """() => {
                window.heard = [];
                cloche.store.on("list.count", (count) => heard.push(count));
                window.written = cloche.store.set("list.rows.0.done", true).then(() => "", String);
                window.refused = cloche.store.set("list.count", cloche.store.get("list.count") + 1)
                  .then(() => undefined, (error) => [error.isConflict, [...heard]]);
            }"""
        )
        store.state.count = 20  # the view's two writes are under way, made from what was there before
    assert view.evaluate("Promise.all([written, refused])") == ["", [True, [10, 20]]]
    assert store.state.count == 20
    assert store.state.rows[0].done


def drawn() -> tuple[Server, Store[dict[str, int]]]:
    """A view that is a Python function; the store comes after the tool."""
    server, store = Server("poll"), Store({"rye": 3, "spelt": 5}, name="poll")

    def draw(text: str) -> Html:
        fields = [h.input(type="number", data_bind=f"poll.{name}", aria_label=name) for name in ("rye", "spelt")]
        follow = {"data-tool": "chart", "data-trigger": "store", "data-follow": "poll"}
        return h.section(h.p(text), fields, h.div(follow, id="chart"))

    @server.tool(view=ComponentView(draw))
    async def poll() -> str:
        """Show the poll."""
        return "The poll"

    @server.tool(visibility=["app"])
    async def chart() -> Html:
        """Draw the poll."""
        return bar_chart([{"bread": name, "votes": votes} for name, votes in store.state.items()])

    server.attach(store)
    return server, store


@pytest.mark.requirement(74)
def test_what_python_draws_from_a_store_is_drawn_again_when_it_changes(open_view: ViewOpener) -> None:
    server, store = drawn()
    view = open_view(server, "poll")
    view.expect("#chart [role=application]").to_have_attribute("aria-label", re.compile("highest 5 at spelt"))
    store.state["rye"] = 9
    view.expect("#chart [role=application]").to_have_attribute("aria-label", re.compile("highest 9 at rye"))
    view.expect("[aria-label=rye]").to_have_value("9")
    view.locator("[aria-label=spelt]").fill("12")
    view.locator("[aria-label=spelt]").blur()
    view.expect("#chart [role=application]").to_have_attribute("aria-label", re.compile("highest 12 at spelt"))
    view.press("#chart .cc-area", "End")
    view.expect(".cc-tip").to_contain_text("12")
    calls = [call.name for call in view.calls if call.name == "chart"]
    store.state["rye"] = 9  # no change
    store.state["rye"] = 10
    view.expect("#chart [role=application]").to_have_attribute("aria-label", re.compile("lowest 10 at rye"))
    assert [call.name for call in view.calls if call.name == "chart"] == [*calls, "chart"]
    view.check()


def test_pages_of_functions_have_the_script_only_where_the_server_has_a_store() -> None:
    with_store, _ = drawn()
    without = Server("plain")
    without.register_tool(poll_of_nothing, view=View(paragraph))
    for server, expected in ((with_store, True), (without, False)):
        pages = [entry.fn() for entry in server.resources if entry.uri.startswith("ui://")]  # type: ignore[call-arg]
        assert [script("bind.js") in page for page in pages] == [expected] * len(pages)
        assert pages


def paragraph(text: str) -> Html:
    """The view of it."""
    return h.p(text)


async def poll_of_nothing() -> str:
    """Nothing to show."""
    return "nothing"
