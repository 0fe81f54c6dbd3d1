"""`View(state=True)`: what `cloche.setState` was given is there again in a host that keeps nothing itself."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Client, Server, View
from cloche.auth import Principal
from cloche.testing import OpenView, ViewOpener
from cloche.transports.memory import create_memory_pair
from cloche.views.state import MAX_STATE, STATE_META_KEY

KEEPS_NOTHING: dict[str, Any] = {"without": ("experimental",)}
"""A host like most: without the capability to keep a view's state."""

PAGE = """<p id="page"></p><script>
let page = 1;
const show = (state) => document.getElementById("page").textContent = "page " + (page = state.page);
addEventListener("view:state", ({ detail }) => show(detail));
show({ page });
</script>"""


def paging(**options: Any) -> Server:
    server = Server("paging", secret="0123456789abcdef")

    @server.tool(view=View(PAGE, **options))
    async def pages(count: int = 9) -> dict[str, int]:
        """Pages."""
        return {"count": count}

    @server.tool(view=View("<p>other</p>", state=True))
    async def other() -> str:
        """Another tool with a state."""
        return "other"

    return server


async def place_of(client: Client, tool: str = "pages") -> dict[str, str]:
    result = await client.request("tools/call", {"name": tool, "arguments": {}})
    found: dict[str, str] = result["_meta"][STATE_META_KEY]
    return found


async def ask(client: Client, tool: str, **arguments: Any) -> tuple[bool, str, Any]:
    result = await client.request("tools/call", {"name": tool, "arguments": arguments})
    structured = result.get("structuredContent") or {}
    return bool(result.get("isError")), result["content"][0]["text"], structured.get("value")


def test_a_state_survives_a_reload_only_where_somebody_keeps_it(open_view: ViewOpener) -> None:
    shown: dict[bool, str] = {}
    for kept in (False, True):
        view = open_view(paging(state=kept), "pages", **KEEPS_NOTHING)
        said = view.evaluate("cloche.setState({ page: 3 })")
        assert said is kept
        assert view.evaluate("cloche.getState()") == {"page": 3}
        view.reload()
        view.expect("#page").to_have_text("page 3" if kept else "page 1")
        shown[kept] = view.text
        view.check()
    assert [shown[False].strip(), shown[True].strip()] == ["page 1", "page 3"]


def test_two_views_of_one_tool_have_a_state_each(open_view: ViewOpener) -> None:
    server = paging(state=True)
    first, second = (open_view(server, "pages", **KEEPS_NOTHING) for _ in range(2))
    first.evaluate("cloche.setState({ page: 4 })")
    second.evaluate("cloche.setState({ page: 5 })")
    for view, page in ((first, 4), (second, 5)):
        view.reload()
        view.expect("#page").to_have_text(f"page {page}")


def test_the_last_of_several_states_stays_whatever_arrives_first(open_view: ViewOpener) -> None:
    view = open_view(paging(state=True), "pages", **KEEPS_NOTHING)
    view.evaluate("Promise.all([1, 2, 3, 4, 5].map((page) => cloche.setState({ page })))")
    view.reload()
    view.expect("#page").to_have_text("page 5")


def test_a_state_given_before_the_old_one_came_is_not_overwritten(open_view: ViewOpener) -> None:
    view = open_view(paging(state=True), "pages", **KEEPS_NOTHING)
    view.evaluate("cloche.setState({ page: 2 })")
    with view.hold("pages-state"):
        view.reload()
        view.evaluate("void cloche.setState({ page: 7 })")
    view.wait_for("answered")
    assert view.evaluate("cloche.setState({ page: 8 }).then(() => cloche.getState())") == {"page": 8}
    view.expect("#page").to_have_text("page 1")


def test_a_state_that_is_too_large_is_refused_with_the_limit(open_view: ViewOpener) -> None:
    view: OpenView = open_view(paging(state=True), "pages", **KEEPS_NOTHING)
    said = view.evaluate(f"cloche.setState('x'.repeat({MAX_STATE})).catch((error) => error.message)")
    assert said == f"The state has {MAX_STATE + 2} bytes, and at most {MAX_STATE} are kept"
    assert view.evaluate("cloche.setState({ page: 2 })") is True


async def test_the_tool_is_for_views_only_and_goes_with_its_view() -> None:
    server = paging(state=True)
    meta = {entry.name: entry.tool.meta for entry in server.tools}
    assert (meta["pages-state"] or {})["ui"]["visibility"] == ["app"]
    server.remove_tool("pages")
    assert "pages-state" not in {entry.name for entry in server.tools}
    assert "other-state" in {entry.name for entry in server.tools}
    await server.close()


async def test_keys_are_of_one_tool_and_cannot_be_made_up() -> None:
    async with Client(paging(state=True)) as client:
        place, foreign = await place_of(client), await place_of(client, "other")
        # With the right key it works, so what is refused below is refused for its key.
        assert await ask(client, place["tool"], key=place["key"], value=[1], keep=True) == (False, '{"value":[1]}', [1])
        assert (await ask(client, place["tool"], key=place["key"]))[2] == [1]
        for key in (foreign["key"], "x", place["key"][:-2] + "AA", ""):
            refused, text, _ = await ask(client, place["tool"], key=key, value=2, keep=True)
            assert (refused, text) == (True, "This key is not one that came with a result of this tool")
        assert (await ask(client, place["tool"], key=place["key"]))[2] == [1]


async def connected(server: Server, name: str) -> Client:
    theirs, ours = create_memory_pair()
    await server.connect(ours, principal=Principal(name))
    return Client(theirs)


async def test_a_key_is_of_no_use_to_another_user() -> None:
    server = paging(state=True)
    async with await connected(server, "ann") as ann, await connected(server, "bob") as bob:
        place = await place_of(ann)
        await ask(ann, place["tool"], key=place["key"], value="of Ann", keep=True)
        assert (await ask(ann, place["tool"], key=place["key"]))[2] == "of Ann"
        refused, text, value = await ask(bob, place["tool"], key=place["key"])
        assert (refused, value) == (True, None)
        assert "of Ann" not in text
    await server.close()


def test_state_needs_the_runtime() -> None:
    with pytest.raises(Exception, match="leave script=False out"):
        View("<p>", state=True, script=False)
