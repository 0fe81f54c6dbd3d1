"""`Context`: what a tool, resource or prompt can learn of its request and do during it."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec
from msgspec import UNSET

from cloche.errors import LocalError, NoBackChannelError
from cloche.server.client_requests import Ask, Elicit, Elicited, ElicitUrl, InputRequired, ListRoots, Memory, Sample
from cloche.wire import types
from cloche.wire.messages import RequestId, encode_notification
from cloche.wire.types import LOG_LEVELS, LogLevel

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.engine import Engine
    from cloche.server.exchange import Exchange
    from cloche.server.server import Server

T = TypeVar("T")
if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    S = TypeVarWithDefault("S", default=Any)
else:
    S = TypeVar("S")


class Context(Generic[S]):
    """The request being answered. A function gets it by having a parameter annotated with `Context`, or with
    `Context[State]`, where `State` is the type of what the server's lifespan yields: then `ctx.state` has that type.
    """

    __slots__ = ("_engine", "_exchange", "_memory")

    def __init__(self, engine: Engine, exchange: Exchange, memory: Memory | None = None) -> None:
        self._engine = engine
        self._exchange = exchange
        self._memory = memory if memory is not None else Memory()

    # Who asks, and how

    @property
    def server(self) -> Server:
        """The server that answers."""
        return self._engine.server

    @property
    def state(self) -> S:
        """What the server's `lifespan` yielded."""
        return self._engine.lifespan.state  # type: ignore[no-any-return]

    @property
    def principal(self) -> Principal | None:
        """Who the caller is, when the server has `auth`."""
        return self._exchange.principal

    @property
    def auth(self) -> str | None:
        """The token that the page handed over when it started this server in itself; None anywhere else."""
        return getattr(self._exchange.principal, "token", None)

    @property
    def session_id(self) -> str | None:
        """The session, in the handshake era over HTTP."""
        return self._exchange.peer.session_id

    @property
    def request_id(self) -> RequestId:
        """The request's id, unique on its connection only."""
        return self._exchange.id

    @property
    def protocol_version(self) -> str:
        """The version of the protocol that the client speaks."""
        return self._exchange.peer.features.version

    @property
    def client_info(self) -> types.Implementation | None:
        """Who the client says it is."""
        return self._exchange.peer.client_info

    @property
    def client_capabilities(self) -> dict[str, Any]:
        """What the client says it can do; a copy, because clients that say the same share it."""
        return copy.deepcopy(self._exchange.peer.client_capabilities)

    @property
    def meta(self) -> dict[str, Any]:
        """The request's `_meta`, whole."""
        raw = self._exchange.raw_meta
        found: dict[str, Any] = {} if raw is UNSET else msgspec.json.decode(raw)
        return found

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the outcome any more; a `def` tool that takes long looks at it now and then."""
        return self._exchange.cancelled

    # Telling the client something meanwhile

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Say how far the work is; nothing is sent when the client did not ask for it, or has been told too often.
        A task keeps it, with the message as its status message, for whoever looks.
        """
        exchange = self._exchange
        exchange.progressed(progress, total, message)
        token = exchange.progress_token
        final = total is not None and progress >= total
        if token is None or not self._engine.allows_progress(exchange, final=final):
            return
        params: dict[str, Any] = {"progressToken": token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None and exchange.peer.features.annotations:
            params["message"] = message
        await exchange.emit(encode_notification("notifications/progress", params))

    async def log(self, level: LogLevel, data: Any, logger: str | None = None) -> None:
        """Send a log message, when the client wants messages of this level."""
        wanted = self._engine.log_level(self._exchange)
        if wanted is None or LOG_LEVELS.index(level) < LOG_LEVELS.index(wanted):
            return
        params: dict[str, Any] = {"level": level, "data": data}
        if logger is not None:
            params["logger"] = logger
        await self._exchange.emit(encode_notification("notifications/message", params))

    async def debug(self, data: Any, logger: str | None = None) -> None:
        """Log at level debug."""
        await self.log("debug", data, logger)

    async def info(self, data: Any, logger: str | None = None) -> None:
        """Log at level info."""
        await self.log("info", data, logger)

    async def warning(self, data: Any, logger: str | None = None) -> None:
        """Log at level warning."""
        await self.log("warning", data, logger)

    async def error(self, data: Any, logger: str | None = None) -> None:
        """Log at level error."""
        await self.log("error", data, logger)

    # Asking the client something

    @overload
    async def elicit(self, message: str, form: type[T], *, key: str | None = None) -> Elicited[T]: ...
    @overload
    async def elicit(
        self, message: str, form: dict[str, Any], *, key: str | None = None
    ) -> Elicited[dict[str, Any]]: ...
    async def elicit(self, message: str, form: Any, *, key: str | None = None) -> Elicited[Any]:
        """Ask the user to fill in a form: a flat dataclass or model, or a JSON Schema as a dict."""
        return await self._ask_one(key, "elicit", Elicit(message, form))  # type: ignore[no-any-return]

    async def elicit_url(self, message: str, url: str, *, key: str | None = None) -> Elicited[None]:
        """Ask the user to visit a URL."""
        return await self._ask_one(key, "url", ElicitUrl(message, url))  # type: ignore[no-any-return]

    async def sample(self, messages: Any, *, key: str | None = None, **options: Any) -> types.SamplingResult:
        """Ask the client's model; see `Sample` for the options."""
        return await self._ask_one(key, "sample", Sample(messages, **options))  # type: ignore[no-any-return]

    async def roots(self, *, key: str | None = None) -> list[types.Root]:
        """Ask for the client's roots."""
        return await self._ask_one(key, "roots", ListRoots())  # type: ignore[no-any-return]

    async def ask(self, **asks: Ask) -> dict[str, Any]:
        """Ask several things at once: `await ctx.ask(name=Elicit(…), idea=Sample(…))` gives the answers by name."""
        exchange = self._exchange
        for ask in asks.values():
            if not isinstance(ask, Ask):
                raise LocalError("ctx.ask takes Elicit, ElicitUrl, Sample and ListRoots objects by name")
        if exchange.in_task:
            answers = await exchange.ask_as_task(asks)
            if answers is not None:
                return answers
        if exchange.peer.features.stateless:
            return self._answered(asks)
        for ask in asks.values():
            if not exchange.back_channel:
                raise NoBackChannelError(ask.method)
            ask.check(exchange.peer.client_capabilities)
        given: dict[str, Any] = {}
        for key, ask in asks.items():
            given[key] = ask.read(await self._engine.ask(exchange, ask))
        return given

    async def _ask_one(self, key: str | None, kind: str, ask: Ask) -> Any:
        key = self._memory.key(key, kind)
        return (await self.ask(**{key: ask}))[key]

    def _answered(self, asks: dict[str, Ask]) -> dict[str, Any]:
        answers, open_asks = {}, {}
        for key, ask in asks.items():
            given = self._memory.answers.get(key)
            if given is None:
                if self._exchange.asked is None:  # only tools, resources and prompts may be answered with a question
                    raise NoBackChannelError(ask.method)
                ask.check(self._exchange.peer.client_capabilities)
                open_asks[key] = ask
                continue
            answers[key] = ask.read(given)
        if open_asks:
            raise InputRequired(open_asks)
        return answers

    async def become_task(self) -> bool:
        """Go on as a task, in a tool with `task="later"`: the call is answered now, with the task, and what follows
        runs without its client. Returns False when the client cannot take a task; then the call goes on as it was.
        """
        return await self._exchange.become_task()

    async def once(self, key: str, fn: Callable[[], Any | Awaitable[Any]]) -> Any:
        """Do something once, however often the call is repeated for questions; returns its result as plain JSON."""
        done = self._memory.done
        if key not in done:
            value = fn()
            if inspect.isawaitable(value):
                value = await value
            done[key] = msgspec.to_builtins(value)
        return done[key]

    # From a worker thread

    def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run one of the methods above from a `def` tool: `ctx.wait(ctx.progress(1, 2))`."""
        import asyncio  # kept out of the import of `cloche`

        from cloche.server.threads import HAVE_THREADS

        loop = self._exchange.loop
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run_coroutine_threadsafe(coroutine, loop).result()
        if self._exchange.pool is not None and not HAVE_THREADS:
            return loop.run_until_complete(coroutine)  # a browser's loop can be waited for from inside (JSPI)
        coroutine.close()
        raise LocalError("ctx.wait is for `def` tools; an `async def` tool awaits instead")
