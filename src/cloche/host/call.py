"""`Call`: one call of a tool for the model, from its first argument to its result, and the views that show it."""

from __future__ import annotations

import asyncio
import contextlib
import html
import secrets
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from cloche.client.tasks import TaskUpdate
from cloche.errors import (
    ClocheError,
    DeadlineError,
    InternalError,
    LocalProtocolError,
    McpError,
    RequestCancelledError,
    TransportError,
    ViewUnavailableError,
    shorten,
)
from cloche.host import records
from cloche.host.call_task import CallTask
from cloche.host.hooks import Progress
from cloche.host.preloads import view_name
from cloche.host.progress import CallProgress
from cloche.host.records import Filed, Record, RecordedView
from cloche.host.tickets import INLINE_BYTES, Ticket
from cloche.host.upstreams.base import CALL_SECONDS, PERSON_SECONDS
from cloche.host.upstreams.questions import Origin
from cloche.host.view_resource import ViewSource, embedded_source
from cloche.problems import Problem
from cloche.transports.listeners import Listeners
from cloche.transports.pace import turn
from cloche.wire.apps.metadata import embedded_view, view_uri
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.session import HostSession
    from cloche.host.user_tasks import UserTask

Status = Literal["streaming", "running", "done", "failed", "cancelled"]
Watcher = Callable[[str, Any], None]
"""Told "partial", "input", "progress", "result" or "cancelled", and the arguments, the `Progress`, the result or the
reason."""

PROGRESS_NOTE_SECONDS = 5.0
"""The shortest time between two entries on the timeline about the progress of one call."""

VIEW_SHOWN = {"type": "text", "text": "The result is shown to the user."}


