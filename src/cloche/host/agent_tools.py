"""What pages of the product offer to browser agents, as tools of `document.modelContext` (WebMCP).

The host decides what a page lists, and runs every call itself: the tools of servers that `Host(agent_tools=[…])` names,
as this user has them, and, where the policy lets it be, the tools of the views that are open on the same page. A name
belongs to one tool for good (M02). A call says which description its agent has read, and a tool that has changed since
is not called (M03).
"""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from typing import TYPE_CHECKING

from cloche.errors import BudgetError, ClocheError, InternalError, LocalProtocolError, McpError
from cloche.host.app_tools import tools_in
from cloche.host.offered_tools import Offered, of_view
from cloche.host.tickets import AgentTicket
from cloche.host.tool_page import Send, ToolPage
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView
    from cloche.host.session import HostSession


class AgentPage(ToolPage):
    """One `<mcp-tools>` element on a page of a user."""

    kind = "agent-tool"
    who = "agents"
    pages = "agent_pages"

    def __init__(
        self,
        session: HostSession,
        *,
        page_origin: str,
        send: Send,
        views: Callable[[], list[MountedView]] = list,
    ) -> None:
        super().__init__(session, session.host.agent_tools, page_origin=page_origin, send=send)
        self._views = views
        """The views on the same page."""
        self._numbers: dict[str, int] = {}
        """What each view was called when its tools were first listed."""
        self._calls: dict[object, asyncio.Task[None]] = {}

    def receive(self, message: Json, gesture: int = 0) -> None:
        """An agent calls a tool, or gives a call up. Never raises."""
        number, method, params = message.get("id"), message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "notifications/cancelled":
            if isinstance(asked := params.get("requestId"), int) and (task := self._calls.get(asked)) is not None:
                task.cancel()
        elif method != "tools/call" or not isinstance(number, int) or number in self._calls:
            self.note("misbehaved", problem="The page sent something that is no call of a tool")
        elif not self._bucket.take() or len(self._calls) >= self._limits.agent_calls:
            error = BudgetError("Agents call too many tools at once", "agent_calls", self._limits.agent_calls)
            refusal = self.session.host.budgets.exceeded(error, self.session.user)
            self.send({"message": {"jsonrpc": "2.0", "id": number, "error": refusal.to_json_rpc_error()}})
        else:
            task = self._calls[number] = self._tasks.spawn(self._answer(number, params))
            task.add_done_callback(lambda done: self._ended(number, done))

    def views_changed(self) -> None:
        """A view of the page came, went, or has other tools."""
        self._changed.set()

    def _tell(self, tools: list[Json]) -> None:
        self.send({"do": "tools", "tools": tools})

    async def _more(self) -> list[Offered]:
        found: list[Offered] = []
        if self.session.host.policy.rules["agent-view-tool"] != "deny":
            for view in self._views():
                number = self._numbers.setdefault(view.id, len(self._numbers) + 1)
                found += [of_view(number, view, tool) for tool in await tools_in(view)]
        return found

    async def _answer(self, number: int, params: Json) -> None:
        try:
            result = await self._run(params.get("name"), params.get("version"), params.get("arguments"))
            answer: Json = {"result": result}
        except ClocheError as error:
            given = error if isinstance(error, McpError) else InternalError(str(error))
            answer = {"error": given.to_json_rpc_error()}
        except Exception:
            self.session.host.logger.exception("A tool that a browser agent called failed")
            answer = {"error": InternalError("The host could not run the tool; its log says why").to_json_rpc_error()}
        self._calls.pop(number, None)
        self.send({"message": {"jsonrpc": "2.0", "id": number, **answer}})

    def _ended(self, number: int, task: asyncio.Task[None]) -> None:
        if self._calls.get(number) is task:
            del self._calls[number]


def agent_tools_element(session: HostSession) -> str:
    """The element with which a page offers this user's tools to browser agents, as HTML."""
    host = session.host
    if not host.agent_tools and host.policy.rules["agent-view-tool"] == "deny":
        raise LocalProtocolError(
            "This host offers nothing to browser agents: list tools in Host(agent_tools=['server.*'])"
        )
    born = host.tickets.moment()
    expires = host.tickets.expiry(host.limits.ticket_seconds, born)
    ticket = host.tickets.make(AgentTicket(user=session.user, server="", born=born, expires=expires))
    return f'<mcp-tools ticket="{html.escape(ticket)}"></mcp-tools>'
