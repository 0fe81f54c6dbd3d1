"""Tasks through `Client`: waited for without a word, or held as a task; and what servers can do wrong."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cloche import Client, McpError
from cloche.client import ClientTask
from cloche.client import tasks as client_tasks
from cloche.errors import (
    InvalidParamsError,
    LocalProtocolError,
    RemoteProtocolError,
    RequestCancelledError,
    RequestTimeoutError,
    TaskCancelledError,
)
from cloche.transports.memory import MemoryTransport, create_memory_pair
from cloche.transports.resilience import Reconnecting
from cloche.transports.resilience.cancellation import CancellationTokenSource
from tests.server.tasks.peers import ERAS, Works
from tests.support.memory_peer import HANDSHAKE, STATELESS
from tests.support.resilience_peers import Gate, Wires, turns, until


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look again at once: what is tested is not how long one waits."""
    for name in ("SHORTEST_PAUSE", "LONGEST_PAUSE", "USUAL_PAUSE"):
        monkeypatch.setattr(client_tasks, name, 0.0)


@pytest.mark.parametrize("version", ERAS)
async def test_a_call_that_becomes_a_task_is_waited_for(version: str) -> None:
    works = Works()
    works.go.set()
    heard: list[Any] = []
    async with Client(works.server, version=version) as client:
        assert await client.call_tool("only", returns=int) == 42
        assert (await client.request("tools/call", {"name": "only"}))["structuredContent"] in (42, {"result": 42})
        result = await client.call_tool("hold", {"steps": 3}, progress=lambda *told: heard.append(told))
        assert result.text == "held"
        assert heard == [(0.0, 3.0, "Begun")]
        assert (await client.call_tool("fail", {"how": "tool"})).is_error
        with pytest.raises(McpError, match="It broke") as caught:
            await client.call_tool("fail", {"how": "protocol"})
        assert caught.value.code == -32050


@pytest.mark.parametrize("version", ERAS)
async def test_a_task_that_asks_is_answered_whoever_waits(version: str) -> None:
    works = Works()
    works.go.set()
    asked: list[str] = []

    def answer(request: Any) -> dict[str, str]:
        asked.append(request.message)
        return {"name": request.message}

    async with Client(works.server, version=version, elicitation=answer) as client:
        assert (await client.call_tool("ask")).text == "One? Two? Again?"
        task = await client.start_task("ask")
        statuses = [update.status async for update in task]
        assert statuses[-1] == "completed"
        assert "input_required" in statuses
        assert (await task.result()).text == "One? Two? Again?"
        assert asked == ["One?", "Two?", "Again?"] * 2
        assert (await client.call_tool("later")).text == ("First?, True" if version == STATELESS else "First?, False")


@pytest.mark.parametrize("version", ERAS)
async def test_whoever_gives_a_call_up_ends_its_task(version: str) -> None:
    works = Works()
    async with Client(works.server, version=version) as client:
        client.task_only = {"hold"}  # in 2025-11-25 an optional one is called without a task

        async def over(count: int) -> None:
            await until(lambda: len(works.ended) == count and not works.server.engine.runs_tasks)

        with pytest.raises(RequestTimeoutError):
            await client.call_tool("hold", timeout=0.05)
        await over(1)
        call = asyncio.create_task(client.call_tool("hold"))
        works.begun.clear()
        await works.begun.wait()
        await turns()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await over(2)
        source = CancellationTokenSource()
        works.begun.clear()
        call = asyncio.create_task(client.call_tool("hold", token=source.token))
        await works.begun.wait()
        await turns()
        source.cancel()
        with pytest.raises(RequestCancelledError):
            await call
        await over(3)
        assert works.ended == ["cancelled"] * 3


