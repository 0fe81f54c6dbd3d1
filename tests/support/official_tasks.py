"""Tasks at a server of the official package, as somebody writes the extension of 2026-07-28 for it."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.extension import Extension, MethodBinding

EXTENSION = "io.modelcontextprotocol/tasks"


class TaskParams(types.RequestParams):
    task_id: str


class UpdateParams(TaskParams):
    input_responses: dict[str, Any]


class ServedTasks(Extension):
    """Calls of the tools with these names, or all calls, become a task that asks once, if the client takes tasks."""

    identifier = EXTENSION

    def __init__(self, *names: str) -> None:
        self.names = names
        self.answers: dict[str, Any] = {}
        self.looks = 0
        self.cancelled: list[str] = []

    async def intercept_tool_call(self, params: Any, ctx: Any, call_next: Any) -> Any:
        if self.names and (params.name not in self.names or not _takes_tasks(ctx)):
            return await call_next(ctx)
        self.looks = 0
        self.answers.clear()
        return self._task("working", resultType="task")

    def _task(self, status: str, **more: Any) -> dict[str, Any]:
        moment = "2026-11-18T12:00:00Z"
        known = {"taskId": "t-1", "status": status, "createdAt": moment, "lastUpdatedAt": moment, "ttlMs": 60_000}
        return {**known, "pollIntervalMs": 50, **more}

    def methods(self) -> list[MethodBinding]:
        return [
            MethodBinding("tasks/get", TaskParams, self.get),
            MethodBinding("tasks/update", UpdateParams, self.update),
            MethodBinding("tasks/cancel", TaskParams, self.cancel),
        ]

    async def get(self, ctx: Any, params: TaskParams) -> Any:
        self.looks += 1
        if self.looks == 1:
            return self._task("working", statusMessage="Heating the oven")
        if not self.answers:
            schema = {"type": "object", "properties": {"name": {"type": "string"}}}
            asked = {"mode": "form", "message": "Who?", "requestedSchema": schema}
            return self._task(
                "input_required", inputRequests={"who": {"method": "elicitation/create", "params": asked}}
            )
        text = f"Baked for {self.answers['who']['content']['name']}"
        return self._task("completed", result={"content": [{"type": "text", "text": text}]})

    async def update(self, ctx: Any, params: UpdateParams) -> Any:
        self.answers |= params.input_responses
        return {}

    async def cancel(self, ctx: Any, params: TaskParams) -> Any:
        self.cancelled.append(params.task_id)
        return {}


def _takes_tasks(ctx: Any) -> bool:
    """Whether the client declared the extension."""
    told = ctx.session.client_params
    return told is not None and EXTENSION in (told.capabilities.extensions or {})
