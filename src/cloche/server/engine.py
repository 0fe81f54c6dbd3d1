"""The engine: a decoded request goes in, the bytes of its answer come out.

It knows nothing of transports. What happens per request: one look-up, one typed decode of the parameters, one of the
arguments, the function, one encode. Everything else (lists, schemas, decoders) was prepared at registration.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import DeadlineError, InternalError, InvalidParamsError, McpError, MethodNotFoundError, shorten
from cloche.server import handlers
from cloche.server.client_requests import Ask, InputRequired, RequestStateSigner, call_fingerprint, failed_answer
from cloche.server.context import Context
from cloche.server.exchange import TIMEOUT, Exchange, Peer
from cloche.server.inflight import InFlight
from cloche.server.intake import KnownCallers
from cloche.server.lifespan import Lifespan
from cloche.server.lists import Lists
from cloche.server.middleware import notified, received, through
from cloche.server.subscriptions import Subscriptions
from cloche.server.tasks.table import TaskTable
from cloche.server.threads import HAVE_THREADS, ThreadPool
from cloche.transports.tasks import Tasks
from cloche.wire import types
from cloche.wire.messages import Failure, Result, check_named
from cloche.wire.signing import Signer
from cloche.wire.tasks import SERVER_CAPABILITY, TASKS_EXTENSION
from cloche.wire.token_bucket import TokenBucket
from cloche.wire.versions import FEATURES, INPUT_METHODS, Features

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.entries import Entry
    from cloche.server.server import Server

Handler: TypeAlias = Callable[["Engine", Exchange, Any], Any]

logger = logging.getLogger("cloche.server")

SHORT = 1.0
"""A deadline below this many seconds is kept to the point; a longer one to the tick of the timer."""
_encode = msgspec.json.Encoder().encode
_any_params = msgspec.json.Decoder(types.Params)
_meta = msgspec.json.Decoder(types.RequestMeta)


class Engine:
    """Answers requests for one `Server`, from as many connections as there are."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.limits = server.limits
        self.bus = server.bus
        self.sessions = server.sessions
        self.signer = Signer(server.secret)
        self.request_states = RequestStateSigner(self.signer, server.limits.state_bytes)
        self.inflight = InFlight()
        self.callers = KnownCallers()
        self.threads = ThreadPool(server.limits.threads)
        self.lifespan = Lifespan(server)
        self.lists = Lists(self)
        self.subscriptions = Subscriptions(self)
        self.tools = server.tools.entries
        self._tasks: TaskTable | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = 0
        self._announced: set[str] = set()
        self._notifications = Tasks()
        """Notifications on their way through the middleware, or that an `async def` function still works on."""
        self.handlers: dict[bool, dict[str, Handler]] = {True: {}, False: {}}
        self.reload()

    def reload(self) -> None:
        """Take up what changed on the server: methods, information, registries."""
        own: dict[str, Handler] = dict.fromkeys(self.server.methods, handlers.custom)
        self.handlers = {True: handlers.STATELESS | own, False: handlers.HANDSHAKE | own}
        info = self.server.info
        self.server_meta = Raw(_encode({types.SERVER_INFO_KEY: info}))
        self.server_meta_dict = {types.SERVER_INFO_KEY: info}
        self.default_is_short = self.server.timeout is not None and self.server.timeout < SHORT
        self.tails = {True: b',"resultType":"complete","_meta":' + bytes(self.server_meta) + b"}}", False: b"}}"}
        """How an answer ends in the stateless era, and before."""
        self.frames = {version: self._frames(features) for version, features in FEATURES.items()}
        """What stands between a tool's text and its structured content, and what ends them; by version, and by whether
        the content must be wrapped where only objects are allowed."""
        self.lists.forget()

    def _frames(self, features: Features) -> dict[bool, tuple[bytes | None, bytes]]:
        tail = self.tails[features.stateless]
        if not features.structured:
            return dict.fromkeys((True, False), (None, b"}]" + tail))
        plain = (b'}],"structuredContent":', tail)
        wrapped = (b'}],"structuredContent":{"result":', b"}" + tail)
        return {False: plain, True: plain if features.any_structure else wrapped}

    # Changes, which may come from any thread

    def settle(self) -> asyncio.AbstractEventLoop:
        """Serve from the loop that runs now.

        Whoever wants to know for every request compares `thread` and asks the loop whether it runs: no other loop can
        then be running here. Up to Python 3.11 `get_running_loop` makes a system call each time, for the process id.
        """
        self.loop = asyncio.get_running_loop()
        self.thread = get_ident()
        return self.loop

    @property
    def is_open(self) -> bool:
        """Whether somebody has used it since it was made or closed."""
        return self.lifespan.loop is not None

    @property
    def tasks(self) -> TaskTable:
        """The calls that became tasks; made on first use."""
        if self._tasks is None:
            self._tasks = TaskTable(self)
        return self._tasks

    @property
    def runs_tasks(self) -> bool:
        """Whether a task is under way."""
        return self._tasks is not None and bool(self._tasks.running)

    def on_loop(self, fn: Callable[..., None], *args: Any) -> None:
        """Call `fn` on the loop that serves, now when this is it."""
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is not None and (self.loop is None or running is self.loop):
            fn(*args)
        elif self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(fn, *args)

    def changed(self, kind: str) -> None:
        """A registry changed: forget the lists, and tell clients once for all changes of this moment."""
        self.lists.forget()
        self.on_loop(self._announce_soon, kind)

    def _announce_soon(self, kind: str) -> None:
        if kind not in self._announced:
            self._announced.add(kind)
            asyncio.get_running_loop().call_soon(self._announce, kind)

    def _announce(self, kind: str) -> None:
        self._announced.discard(kind)
        self.subscriptions.list_changed(kind)

    # Answering

    def decode(self, method: str, params: Raw | Any, is_stateless: bool | None = None) -> Any:
        """The typed parameters of a request; in an era that lacks the method they are not what is wrong."""
        decoder = handlers.DECODERS.get(method, _any_params)
        try:
            decoded = decoder.decode(b"{}" if params is UNSET else params)
            if method == "tools/call":
                check_named(params, decoded.name, decoded.meta, decoded.arguments)
            elif params is not UNSET:
                check_named(params, "")
            return decoded
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if is_stateless is not None and method not in self.handlers[is_stateless]:
                raise MethodNotFoundError(method) from None
            raise InvalidParamsError(f"Invalid params: {shorten(str(error), 200)}") from None

    def meta(self, raw: Raw | Any) -> types.RequestMeta | Any:
        """What a request's `_meta` says."""
        if raw is UNSET:
            return UNSET
        try:
            return _meta.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidParamsError(f"Invalid params: {shorten(str(error), 200)} of _meta") from None

    async def answer(self, exchange: Exchange, params: Any) -> bytes | None:
        """The answer to a request, as bytes; None when the client cancelled it and wants none."""
        try:
            if self.lifespan.loop is not exchange.loop:
                await self.lifespan.open()
            if self.server.middlewares:
                return self.finish(exchange, await through(self, exchange, params))
            return await self.perform(exchange, params)
        except BaseException as error:
            return self.explain(exchange, error)

    async def perform(self, exchange: Exchange, params: Any) -> bytes:
        """Run the handler of a request; raises what the handler raises."""
        step = self.begin(exchange, params)
        return self.finish(exchange, step if exchange.finalize is None else await step)

    def begin(self, exchange: Exchange, params: Any) -> Any:
        """Prepare: the handler's result, or when it sets `exchange.finalize` the user's function, to be awaited."""
        handler = self.handlers[exchange.peer.features.stateless].get(exchange.method)
        if handler is None:
            raise MethodNotFoundError(exchange.method)
        return handler(self, exchange, params)

    def finish(self, exchange: Exchange, value: Any) -> bytes:
        """The answer made of a result, or of what the user's function returned."""
        if exchange.finalize is not None:
            value = exchange.finalize(self, exchange, value)
        return self.encode_answer(exchange, value)

    def encode_answer(self, exchange: Exchange, result: Any) -> bytes:
        """The bytes of an answer, unless they are too many."""
        data = result if type(result) is bytes else _encode(Result(exchange.id, result))
        if len(data) > self.limits.result_bytes:
            limit = self.limits.result_bytes
            raise InternalError(f"The answer is {len(data)} bytes, over the limit of {limit}: ask for less")
        return data

    def explain(self, exchange: Exchange, error: BaseException) -> bytes | None:
        """The answer to a request that ended with an error. Raises the error when it is not the request's own."""
        try:
            return self._explain(exchange, error)
        except Exception:  # a text that cannot be encoded, a state that is too large: an answer there must be
            logger.exception("the request %r could not be answered with its own error", shorten(exchange.method))
            return self.fail(exchange, InternalError("Internal error"))

    def _explain(self, exchange: Exchange, error: BaseException) -> bytes | None:
        if isinstance(error, McpError):
            return self.fail(exchange, error)
        if isinstance(error, InputRequired):
            try:
                return _encode(Result(exchange.id, self.input_required(exchange, error)))
            except Exception as failure:
                return handlers.broken(self, exchange, failure)
        if isinstance(error, asyncio.CancelledError):
            if exchange.ended is not None:
                return self._ended(exchange)
            if exchange.task is None or exchange.task.cancelling():
                raise error  # somebody else's: the server that runs us is going down
            # Nobody cancelled this request: the function let a task of its own fall.
            return handlers.broken(self, exchange, RuntimeError("a task it waited for was cancelled"))
        if isinstance(error, Exception | SystemExit):  # a tool that exits must not take every other session with it
            return handlers.broken(self, exchange, error)
        if isinstance(error, KeyboardInterrupt) and not HAVE_THREADS:
            # Nobody presses a key in a browser: the page stopped a function that did not come back.
            return self.stopped(exchange)
        raise error

    def fail(self, exchange: Exchange, error: McpError) -> bytes:
        """The answer that carries an error."""
        exchange.failure = error
        body = error.to_json_rpc_error()
        if body["code"] == -32002:
            body["code"] = exchange.peer.features.resource_not_found
        return _encode(Failure(exchange.id, body))

    def _ended(self, exchange: Exchange) -> bytes | None:
        """The request was given up: a deadline is answered, a cancellation is not."""
        if exchange.job is None and exchange.task is not None:
            exchange.task.uncancel()
        if exchange.ended == TIMEOUT:
            return self.timed_out(exchange)
        return None

    def timed_out(self, exchange: Exchange) -> bytes:
        """The answer to a request whose deadline has passed."""
        seconds = (exchange.entry.timeout if exchange.entry is not None else None) or self.server.timeout or 0
        return self._unfinished(exchange, f"within {seconds:g} seconds")

    def stopped(self, exchange: Exchange) -> bytes:
        """The answer to a request whose function the page stopped in the middle."""
        return self._unfinished(exchange, "in time and was stopped")

    def _unfinished(self, exchange: Exchange, how: str) -> bytes:
        if exchange.method != "tools/call":
            return self.fail(exchange, DeadlineError(exchange.id))
        result = types.CallToolResult([types.TextContent(f"The tool did not finish {how}")], is_error=True)
        return _encode(Result(exchange.id, self.stamp(result, exchange.peer.features)))

    # Running the user's functions

    def start(self, exchange: Exchange, timeout: float | None) -> None:
        """The function begins now: its deadline counts from here."""
        exchange.seconds = seconds = timeout if timeout is not None else self.server.timeout
        exchange.deadline = None
        if seconds is not None and seconds < SHORT:
            exchange.deadline = exchange.loop.time() + seconds
            self.inflight.look_at(exchange.deadline)

    def run(self, entry: Entry, exchange: Exchange, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a registered function: on the loop when it is a coroutine, else in a worker thread. To be awaited."""
        return entry.invoke(*args, **kwargs) if entry.is_async else self.run_in_thread(entry, exchange, args, kwargs)

    async def run_in_thread(
        self, entry: Entry, exchange: Exchange, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a function that may block."""
        exchange.pool = self.threads
        exchange.job = job = self.threads.submit(entry.invoke, args, kwargs)
        value = await job.future
        exchange.job = None
        if inspect.isawaitable(value):
            value = await value
        return value

    def context(self, exchange: Exchange, params: Any, target: str) -> Context:
        """The context of a request; in the stateless era with what the call remembers from its earlier rounds."""
        memory = None
        exchange.raw_meta = params.meta
        if exchange.peer.features.stateless and exchange.method in INPUT_METHODS:
            call = self._fingerprint(exchange, params, target)
            memory = self.request_states.open(params, call)
            exchange.asked = (call, memory)
        return Context(self, exchange, memory)

    def _fingerprint(self, exchange: Exchange, params: Any, target: str) -> str:
        arguments = getattr(params, "arguments", None)
        if not isinstance(arguments, Raw):
            arguments = _encode(arguments or {})
        principal = exchange.principal
        return call_fingerprint(exchange.method, target, bytes(arguments), "" if principal is None else principal.id)

    def input_required(self, exchange: Exchange, asked: InputRequired) -> types.InputRequiredResult:
        """The answer that asks the client back."""
        assert exchange.asked is not None
        call, memory = exchange.asked
        requests = {key: {"method": ask.method, "params": ask.params()} for key, ask in asked.asks.items()}
        return types.InputRequiredResult(requests, self.request_states.sign(memory, call), meta=self.server_meta)

    async def ask(self, exchange: Exchange, ask: Ask) -> bytes | Raw:
        """Ask the client over the back-channel. The clock of the request's deadline stands still meanwhile."""
        seconds, deadline = exchange.seconds, exchange.deadline
        if seconds is not None and deadline is not None:
            seconds = max(deadline - exchange.loop.time(), 0.05)
        exchange.seconds = exchange.deadline = None
        try:
            answer: bytes | Raw = await exchange.ask(ask.method, ask.params(), self.limits.ask_seconds)
            return answer
        except McpError as error:
            raise failed_answer(error) from None
        finally:
            exchange.seconds = seconds

    # What answers carry

    def stamp(self, result: Any, features: Features, scope: str | None = None) -> Any:
        """Add to a result what the stateless era wants in every one."""
        if features.stateless:
            result.result_type = "complete"
            if scope is not None:
                result.ttl_ms = self.server.cache_ms
                result.cache_scope = scope
            result.meta = self.server_meta if result.meta is UNSET else {**self.server_meta_dict, **result.meta}
        return result

    def cacheable(self, features: Features, scope: str) -> dict[str, Any]:
        """Members of a list's result in the stateless era."""
        if not features.stateless:
            return {}
        return {
            "resultType": "complete",
            "ttlMs": self.server.cache_ms,
            "cacheScope": scope,
            "_meta": self.server_meta_dict,
        }

    def capabilities(self, features: Features) -> dict[str, Any]:
        """What the server can do. Everything may be registered later, so everything is announced."""
        found: dict[str, Any] = {
            "tools": {"listChanged": True},
            "resources": {"subscribe": True, "listChanged": True},
            "prompts": {"listChanged": True},
            "logging": {},
        }
        if features.completions:
            found["completions"] = {}
        if features.stateless:
            found["extensions"] = {**self.server.extensions, types.OWN_NOTIFICATIONS: {}}
            if self.server.has_tasks:
                found["extensions"][TASKS_EXTENSION] = {}
        elif self.server.extensions:
            found["experimental"] = self.server.extensions
        if self.server.has_tasks and features.task_requests:
            found["tasks"] = SERVER_CAPABILITY
        return found

    # Who may see and be told what

    def hidden(self, kind: str, principal: Principal | None) -> frozenset[str] | None:
        """Keys of the entries of a list that this principal may not see; None when the list has no guarded entry."""
        registry = self.server.registries[kind]
        if not registry.guarded:
            return None
        return frozenset(entry.key for entry in registry if entry.guarded and not entry.admits(principal))

    def log_level(self, exchange: Exchange) -> str | None:
        """From which level on the client wants log messages; None for none."""
        if exchange.peer.features.stateless:
            meta = exchange.meta
            return None if meta is UNSET or meta.log_level is UNSET else meta.log_level
        return exchange.peer.log_level or "info"

    def allows_progress(self, exchange: Exchange, *, final: bool = False) -> bool:
        """Whether one more progress notification is within the rate (H27): a small burst, then so many per second.
        The final one may overdraw, but a tool that is final all the time is held to the rate too.
        """
        now, rate = exchange.loop.time(), self.limits.progress_per_second
        exchange.pace = exchange.pace or TokenBucket(rate, rate, now)
        return exchange.pace.take(now, rate if final else 0.0)

    def notified(self, peer: Peer, method: str, params: Any) -> None:
        """A client sent a notification; what the protocol itself does with it has been done already."""
        if len(self._notifications) >= self.limits.in_flight:
            logger.warning(
                "%s was dropped: %d notifications are still worked on", shorten(method), self.limits.in_flight
            )
            return
        if self.server.middlewares:
            going_on: Coroutine[Any, Any, None] | None = notified(self, peer, method, params)
        else:
            going_on = received(self.server, method, params)
        if going_on is not None:
            self._notifications.spawn(going_on)

    async def close(self) -> None:
        """End every request and stream, and close what the lifespan opened."""
        await self._notifications.end()
        if self._tasks is not None:
            await self._tasks.close()
        self.inflight.cancel_all("closed")
        self.subscriptions.close()
        await self.lifespan.close()
        self.threads.close()
        self.inflight.rest()
