"""`CopilotPage`: the host's side of one `<mcp-copilot>` element, the MCP server of the page in its frame.

Frame and page speak the two-phase protocol as servers by URL do; what the copilot may see and call is decided here.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any

from cloche.errors import BudgetError, InternalError, TransportError, shorten
from cloche.host.page_line import PageLine
from cloche.host.tool_page import Send, ToolPage
from cloche.server import Server
from cloche.server.limits import Limits
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.call import Call
    from cloche.host.copilots import Copilot
    from cloche.host.session import HostSession
    from cloche.server.context import Context
    from cloche.server.middleware import CallNext, Incoming

CHATTER = 100
"""Entries about what one copilot did wrong."""

OPEN_REQUESTS = 64
"""Requests of one copilot that are under way, beside its calls of tools."""


class CopilotPage(ToolPage):
    """One `<mcp-copilot>` element on a page of a user."""

    kind = "copilot-tool"
    who = "the copilot"
    pages = "copilot_pages"

    def __init__(self, session: HostSession, name: str, copilot: Copilot, *, page_origin: str, send: Send) -> None:
        super().__init__(session, tuple(copilot.tools), page_origin=page_origin, send=send)
        self.name = name
        self.copilot = copilot
        self._line: PageLine | None = None
        self._server: Server | None = None
        """Whom the copilot speaks with, from `connected` to `lost`."""
        self._read: dict[str, str] = {}
        """The version of each tool that the copilot has read about."""
        self._calls = 0
        self._refused = 0

    @property
    def title(self) -> str:
        """What people are told that it is."""
        return self.copilot.title or self.name

    def packet(self) -> Json:
        """What the page needs to know. The session's id is the user's own and always the same: under it the copilot
        finds what it stored, and what another user of the same browser stored it does not.
        """
        host = self.session.host
        mark = host.signer.sign("copilot-session", f"{self.session.user}\0{self.name}\0{self.copilot.url}".encode())
        number = hashlib.sha256(mark.encode()).hexdigest()[:32]
        return {**super().packet(), "url": self.copilot.url, "title": self.title, "session": f"mcp-{number}"}

    def start(self) -> None:
        """From now on the page says what becomes of the frame."""
        super().start()
        self.note("copilot-opened", args={**self._about(), "page": self.page_origin})

    async def close(self, reason: str, *, gone: bool = True) -> None:
        """The page is gone, or the session is over."""
        if self._is_over:
            return
        self.note("copilot-closed", args=self._about(), problem=shorten(reason, 300))
        server = self._let_go()
        await super().close(reason, gone=gone)
        if server is not None:
            await server.close()

    # The line to the frame

    def event(self, name: str, value: Json) -> None:
        """The page is connected to its frame, or no longer. Never raises."""
        if name == "connected" and self._may_pass():
            self._connect()
        elif name == "lost" and self._may_pass():
            said = value.get("message")
            problem = " ".join(said.split()) if isinstance(said, str) else "the connection to it ended"
            self.note("copilot-lost", args=self._about(), problem=shorten(problem, 300))
            self._end(self._let_go())

    def receive(self, message: Json, gesture: int = 0) -> None:
        """The copilot says something. Never raises."""
        if not self._may_pass():
            number = message.get("id")
            if "method" in message and isinstance(number, str | int):
                error = BudgetError("The copilot asks too fast", "rate", self._limits.rate)
                self.send({"message": {"jsonrpc": "2.0", "id": number, "error": error.to_json_rpc_error()}})
        elif self._line is not None and not self._is_over:
            self._line.arrived(message)

    def _connect(self) -> None:
        """A page is in the frame that was not there before: it is greeted anew."""
        if self._is_over:
            return
        self._end(self._let_go())
        limits, host = self._limits, self.session.host
        server = self._server = Server(
            host.name,
            host.version,
            timeout=None,  # a call has the host's own deadline
            limits=Limits(
                message_bytes=limits.message_bytes,
                result_bytes=limits.copilot_bytes,
                in_flight=limits.copilot_calls + OPEN_REQUESTS,
            ),
        )
        server.use(self._answer)
        line = self._line = PageLine(self.send, limits.message_depth)
        self._tasks.spawn(server.connect(line))
        self.note("copilot-connected", args=self._about())

    def _let_go(self) -> Server | None:
        """The server that is not spoken with any more."""
        server, line, self._server, self._line = self._server, self._line, None, None
        self._read.clear()
        if line is not None:  # at once: what is still answered is not for whoever comes next
            line.ended()
        return server

    def _end(self, server: Server | None) -> None:
        if server is not None:
            self._tasks.spawn(server.close())

    def _may_pass(self) -> bool:
        """Whether one more message is taken; a copilot that goes on is cut off."""
        if self._bucket.take():
            return True
        self._refused += 1
        if self._refused <= CHATTER:
            error = BudgetError("The copilot says too much", "rate", self._limits.rate)
            self.session.host.budgets.exceeded(error, self.session.user)
        if self._refused == self._limits.refusals:
            self._send({"error": {"code": "flood", "message": "The copilot sent too many messages"}})
        return False

    # What it asks

    async def _answer(self, message: Incoming, call_next: CallNext) -> Any:
        if message.method == "tools/list":
            return {**await call_next(message), "tools": await self._list()}
        if message.method == "tools/call":
            return await self._call(message)
        return await call_next(message)

    async def _list(self) -> list[Json]:
        offered = await self._find()
        self._read = {name: one.version for name, one in offered.items()}
        return [{key: value for key, value in one.entry.items() if key != "version"} for one in offered.values()]

    async def _call(self, message: Incoming) -> Json:
        params, reports = message.params, Tasks()
        most = self._limits.copilot_calls
        if self._calls >= most:
            error = BudgetError("The copilot calls too many tools at once", "copilot_calls", most)
            raise self.session.host.budgets.exceeded(error, self.session.user)
        self._calls += 1

        def started(call: Call) -> None:
            reports.spawn(_report(call, message.context))

        try:
            name = params.get("name")
            if not isinstance(name, str) or name not in self._read:  # it has read nothing, or there is one more
                await self._list()
            version = self._read.get(name) if isinstance(name, str) else None
            result = await self._run(name, version, params.get("arguments", {}), started)
            await asyncio.gather(*reports)  # what there is to say of its progress comes before its result
            return result
        except TransportError as error:
            raise InternalError(str(error)) from None
        finally:
            self._calls -= 1
            await reports.end()

    def _tell(self, tools: list[Json]) -> None:
        if self._server is not None:
            self._server.engine.changed("tool")

    def _name(self, name: str, own: str) -> str:
        return own if self.copilot.has_own_names else name

    def _asker(self) -> Json:
        return {"asker": {"copilot": self.title, "origin": self.copilot.origin}}

    def _about(self) -> Json:
        return {"copilot": self.name, "origin": self.copilot.origin}


async def _report(call: Call, context: Context) -> None:
    """Tell the copilot how far its call has come, when it wants to know."""
    async for update in call.progress():
        await context.progress(update.progress, update.total, update.message)
