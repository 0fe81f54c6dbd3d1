"""The calls of the playground: made, followed, given up, and shown again to a page that was loaded again."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from cloche.errors import ClocheError, InvalidParamsError, RequestCancelledError, shorten
from cloche.host import records
from cloche.host.call import Call
from cloche.host.call_task import CallTask
from cloche.host.progress import CallProgress
from cloche.host.session import HostSession
from cloche.host.upstreams.base import CALL_SECONDS
from cloche.host.upstreams.questions import Origin
from cloche.wire.apps.metadata import visibility
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.dev.playground import Playground

USER = "dev"
"""The one person of the playground."""

MAX_OUTCOMES = 50
"""Results that a page which is loaded again can have again."""


class Calls:
    """Every call of one playground, and what came of the latest ones."""

    def __init__(self, playground: Playground, spawn: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._playground = playground
        self._spawn = spawn
        self._calls: dict[str, Call] = {}
        self._running: dict[str, asyncio.Future[Json]] = {}
        """Calls of tools that only views may call, which are not over."""
        self._outcomes: dict[str, Json] = {}

    async def start(
        self, server: str, tool: str, arguments: Json, session: HostSession | None = None, *, as_task: bool = False
    ) -> Json:
        """Call a tool; its result is told later. A tool that only views may call has no view of its own."""
        entry = await self.tool_entry(server, tool)
        if "model" not in visibility(entry):
            number = secrets.token_urlsafe(6)
            running = asyncio.ensure_future(self._called(number, server, tool, arguments, as_task))
            self._running[number] = running
            self._spawn(self._finish(number, self._given_up_or_over(number, running)))
            return {"call": number, "ticket": None}
        call = await (session or self._playground.session).start(f"{server}.{tool}", arguments, as_task=as_task)
        self._keep(call)
        self._spawn(self._finish(call.id, self._outcome(call)))
        return {"call": call.id, "ticket": call.ticket() if call.view_uri is not None else None}

    async def show(self, record: records.Record, session: HostSession) -> Json:
        """Show a call that is over, as if it had been made now."""
        call = session.call_of(record)
        self._keep(call)
        ticket = call.ticket() if call.view_uri is not None else None
        return {"call": call.id, "ticket": ticket, "result": record.result}

    def _keep(self, call: Call) -> None:
        self._calls[call.id] = call
        while len(self._calls) > MAX_OUTCOMES:
            del self._calls[next(iter(self._calls))]

    async def tool_entry(self, server: str, tool: str) -> Json:
        """A tool as its server lists it."""
        for entry in await self._playground.session.upstream(server).tools():
            if entry.get("name") == tool:
                return entry
        raise InvalidParamsError(f"The server {shorten(server)!r} has no tool {shorten(tool)!r}")

    async def _outcome(self, call: Call) -> Json:
        """What came of a call, as the server gave it, with what only the view sees."""
        await call.result()
        return {"result": call.record()["result"], "ticket": call.ticket() if call.view_uri is not None else None}

    async def _called(self, number: str, server: str, tool: str, arguments: Json, as_task: bool) -> Json:
        upstream, limits = self._playground.session.upstream(server), self._playground.host.limits
        reports = CallProgress(lambda update: self._playground.progressed(number, update))
        task = CallTask(lambda update, _: self._playground.task_list.changed(number, server, tool, task.id, update))
        follow = partial(task.take, deadline=None, limits=limits)
        by = Origin(USER, None, tool, on_task=follow)
        seconds = max(CALL_SECONDS, limits.task_seconds)
        try:
            result = await upstream.call_tool(
                tool, arguments, on_progress=reports.take, by=by, timeout=seconds, as_task=as_task
            )
        finally:
            reports.end()
        return {"result": result}

    async def _given_up_or_over(self, number: str, running: asyncio.Future[Json]) -> Json:
        """What came of a call that has no `Call`."""
        try:
            await asyncio.wait([running])
            if running.cancelled():
                raise RequestCancelledError(number)
            return running.result()
        finally:
            running.cancel()
            del self._running[number]

    async def _finish(self, call: str, ending: Awaitable[Json]) -> None:
        started = time.monotonic()
        try:
            outcome = await ending
        except RequestCancelledError as error:
            outcome = {"error": shorten(str(error), 2000), "cancelled": True}
        except ClocheError as error:
            outcome = {"error": shorten(str(error), 2000)}
        milliseconds = round((time.monotonic() - started) * 1000, 1)
        self._outcomes[call] = told = {"call": call, **outcome, "milliseconds": milliseconds}
        while len(self._outcomes) > MAX_OUTCOMES:
            del self._outcomes[next(iter(self._outcomes))]
        self._playground.tell_now("result", **told)  # a page that is opened later asks for what it shows

    def finished(self, call: str) -> Call | None:
        """A call that is over and known."""
        known = self._calls.get(call)
        return known if known is not None and known.is_over else None

    def outcome(self, call: str) -> Json:
        """What came of a call, with its whole result; empty when it is not known any more."""
        return self._outcomes.get(call, {})

    async def recall(self, call: str) -> Json:
        """What came of a call, for a page that was loaded again; empty when it is not known any more."""
        outcome = self._outcomes.get(call)
        known = self._calls.get(call)
        if outcome is None and known is not None and not known.is_over:
            ticket = known.ticket() if known.view_uri is not None else None
            return {"call": call, "pending": True, "ticket": ticket, "progress": known.latest_progress}
        if outcome is None or outcome.get("ticket") is None:
            return outcome or {}
        return {**outcome, **await self.again(call)}

    async def cancel(self, call: str) -> Json:
        """Give a call up."""
        if call in self._calls:
            await self._calls[call].cancel("Cancelled in the playground")
        elif call in self._running:
            self._running[call].cancel()
        return {}

    async def again(self, call: str) -> Json:
        """A ticket that shows a finished call anew, with the page as it is now, without calling the tool."""
        known = self._calls.get(call)
        if known is None or not known.is_over:
            raise InvalidParamsError("There is no finished call to show again")
        shown = known.session.call_of(records.from_json(known.record()))
        return {"ticket": shown.ticket() if shown.view_uri is not None else None}

    def latest(self, server: str, tool: str) -> str | None:
        """The id of the latest call of a tool; of any server when its name is not known."""
        found = [call.id for call in self._calls.values() if call.tool == tool and server in ("", call.server)]
        return found[-1] if found else None
