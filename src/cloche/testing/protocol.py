"""The testing host's conversation with a view: `ViewPeer` in its strict column, and a record of every breach.

Nothing is sent before the view is initialized, requests are refused until then, a tool that is not for apps is not
called, and every breach is noted as a problem. Messages come in through `receive` and go out through `post`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from cloche.errors import InternalError, LocalProtocolError, McpError, shorten
from cloche.host.profile import PLAIN, HostProfile
from cloche.host.timeline import Outcome
from cloche.host.view_conversation import Conversation, Failure
from cloche.testing.records import Log, Record, Size
from cloche.transports.tasks import Tasks
from cloche.wire.apps.lifecycle import CANCELLED, INPUT, PARTIAL, RESULT, ViewPhase
from cloche.wire.apps.methods import TO_HOST
from cloche.wire.apps.peer import ViewPeer
from cloche.wire.apps.peer_events import Asked, Breach, OutOfOrder, Stray
from cloche.wire.types import Json

BREACHES = (-32600, -32601, -32602)
"""Codes of answers that say the view did something wrong; others say that something went wrong."""

Post = Callable[[Json], Awaitable[None]]
Ask = Callable[[str, Json], Awaitable[Any]]
"""Answers a request of the view: method, parameters."""


class ViewConversation(Conversation):
    """One life of a view: from `ui/initialize` to teardown."""

    def __init__(self, record: Record, post: Post, ask: Ask, profile: HostProfile = PLAIN) -> None:
        # window.openai says hello for itself, and the page may do so too
        peer = ViewPeer(secrets.token_hex(8), 0.0, strict=True, dialect=profile.dialect, greets_again=profile.openai)
        super().__init__(self, self._post_later, peer)
        self.record = record
        self.refusal: str | None = None
        """Why `ui/initialize` was refused."""
        self.received: list[Json] = []
        self._post_now = post
        self._ask = ask
        self._unsent: deque[Json] = deque()
        self._sending = Tasks()
        self._in_order = asyncio.Lock()
        self._initialized = asyncio.Event()

    @property
    def phase(self) -> ViewPhase:
        """Where the view is in its life."""
        return self.peer.phase

    # From the view

    def receive(self, message: object, gesture: int = 0) -> None:
        """A message of the view arrived."""
        if self.phase is ViewPhase.CLOSED:
            return
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            self.received.append(message)
        super().receive(message, gesture)

    async def answer(self, asked: Asked) -> Any:
        """The result of a request of the view."""
        row = TO_HOST.get(asked.method)
        if row is not None and row.is_legacy:
            self.record.add("tools_changed", asked.params)
        elif asked.is_notification:
            self.notified(asked.method, asked.params)
        else:
            try:
                return await self._ask(asked.method, asked.params)
            except McpError:
                raise
            except Exception as error:
                raise InternalError(shorten(f"{type(error).__name__}: {error}", 300)) from error
        return {}

    def finished(self, method: str, params: Json, outcome: Outcome, error: Failure | None, seconds: float) -> None:
        """A request of the view came to its end."""
        if isinstance(error, McpError):
            self._refused(method, error)
        if self.phase is ViewPhase.INITIALIZING and not self.peer.dialect.waits:
            self.arm()

    def broke(self, rule: Breach | OutOfOrder | Stray) -> None:
        """The view broke a rule of the protocol."""
        if isinstance(rule, Stray):
            self.record.add("stray", rule.message)
        else:
            self._problem(rule.text if isinstance(rule, OutOfOrder) else f"the view {rule.text}")

    def initialized(self) -> None:
        """The view may be spoken to."""
        self._initialized.set()
        self.record.add("initialized", self.peer.state.app)

    def _refused(self, method: str, error: McpError) -> None:
        if method == "ui/initialize" and self.phase is ViewPhase.LOADING:
            self.refusal = error.message
        if error.code in BREACHES or method == "ui/initialize":
            self._problem(f"{method} was refused: {error.message}")

    def notified(self, method: str, params: Json) -> None:
        """The view says something that wants no answer."""
        if method == "ui/notifications/size-changed":
            self._on_size(params)
        elif method == "notifications/message":
            self.record.add("log", Log(str(params.get("level")), params.get("data"), params.get("logger")))
        elif method == "ui/notifications/request-teardown":
            self.record.add("teardown_request", params)
        elif method == "notifications/tools/list_changed":
            self.record.add("tools_changed", params)

    def _on_size(self, params: Json) -> None:
        width, height = params.get("width"), params.get("height")
        wrong = [v for v in (width, height) if v is not None and (not isinstance(v, int | float) or not 0 <= v < 1e6)]
        if wrong:
            self._problem(f"ui/notifications/size-changed has {shorten(repr(wrong[0]))}, which is not a size in pixels")
        else:
            self.record.add("size", Size(width, height))

    def _problem(self, text: str) -> None:
        self.record.add("problem", text)

    # To the view

    async def wait_initialized(self, timeout: float) -> None:
        """Wait until the view may be spoken to. Raises `TimeoutError`."""
        async with asyncio.timeout(timeout):
            await self._initialized.wait()

    def _post_later(self, message: Json) -> None:
        self._unsent.append(message)
        self._sending.spawn(self.sent())

    async def sent(self) -> None:
        """Send what was posted, in its order; after the end nothing is."""
        async with self._in_order:
            while self._unsent:
                message = self._unsent.popleft()
                if self.phase is not ViewPhase.CLOSED:
                    await self._post_now(message)

    async def tell(self, method: str, params: Json) -> None:
        """Send a notification, which the view must be ready for."""
        self.notify(method, params)
        await self.sent()

    async def send_partial(self, arguments: Json) -> None:
        """Arguments as far as they are known; only before the whole ones."""
        await self._deliver(
            PARTIAL,
            {"arguments": arguments},
            "The view has its input: partial input comes before it, so open it with stream=True",
        )

    async def send_input(self, arguments: Json) -> None:
        """The arguments, once."""
        await self._deliver(INPUT, {"arguments": arguments}, "The view has its input already: a host sends it once")
        self.record.add("input", arguments)

    async def send_result(self, result: Json) -> None:
        """The tool's result, after its input, once."""
        await self._deliver(RESULT, result, "A result comes once, and after send_input()")
        self.record.add("result", result)

    async def send_cancelled(self, reason: str) -> None:
        """Instead of a result."""
        await self._deliver(CANCELLED, {"reason": reason}, "A cancellation comes once, and after send_input()")

    async def _deliver(self, method: str, params: Json, otherwise: str) -> None:
        if not self.deliver(method, params):
            raise LocalProtocolError(otherwise)
        await self.sent()

    async def close(self) -> None:
        """Stop whatever is still being answered or sent."""
        await super().close()
        await self._sending.end()