class Call:
    """One call of a tool. Made by `session.start`; a record shown again is one, too, that is over from the start."""

    def __init__(self, session: HostSession, server: str, tool: Json, call_id: str | None = None) -> None:
        self.id = call_id or secrets.token_urlsafe(12)
        self.server = server
        self.tool: str = tool["name"]
        self.arguments: Json | None = None
        self.status: Status = "streaming"
        self.time = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.problem: Problem | None = None
        """Why the view cannot be shown, or what went wrong in it; one sentence."""
        self.state: Any = None
        """What the view had the host remember."""
        self.as_task = False
        """Whether a task is asked for, where the server leaves that to the host (2025-11-25)."""
        self.tool_entry = tool
        self.shown = False
        """Whether a view of this call was initialized."""
        self.session = session
        self._partial: Json | None = None
        self._result: Json | None = None
        self._reason: str | None = None
        self._error: ClocheError | None = None
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._hash: str | None = None
        self._uri: str | None = None
        self._recorded: Record | None = None
        self._filed: Filed | None = None
        self._again: tuple[Any, Call] | None = None
        """This call as a record, for the tickets of pages that show it again, and what it was like then."""
        self._watchers = Listeners()
        self._progress = CallProgress(self._progressed)
        self._server_task = CallTask(self._task_told)
        self._user_task: UserTask | None = None
        self._progress_noted_at = -PROGRESS_NOTE_SECONDS

    @classmethod
    def of_record(cls, session: HostSession, record: Record, tool: Json) -> Call:
        """A call that is over, as it was written down."""
        call = cls(session, record.server, tool, record.id)
        call.arguments, call.status, call.time = record.arguments, record.status, record.time
        call._result, call._reason, call.state = record.result, record.reason, record.state
        if record.view is not None:
            call._uri, call._hash = record.view.uri, record.view.hash
        call._recorded = record
        call._progress.end()
        call._over.set()
        return call

    # Running

    def partial(self, arguments: Json) -> None:
        """The arguments as far as the model has written them; the views show them."""
        if self.status != "streaming":
            raise LocalProtocolError(
                f"This call is {self.status}: partial arguments come before call.run(arguments), in a call that was "
                "started with session.start(name, streaming=True)"
            )
        self._partial = arguments
        self._watchers.tell("partial", arguments)

    def begin(self, arguments: Json) -> None:
        """Call the tool with these arguments; returns at once."""
        if self.status != "streaming":
            raise LocalProtocolError(f"This call is {self.status}: a call runs once")
        self.arguments, self.status = arguments, "running"
        self._watchers.tell("input", arguments)
        self._task = asyncio.get_running_loop().create_task(self._run(arguments))
        self._task.add_done_callback(self._ended)

    async def run(self, arguments: Json) -> Json:
        """Call the tool with these arguments and wait for the result."""
        self.begin(arguments)
        return await self.result()

    async def _run(self, arguments: Json) -> None:
        started = time.monotonic()
        limits = self.session.host.limits
        try:
            async with asyncio.timeout(limits.call_seconds) as deadline:
                follow = partial(self._server_task.take, deadline=deadline, limits=limits)
                upstream = self.session.upstream(self.server)
                try:
                    result = await upstream.call_tool(
                        self.tool,
                        arguments,
                        on_progress=self._progress.take,
                        by=Origin(self.session.user, self, self.tool, deadline, follow),
                        timeout=max(CALL_SECONDS, limits.task_seconds) + PERSON_SECONDS,
                        as_task=self.as_task,
                    )
                except TransportError as error:
                    if self._user_task is None or upstream.status == "closed":
                        raise
                    result = await self._user_task.take_up(self._server_task.hear, error)
            await turn()
            self.session.keep_result(self, result)
            self._finish("done", result)
        except asyncio.CancelledError:
            self._cancelled(self._reason or "The call was cancelled")
        except TimeoutError:
            self._fail(DeadlineError(self.id))
        except (McpError, TransportError) as error:
            self._fail(error)
        except Exception as error:
            self.session.host.logger.exception("a call of %s failed", self.tool)
            self._fail(InternalError(f"{type(error).__name__} in the host"))
        finally:
            self._note_end((time.monotonic() - started) * 1000)

    def _task_told(self, task: TaskUpdate, is_other: bool) -> None:
        if self._user_task is None and self._server_task.id is not None:
            self._user_task = self.session.user_tasks.began(self.server, self.tool, self._server_task.id)
        if self._user_task is not None:
            self._user_task.last = task
        if is_other:
            self.note("task", args={"status": task.status})
        self.session.tell_task(self, task)

    def _ended(self, _: asyncio.Task[None]) -> None:
        """A task that is cancelled before its first step never gets to say so itself."""
        if not self._over.is_set():
            self._cancelled(self._reason or "The call was cancelled")
            self._note_end(0.0)

    def _finish(self, status: Status, result: Json) -> None:
        self.status, self._result = status, result
        self._server_task.end("failed" if status == "failed" else "completed")
        self._progress.end()
        self._over.set()
        self._watchers.tell("result", result)

    def _fail(self, error: McpError | TransportError) -> None:
        if isinstance(error, TransportError):  # nothing that whoever called could do better
            text = " ".join(shorten(error.message, 500).split())
            self.session.host.logger.warning("The call of %s.%s failed: %s", self.server, shorten(self.tool), text)
        self._error, self._reason = error, error.message
        self._finish("failed", {"content": [{"type": "text", "text": error.message}], "isError": True})

    def _cancelled(self, reason: str) -> None:
        self.status, self._reason = "cancelled", reason
        self._server_task.end("cancelled")
        self._progress.end()
        self._over.set()
        self._watchers.tell("cancelled", reason)

    def progress(self) -> AsyncIterator[Progress]:
        """`async for update in call.progress()`: how far the call has come, until it is over. A server that reports
        nothing gives no updates.
        """
        return self._progress.follow()

    @property
    def latest_progress(self) -> Progress | None:
        """How far the call had come when its server last said so."""
        return self._progress.latest

    def _progressed(self, progress: Progress) -> None:
        """Tell the product, the views and the timeline."""
        now = time.monotonic()
        if now - self._progress_noted_at >= PROGRESS_NOTE_SECONDS:
            self._progress_noted_at = now
            self.note("progress", args=progress)
        self.session.tell_progress(self, progress)
        self._watchers.tell("progress", progress)

    @property
    def task(self) -> TaskUpdate | None:
        """What the server's task is that this call became; None for a call that is none. Its message is the server's
        text: treat it as untrusted.
        """
        return self._server_task.latest

    @property
    def task_id(self) -> str | None:
        """What the server knows the task by."""
        return self._server_task.id

    @property
    def user_task(self) -> UserTask | None:
        """The same task without this call: keep its `id` to come back to it, also after a restart of the product."""
        return self._user_task

    @property
    def outlives_host(self) -> bool:
        """Whether the server goes on with it when the host ends."""
        return self._user_task is not None and self.session.upstream(self.server).outlives_host

    def leave_task(self) -> None:
        """End the call when it is cancelled, and not the server's task."""
        self._server_task.leave()
        if self._user_task is not None:
            self._user_task.goes_on = True

    def note(self, action: str, **fields: Any) -> None:
        """Write down what happened to this call."""
        self.session.timeline.note(action=action, server=self.server, tool=self.tool, call=self.id, **fields)

    def _note_end(self, milliseconds: float) -> None:
        outcome = {"args": self.arguments, "outcome": self.status, "problem": self._reason}
        self.note("call", **outcome, duration_ms=round(milliseconds, 1))

    async def cancel(self, reason: str = "The call was cancelled") -> None:
        """Give up: the server is told, the views show it. Nothing happens when the call is over."""
        if self._over.is_set():
            return
        self._reason = shorten(reason, 300)
        if self._task is None:
            self._cancelled(self._reason)
            self._note_end(0.0)
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(self._task)

    async def result(self) -> Json:
        """The result for the model, when the call is over: without what is meant for the view alone.

        Raises `McpError` or `TransportError` when the call failed, `RequestCancelledError` when it was cancelled.
        """
        await self._over.wait()
        if self.status == "cancelled":
            raise RequestCancelledError(self.id)
        if self._error is not None:
            raise self._error
        return for_model(self._result or {})

    @property
    def is_over(self) -> bool:
        """Whether there is a result, a failure or a cancellation."""
        return self._over.is_set()

    # Showing

    @property
    def known_result(self) -> Json | None:
        """The whole result, when there is one already."""
        return self._result

    async def over(self) -> None:
        """Wait until the call has come to its end, whatever that is."""
        await self._over.wait()

    @property
    def view_uri(self) -> str | None:
        """The `ui://` URI of the view, when the tool or the result has one."""
        return self._uri or view_uri(self.tool_entry, self._result, openai=self.session.profile.openai)

    def embed(self) -> str:
        """The element that shows this call, as HTML; an empty text when there is nothing to show."""
        if self.view_uri is None:
            return ""
        if embedded_view(self._result or {}) is None:
            self.session.pages.prefetch(self.server, self.view_uri)
        ready = (self.server, self.view_uri) in self.session.preloaded
        # For a page that is ready: which of its views this is, and what to tell the view before the host is heard from.
        view = f' view="{view_name(self.server, self.view_uri)}"' if ready else ""
        # What a view has kept is not in the page's markup: greeted without it, the view would be loaded once more.
        told = f' call="{html.escape(f"{self.id} {self.tool}")}"' if ready and self.state is None else ""
        return f'<mcp-app ticket="{html.escape(self.ticket())}"{view}{told}></mcp-app>'

    def ticket(self) -> str:
        """A signed ticket that opens the view of this call, for a while."""
        self.session.host.missing_page.expect(self.id)
        return self._signed()

    def _signed(self, born: float | None = None) -> str:
        """A ticket; `born` is the birth of one that it renews."""
        tickets, limits = self.session.host.tickets, self.session.host.limits
        born = tickets.moment() if born is None else born
        digest, data = None, None
        if self._recorded is not None:
            if self._filed is None:
                self._filed = records.filed(self._recorded)
            digest = self._filed.digest
            if self._filed.size <= INLINE_BYTES:
                data = records.as_json(self._recorded)
            self.session.host.records.add(self.session.user, self._filed)
        return tickets.make(
            Ticket(
                kind="call" if self._recorded is None else "record",
                session=self.session.id,
                user=self.session.user,
                server=self.server,
                tool=self.tool,
                call=self.id,
                born=born,
                expires=tickets.expiry(limits.ticket_seconds, born),
                digest=digest,
                record=data,
            )
        )

    def ticket_again(self, born: float) -> str:
        """A ticket for the page that shows this call to show it again: a call that is over brings its record, so that
        the ticket is good after a restart of the host, too. `born` is the birth of the ticket that opened the view.
        """
        if not self.is_over or self._recorded is not None:
            return self._signed(born)
        again, seen = self._again, (self.state, self.view_uri, self._hash)
        if again is None or again[0] != seen:
            again = self._again = seen, Call.of_record(self.session, self._record(), self.tool_entry)
        return again[1]._signed(born)

    def record(self) -> Json:
        """This call as plain JSON, to be kept and given to `session.embed` later. The call must be over."""
        return records.as_json(self._record())

    def _record(self) -> Record:
        if self.status == "streaming" or self.status == "running":  # noqa: PLR1714 (mypy narrows only this)
            raise LocalProtocolError(f"This call is {self.status}: its record is there when it is over")
        uri = self.view_uri
        return Record(
            cloche="call/1",
            id=self.id,
            server=self.server,
            tool=self.tool,
            status=self.status,
            time=self.time,
            arguments=self.arguments,
            result=self._result,
            reason=self._reason,
            view=None if uri is None else RecordedView(uri=uri, hash=self._hash),
            state=self.state,
        )

    async def source(self) -> ViewSource:
        """The view's page. Raises `ViewUnavailableError`."""
        found = await self._find()
        if self._hash is not None and self._hash != found.hash:
            problem = f"{shorten(found.uri)} is not the page that it was when the tool was called"
            self.note("view-changed", problem=problem)
        self._uri, self._hash = found.uri, self._hash or found.hash
        return found

    async def _find(self) -> ViewSource:
        if self._result is not None and (page := embedded_view(self._result)) is not None:
            return embedded_source(page, self.session.host.limits.html_bytes)
        uri = self.view_uri
        if uri is None:
            raise ViewUnavailableError(f"The tool {shorten(self.tool)!r} has no view")
        return await self.session.pages.read(self.server, uri)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell `watcher` what has happened so far, and what happens until the returned function is called."""
        if self.arguments is not None:
            watcher("input", self.arguments)
        elif self._partial is not None:
            watcher("partial", self._partial)
        if not self.is_over and self.latest_progress is not None:
            watcher("progress", self.latest_progress)
        if self.status == "cancelled":
            watcher("cancelled", self._reason)
        elif self._result is not None:
            watcher("result", self._result)
        return self._watchers.add(watcher)


def for_model(result: Json) -> Json:
    """A result without `_meta` and without pages: those are for the view."""
    found = {name: value for name, value in result.items() if name != "_meta"}
    content = found.get("content")
    if isinstance(content, list) and embedded_view(result) is not None:
        kept = [block for block in content if embedded_view({"content": [block]}) is None]
        found["content"] = kept or [VIEW_SHOWN]
    return found
