"""The tools and resources of components, as a client has them: rendering, instances, themes, and whose they are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from cloche import Client, Components, Context, McpError, Principal, Server, ToolError, ToolResult
from cloche.components import Component, Instance, InstanceLimits, Node, card, form, metric, stack, table
from cloche.components.instances import owner_with
from cloche.components.nodes import MAX_DEPTH, MAX_NODES
from cloche.views import Html, h
from tests.support.server_peer import Peer

ROWS = [{"item": "Bread", "count": 3}]


@asynccontextmanager
async def client_of(server: Server, user: str | None = None) -> AsyncIterator[Client]:
    principal = Principal(user) if user else None
    async with Client(await server.join(principal=principal)) as client:
        yield client


async def read(client: Client, uri: str) -> Any:
    (contents,) = (await client.read_resource(uri)).contents
    return json.loads(contents.text)


@pytest.fixture
def components() -> Components:
    return Components()


@pytest.fixture
def server(components: Components) -> Server:
    server = Server("shop")
    server.attach(components)
    return server


@pytest.mark.requirement(75, 183)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
async def test_components_are_resources(server: Server, components: Components, version: str) -> None:
    async with Peer(server, version=version) as peer:
        listed = await peer.result("resources/read", uri="components://list")
        one = await peer.result("resources/read", uri="component://table")
        missing = await peer.error("resources/read", uri="component://teapot")
    names = [found["name"] for found in json.loads(listed["contents"][0]["text"])["components"]]
    assert names == [found.name for found in components]
    facts = json.loads(one["contents"][0]["text"])
    assert facts["propsSchema"]["required"] == ["rows"]
    assert facts["propsSchema"]["properties"]["page_size"]["default"] == 25
    assert facts["examples"]
    assert facts["category"] == "data"
    assert "component://teapot" in json.dumps(missing)


@pytest.mark.requirement(76, 183)
async def test_render_checks_props_and_shows_a_view(server: Server) -> None:
    async with client_of(server) as client:
        result = await client.call_tool("render", {"component": "table", "props": {"rows": ROWS}, "target": "#here"})
        wrong = await client.call_tool("render", {"component": "table", "props": {"rows": 3}})
        unknown = await client.call_tool("render", {"component": "teapot"})
        odd = await client.call_tool("render", {"component": "table", "props": {"rows": ROWS}, "renderer": "x"})
        tool = next(one for one in await client.list_tools() if one.name == "render")
        (page,) = (await client.read_resource(tool.meta["ui"]["resourceUri"])).contents  # type: ignore[index]
    facts = result.structured_content
    assert facts is not None
    assert (facts["component"], facts["target"]) == ("table", "#here")
    assert "1 rows with the columns item, count" in result.content[0].text
    assert "Bread</td>" in result.meta["cloche/html"]  # type: ignore[index]
    assert f'data-instance="{facts["instance"]}"' in result.meta["cloche/html"]  # type: ignore[index]
    assert wrong.is_error
    assert "Invalid props for table: $.rows" in wrong.content[0].text
    assert unknown.is_error
    assert "There is no component 'teapot'; there are area-chart" in unknown.content[0].text
    assert odd.is_error
    assert "There is no renderer 'x'; there are default" in odd.content[0].text
    assert 'data-render="instance-html"' in page.text


@pytest.mark.requirement(184)
async def test_an_instance_is_read_changed_and_destroyed(server: Server) -> None:
    async with client_of(server) as client:
        made = (await client.call_tool("render", {"component": "table", "props": {"rows": ROWS}})).structured_content
        assert made is not None
        uri = f"instance://{made['instance']}"
        await client.call_tool("render", {"component": "metric", "props": {"label": "Sold", "value": 3}})
        assert (await read(client, uri))["props"] == {"rows": ROWS}
        assert len((await read(client, "instances://list"))["instances"]) == 2
        assert [one["uri"] for one in (await read(client, "instances://component/table"))["instances"]] == [uri]
        changed = await client.call_tool("instance-update", {"id": made["instance"], "props": {"title": "Orders"}})
        assert "Orders" in changed.meta["cloche/html"]  # type: ignore[index]
        after = await read(client, uri)
        assert (after["props"], after["version"]) == ({"rows": ROWS, "title": "Orders"}, 2)
        wrong = await client.call_tool("instance-update", {"id": made["instance"], "props": {"rows": 3}})
        assert wrong.is_error
        assert (await read(client, uri))["version"] == 2
        back = await client.call_tool("instance-update", {"id": made["instance"], "props": {"title": None}})
        assert "Orders" not in back.meta["cloche/html"]  # type: ignore[index]
        await client.call_tool("instance-destroy", {"id": made["instance"]})
        with pytest.raises(McpError):
            await client.read_resource(uri)
        again = await client.call_tool("instance-destroy", {"id": made["instance"]})
        assert again.is_error
        assert "render it again" in again.content[0].text


@pytest.mark.requirement(184)
async def test_events_reach_the_server_and_are_kept(server: Server, components: Components) -> None:
    @components.on("metric", "click")
    def clicked(instance: Instance, data: Any) -> dict[str, Any]:
        return {"props": {"value": instance.props["value"] + data["by"]}}

    async with client_of(server) as client:
        rendered = await client.call_tool("render", {"component": "metric", "props": {"label": "Sold", "value": 3}})
        id = rendered.structured_content["instance"]  # type: ignore[index]
        answer = await client.call_tool("instance-event", {"id": id, "event": "click", "data": {"by": 4}})
        other = await client.call_tool("instance-event", {"id": id, "event": "hover"})
        large = await client.call_tool("instance-event", {"id": id, "event": "x", "data": "x" * 20_000})
        facts = await read(client, f"instance://{id}")
    assert answer.structured_content["handled"] is True  # type: ignore[index]
    assert other.structured_content["handled"] is False  # type: ignore[index]
    assert large.is_error
    assert "16,384 bytes" in large.content[0].text
    assert facts["props"]["value"] == 7
    assert [one["event"] for one in facts["events"]] == ["click", "hover"]


async def test_who_subscribed_hears_of_changes(server: Server) -> None:
    async with Peer(server) as peer:
        result = await peer.call("render", component="metric", props={"label": "Sold", "value": 3})
        id = result["structuredContent"]["instance"]
        await peer.result("resources/subscribe", uri=f"instance://{id}")
        await peer.call("instance-update", id=id, props={"value": 4})
        assert await peer.notification("notifications/resources/updated") == {"uri": f"instance://{id}"}


async def test_nobody_reads_or_changes_what_another_user_was_shown(server: Server) -> None:
    async with client_of(server, "ada") as ada, client_of(server, "bob") as bob, client_of(server) as nobody:
        made = await ada.call_tool("render", {"component": "table", "props": {"rows": ROWS}})
        id = made.structured_content["instance"]  # type: ignore[index]
        for other in (bob, nobody):
            for uri in (f"instance://{id}",):
                with pytest.raises(McpError):
                    await other.read_resource(uri)
                with pytest.raises(McpError, match="not found"):
                    await other.subscribe_resource(uri)
            for uri in ("instances://list", "instances://component/table"):
                assert (await read(other, uri))["instances"] == []
            for tool, more in [
                ("instance-update", {"props": {"title": "mine"}}),
                ("instance-destroy", {}),
                ("instance-event", {"event": "click"}),
            ]:
                answer = await other.call_tool(tool, {"id": id, **more})
                assert answer.is_error
                assert id not in answer.content[0].text
            drawn = await other.call_tool("instance-html", {"result": {"instance": id}})
            assert drawn.is_error
            assert "Bread" not in str(drawn.content)
        assert len((await read(ada, "instances://list"))["instances"]) == 1
        assert "Bread" in str((await ada.call_tool("instance-html", {"result": {"instance": id}})).content)


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_callers_without_a_principal_have_instances_and_a_theme_of_their_own(
    server: Server, version: str
) -> None:
    async with Client(server, version=version) as one, Client(server, version=version) as other:
        made = await one.call_tool("render", {"component": "table", "props": {"rows": ROWS}})
        id = made.structured_content["instance"]  # type: ignore[index]
        await one.call_tool("theme-set", {"scheme": "dark"})
        for uri in ("instances://list", "instances://component/table"):
            assert [found["id"] for found in (await read(one, uri))["instances"]] == [id]
            assert (await read(other, uri))["instances"] == []
        assert (await read(one, "theme://current"))["scheme"] == "dark"
        assert (await read(other, "theme://current"))["scheme"] == "host"
        # The page of an earlier session is shown again: it has the id, which nobody can guess.
        drawn = await other.call_tool("instance-html", {"result": {"instance": id}})
        assert "Bread" in str(drawn.content)
        await other.subscribe_resource(f"instance://{id}")
        with pytest.raises(McpError):
            await other.subscribe_resource("instance://of-nobody")
        assert not (await other.call_tool("instance-destroy", {"id": id})).is_error
        assert (await read(one, "instances://list"))["instances"] == []


async def test_a_request_without_principal_and_session_is_a_caller_of_its_own() -> None:
    components = Components()
    owners = {owner_with(None, None) for _ in range(3)}
    assert len(owners) == 3
    ids = [components.make(owner, "table", {"rows": ROWS})[0].id for owner in owners]
    for owner in (*owners, owner_with(None, None)):
        assert len(components.listed(owner)) == (owner in owners)
        assert "Bread" in str(components.html(owner, ids[0]))
        with pytest.raises(ToolError, match="whose theme it is"):
            components.set_theme(owner, "dark", None)
    with pytest.raises(ToolError, match="no such instance"):
        components.html("user:ada", ids[0])
    limited = Components(limits=InstanceLimits(owners=2))
    gone, *kept = [limited.make(owner, "table", {"rows": ROWS})[0].id for owner in owners]
    assert limited.instances.find(owner_with(None, None), gone) is None
    assert all(limited.instances.find(owner_with(None, None), id) for id in kept)


async def test_the_least_recently_used_instances_go_first() -> None:
    components, server = Components(limits=InstanceLimits(instances=3, bytes=2000, events=2)), Server("s")
    server.attach(components)
    async with client_of(server, "ada") as ada, client_of(server, "bob") as bob:

        async def render(client: Client, label: str) -> str:
            made = await client.call_tool("render", {"component": "metric", "props": {"label": label, "value": 1}})
            return str(made.structured_content["instance"])  # type: ignore[index]

        theirs = await render(bob, "theirs")
        first, second, third = [await render(ada, label) for label in "abc"]
        await read(ada, f"instance://{first}")
        fourth = await render(ada, "d")
        kept = {one["id"] for one in (await read(ada, "instances://list"))["instances"]}
        assert kept == {first, third, fourth}
        assert second not in kept
        await render(ada, "x" * 1990)
        assert len((await read(ada, "instances://list"))["instances"]) == 1
        assert (await read(bob, f"instance://{theirs}"))["id"] == theirs
        for event in "xyz":
            await ada.call_tool(
                "instance-event", {"id": (await read(ada, "instances://list"))["instances"][0]["id"], "event": event}
            )
        (last,) = components.instances.list("user:ada")
        assert [one["event"] for one in last.events] == ["y", "z"]


async def test_components_stand_in_components(server: Server) -> None:
    inner = {"component": "metric", "props": {"label": "Sold", "value": 3}}
    props = {"title": "<b>June", "children": [{"component": "stack", "props": {"children": [inner, "<i>text"]}}]}
    async with client_of(server) as client:
        result = await client.call_tool("render", {"component": "card", "props": props})
        deep: dict[str, Any] = inner
        for _ in range(MAX_DEPTH + 1):
            deep = {"component": "stack", "props": {"children": [deep]}}
        too_deep = await client.call_tool("render", deep)
        many = {"component": "stack", "props": {"children": [inner] * (MAX_NODES + 1)}}
        too_many = await client.call_tool("render", many)
        unknown = {"component": "stack", "props": {"children": [{"component": "teapot"}]}}
        wrong = await client.call_tool("render", unknown)
    html = result.meta["cloche/html"]  # type: ignore[index]
    assert "&lt;b&gt;June" in html
    assert "<p>&lt;i&gt;text</p>" in html
    assert "cc-metric" in html
    assert "Sold: 3." in result.content[0].text
    assert too_deep.is_error
    assert "deep" in too_deep.content[0].text
    assert too_many.is_error
    assert "500" in too_many.content[0].text
    assert wrong.is_error
    assert "teapot" in wrong.content[0].text
    assert "cc-metric" in stack([card([metric("Sold", 3)])])


@pytest.mark.requirement(77)
async def test_renderers_of_ones_own(server: Server, components: Components) -> None:
    @components.renderer("compact")
    def compact(component: Component[Any], props: Any, drawing: Any) -> Html:
        return h.small(component.draw(props, drawing))

    assert components.renderers.has_any()
    assert components.renderers.has("compact")
    assert components.renderers.list() == ["default", "compact"]
    props = {"label": "Sold", "value": 3}
    async with client_of(server) as client:
        shown = await client.call_tool("render", {"component": "metric", "props": props, "renderer": "compact"})
        id = shown.structured_content["instance"]  # type: ignore[index]
        changed = await client.call_tool("instance-update", {"id": id, "props": {"value": 4}})
    assert "<small><div" in shown.meta["cloche/html"]
    assert "<small><div" in changed.meta["cloche/html"]


@pytest.mark.requirement(184)
async def test_each_user_has_a_theme_and_the_tokens_are_checked(server: Server) -> None:
    async with client_of(server, "ada") as ada, client_of(server, "bob") as bob:
        tokens = (await read(ada, "theme://tokens"))["tokens"]
        assert len(tokens) == 76
        await ada.call_tool("theme-set", {"scheme": "dark", "tokens": {"--color-ring-info": "rebeccapurple"}})
        assert (await read(ada, "theme://current"))["scheme"] == "dark"
        assert (await read(ada, "theme://current"))["tokens"]["--color-ring-info"] == "rebeccapurple"
        assert (await read(bob, "theme://current"))["changed"] == {}
        shown = await ada.call_tool("render", {"component": "metric", "props": {"label": "Sold", "value": 3}})
        theirs = await bob.call_tool("render", {"component": "metric", "props": {"label": "Sold", "value": 3}})
        assert 'style="color-scheme:dark;--color-ring-info:rebeccapurple"' in shown.meta["cloche/html"]  # type: ignore[index]
        assert "style=" not in theirs.meta["cloche/html"].partition(">")[0]  # type: ignore[index]
        for name, value in [
            ("--my-own", "red"),
            ("--color-ring-info", "red;background:url(https://evil.example)"),
            ("--color-ring-info", "url(https://evil.example)"),
            ("--color-ring-info", 'red"><script>'),
            ("--color-ring-info", "red/*"),
            ("--color-ring-info", "rgb(1"),
            ("--font-sans", "'Arial"),
            ("--color-ring-info", "r\\65 d"),
            ("--color-ring-info", "x" * 300),
        ]:
            refused = await ada.call_tool("theme-set", {"tokens": {name: value}})
            assert refused.is_error, (name, value)
        await ada.call_tool("theme-set", {"scheme": "host", "tokens": {"--color-ring-info": None}})
        assert (await read(ada, "theme://current"))["changed"] == {}


@pytest.mark.requirement(183)
async def test_components_with_a_tool_of_their_own() -> None:
    components, server = Components(tools=["table", "metric"]), Server("s")
    server.attach(components)
    async with client_of(server) as client:
        tools = {one.name: one for one in await client.list_tools()}
        assert {"render-table", "render-metric"} <= tools.keys()
        assert "render-form" not in tools
        assert tools["render-metric"].input_schema["properties"]["label"]["examples"] == ["Revenue"]
        assert tools["render-table"].meta["ui"] == tools["render"].meta["ui"]  # type: ignore[index]
        shown = await client.call_tool("render-table", {"rows": ROWS})
        wrong = await client.call_tool("render-table", {"rows": 3})
    assert "Bread" in shown.meta["cloche/html"]  # type: ignore[index]
    assert wrong.is_error


async def test_a_tool_shows_what_only_the_person_reads(server: Server, components: Components) -> None:
    @server.tool(view=components.view)
    def orders(ctx: Context) -> ToolResult:
        """What was ordered."""
        rows = [{"item": f"Item {number}", "count": number} for number in range(10_000)]
        return components.show(ctx, table, rows=rows, title="Orders")

    async with client_of(server) as client:
        result = await client.call_tool("orders")
        assert "10,000 rows" in result.content[0].text
        assert len(result.content[0].text) < 200
        assert "cloche/html" not in (result.meta or {})  # too large: the page asks for it
        html = await client.call_tool("instance-html", {"result": result.structured_content})
    assert "Item 9999" in html.content[0].resource["text"]


@dataclass
class Booking:
    name: str
    guests: int = 2


async def test_props_from_python_become_json(server: Server, components: Components) -> None:
    @server.tool(view=components.view)
    def booking(ctx: Context) -> ToolResult:
        """Book a table."""
        return components.show(ctx, form, schema=Booking, values=Booking("Ada"))

    @server.tool(view=components.view)
    def layout(ctx: Context) -> ToolResult:
        """Components in a component."""
        return components.show(ctx, stack, children=[Node("metric", {"label": "Sold", "value": 3}), "text"])

    async with client_of(server) as client:
        booked = await client.call_tool("booking")
        laid = await client.call_tool("layout")
        (instance,) = (await read(client, "instances://component/form"))["instances"]
        props = (await read(client, instance["uri"]))["props"]
    assert "with the fields name, guests" in booked.content[0].text
    assert props["schema"]["properties"]["guests"]["default"] == 2
    assert props["values"] == {"name": "Ada", "guests": 2}
    assert "cc-metric" in laid.meta["cloche/html"]  # type: ignore[index]
