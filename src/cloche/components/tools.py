"""The tools and resources of components: what `server.attach(Components())` registers."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from cloche.components.component import Component
from cloche.components.instances import owner_of, shown
from cloche.components.targets import SCHEME, put, shown_at
from cloche.components.theme import Scheme, facts, tokens
from cloche.errors import ResourceNotFoundError, ToolError, shorten
from cloche.server.content import ToolResult
from cloche.server.context import Context
from cloche.views.html import Html

if TYPE_CHECKING:
    from cloche.components.capability import Components
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server

SHOWS = {"readOnlyHint": True, "openWorldHint": False}
CHANGES = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}

RENDER_TOOL = "instance-html"
"""The tool that the page asks for HTML which is too large to travel with a result, or got lost on the way."""

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Target = Annotated[str, Meta(max_length=200)]


def register(components: Components, server: Server, own_tools: Iterable[str]) -> None:
    """Register everything on a server."""
    _register_render(components, server)
    for name in own_tools:
        _register_own_tool(components, server, components.get(name))
    _register_instance_tools(components, server)
    _register_component_resources(components, server)
    _register_instance_resources(components, server)
    _register_theme(components, server)


def _register_render(components: Components, server: Server) -> None:
    def render(
        ctx: Context[Any],
        component: Name,
        props: dict[str, Any] | None = None,
        target: Target | None = None,
        renderer: Name = "default",
    ) -> ToolResult:
        """Show a component to the user. Read component://NAME first: it says which props there are.

        Args:
            component: The component's name; components://list has all of them.
            props: Its props.
            target: The place in the user's page, where the page draws components itself.
            renderer: The renderer that draws it.
        """
        places = components.targets
        if places.names and target is not None:
            places.check(target)
        owner = owner_of(ctx)
        instance, summary = components.make(owner, component, props or {}, renderer=renderer)
        if places.names and target is not None:
            put(components, owner, target, instance)
        return shown(instance, summary, target)

    if components.targets.names:
        render.__annotations__["target"] = Literal[components.targets.names] | None
        _register_targets(components, server)
    entry = server.register_tool(render, view=components.view, annotations=SHOWS)
    _register_html(components, server, entry)


def _register_targets(components: Components, server: Server) -> None:
    def target(ctx: Context[Any], name: str) -> dict[str, Any]:
        """What a place of the user's page shows."""
        if name not in components.targets.names:
            raise ResourceNotFoundError(f"{SCHEME}{shorten(name, 64)}")
        return shown_at(components, owner_of(ctx), name)

    server.register_resource(SCHEME + "{name}", target, name="target", mime_type="application/json")


def _register_html(components: Components, server: Server, render: ToolEntry) -> None:
    def instance_html(ctx: Context[Any], result: Any = None, input: Any = None) -> Html:
        return components.draw(result, ctx)

    about = "An instance as HTML. Only views call it."
    server.register_helper(instance_html, of=render, name=RENDER_TOOL, description=about)


def _register_own_tool(components: Components, server: Server, component: Component[Any]) -> None:
    def render(arguments: dict[str, Any], ctx: Context[Any]) -> ToolResult:
        instance, summary = components.make(owner_of(ctx), component.name, arguments)
        return shown(instance, summary)

    server.register_tool(
        name=f"render-{component.name}",
        title=component.name.replace("-", " ").capitalize(),
        description=component.description,
        input_schema=_with_examples(component),
        handler=render,
        view=components.view,
        annotations=SHOWS,
    )


def _with_examples(component: Component[Any]) -> dict[str, Any]:
    """The schema with the component's first example in it, so that a form can be filled with it."""
    if not component.examples:
        return component.schema
    properties = {
        name: {**one, "examples": [component.examples[0][name]]} if name in component.examples[0] else one
        for name, one in component.schema.get("properties", {}).items()
    }
    return {**component.schema, "properties": properties}