@pytest.mark.parametrize("version", ERAS)
async def test_a_task_in_the_hand(version: str) -> None:
    works = Works()
    async with Client(works.server, version=version) as client:
        task = await client.start_task("hold", {"steps": 2}, ttl=60)
        assert isinstance(task, ClientTask)
        await works.begun.wait()
        update = await task.status()
        assert (update.status, update.message, update.is_done) == ("working", "Begun", False)
        assert (update.progress, update.total) == (0, 2)
        assert update.ttl == (3600 if version == STATELESS else 60)
        with pytest.raises(RequestTimeoutError):
            await task.result(timeout=0.02)
        assert (await task.status()).status == "working"  # who stops waiting for a task in the hand does not end it
        works.go.set()
        assert await task.result(returns=str) == "held"
        assert (await task.result()).text == "held"
        assert [update.status async for update in task] == ["completed"]
        await task.cancel()
        assert (await task.status()).status == "completed"

        works.go.clear()
        other = await client.start_task("hold")
        await other.cancel()
        await other.cancel()
        with pytest.raises(TaskCancelledError):
            await other.result()
        assert {one.id for one in await client.list_tasks()} == {task.id, other.id}
        with pytest.raises(InvalidParamsError, match="Unknown task"):
            await client.task("unknown").result()
        with pytest.raises(LocalProtocolError):
            client.task("")
        plain = await client.start_task("only")
        assert await plain.result(returns=int) == 42


@pytest.mark.parametrize("version", [*ERAS, "2025-06-18"])
async def test_a_tool_or_an_era_without_tasks_gives_a_task_that_is_done(version: str) -> None:
    works = Works()
    works.go.set()
    async with Client(works.server, version=version) as client:
        if version != HANDSHAKE:
            task = await client.start_task("plain")
            assert [update.status async for update in task] == ["completed"]
            assert (await task.result()).text == "plain"
        else:
            with pytest.raises(McpError, match="does not run as a task"):
                await client.start_task("plain")
        task = await client.start_task("hold")
        assert (await task.result()).text == "held"
        if version == "2025-06-18":
            assert (task.id, task.last and task.last.status) == ("", "completed")
            await task.cancel()


@pytest.mark.parametrize("version", ERAS)
async def test_a_call_goes_on_over_a_new_connection(version: str) -> None:
    works, gate, looking = Works(), Gate(), asyncio.Event()

    @works.server.middleware
    async def never_answer_the_first_look(message: Any, call_next: Any) -> Any:
        if message.method == "tasks/get" and not looking.is_set():
            looking.set()
            await asyncio.Event().wait()
        return await call_next(message)

    wires = Wires(works.server, greeting=False)
    async with Client(Reconnecting(wires.open, sleep=gate), version=version) as client:
        client.task_only = {"hold"}
        call = asyncio.create_task(client.call_tool("hold"))
        await looking.wait()  # the connection breaks in the middle of a request
        await wires.cut()
        await gate.open()
        await client.wait_until_ready()
        works.go.set()
        assert (await asyncio.wait_for(call, 5)).text == "held"
        assert wires.tries == 2
    await works.server.close()
    assert works.ended == ["done"]


@pytest.mark.parametrize("version", ERAS)
async def test_another_client_takes_a_task_up(version: str) -> None:
    works = Works()
    async with Client(works.server, version=version) as client:
        task_id = (await client.start_task("hold")).id
        async with Client(works.server, version=version) as other:
            task = other.task(task_id)
            assert (await task.status()).status == "working"
            works.go.set()
            assert (await task.result()).text == "held"


# Servers that do it wrong


class Script:
    """A server that answers what the test says: by method, the results one after the other, the last one again."""

    def __init__(self, version: str, **results: list[dict[str, Any]]) -> None:
        self.version = version
        self.results = results
        self.heard: list[dict[str, Any]] = []

    def transport(self) -> MemoryTransport:
        ours, self.theirs = create_memory_pair()
        self.theirs.on_message(self._take)
        return ours

    def _take(self, data: bytes) -> None:
        message = json.loads(data)
        self.heard.append(message)
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], **self._answer(message["method"])}
            asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(self.theirs.send(encoded(answer))))

    def _answer(self, method: str) -> dict[str, Any]:
        capabilities = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
        if method == "server/discover":
            return {"result": {"supportedVersions": [STATELESS], "capabilities": capabilities}}
        if method == "initialize":
            info = {"name": "script", "version": "1"}
            return {"result": {"protocolVersion": self.version, "capabilities": capabilities, "serverInfo": info}}
        if method == "tools/list":
            tool = {"name": "x", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}}
            return {"result": {"tools": [tool]}}
        results = self.results.get(method.replace("/", "_"), [{"code": -32601, "message": "unknown"}])
        found = results.pop(0) if len(results) > 1 else results[0]
        return {"error": found} if "code" in found else {"result": found}


