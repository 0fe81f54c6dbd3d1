"""Middleware: `async (message, call_next) -> result` around every request and every notification of a client."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import InternalError, ParseError, shorten
from cloche.server.context import Context
from cloche.server.exchange import Exchange
from cloche.wire.messages import RequestId

if TYPE_CHECKING:
    from cloche.server.engine import Engine
    from cloche.server.exchange import Peer
    from cloche.server.server import Server

logger = logging.getLogger("cloche.server")


@dataclass(slots=True, eq=False)
class Incoming:
    """A request or notification on its way through the middleware. `params` may be changed before it is passed on.

    A notification has no `id`, and nobody waits for a result.
    """

    method: str
    params: dict[str, Any]
    id: RequestId | None
    context: Context


CallNext: TypeAlias = Callable[[Incoming], Awaitable[Any]]
Middleware: TypeAlias = Callable[[Incoming, CallNext], Awaitable[Any]]


async def _call(middlewares: list[Middleware], message: Incoming, last: CallNext, index: int = 0) -> Any:
    """Call the middleware at `index`, which calls the next one, and so on to `last`."""
    if index == len(middlewares):
        return await last(message)
    result = await middlewares[index](message, lambda passed: _call(middlewares, passed, last, index + 1))
    if result is None and message.id is not None:
        raise InternalError("A middleware returned nothing: let it return the result of call_next")
    return result


def received(server: Server, method: str, params: Any) -> Coroutine[Any, Any, None] | None:
    """Give a notification to the function that was registered for it. Returns what is left to wait for."""
    listener = server.listeners.get(method)
    if listener is None:
        return None
    try:
        going_on = listener({} if params is UNSET else msgspec.json.decode(params))
        return _heard(going_on) if inspect.isawaitable(going_on) else None
    except Exception:
        logger.exception("the listener for a notification failed")
        return None


async def _heard(going_on: Awaitable[Any]) -> None:
    try:
        await going_on
    except Exception:
        logger.exception("the listener for a notification failed")


async def notified(engine: Engine, peer: Peer, method: str, params: Any) -> None:
    """Run a notification through every middleware; the last one hands it to whoever registered for it."""
    exchange = Exchange(asyncio.get_running_loop())
    exchange.peer, exchange.id, exchange.method, exchange.params = peer, "", method, params
    exchange.principal = peer.principal

    async def receive(message: Incoming) -> None:
        going_on = received(engine.server, message.method, Raw(msgspec.json.encode(message.params)))
        if going_on is not None:
            await going_on

    try:
        decoded = {} if params is UNSET else msgspec.json.decode(params)
        message = Incoming(method, decoded, None, Context(engine, exchange))
        await _call(engine.server.middlewares, message, receive)
    except Exception:
        logger.exception("a middleware failed on the notification %s", shorten(method))


async def through(engine: Engine, exchange: Exchange, params: Any) -> Any:
    """Run the request through every middleware, the first registered outermost."""
    try:
        decoded: dict[str, Any] = {} if exchange.params is UNSET else msgspec.json.decode(exchange.params)
    except msgspec.DecodeError:
        raise ParseError("Parse error: the params hold a number that is out of range") from None

    async def perform(message: Incoming) -> Any:
        exchange.params = Raw(msgspec.json.encode(message.params))
        answer = await engine.perform(exchange, engine.decode(exchange.method, exchange.params))
        exchange.finalize = None  # what leaves the middleware is a result
        # Through JSON, because a result may hold parts that are encoded already.
        return msgspec.json.decode(answer)["result"]

    incoming = Incoming(exchange.method, decoded, exchange.id, Context(engine, exchange))
    answer = await _call(engine.server.middlewares, incoming, perform)
    if exchange.peer.features.stateless and isinstance(answer, dict):
        answer.setdefault("resultType", "complete")  # a middleware may have answered by itself
    return answer
