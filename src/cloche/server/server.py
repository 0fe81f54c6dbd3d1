"""`Server`: what a person registers tools, resources and prompts on.

Registration only: what answers requests is the `Engine`, made when the server is first used. So `from cloche import
Server` stays cheap, and a mistake in a tool shows where the tool is written.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

import msgspec

from cloche.auth import Principal
from cloche.errors import ConfigurationError, RegistrationError
from cloche.server.bus import Bus, MemoryBus
from cloche.server.capability import Capability, as_view
from cloche.server.context import Context
from cloche.server.entries import MethodEntry, PromptEntry, ResourceEntry, ToolEntry
from cloche.server.fronts import load
from cloche.server.limits import Limits
from cloche.server.options import EntryOptions, ResourceOptions, ToolOptions, check_options, checked_visibility, takes
from cloche.server.registry import Registry
from cloche.server.run_guard import check_run_allowed
from cloche.server.session_store import MemorySessionStore, SessionStore
from cloche.wire import types
from cloche.wire.apps.metadata import merged, visibility_meta
from cloche.wire.uri_template import is_template
from cloche.wire.versions import PROTOCOL_METHODS, Features

if TYPE_CHECKING:
    from cloche.asgi import AsgiApp
    from cloche.server.connection import Connection
    from cloche.server.engine import Engine
    from cloche.server.middleware import Middleware
    from cloche.server.setup import Setup, Visibility
    from cloche.transports.base import Transport
    from cloche.wire.frames.messages import PermissionRequirement

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


DEFAULT_TIMEOUT = 60.0
"""Seconds a tool, resource or prompt may take."""

DEFAULT_PAGE_SIZE = 500
"""Entries on one page of a list."""


class Server:
    """An MCP server: written once, run over stdio, HTTP, inside an ASGI app or in a browser.

    `lifespan` is an async context manager function that gets the server; what it yields is `ctx.state`. `secret`
    signs what must come back unchanged (cursors, request state); give one when several processes serve the same
    clients, or when it should outlive a restart. `bus` and `sessions` are what replicas share: how changes are told,
    and where the sessions of the handshake era are kept.
    """

    def __init__(
        self,
        name: str,
        version: str = "0.1.0",
        *,
        title: str | None = None,
        description: str | None = None,
        instructions: str | None = None,
        website_url: str | None = None,
        icons: Sequence[types.Icon] | None = None,
        lifespan: Callable[[Any], AbstractAsyncContextManager[Any]] | None = None,
        timeout: float | None = DEFAULT_TIMEOUT,
        page_size: int = DEFAULT_PAGE_SIZE,
        cache_seconds: float = 0.0,
        mask_errors: bool = False,
        secret: str | bytes | None = None,
        limits: Limits | None = None,
        bus: Bus | None = None,
        sessions: SessionStore | None = None,
        store: SessionStore | None = None,
    ) -> None:
        if not name:
            raise ConfigurationError("A server needs a name: Server('weather')")
        if page_size < 1:
            raise ConfigurationError("page_size is the number of entries on a page, so at least 1")
        self.info = types.Implementation(name, version, title, description, website_url, list(icons) if icons else None)
        self.instructions = instructions
        self.lifespan = lifespan
        self.timeout = timeout
        self.page_size = page_size
        self.cache_ms = int(cache_seconds * 1000)
        self.mask_errors = mask_errors
        self.secret = _secret(secret)
        self.limits = limits or Limits()
        self.bus: Bus = bus if bus is not None else MemoryBus()
        if store is not None:
            warnings.warn("Server(store=…) is now called Server(sessions=…)", DeprecationWarning, stacklevel=2)
            sessions = store
        # Not `sessions or …`: a store that is still empty may well be false.
        self.sessions: SessionStore = (
            sessions if sessions is not None else MemorySessionStore(log_entries=self.limits.log)
        )
        self.tools: Registry[ToolEntry] = Registry("tool", self._changed)
        self.resources: Registry[ResourceEntry] = Registry("resource", self._changed)
        self.templates: Registry[ResourceEntry] = Registry("template", self._changed)
        self.prompts: Registry[PromptEntry] = Registry("prompt", self._changed)
        self.registries: dict[str, Registry[Any]] = {
            "tools": self.tools,
            "resources": self.resources,
            "templates": self.templates,
            "prompts": self.prompts,
        }
        self.completions: dict[tuple[str, str], Callable[[str, dict[str, str]], Any]] = {}
        self.methods: dict[str, MethodEntry] = {}
        self.listeners: dict[str, Callable[[dict[str, Any]], Any]] = {}
        self.middlewares: list[Middleware] = []
        self.capabilities: dict[str, Capability] = {}
        self.extensions: dict[str, Any] = {}
        self.has_tasks = False
        """Whether a tool was registered with `task`."""
        self._engine: Engine | None = None
        self._connections: set[Connection] = set()
        self._ending: set[Connection] = set()
        self._joined_first = False

    @property
    def name(self) -> str:
        """The server's name."""
        return self.info.name

    @property
    def version(self) -> str:
        """The server's own version."""
        return self.info.version

    @property
    def store(self) -> SessionStore:
        """Deprecated: the session store is `server.sessions`."""
        warnings.warn("Server.store is now called Server.sessions", DeprecationWarning, stacklevel=2)
        return self.sessions

    def __repr__(self) -> str:
        resources = len(self.resources) + len(self.templates)
        return f"<Server {self.name!r}: {len(self.tools)} tools, {resources} resources, {len(self.prompts)} prompts>"

    # Registering

    @overload
    def tool(self, fn: F, /) -> F: ...
    @overload
    def tool(self, fn: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
    @takes(ToolOptions)
    def tool(self, fn: Any = None, /, **options: Any) -> Any:
        """Register a function as a tool: `@server.tool`, or with options `@server.tool(title="…", timeout=5)`.

        The signature becomes the input schema, the docstring the description, the return annotation the output
        schema. With `input_schema` the function takes the arguments as one dict, checked against that JSON Schema; with
        `output_schema` what it returns is checked. `scopes` are what a caller's token must have;
        `visible_to(principal)` says for which callers the tool exists at all.

        `view` is what the tool shows: an HTML file beside the one that says so, a text that is HTML, a function that
        makes HTML from the result, or a `View`. `visibility` says who calls the tool: `["app"]` is for views only,
        `["model"]` for the model only.

        With `task=True` the call runs as a task where the client can take one: it is answered at once, and goes on
        when the client goes away. With `task="required"` other clients are refused; with `task="later"` the call
        becomes a task when the function awaits `ctx.become_task()`.
        """
        return self._decorate(self.register_tool, fn, options)

    @takes(ResourceOptions)
    def resource(self, uri: str, /, **options: Unpack[ResourceOptions]) -> Callable[[F], F]:
        """Register a function as a resource: `@server.resource("weather://today")`, or a family of them:
        `"weather://{city}"`.

        Names in braces are the function's parameters. It returns text, bytes, a `Path`, or anything that becomes
        JSON. `scopes` are what a caller's token must have to read or subscribe; `visible_to(principal)` says for which
        callers the resource exists at all.
        """
        if callable(uri):
            raise RegistrationError("A resource needs its URI: @server.resource('app://name')")
        return _decorator(partial(self.register_resource, uri, **options))

    @overload
    def prompt(self, fn: F, /) -> F: ...
    @overload
    def prompt(self, fn: None = None, /, **options: Unpack[EntryOptions]) -> Callable[[F], F]: ...
    @takes(EntryOptions)
    def prompt(self, fn: Any = None, /, **options: Any) -> Any:
        """Register a function as a prompt. It returns text, a message, or a list of them.

        `scopes` are what a caller's token must have; `visible_to(principal)` says for which callers the prompt exists.
        """
        return self._decorate(self.register_prompt, fn, options)

    def completion(self, target: str, argument: str) -> Callable[[F], F]:
        """Register suggestions for an argument of a prompt (by name) or of a resource template (by its URI).

        The function gets what was typed so far and the arguments already filled in, and returns the suggestions.
        """
        return _decorator(partial(self.completions.__setitem__, (target, argument)))

    def method(self, name: str, *, timeout: float | None = None) -> Callable[[F], F]:
        """Register a JSON-RPC method of your own: `@server.method("custom/ping")`."""
        return _decorator(partial(self.register_method, name, timeout=timeout))

    def on_notification(self, name: str) -> Callable[[F], F]:
        """Register a function, `def` or `async def`, for a notification that clients send; it gets the parameters."""
        return _decorator(partial(self.listeners.__setitem__, name))

    def setup(
        self,
        *,
        fields: type[T],
        visible: bool = True,
        visibility: Visibility = "hidden",
        description: str | None = None,
        permissions: Iterable[str | PermissionRequirement] = (),
    ) -> Callable[[Callable[[T], Any]], Setup[T]]:
        """Register what a person is asked for before the tools are used, where the server is a web page:
        `@server.setup(fields=Settings)`, with `Settings` a dataclass, a Struct or a TypedDict.

        The function gets what was entered, checks it, and returns the name to show for it; a `SetupError` is shown
        beside the form. Where the function was, there is a `Setup` then, whose `settings` the tools use.
        `visible=False` shows no form: every field needs a default. `visibility` and `description` say whether the page
        is to be seen while the tools are used, and what there is to see. `permissions` are what the page uses of the
        browser, such as `"camera"`: clients ask the person before they load the page.
        """
        from cloche.server.setup import Setup

        def decorate(fn: Callable[[T], Any]) -> Setup[T]:
            options: dict[str, Any] = {"visible": visible, "visibility": visibility, "description": description}
            made = Setup(fn, fields, permissions=permissions, **options)
            self.attach(made)
            return made

        return decorate

    def middleware(self, fn: F) -> F:
        """Register `async (message, call_next) -> result`, called around every request and every notification that a
        client sends; the first one is outermost. A notification has `message.id` None and no result. What the protocol
        itself does with one, such as cancelling a request, has happened before.
        """
        self.middlewares.append(fn)
        return fn

    def use(self, fn: Middleware) -> None:
        """The same as `middleware`, as a plain call."""
        self.middlewares.append(fn)

    def register_tool(
        self, fn: Callable[..., Any] | None = None, *, handler: Callable[..., Any] | None = None, **options: Any
    ) -> ToolEntry:
        """`tool` as a plain call: `server.register_tool(fn, title="…")`.

        A tool by its schema: `server.register_tool(name="look", input_schema={…}, handler=look)`; the handler gets the
        checked arguments as one dict.
        """
        if (fn is None) == (handler is None):
            raise RegistrationError("A tool has one function: register_tool(fn), or register_tool(handler=…)")
        function = fn if fn is not None else handler
        assert function is not None
        if handler is not None and options.get("input_schema") is None:
            raise RegistrationError(
                "register_tool(handler=…) takes an input_schema={'type': 'object', …}; a function whose signature says "
                "what it takes is register_tool(fn)"
            )
        view, visibility = options.pop("view", None), options.pop("visibility", None)
        if "visible" in options:
            warnings.warn("@server.tool(visible=…) is now called visible_to=…", DeprecationWarning, stacklevel=3)
            options["visible_to"] = options.pop("visible")
        check_options(ToolOptions, "@server.tool", options)
        said = visibility_meta(checked_visibility(visibility)) if visibility is not None else {}
        entry = ToolEntry(function, context_type=Context, **options)
        self.tools.check_free(entry.key)
        if entry.task is not None:
            self.has_tasks = True
            entry.timeout = entry.timeout if entry.timeout is not None else self.limits.task_seconds
        if view is not None:
            as_view(view).attach(self, entry)
        if said:
            entry.tool.meta = merged(entry.tool.meta, said)
        return self.tools.add(entry)

    def register_helper(self, fn: Callable[..., Any], *, of: ToolEntry, **options: Any) -> ToolEntry:
        """Register a tool that only the views of another tool call: it is for the same callers, it goes when the other
        tool goes, and it is listed after all others. The options are those of `tool`.
        """
        inherited = {"timeout": of.timeout, "scopes": of.scopes, "visible_to": of.visible_to}
        entry = self.register_tool(fn, visibility=["app"], **{**inherited, **options})
        entry.is_helper = True
        of.on_remove.append(partial(self.remove_tool, entry.name))
        return entry

    def register_resource(self, uri: str, fn: Callable[..., Any], **options: Any) -> ResourceEntry:
        """The same as `resource`, as a plain call."""
        check_options(ResourceOptions, "@server.resource", options)
        template = is_template(uri)
        entry = ResourceEntry(uri, fn, template=template, context_type=Context, **options)
        return (self.templates if template else self.resources).add(entry)

    def register_prompt(self, fn: Callable[..., Any], **options: Any) -> PromptEntry:
        """The same as `prompt`, as a plain call."""
        check_options(EntryOptions, "@server.prompt", options)
        return self.prompts.add(PromptEntry(fn, context_type=Context, **options))

    def register_method(self, name: str, fn: Callable[..., Any], *, timeout: float | None = None) -> MethodEntry:
        """The same as `method`, as a plain call."""
        if name in self.methods:
            raise RegistrationError(f"method {name!r} is registered already: choose another name")
        if name in PROTOCOL_METHODS or name.startswith("notifications/"):
            raise RegistrationError(
                f"method {name!r} belongs to the protocol: choose a name such as 'custom/{name.rsplit('/', 1)[-1]}'"
            )
        entry = self.methods[name] = MethodEntry(name, fn, timeout=timeout, context_type=Context)
        if self._engine is not None:
            self._engine.reload()
        return entry

    def attach(self, capability: Capability) -> None:
        """Attach a capability: it registers what it has, is announced to clients, and hears who subscribes."""
        if not isinstance(capability, Capability):
            raise RegistrationError(
                f"server.attach takes a Capability, not a {type(capability).__name__}: a view belongs to its tool, "
                "@server.tool(view=…)"
            )
        if capability.name in self.capabilities:
            raise RegistrationError(f"The capability {capability.name!r} is attached already")
        for extension in capability.extensions:
            if extension in self.extensions:
                raise RegistrationError(f"The extension {extension!r} is announced already, by another capability")
        opens = type(capability).lifespan is not Capability.lifespan
        if opens and self._engine is not None and self._engine.is_open:
            raise RegistrationError(
                f"The capability {capability.name!r} has a lifespan: attach it before the server is used"
            )
        self.capabilities[capability.name] = capability
        self.extensions.update(capability.extensions)
        capability.attach(self)

    def remove_tool(self, name: str) -> None:
        """Take a tool out; clients are told."""
        self.tools.remove(name)

    def remove_resource(self, uri: str) -> None:
        """Take a resource or template out; clients are told."""
        (self.templates if is_template(uri) else self.resources).remove(uri)

    def remove_prompt(self, name: str) -> None:
        """Take a prompt out; clients are told."""
        self.prompts.remove(name)

    @staticmethod
    def _decorate(register: Callable[..., Any], fn: Any, options: dict[str, Any]) -> Any:
        if isinstance(fn, str):
            raise RegistrationError(f"Write name={fn!r}: the name is not the decorator's first argument")
        decorate = _decorator(partial(register, **options))
        return decorate if fn is None else decorate(fn)

    # Telling clients

    def resource_updated(self, uri: str, audience: str | None = None) -> None:
        """Tell everybody who subscribed that a resource changed. Works from the event loop and from any thread.

        With `audience` only those are told whose version of the resource changed: see `Capability.audience`.
        """
        if self._engine is not None:
            self._engine.on_loop(self._engine.subscriptions.resource_updated, uri, audience)

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification of your own to every connected client: to all sessions of the handshake era, and in
        2026-07-28 to the clients that listen to this method (`client.on_notification(method, …)`).
        """
        if self._engine is not None:
            self._engine.subscriptions.notify(method, params or {})

    def _changed(self, kind: str) -> None:
        if self._engine is not None:
            self._engine.changed(kind)

    # Running

    @property
    def engine(self) -> Engine:
        """What answers requests; made on first use."""
        if self._engine is None:
            from cloche.server.engine import Engine  # imports asyncio, which registering does not need

            self._engine = Engine(self)
        return self._engine

    def info_for(self, features: Features) -> types.Implementation:
        """The server's description as this version of the protocol knows it."""
        known = self.info if features.icons else types.Implementation(self.name, self.version, self.info.title)
        return known if features.titles else msgspec.structs.replace(known, title=None)

    def run(self, transport: str = "stdio", *, host: str = "127.0.0.1", port: int = 8000, **options: Any) -> None:
        """Serve until the client or the user ends it: over stdio, or with `run("http", port=8000)` over HTTP at `/mcp`,
        or with `run("websocket", port=8000)` over WebSocket there.

        Further options are those of `asgi` and `websocket`; binding to an address that others can reach needs `auth`.
        """
        check_run_allowed()
        if transport == "stdio":
            load("run_stdio")(self)
        elif transport in ("http", "websocket"):
            load("run_server")(self, transport, host=host, port=port, **options)
        else:
            raise ConfigurationError(f"Unknown transport {transport!r}: use 'stdio', 'http' or 'websocket'")

    def asgi(
        self,
        *,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
        auth: object = None,
        sessionless: bool = False,
        path: str | None = None,
        stateless: bool | None = None,
    ) -> AsgiApp:
        """This server as an ASGI app, for mounting anywhere or running with any ASGI server.

        `hosts`: names it may be called by (default: loopback with the bound port). `origins`: web pages that may call
        it. `auth`: who may call it. `sessionless`: keep no sessions. `path`: answer at this path only (default:
        wherever it is mounted).
        """
        if stateless is not None:
            warnings.warn("server.asgi(stateless=…) is now called sessionless=…", DeprecationWarning, stacklevel=2)
            sessionless = stateless
        app: AsgiApp = load("HttpApp")(
            self, hosts=hosts, origins=origins, auth=auth, sessionless=sessionless, path=path
        )
        return app

    def websocket(
        self,
        *,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
        auth: object = None,
        path: str | None = None,
    ) -> AsgiApp:
        """This server over WebSocket, as an ASGI app; the options mean the same as those of `asgi`.

        Host, Origin and the token in the Authorization header are looked at before the connection is accepted.
        """
        app: AsgiApp = load("WebSocketApp")(self, hosts=hosts, origins=origins, auth=auth, path=path)
        return app

    async def connect(self, transport: Transport, *, principal: Principal | None = None) -> None:
        """Serve one client over a transport, until either side closes it; returns at once.

        `principal` is who the client is, where that is known from outside the messages.
        """
        from cloche.server.connection import Connection  # imports asyncio, which registering does not need

        self.engine.settle()
        connection = Connection(self.engine, transport.send, principal, transport)
        self._connections.add(connection)

        def closed() -> None:
            self._connections.discard(connection)
            stop()
            self._ending.add(connection)
            connection.shut(lambda: self._ending.discard(connection))

        stop = transport.on_message(connection.receive)
        transport.on_close(closed)

    async def join(self, *, principal: Principal | None = None) -> Transport:
        """A client's end of a connection to this server, in this process; `Client(server)` uses it."""
        from cloche.server.in_memory_client import join

        if self._engine is None or not self._engine.is_open:
            self._joined_first = True
        return await join(self, principal)

    async def _leave(self) -> None:
        """A client that had joined is gone: when such clients are all the server had, it closes, as soon as the tasks
        that they left behind have ended.
        """
        if self._joined_first and not self._connections and not (self._engine and self._engine.runs_tasks):
            self._joined_first = False
            await self.close()

    @property
    def is_connected(self) -> bool:
        """Whether a client is connected through `connect` or stdio."""
        return bool(self._connections)

    async def close(self) -> None:
        """End every connection, stream and request, and close what the lifespan opened."""
        for connection in [*self._connections, *self._ending]:
            await connection.close()
        self._connections.clear()
        if self._engine is not None:
            await self._engine.close()


def _decorator(register: Callable[[Any], Any]) -> Callable[[F], F]:
    """A decorator that registers a function and leaves it as it is."""

    def decorate(fn: F) -> F:
        register(fn)
        return fn

    return decorate


def _secret(given: str | bytes | None) -> bytes:
    if given is None:
        return secrets.token_bytes(32)
    secret = given.encode() if isinstance(given, str) else given
    if len(secret) < 16:
        raise ConfigurationError(
            "secret must have at least 16 bytes: python -c 'import secrets; print(secrets.token_hex(32))'"
        )
    return secret
