"""The host's side of MCP Apps 2026-01-26, as strict as the specification: what a view may ask, and in which order.

Nothing is sent before the view is initialized, requests are refused until then, a tool that is not for apps is not
called, and every breach is noted as a problem. Messages come in through `receive` and go out through `post`.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from cloche.errors import InternalError, InvalidRequestError, LocalProtocolError, McpError, RequestTimeoutError, shorten
from cloche.host.profile import PLAIN, HostProfile
from cloche.testing.records import Log, Record, Size
from cloche.wire.apps.methods import TO_HOST
from cloche.wire.types import Json

BREACHES = (-32600, -32601, -32602)
"""Codes of answers that say the view did something wrong; others say that something went wrong."""

Post = Callable[[Json], Awaitable[None]]
Ask = Callable[[str, Any, "Json"], Awaitable[Any]]
"""Answers a request of the view: method, parameters, the whole message."""


class ViewConversation:
    """One life of a view: from `ui/initialize` to teardown."""

    def __init__(self, record: Record, post: Post, ask: Ask, profile: HostProfile = PLAIN) -> None:
        self.record = record
        self.dialect = profile.dialect
        self._may_greet_again = profile.openai  # window.openai says hello for itself, and the page may do so too
        self.stage = "loading"
        """loading, initializing, initialized or closed."""
        self.refusal: str | None = None
        """Why `ui/initialize` was refused."""
        self.app: Json = {}
        """What the view said of itself in `ui/initialize`."""
        self.received: list[Json] = []
        self._post = post
        self._ask = ask
        self._prefix = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._waiting: dict[Any, asyncio.Future[Any]] = {}
        self._tasks: dict[Any, asyncio.Task[None]] = {}
        self._initialized = asyncio.Event()
        self._input_sent = self._result_sent = False

    # From the view

    def receive(self, message: Any) -> None:
        """A message of the view arrived."""
        if self.stage == "closed":
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.record.add("stray", message)
            return
        self.received.append(message)
        method = message.get("method")
        if not isinstance(method, str):
            self._settle(message)
        elif "id" in message:
            key = repr(message["id"])
            task = self._tasks[key] = asyncio.get_running_loop().create_task(self._answer(method, message))
            task.add_done_callback(lambda done: self._answered(key, done))
        else:
            self._notified(method, message.get("params") or {})

    def _answered(self, key: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def _answer(self, method: str, message: Json) -> None:
        try:
            outcome: Json = {"result": await self._result_of(method, message)}
        except McpError as error:
            outcome = {"error": error.to_json_rpc_error()}
        except Exception as error:
            outcome = {"error": InternalError(shorten(f"{type(error).__name__}: {error}", 300)).to_json_rpc_error()}
        if method == "ui/initialize":
            self._note_initialize(message, outcome)
        elif "error" in outcome and outcome["error"]["code"] in BREACHES:
            self._problem(f"{method} was refused: {outcome['error']['message']}")
        await self.send({"id": message["id"], **outcome})
        if self.stage == "initializing" and not self.dialect.waits:
            self._on_initialized()

    async def _result_of(self, method: str, message: Json) -> Any:
        now, params = self.dialect.understood(method, message.get("params") or {})
        self._check_order(now)
        row = TO_HOST.get(now)
        if row is not None and row.is_legacy:
            self.record.add("tools_changed", params)
        elif now != method and row is not None and not row.is_request:  # under its legacy name it is a request
            self._notified(now, params)
        else:
            return await self._ask(now, params, message)
        return {}

    def _check_order(self, method: str) -> None:
        if method == "ui/initialize" and self.stage != "loading" and not self._may_greet_again:
            raise InvalidRequestError("ui/initialize was answered already: a view says it once")
        if method not in ("ui/initialize", "ping") and self.stage != "initialized":
            raise InvalidRequestError(f"{shorten(method)} came before ui/notifications/initialized")

    def _note_initialize(self, message: Json, outcome: Json) -> None:
        if "error" in outcome:
            if self.stage == "loading":
                self.refusal = outcome["error"]["message"]
            self._problem(f"ui/initialize was refused: {outcome['error']['message']}")
        else:
            self.app = message["params"]
            self.stage = "initializing" if self.stage == "loading" else self.stage

    def _notified(self, method: str, params: Json) -> None:
        if method == "ui/notifications/initialized":
            self._on_initialized()
        elif self.stage != "initialized":
            self._problem(f"{shorten(method)} came before ui/notifications/initialized")
        elif method == "ui/notifications/size-changed":
            self._on_size(params)
        elif method == "notifications/message":
            self.record.add("log", Log(str(params.get("level")), params.get("data"), params.get("logger")))
        elif method == "ui/notifications/request-teardown":
            self.record.add("teardown_request", params)
        elif method == "notifications/tools/list_changed":
            self.record.add("tools_changed", params)
        elif method == "notifications/cancelled":
            self._cancel(params)
        else:
            self._problem(f"the notification {shorten(method)} is not one that views send")

    def _on_initialized(self) -> None:
        if self.stage == "initialized" and (self._may_greet_again or not self.dialect.waits):
            return
        if self.stage != "initializing":
            self._problem("ui/notifications/initialized came without an answered ui/initialize before it, or twice")
            return
        self.stage = "initialized"
        self._initialized.set()
        self.record.add("initialized", self.app)

    def _on_size(self, params: Json) -> None:
        width, height = params.get("width"), params.get("height")
        wrong = [v for v in (width, height) if v is not None and (not isinstance(v, int | float) or not 0 <= v < 1e6)]
        if wrong:
            self._problem(f"ui/notifications/size-changed has {shorten(repr(wrong[0]))}, which is no size in pixels")
        else:
            self.record.add("size", Size(width, height))

    def _cancel(self, params: Json) -> None:
        task = self._tasks.get(repr(params.get("requestId")))
        if task is not None:
            task.cancel()

    def _problem(self, text: str) -> None:
        self.record.add("problem", text)

    # To the view

    async def initialized(self, timeout: float) -> None:
        """Wait until the view may be spoken to. Raises `TimeoutError`."""
        async with asyncio.timeout(timeout):
            await self._initialized.wait()

    async def send(self, message: Json) -> None:
        """Send anything; an answer that comes after the end is dropped."""
        if self.stage != "closed":
            await self._post({"jsonrpc": "2.0", **self.dialect.worded(message)})

    async def notify(self, method: str, params: Json) -> None:
        """Send a notification, which the view must be ready for."""
        if self.stage != "initialized":
            raise LocalProtocolError(f"The view is {self.stage}: nothing may be sent to it but answers")
        await self.send({"method": method, "params": params})

    async def request(self, method: str, params: Json, timeout: float) -> Any:
        """Ask the view; raises `McpError` for an error and `RequestTimeoutError` when no answer comes."""
        if self.stage != "initialized":
            raise LocalProtocolError(f"The view is {self.stage}: nothing may be asked of it")
        request_id = f"{self._prefix}-{next(self._numbers)}"
        answer = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        await self.send({"id": request_id, "method": method, "params": params})
        try:
            return await asyncio.wait_for(answer, timeout)
        except TimeoutError:
            raise RequestTimeoutError(request_id) from None
        finally:
            self._waiting.pop(request_id, None)

    def _settle(self, message: Json) -> None:
        answer = self._waiting.get(message.get("id"))
        if answer is None and str(message.get("id")).startswith(self._prefix):
            return  # too late for whoever asked
        if answer is None or answer.done():
            self._problem("the view answered something that was not asked")
        elif isinstance(error := message.get("error"), dict):
            answer.set_exception(McpError(shorten(str(error.get("message")), 300), code=error.get("code", -32603)))
        else:
            answer.set_result(message.get("result"))

    async def send_partial(self, arguments: Json) -> None:
        """Arguments as far as they are known; only before the whole ones."""
        if self._input_sent:
            raise LocalProtocolError(
                "The view has its input: partial input comes before it, so open it with stream=True"
            )
        await self.notify("ui/notifications/tool-input-partial", {"arguments": arguments})

    async def send_input(self, arguments: Json) -> None:
        """The arguments, once."""
        if self._input_sent:
            raise LocalProtocolError("The view has its input already: a host sends it once")
        self._input_sent = True
        await self.notify("ui/notifications/tool-input", {"arguments": arguments})
        self.record.add("input", arguments)

    async def send_result(self, result: Json) -> None:
        """The tool's result, after its input, once."""
        self._end_of_tool("result")
        await self.notify("ui/notifications/tool-result", result)
        self.record.add("result", result)

    async def send_cancelled(self, reason: str) -> None:
        """Instead of a result."""
        self._end_of_tool("cancellation")
        await self.notify("ui/notifications/tool-cancelled", {"reason": reason})

    def _end_of_tool(self, what: str) -> None:
        if not self._input_sent or self._result_sent:
            raise LocalProtocolError(f"A {what} comes once, and after send_input()")
        self._result_sent = True

    async def close(self) -> None:
        """Stop whatever is still being answered."""
        self.stage = "closed"
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