def encoded(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()


TASK = {"taskId": "t1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "ttlMs": None, "resultType": "task"}
DONE = {**TASK, "resultType": "complete", "status": "completed", "result": {"content": []}}


@pytest.mark.parametrize(
    ("created", "got", "says"),
    [
        ({**TASK, "taskId": 5}, {}, "answer to tools/call is malformed"),
        ({**TASK, "taskId": ""}, {}, "it is not a task"),
        ({**TASK, "taskId": "x" * 2000}, {}, "it is not a task"),
        ({**TASK, "status": "sleeping"}, {}, "it is not a task"),
        (TASK, {"content": []}, "answer to tasks/get is malformed"),
        (TASK, {**DONE, "taskId": "t2"}, "about another task"),
        (TASK, {**DONE, "pollIntervalMs": "soon"}, "answer to tasks/get is malformed"),
        (TASK, {**TASK, "status": "completed"}, "without a result and without an error"),
        (TASK, {**DONE, "result": 5}, "answer to tools/call is malformed"),
    ],
)
async def test_what_is_no_task_is_told(created: Any, got: dict[str, Any], says: str) -> None:
    script = Script(STATELESS, tools_call=[created], tasks_get=[got], tasks_cancel=[{}])
    async with Client(script.transport(), version=STATELESS) as client:
        with pytest.raises(RemoteProtocolError, match=says):
            await client.call_tool("x", timeout=5)


@pytest.mark.parametrize("poll", [0, -5, 1e300, None, 2.5])
async def test_a_recommended_pause_is_kept_within_bounds(poll: float | None) -> None:
    wait = {**TASK, "pollIntervalMs": poll}
    script = Script(STATELESS, tools_call=[wait], tasks_get=[{**wait, "resultType": "complete"}, DONE])
    async with Client(script.transport(), version=STATELESS) as client:
        assert (await client.call_tool("x", timeout=5)).content == []


@pytest.mark.parametrize(("poll", "pause"), [(1e300, 60.0), (-1, 0.05), (0, 0.05), (2500, 2.5), (None, 1.0)])
def test_how_long_a_client_waits_between_two_looks(
    poll: float | None, pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert client_tasks._read(encoded({**TASK, "pollIntervalMs": poll}), "tasks/get").pause == pause
    assert client_tasks._read(encoded({**TASK, "pollInterval": poll}), "tasks/get").pause == pause


async def test_a_task_that_has_ever_new_questions_is_given_up() -> None:
    ask = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {}}}
    rounds = [
        {**TASK, "status": "input_required", "pollIntervalMs": 0, "inputRequests": {f"q{number}": ask}}
        for number in range(client_tasks.MAX_QUESTION_ROUNDS + 2)
    ]
    script = Script(STATELESS, tools_call=[TASK], tasks_get=rounds, tasks_update=[{}], tasks_cancel=[{}])
    script.results["tools_call"] = [{**TASK, "pollIntervalMs": 0}]
    async with Client(script.transport(), version=STATELESS, elicitation=lambda _: {}) as client:
        with pytest.raises(RemoteProtocolError, match="more than 100 questions"):
            await client.call_tool("x")
        await until(lambda: script.heard[-1]["method"] == "tasks/cancel")
    methods = [message["method"] for message in script.heard]
    assert methods.count("tasks/update") == client_tasks.MAX_QUESTION_ROUNDS


async def test_the_same_question_is_put_once_however_often_it_is_seen() -> None:
    ask = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {}}}
    waiting = {**TASK, "status": "input_required", "pollIntervalMs": 0, "inputRequests": {"q": ask}}
    script = Script(STATELESS, tools_call=[waiting], tasks_get=[waiting, waiting, waiting, DONE], tasks_update=[{}])
    asked = []
    async with Client(script.transport(), version=STATELESS, elicitation=lambda _: asked.append(1) or {}) as client:
        await client.call_tool("x")
    assert len(asked) == 1


async def test_a_server_of_2025_11_25_that_forgets_its_task_is_an_error_and_no_endless_wait() -> None:
    gone = {"code": -32602, "message": "Task not found"}
    created = {"task": {**TASK, "ttl": 1000, "pollInterval": 0}}
    script = Script(HANDSHAKE, tools_call=[created], tasks_get=[gone], tasks_cancel=[gone])
    async with Client(script.transport(), version=HANDSHAKE) as client:
        with pytest.raises(InvalidParamsError, match="Task not found"):
            await client.call_tool("x")
