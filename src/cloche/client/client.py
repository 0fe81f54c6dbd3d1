"""`Client`: asks a server, over anything that carries messages, in either era.

async with Client(["python", "server.py"]) as client:
    result = await client.call_tool("add", {"a": 1, "b": 2})
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, TypeVar, Unpack, overload

import msgspec
from msgspec import Raw

from cloche.client import results, tasks
from cloche.client.base import BaseClient
from cloche.client.conversation import ProgressHandler, Token
from cloche.client.results import CallToolResult, CompleteResult, GetPromptResult, ListPage, ReadResourceResult
from cloche.client.server_requests import Answers
from cloche.client.subscriptions import Listening
from cloche.client.suggestions import with_suggestion
from cloche.client.tasks import ClientTask, TaskHandler
from cloche.errors import HeaderMismatchError, InvalidParamsError, LocalProtocolError, RemoteProtocolError
from cloche.wire.json import MAX_ANSWER_BYTES
from cloche.wire.types import Json, LogLevel, Prompt, Resource, ResourceTemplate, Tool

MAX_PAGES = 1000
"""Pages of one list that are followed; a server that always has another one must not keep a client forever."""

MAX_LIST_BYTES = MAX_ANSWER_BYTES
"""All pages of one list together."""

MAX_STARTED = 1000
"""Tasks that a client remembers; it forgets the oldest first."""

T = TypeVar("T")

_page = msgspec.json.Decoder(ListPage)
_read = msgspec.json.Decoder(ReadResourceResult)
_prompt = msgspec.json.Decoder(GetPromptResult)
_complete = msgspec.json.Decoder(CompleteResult)


class CallOptions(TypedDict, total=False):
    """What `call_tool` takes beside the tool and its arguments."""

    timeout: float | None
    progress: ProgressHandler | None
    token: Token | None
    meta: Json | None


class Client(BaseClient):
    """A client of one server.

    `target` is a `Server` in this process, a command as a list, a URL (`http`, `https`, `ws`, `wss`), or a transport.
    The era is found out unless `version` names one. `timeout` is what a call may take, in seconds, unless it says
    otherwise itself. `roots`, `sampling` and `elicitation` answer what the server asks back; the server is only told
    of those that are given. `on_log` gets each log message as a dictionary.
    """

    async def ping(self, *, timeout: float | None = None) -> None:
        """Ask for a sign of life."""
        await self._ask("server/discover" if self.is_stateless else "ping", {}, timeout)

    # Tools

    async def list_tools(self) -> list[Tool]:
        """Every tool of the server."""
        tools = [tool for page in await self._pages("tools/list") for tool in page.tools]
        self.task_only = {tool.name for tool in tools if (tool.execution or {}).get("taskSupport") == "required"}
        learn = getattr(self.transport, "learn_tools", None)
        # Over HTTP some arguments travel as headers, too, and a tool that says so badly must not be used.
        return tools if learn is None else learn(tools)

    @overload
    async def call_tool(
        self, name: str, arguments: Json | None = None, **options: Unpack[CallOptions]
    ) -> CallToolResult: ...
    @overload
    async def call_tool(
        self, name: str, arguments: Json | None = None, *, returns: type[T], **options: Unpack[CallOptions]
    ) -> T: ...
    async def call_tool(
        self,
        name: str,
        arguments: Json | None = None,
        *,
        returns: Any = None,
        timeout: float | None = None,
        progress: ProgressHandler | None = None,
        token: Token | None = None,
        meta: Json | None = None,
    ) -> Any:
        """Call a tool. A tool that fails gives a result with `is_error`; with `returns=SomeType` you get the value
        itself, typed, and `ToolError` when the tool fails.

        When the server answers with a task, the call waits for its end, and ends the task if it is cancelled or takes
        longer than `timeout`. Without a `timeout` the task may take as long as the server keeps it.
        """
        params = _call_params(name, arguments, meta)
        try:
            raw = await tasks.call(self, params, timeout, token, progress)
        except HeaderMismatchError:
            if not await self._learned_headers():
                raise
            raw = await tasks.call(self, params, timeout, token, progress)
        except InvalidParamsError as error:
            raise await with_suggestion(error, name, self.list_tools) from None
        result = results.decode_call(raw)
        return result if returns is None else result.decode(returns)

    async def _answer(
        self,
        method: str,
        params: Json,
        timeout: float | None,
        token: Token | None,
        progress: ProgressHandler | None,
        answers: Answers | None,
        on_task: TaskHandler | None,
    ) -> Raw:
        if method == "tools/call":
            return await tasks.call(self, params, timeout, token, progress, answers, on_task)
        return await super()._answer(method, params, timeout, token, progress, answers, on_task)

    async def _learned_headers(self) -> bool:
        """A tool wants arguments as headers, and we had not seen its schema: whether we know it now."""
        if not hasattr(self.transport, "learn_tools"):
            return False
        await self.list_tools()
        return True

    # Tasks

    async def start_task(
        self,
        name: str,
        arguments: Json | None = None,
        *,
        ttl: float | None = None,
        timeout: float | None = None,
        progress: ProgressHandler | None = None,
        meta: Json | None = None,
    ) -> ClientTask:
        """Call a tool and return its task, without waiting for the end.

        `ttl` is for how many seconds the server should keep the task; it may choose otherwise, and since 2026-07-28 it
        does so alone. A tool or a server that has no tasks is called as usual: then this waits for the result, and the
        task has it.
        """
        params = _call_params(name, arguments, meta)
        try:
            task = await tasks.start(self, params, ttl, timeout, progress)
        except HeaderMismatchError:
            if not await self._learned_headers():
                raise
            task = await tasks.start(self, params, ttl, timeout, progress)
        if task.id:
            self._started[task.id] = task
            while len(self._started) > MAX_STARTED:
                del self._started[next(iter(self._started))]
        return task

    def task(self, task_id: str) -> ClientTask:
        """A task that was started before, by this client or another one of the same user: nothing is sent yet."""
        if not task_id:
            raise LocalProtocolError("A task is taken up by its id, which task.id says")
        return self._started.get(task_id) or ClientTask(self, task_id)

    async def list_tasks(self) -> list[ClientTask]:
        """The tasks that the server still has of this client or user. Since 2026-07-28 servers have no such list: then
        these are the tasks that this client started.
        """
        if not self.is_stateless:
            pages = await self._pages("tasks/list")
            return [tasks.listed(self, raw) for page in pages for raw in page.tasks]
        found = []
        for task in list(self._started.values()):
            try:
                await task.status()
            except InvalidParamsError:  # its time is over
                del self._started[task.id]
                continue
            found.append(task)
        return found

    # Resources

    async def list_resources(self) -> list[Resource]:
        """Every resource of the server that has a fixed URI."""
        return [resource for page in await self._pages("resources/list") for resource in page.resources]

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """Every family of resources of the server."""
        pages = await self._pages("resources/templates/list")
        return [template for page in pages for template in page.resource_templates]

    async def read_resource(self, uri: str, *, timeout: float | None = None) -> ReadResourceResult:
        """The content of a resource."""
        return results.decode(await self._ask("resources/read", {"uri": uri}, timeout), _read, "resources/read")

    async def subscribe_resource(self, uri: str) -> None:
        """Be told with `notifications/resources/updated` when a resource changes."""
        await self._ready_listening().subscribe(uri)

    async def unsubscribe_resource(self, uri: str) -> None:
        """No longer be told."""
        await self._ready_listening().unsubscribe(uri)

    def _ready_listening(self) -> Listening:
        self.conversation  # noqa: B018 (raises when not connected)
        assert self._listening is not None
        return self._listening

    # Prompts and the rest

    async def list_prompts(self) -> list[Prompt]:
        """Every prompt of the server."""
        return [prompt for page in await self._pages("prompts/list") for prompt in page.prompts]

    async def get_prompt(
        self, name: str, arguments: dict[str, str] | None = None, *, timeout: float | None = None
    ) -> GetPromptResult:
        """A prompt, filled in with `arguments`."""
        params = {"name": name, "arguments": arguments or {}}
        try:
            raw = await self._ask("prompts/get", params, timeout)
        except InvalidParamsError as error:
            raise await with_suggestion(error, name, self.list_prompts) from None
        return results.decode(raw, _prompt, "prompts/get")

    async def complete(
        self,
        argument: str,
        value: str,
        *,
        prompt: str | None = None,
        template: str | None = None,
        context: dict[str, str] | None = None,
    ) -> Sequence[str]:
        """Suggestions for an argument of a prompt, or of a resource template given by its URI."""
        if (prompt is None) == (template is None):
            raise LocalProtocolError("Say what is completed: complete(…, prompt='name') or complete(…, template='uri')")
        ref = {"type": "ref/prompt", "name": prompt} if prompt else {"type": "ref/resource", "uri": template}
        params: Json = {"ref": ref, "argument": {"name": argument, "value": value}}
        if context:
            params["context"] = {"arguments": context}
        raw = await self._ask("completion/complete", params)
        return results.decode(raw, _complete, "completion/complete").completion.values

    async def set_log_level(self, level: LogLevel) -> None:
        """From which level on the server's log is wanted."""
        if self.is_stateless:
            self._log_level = level
            self._meta = Raw(msgspec.json.encode(self.meta()))
        else:
            await self._ask("logging/setLevel", {"level": level})

    async def roots_changed(self) -> None:
        """Tell the server that the roots are no longer what they were."""
        await self.notify("notifications/roots/list_changed")

    async def _pages(self, method: str) -> list[ListPage]:
        pages: list[ListPage] = []
        room = MAX_LIST_BYTES
        cursor: str | None = None
        while len(pages) < MAX_PAGES:
            params = {} if cursor is None else {"cursor": cursor}
            raw = await self._ask(method, params)
            room -= len(raw)
            if room < 0:
                raise RemoteProtocolError(f"The server's list for {method} is over {MAX_LIST_BYTES} bytes")
            page = results.decode(raw, _page, method)
            pages.append(page)
            cursor = page.next_cursor
            if not cursor:
                return pages
        raise RemoteProtocolError(f"The server has more than {MAX_PAGES} pages for {method}")


def _call_params(name: str, arguments: Json | None, meta: Json | None) -> Json:
    params: Json = {"name": name, "arguments": arguments or {}}
    return {**params, "_meta": meta} if meta else params
