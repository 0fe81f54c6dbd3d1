"""`Components`: the components of a server, as tools and resources for models and views for people."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from cloche.components.component import Component
from cloche.components.instances import Instance, InstanceLimits, Instances, Owner, owner_of, owner_with, shown
from cloche.components.nodes import Drawing
from cloche.components.records import as_props
from cloche.components.registry import Registry
from cloche.components.renderers import Renderer, Renderers
from cloche.components.targets import SCHEME, Targets
from cloche.components.theme import Scheme, Theme, Themes
from cloche.components.tools import RENDER_TOOL, register
from cloche.components.view import InstanceView
from cloche.errors import ConfigurationError, ResourceNotFoundError
from cloche.server.capability import Capability
from cloche.server.content import ToolResult
from cloche.server.context import Context
from cloche.views.declared_csp import Csp
from cloche.views.html import Html, h

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.server import Server

E = TypeVar("E", bound=Callable[..., Any])
Handler = Callable[..., Any]


class Components(Registry, Capability):
    """The components that a server offers: `server.attach(Components())`.

    It has the starter set unless other components are given. A model finds them as resources, shows one with the tool
    `render`, and changes it later. `tools` names components that get a tool of their own, such as `render-table`; True
    means all. `csp` lists the origins of images. `limits` says how much is kept of what was rendered.

    `targets` names places in a page of yours, which shows with `drawComponents` what was rendered into each. A caller's
    places are its own, unless `shared_targets` says that all callers are one person, such as the one in whose page the
    server runs.
    """

    name = "components"

    def __init__(
        self,
        components: Iterable[Component[Any]] | None = None,
        *,
        tools: bool | Iterable[str] = False,
        csp: Csp | Mapping[str, Any] | None = None,
        limits: InstanceLimits | None = None,
        targets: Iterable[str] = (),
        shared_targets: bool = False,
    ) -> None:
        if components is None:
            from cloche.components.starter import STARTER

            components = STARTER
        super().__init__(components)
        self.renderers = Renderers()
        self.instances = Instances(limits)
        self.themes = Themes()
        self.targets = Targets(targets, shared_targets)
        self.csp = Csp.of(csp)
        self._tools = tools
        self._handlers: dict[tuple[str, str], Handler] = {}
        self._server: Server | None = None
        self._view: InstanceView | None = None
        self.lock = threading.RLock()
        """Held while instances, themes and targets are looked at: `def` tools run in threads."""

    # Registering

    def register(self, component: Component[Any]) -> Component[Any]:
        """Add a component; a second one of the same name is refused."""
        if self._view is not None:
            raise ConfigurationError("Register components before server.attach(components): its page is made then")
        return self._add(component)

    @overload
    def component(self, fn: Callable[..., Any], /) -> Component[Any]: ...
    @overload
    def component(self, fn: None = None, /, **options: Any) -> Callable[[Callable[..., Any]], Component[Any]]: ...
    def component(self, fn: Any = None, /, **options: Any) -> Any:
        """Make a component of a function and register it: `@components.component`, with the options of `Component`."""
        if fn is not None:
            return self.register(Component(fn, **options))
        return lambda given: self.register(Component(given, **options))

    def renderer(self, name: str) -> Callable[[Renderer], Renderer]:
        """Register a renderer: `@components.renderer("compact")`."""

        def decorate(fn: Renderer) -> Renderer:
            self.renderers.register(name, fn)
            return fn

        return decorate

    def on(self, component: str, event: str) -> Callable[[E], E]:
        """Register what happens on an event of a component: `@components.on("form", "submit")`.

        The function gets the instance and the event's data. What it returns is the answer of the event; a dict with
        `props` changes the instance.
        """
        self.get(component)

        def decorate(fn: E) -> E:
            self._handlers[component, event] = fn
            return fn

        return decorate

    def handler(self, component: str, event: str) -> Handler | None:
        """What was registered for an event."""
        return self._handlers.get((component, event))

    # On a server

    def attach(self, server: Server) -> None:
        """Register the tools and resources; called by `server.attach`."""
        self._server = server
        for one in self._named_tools():
            self.get(one)
        register(self, server, self._named_tools())

    def _named_tools(self) -> Sequence[str]:
        if isinstance(self._tools, bool):
            return [one.name for one in self] if self._tools else []
        return [*self._tools]

    def audience(self, uri: str, principal: Principal | None, session: object) -> str | None:
        """Refuse a subscription to an instance of somebody else."""
        if uri.startswith("instance://"):
            with self.lock:
                found = self.instances.find(owner_with(principal, session), uri.removeprefix("instance://"))
            if found is None:
                raise ResourceNotFoundError(uri)
        if uri.startswith(SCHEME):
            return self.targets.audience(owner_with(principal, session))
        return None

    def updated(self, instance: Instance) -> None:
        """Tell who subscribed to an instance that it changed."""
        if self._server is not None:
            self._server.resource_updated(f"instance://{instance.id}")
            for uri, audience in self.targets.holding(instance):
                self._server.resource_updated(uri, audience)

    # Rendering

    def make(
        self, owner: Owner, component: str, props: Mapping[str, Any], *, renderer: str = "default"
    ) -> tuple[Instance, str]:
        """Check props, keep an instance, and say what it shows."""
        drawing = self.drawing()
        self.renderers.get(renderer)(self.get(component), props, drawing)
        with self.lock:
            instance = self.instances.add(owner, component, props)
        instance.renderer = renderer
        return instance, drawing.summary

    def update(self, owner: Owner, id: str, props: Mapping[str, Any]) -> tuple[Instance, str]:
        """Give an instance other props: those that are named change, and None removes one."""
        with self.lock:
            instance = self.instances.get(owner, id)
            merged = {name: one for name, one in {**instance.props, **props}.items() if one is not None}
            drawing = self.drawing()
            self.renderers.get(instance.renderer)(self.get(instance.component), merged, drawing)
            self.instances.set_props(owner, instance, merged)
        self.updated(instance)
        return instance, drawing.summary

    def html(self, owner: Owner, id: str) -> Html:
        """An instance as the page shows it, in its owner's theme."""
        with self.lock:
            instance = self.instances.get(owner, id)
            theme = self.themes.of(owner)
        return self.html_of(instance, theme)

    def html_of(self, instance: Instance, theme: Theme) -> Html:
        """The same for an instance that was found already."""
        made = self.renderers.get(instance.renderer)(self.get(instance.component), instance.props, self.drawing())
        return h.div(made, class_="cc-root", data_instance=instance.id, style=theme.style)

    def drawing(self) -> Drawing:
        """A new drawing: what `component.draw(props, drawing)` takes, for components that hold others."""
        return Drawing(lambda name, props, drawing: self.get(name).draw(props, drawing))

    # Instances and themes of a caller: every way in is behind the lock, because `def` tools run in threads

    def remove(self, owner: Owner, id: str) -> Instance:
        """Forget an instance."""
        with self.lock:
            instance = self.instances.remove(owner, id)
        self.updated(instance)
        return instance

    def note(self, owner: Owner, id: str, event: str, data: Any) -> Instance:
        """Keep an event of an instance."""
        with self.lock:
            instance = self.instances.get(owner, id)
            self.instances.note(instance, event, data)
        self.updated(instance)
        return instance

    def facts_of(self, owner: Owner, id: str) -> dict[str, Any]:
        """What is known of an instance; raises `ToolError` for one that is gone or somebody else's."""
        with self.lock:
            return self.instances.get(owner, id).facts()

    def listed(self, owner: Owner, component: str | None = None) -> Sequence[dict[str, Any]]:
        """The instances of a caller, in short."""
        with self.lock:
            return [one.short_facts() for one in self.instances.list(owner, component)]

    def theme_of(self, owner: Owner) -> Theme:
        """The theme of a caller."""
        with self.lock:
            return self.themes.of(owner)

    def set_theme(self, owner: Owner, scheme: Scheme | None, changed: Mapping[str, str | None] | None) -> Theme:
        """Change the theme of a caller."""
        with self.lock:
            return self.themes.set(owner, scheme, changed)

    # For tools of one's own

    def show(self, ctx: Context[Any], component: str | Component[Any], /, **props: Any) -> ToolResult:
        """A tool's result that shows a component: `return components.show(ctx, "table", rows=orders)`.

        The model reads one sentence about it, and the person sees all of it. The tool has `view=components.view`.
        """
        name = component if isinstance(component, str) else component.name
        plain = {key: as_props(value) for key, value in props.items()}
        instance, summary = self.make(owner_of(ctx), name, plain)
        return shown(instance, summary)

    @property
    def view(self) -> InstanceView:
        """The view of a tool that returns `components.show(…)`: `@server.tool(view=components.view)`."""
        if self._view is None:
            self._view = InstanceView(self.draw, render_tool=RENDER_TOOL, components=self, csp=self.csp)
        return self._view

    def draw(self, result: Any, ctx: Context[Any]) -> Html:
        """The HTML of the instance that a result names, if it is the caller's."""
        id = result.get("instance") if isinstance(result, dict) else None
        return self.html(owner_of(ctx), str(id))
