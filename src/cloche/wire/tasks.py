"""Tasks: calls that go on after their answer, in the two forms that the protocol has for them.

2025-11-25 (experimental): the client asks for a task (`params.task` of `tools/call`), looks at it with `tasks/get`,
waits for its outcome with `tasks/result`, and has `tasks/list` and `tasks/cancel`. A task's questions come while
`tasks/result` waits.

2026-07-28 (extension `io.modelcontextprotocol/tasks`): the server decides, and answers a call with a task
(`resultType: "task"`) if the client said that it knows the extension. `tasks/get` has the outcome and the questions in
it, `tasks/update` takes the answers, `tasks/cancel` ends it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Raw, UnsetType

from cloche.wire.types import Json, Params, Wire
from cloche.wire.versions import Features

TASKS_EXTENSION = "io.modelcontextprotocol/tasks"
"""The extension of 2026-07-28, as both sides announce it."""

RELATED_TASK_KEY = "io.modelcontextprotocol/related-task"
"""Where `_meta` says which task a message belongs to (2025-11-25)."""

PROGRESS_KEY = "cloche/progress"
"""Where the `_meta` of a task says how far it is: 2026-07-28 knows no progress notifications of tasks."""

TASK_RESULT = "task"
"""The `resultType` of a call that became a task (2026-07-28)."""

TaskStatus: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]
TaskSupport: TypeAlias = Literal["forbidden", "optional", "required"]

STATUSES: tuple[str, ...] = get_args(TaskStatus)
ENDED = frozenset({"completed", "failed", "cancelled"})
"""The statuses after which nothing changes any more."""

SERVER_CAPABILITY: Json = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
"""What a server with tasks announces as `tasks` in 2025-11-25."""

SHORTEST_POLL, LONGEST_POLL = 0.1, 5.0
"""Seconds between two looks at a task that are recommended to clients: of a young one often, of an old one seldom."""


class TaskParams(Params, kw_only=True):
    """`tasks/get`, `tasks/result` and `tasks/cancel`"""

    task_id: str


class UpdateTaskParams(TaskParams, kw_only=True):
    """`tasks/update` (2026-07-28)"""

    input_responses: dict[str, Raw]


class TaskWish(msgspec.Struct, rename="camel"):
    """`task` in the parameters of `tools/call`: the client wants a task (2025-11-25)."""

    ttl: int | float | UnsetType | None = UNSET


class TaskProgress(Wire):
    """How far a task is."""

    progress: float
    total: float | None = None
    message: str | None = None


class TaskRecord(msgspec.Struct, kw_only=True):
    """A task as a server keeps it; times are seconds since 1970."""

    id: str
    owner: str | None
    """Whose it is; None when its id is all that a caller needs to know."""
    version: str
    created: float
    updated: float
    ttl_ms: int
    status: str = "working"
    message: str | None = None
    progress: TaskProgress | None = None
    questions: bytes | None = None
    """The open questions, as a JSON object."""
    result: bytes | None = None
    """The call's result, as JSON."""
    error: bytes | None = None
    """The call's JSON-RPC error, as JSON."""
    is_error: bool = False
    """Whether the result says that the tool failed."""

    @property
    def ended(self) -> bool:
        """Whether nothing changes any more."""
        return self.status in ENDED

    @property
    def expires(self) -> float:
        """When it may be forgotten."""
        return self.created + self.ttl_ms / 1000


def poll_seconds(age: float) -> float:
    """How long to wait with the next look at a task that is `age` seconds old."""
    return min(max(age / 10, SHORTEST_POLL), LONGEST_POLL)


def task_members(record: TaskRecord, features: Features, now: float) -> Json:
    """A task as this version of the protocol shows it, without outcome and questions."""
    unit = "Ms" if features.task_results else ""
    members: Json = {
        "taskId": record.id,
        "status": _status(record, features),
        "createdAt": _timestamp(record.created),
        "lastUpdatedAt": _timestamp(record.updated),
        f"ttl{unit}": record.ttl_ms,
        f"pollInterval{unit}": int(poll_seconds(now - record.created) * 1000),
    }
    if record.message is not None:
        members["statusMessage"] = record.message
    return members


def detailed_members(record: TaskRecord, features: Features, now: float) -> Json:
    """A task as `tasks/get` and status notifications show it: in 2026-07-28 with its outcome and its questions."""
    members = task_members(record, features, now)
    if not features.task_results:
        return members
    for name, value in (("result", record.result), ("error", record.error), ("inputRequests", record.questions)):
        if value is not None:
            members[name] = Raw(value)
    return members


def _status(record: TaskRecord, features: Features) -> str:
    """A tool that failed has completed its call since 2026-07-28; before, its task failed."""
    return "failed" if record.is_error and record.status == "completed" and not features.task_results else record.status


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def has_extension(capabilities: Json) -> bool:
    """Whether these capabilities of a client or server name the extension of 2026-07-28."""
    extensions = capabilities.get("extensions")
    return isinstance(extensions, dict) and isinstance(extensions.get(TASKS_EXTENSION), dict)


def takes_task_calls(capabilities: Json) -> bool:
    """Whether a server of 2025-11-25 takes calls of tools as tasks."""
    found: Any = capabilities
    for name in ("tasks", "requests", "tools", "call"):
        found = found.get(name) if isinstance(found, dict) else None
    return isinstance(found, dict)


class _Outcome(msgspec.Struct):
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _ToolFailure(msgspec.Struct, rename="camel"):
    is_error: bool = False


_outcome = msgspec.json.Decoder(_Outcome)
_failure = msgspec.json.Decoder(_ToolFailure)


def take_outcome(record: TaskRecord, answer: bytes) -> None:
    """End a task with the answer that its call got, a whole JSON-RPC response."""
    found = _outcome.decode(answer)
    if found.error is not UNSET:
        record.status, record.error = "failed", bytes(found.error)
        return
    assert found.result is not UNSET
    record.status, record.result = "completed", bytes(found.result)
    record.is_error = _failure.decode(found.result).is_error


def related(result: Any, task_id: str) -> Any:
    """A result or parameters whose `_meta` says which task they belong to (2025-11-25)."""
    meta = result.get("_meta")
    return {**result, "_meta": {**(meta if isinstance(meta, dict) else {}), RELATED_TASK_KEY: {"taskId": task_id}}}
