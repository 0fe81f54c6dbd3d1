"""Views that are Python functions: typed results, HTML beside the result, and a tool that renders again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from cloche import Context, Server, ToolResult
from cloche.errors import RegistrationError
from cloche.testing.open_view import ViewOpener
from cloche.views import Html, View, h
from cloche.views.function_views import MAX_HTML


@dataclass
class Row:
    """One row."""

    name: str
    size: int = 1


def make(view: Any, fn: Any = None) -> Server:
    server = Server("tables")

    async def table(count: int = 2) -> list[Row]:
        return [Row(f"<{at}>") for at in range(count)]

    server.register_tool(fn or table, view=view)
    return server


def as_list(rows: list[Row]) -> Html:
    return h.ul(h.li(row.name, " ", row.size) for row in rows)


def html_of(result: Any) -> str:
    """The HTML of a tool that returns `Html`."""
    (block,) = result.content
    assert block.resource["mimeType"] == "text/html"
    return str(block.resource["text"])


def test_the_function_gets_what_the_tool_returned(mcp: Any) -> None:
    client = mcp(make(as_list))
    result = client.call_tool("table", {"count": 1})
    assert result.meta["cloche/html"] == "<ul><li>&lt;0&gt; 1</li></ul>"
    assert {tool.name for tool in client.list_tools()} == {"table", "table-render"}


def test_it_may_ask_for_the_input_and_the_context(mcp: Any) -> None:
    def render(rows: list[Row], input: dict[str, Any], ctx: Context) -> str:
        return f"<p>{len(rows)} of {input['count']} from {ctx.server.name}</p>"

    client = mcp(make(render))
    assert client.call_tool("table").meta["cloche/html"] == "<p>2 of 2 from tables</p>"
    again = client.call_tool("table-render", {"result": [{"name": "x"}], "input": {"count": 9}})
    assert html_of(again) == "<p>1 of 9 from tables</p>"


@pytest.mark.parametrize(
    "sent",
    [
        [{"name": "x", "size": 3}],
        {"result": [{"name": "x", "size": 3}]},
        '[{"name": "x", "size": 3}]',
        '{"result": [{"name": "x", "size": 3}]}',
    ],
    ids=["new", "old", "new as text", "old as text"],
)
def test_the_render_tool_reads_results_of_both_eras(mcp: Any, sent: Any) -> None:
    result = mcp(make(as_list)).call_tool("table-render", {"result": sent})
    assert html_of(result) == "<ul><li>x 3</li></ul>"


def test_only_views_see_the_render_tool(mcp: Any) -> None:
    (render,) = [tool for tool in mcp(make(as_list)).list_tools() if tool.name == "table-render"]
    assert render.meta["ui"]["visibility"] == ["app"]


@pytest.mark.parametrize("sent", [[{"size": "x" * 5000}], "x" * 5000, '[{"size": "x"}]'], ids=["data", "text", "json"])
def test_what_is_no_result_is_refused_in_a_sentence(mcp: Any, sent: Any) -> None:
    result = mcp(make(as_list)).call_tool("table-render", {"result": sent})
    assert result.is_error
    assert result.text.startswith("This is not a result of table: ")
    assert len(result.text) < 500


def test_mistakes_are_told_at_registration() -> None:
    async def later(rows: list[Row]) -> str:
        return ""

    with pytest.raises(RegistrationError, match="write `def`"):
        make(later)
    with pytest.raises(RegistrationError, match="takes the result as its first parameter"):
        make(lambda: "")


def test_a_whole_result_is_kept_and_an_error_is_not_rendered(mcp: Any) -> None:
    def whole(bad: bool) -> ToolResult:
        return ToolResult("text", structured={"a": 1}, meta={"mine": 1}, is_error=bad)

    client = mcp(make(lambda result: h.p(result["a"]), whole))
    assert {"mine": 1, "cloche/html": "<p>1</p>"}.items() <= client.call_tool("whole", {"bad": False}).meta.items()
    assert "cloche/html" not in client.call_tool("whole", {"bad": True}).meta


def test_the_page_shows_the_html_of_the_result(open_view: ViewOpener) -> None:
    view = open_view(make(View(as_list, title="Rows")), "table")
    view.expect("li").to_have_count(2)
    view.expect("#cloche-root").not_to_have_attribute("aria-busy", "true")
    assert view.evaluate("document.title") == "Rows"
    assert view.calls == []
    view.check()


def test_large_html_is_fetched_by_the_page(open_view: ViewOpener) -> None:
    def padded(rows: list[Row]) -> Html:
        return h.ul(h.li(row.name, title="x" * (MAX_HTML // 10)) for row in rows)

    view = open_view(make(padded), "table", {"count": 12})
    view.expect("li").to_have_count(12)
    assert [call.name for call in view.calls] == ["table-render"]
    view.check()


def test_html_that_a_host_dropped_is_fetched_by_the_page(open_view: ViewOpener) -> None:
    view = open_view(make(as_list), "table", stream=True)
    view.send_input({"count": 3})
    view.send_result({"content": [{"type": "text", "text": "[]"}], "structuredContent": {"result": [{"name": "lost"}]}})
    view.expect("li").to_have_text("lost 1")
    view.check()


def test_a_failing_tool_and_a_failing_function_say_so(open_view: ViewOpener, caplog: pytest.LogCaptureFixture) -> None:
    view = open_view(make(as_list), "table", stream=True)
    view.send_input({})
    view.send_result({"content": [{"type": "text", "text": "No <table> today."}], "isError": True})
    view.expect("[role=alert]").to_have_text("No <table> today.")
    broken = open_view(make(lambda rows: 1 / 0), "table")
    broken.expect("[role=alert]").to_contain_text("division by zero")
    assert "the view function of the tool table failed" in caplog.text
    cancelled = open_view(make(as_list), "table", stream=True)
    cancelled.send_input({})
    cancelled.cancel("The user stopped it.")
    cancelled.expect("[role=alert]").to_have_text("The user stopped it.")


def test_an_edit_renders_only_its_target(open_view: ViewOpener) -> None:
    """A table of 200 rows: the answer to an edit is one row, and the others are not touched."""

    def row(at: int, size: int) -> Html:
        call = {
            "data-tool": "grow",
            "data-args": {"at": at, "size": size + 1},
            "data-target": f"#row-{at}",
            "data-swap": "outer",
        }
        return h.tr(h.td(at), h.td(size), h.td(h.button("+", call)), id=f"row-{at}")

    server = make(lambda rows: h.table(row(at, one.size) for at, one in enumerate(rows)))

    @server.tool(visibility=["app"])
    async def grow(at: int, size: int) -> Html:
        return row(at, size)

    view = open_view(server, "table", {"count": 200})
    view.evaluate(
        """() => {
          window.touched = [];
          const ids = (change) => [...change.addedNodes].map((node) => node.id);
          const watch = new MutationObserver((changes) => touched.push(...changes.flatMap(ids)));
          watch.observe(document, { childList: true, subtree: true });
        }"""
    )
    view.click("#row-150 button")
    view.expect("#row-150 td:nth-child(2)").to_have_text("2")
    assert view.evaluate("touched") == ["row-150"]
    view.click("#row-150 button")
    view.expect("#row-150 td:nth-child(2)").to_have_text("3")
    assert len(view.calls[0].result["content"][0]["resource"]["text"]) < 300
    view.check()


def test_a_fragment_travels_once(mcp: Any) -> None:
    server = Server("x")

    @server.tool
    def part() -> Html:
        return h.b("<")

    client = mcp(server)
    result = client.call_tool("part")
    assert html_of(result) == "<b>&lt;</b>"
    assert "cloche/html" not in result.meta
    assert client.list_tools()[0].output_schema is None
