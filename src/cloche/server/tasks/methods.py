"""What clients do with tasks: a call that becomes one, and the methods `tasks/…` of both eras."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import (
    InvalidParamsError,
    McpError,
    MethodNotFoundError,
    MissingCapabilityError,
    TaskCancelledError,
    error_of,
    shorten,
)
from cloche.wire import tasks, types
from cloche.wire.messages import decode_error
from cloche.wire.tasks import TASKS_EXTENSION, TaskParams, TaskRecord, TaskWish, UpdateTaskParams

if TYPE_CHECKING:
    from cloche.server.engine import Engine, Handler
    from cloche.server.entries import ToolEntry
    from cloche.server.exchange import Exchange
    from cloche.server.tasks.running import RunningTask

SHORTEST_TTL = 1.0
"""Seconds; a client that asks for less gets this."""

_wish = msgspec.json.Decoder(TaskWish)
_any = msgspec.json.Decoder(dict[str, Any])


def as_is(engine: Engine, exchange: Exchange, result: Any) -> Any:
    """What was awaited is the result."""
    return result


# A call that becomes a task


def begin(engine: Engine, exchange: Exchange, params: types.CallToolParams, tool: ToolEntry) -> Any:
    """Let a call become a task; None when it is answered as any other call is."""
    features = exchange.peer.features
    wish: TaskWish | None = None
    if features.task_requests and engine.server.has_tasks and params.task is not UNSET:
        wish = _decode_wish(params.task)
        if tool.task is None:
            raise McpError(f"The tool {shorten(tool.name)} does not run as a task: call it without", code=-32601)
    if tool.task is None or (wish is None and not _takes_tasks(exchange)):
        if tool.task == "required":
            raise _task_required(exchange, tool.name)
        return None
    running = engine.tasks.create(exchange, params, _ttl(engine, wish))
    exchange.entry, exchange.finalize = tool, as_is
    exchange.seconds = exchange.deadline = None  # the task has its own
    return _stays(running) if tool.task == "later" and wish is None else _goes(running)


def _takes_tasks(exchange: Exchange) -> bool:
    return exchange.peer.features.task_results and tasks.has_extension(exchange.peer.client_capabilities)


def _task_required(exchange: Exchange, name: str) -> McpError:
    if exchange.peer.features.task_results:
        return MissingCapabilityError("extensions", f"The tool {shorten(name)}", extension=TASKS_EXTENSION)
    if exchange.peer.features.task_requests:
        return McpError(f'The tool {shorten(name)} runs as a task only: call it with "task": {{}}', code=-32601)
    return McpError(f"The tool {shorten(name)} needs tasks: use protocol version 2025-11-25 or later", code=-32601)


def _decode_wish(raw: Raw) -> TaskWish:
    try:
        return _wish.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidParamsError(f"Invalid params: {shorten(str(error), 200)} of task") from None


def _ttl(engine: Engine, wish: TaskWish | None) -> int:
    """How long a task lives, in milliseconds: as long as the client wants, within bounds."""
    limits = engine.limits
    seconds = limits.task_seconds
    if wish is not None and wish.ttl is not UNSET:
        seconds = limits.task_most_seconds if wish.ttl is None else wish.ttl / 1000
        if seconds < 0:
            raise InvalidParamsError("Invalid params: ttl of task is a number of milliseconds, and not below 0")
    return int(min(max(seconds, SHORTEST_TTL), limits.task_most_seconds) * 1000)


async def _goes(running: RunningTask) -> Any:
    """Go on as a task from the beginning."""
    await running.detach()
    running.launch()
    return created(running)


async def _stays(running: RunningTask) -> Any:
    """Stay with the request until the function says otherwise."""
    running.launch()
    answer = await running.until_detached()
    return created(running) if answer is None else answer


def created(running: RunningTask) -> Any:
    """The answer to a call that became a task."""
    features = running.exchange.peer.features
    task = tasks.task_members(running.record, features, time.time())
    if not features.task_results:
        return {"task": task}
    return {"resultType": tasks.TASK_RESULT, **task, "_meta": running.engine.server_meta}


# Methods


def _method(work: Callable[[Engine, Exchange, Any], Coroutine[Any, Any, Any]]) -> Handler:
    """A method that exists where a server has tasks and the client may use them."""

    def handler(engine: Engine, exchange: Exchange, params: Any) -> Any:
        features = exchange.peer.features
        if not engine.server.has_tasks or not (features.task_requests or features.task_results):
            raise MethodNotFoundError(exchange.method)
        if features.task_results and not _takes_tasks(exchange):
            raise MissingCapabilityError("extensions", exchange.method, extension=TASKS_EXTENSION)
        exchange.finalize = as_is
        exchange.seconds = exchange.deadline = None
        return work(engine, exchange, params)

    return handler


async def get_task(engine: Engine, exchange: Exchange, params: TaskParams) -> Any:
    """`tasks/get`"""
    return _shown(engine, exchange, await engine.tasks.find(params.task_id, exchange.principal))


def _shown(engine: Engine, exchange: Exchange, record: TaskRecord) -> Any:
    features = exchange.peer.features
    result = tasks.detailed_members(record, features, time.time())
    meta: dict[str, Any] = {} if record.progress is None else {tasks.PROGRESS_KEY: record.progress}
    if features.stateless:
        return {"resultType": "complete", **result, "_meta": {**engine.server_meta_dict, **meta}}
    return {**result, "_meta": meta} if meta else result


async def cancel_task(engine: Engine, exchange: Exchange, params: TaskParams) -> Any:
    """`tasks/cancel`: in 2025-11-25 of a task that is under way, since 2026-07-28 of any."""
    record = await engine.tasks.find(params.task_id, exchange.principal)
    if not exchange.peer.features.task_results:
        if record.ended:
            raise InvalidParamsError(f"The task has ended already: it is {record.status}")
        return _shown(engine, exchange, await engine.tasks.cancel(record))
    if not record.ended:
        await engine.tasks.cancel(record)
    return _acknowledged(engine)


def _acknowledged(engine: Engine) -> Any:
    return {"resultType": "complete", "_meta": engine.server_meta}


async def update_task(engine: Engine, exchange: Exchange, params: UpdateTaskParams) -> Any:
    """`tasks/update` (2026-07-28): answers to the task's questions."""
    record = await engine.tasks.find(params.task_id, exchange.principal)
    if not record.ended:
        engine.tasks.answer(record, params.input_responses)
    return _acknowledged(engine)