def _register_instance_tools(components: Components, server: Server) -> None:
    def instance_update(ctx: Context[Any], id: Id, props: dict[str, Any]) -> ToolResult:
        """Change a component that is shown, and show it again.

        Args:
            id: The instance, as `render` named it.
            props: The props that change; null removes one.
        """
        instance, summary = components.update(owner_of(ctx), id, props)
        return shown(instance, summary)

    def instance_destroy(ctx: Context[Any], id: Id) -> str:
        """Forget a component that was shown.

        Args:
            id: The instance, as `render` named it.
        """
        instance = components.remove(owner_of(ctx), id)
        return f"The instance {instance.id} is gone."

    async def instance_event(ctx: Context[Any], id: Id, event: Name, data: Any = None) -> dict[str, Any]:
        """Tell a component that is shown that something happened to it; what it does is up to the server.

        Args:
            id: The instance, as `render` named it.
            event: The event's name, such as submit or select.
            data: What the event carries.
        """
        return await _handle(components, ctx, id, event, data)

    server.register_tool(instance_update, name="instance-update", view=components.view, annotations=CHANGES)
    server.register_tool(instance_destroy, name="instance-destroy", annotations={**CHANGES, "idempotentHint": False})
    server.register_tool(instance_event, name="instance-event", annotations=CHANGES)


async def _handle(components: Components, ctx: Context[Any], id: str, event: str, data: Any) -> dict[str, Any]:
    owner = owner_of(ctx)
    instance = components.note(owner, id, event, data)
    handler = components.handler(instance.component, event)
    answer = None if handler is None else handler(instance, data)
    if inspect.isawaitable(answer):
        answer = await answer
    if isinstance(answer, dict) and isinstance(answer.get("props"), dict):
        components.update(owner, id, answer["props"])
    return {"handled": handler is not None, "answer": answer, "version": instance.version}


def _register_component_resources(components: Components, server: Server) -> None:
    def components_list() -> dict[str, Any]:
        """The components that `render` shows."""
        return {"components": [one.short_facts() for one in components]}

    def component(name: str) -> dict[str, Any]:
        """One component: its props as JSON Schema, their defaults, and examples."""
        if name not in components:
            raise ResourceNotFoundError(f"component://{shorten(name, 64)}")
        return components.get(name).facts()

    server.register_resource("components://list", components_list, name="components", mime_type="application/json")
    server.register_resource("component://{name}", component, name="component", mime_type="application/json")


def _register_instance_resources(components: Components, server: Server) -> None:
    def instances(ctx: Context[Any]) -> dict[str, Any]:
        """The components that were shown to this caller."""
        return {"instances": components.listed(owner_of(ctx))}

    def instances_of(ctx: Context[Any], name: str) -> dict[str, Any]:
        """The instances of one component that were shown to this caller."""
        return {"instances": components.listed(owner_of(ctx), name)}

    def instance(ctx: Context[Any], id: str) -> dict[str, Any]:
        """A component that was shown: its props, and what happened to it."""
        try:
            return components.facts_of(owner_of(ctx), id)
        except ToolError:
            raise ResourceNotFoundError(f"instance://{shorten(id, 64)}") from None

    json = "application/json"
    server.register_resource("instances://list", instances, name="instances", mime_type=json)
    server.register_resource("instances://component/{name}", instances_of, name="instances of", mime_type=json)
    server.register_resource("instance://{id}", instance, name="instance", mime_type=json)


def _register_theme(components: Components, server: Server) -> None:
    def theme(ctx: Context[Any]) -> dict[str, Any]:
        """How components look for this caller: light, dark or as the host has it, and every style variable."""
        return facts(components.theme_of(owner_of(ctx)))

    def theme_tokens() -> dict[str, Any]:
        """The style variables that `theme-set` changes, with the values that they have without it."""
        return {"tokens": dict(tokens())}

    def theme_set(
        ctx: Context[Any], scheme: Scheme | None = None, tokens: dict[str, str | None] | None = None
    ) -> dict[str, Any]:
        """Change how components look for this caller.

        Args:
            scheme: light, dark, or host for what the host has.
            tokens: Style variables by name, such as --color-ring-primary; null gives one the host's value again.
        """
        made = components.set_theme(owner_of(ctx), scheme, tokens)
        return {"scheme": made.scheme, "changed": dict(made.tokens)}

    json = "application/json"
    server.register_resource("theme://current", theme, name="theme", mime_type=json)
    server.register_resource("theme://tokens", theme_tokens, name="theme tokens", mime_type=json)
    server.register_tool(theme_set, name="theme-set", annotations=CHANGES)