async def task_result(engine: Engine, exchange: Exchange, params: TaskParams) -> Any:
    """`tasks/result` (2025-11-25): wait for the end, then answer what the call would have been answered."""
    record = await engine.tasks.find(params.task_id, exchange.principal)
    record = await engine.tasks.outcome(record, exchange)
    if record.result is not None:
        return tasks.related(_any.decode(record.result), record.id)
    if record.error is not None:
        found = decode_error(record.error)
        raise error_of(found.code, found.message, found.data)
    raise TaskCancelledError


async def list_tasks(engine: Engine, exchange: Exchange, params: types.ListParams) -> Any:
    """`tasks/list` (2025-11-25)"""
    records, cursor = await engine.tasks.page(exchange, params.cursor)
    features, now = exchange.peer.features, time.time()
    result: dict[str, Any] = {"tasks": [tasks.task_members(record, features, now) for record in records]}
    return result if cursor is None else {**result, "nextCursor": cursor}


_BOTH: dict[str, Handler] = {"tasks/get": _method(get_task), "tasks/cancel": _method(cancel_task)}

HANDSHAKE: dict[str, Handler] = {**_BOTH, "tasks/result": _method(task_result), "tasks/list": _method(list_tasks)}
"""Methods of 2025-11-25."""

STATELESS: dict[str, Handler] = {**_BOTH, "tasks/update": _method(update_task)}
"""Methods of the extension of 2026-07-28."""

DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    **dict.fromkeys(("tasks/get", "tasks/cancel", "tasks/result"), msgspec.json.Decoder(TaskParams)),
    "tasks/update": msgspec.json.Decoder(UpdateTaskParams),
    "tasks/list": msgspec.json.Decoder(types.ListParams),
}
"""How the parameters of each are read."""
