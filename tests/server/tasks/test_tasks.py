"""A task from its start to its end, in both eras, as it looks on the wire."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from cloche import Client, Context, Server
from cloche.errors import LocalError, RegistrationError
from tests.server.tasks.peers import ERAS, EXTENSION, Peer, Works
from tests.support.memory_peer import HANDSHAKE, META, STATELESS, MemoryPeer
from tests.support.resilience_peers import until

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


async def test_a_task_of_2026_07_28_is_flat_and_has_its_result_in_it() -> None:
    works = Works()
    async with Peer(works.server, STATELESS) as peer:
        created = (await peer.ask("tools/call", {"name": "hold"}))["result"]
        assert created.keys() == {
            *("resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs", "_meta")
        }
        assert (created["resultType"], created["status"], created["ttlMs"]) == ("task", "working", 3_600_000)
        assert TIME.fullmatch(created["createdAt"])
        assert len(created["taskId"]) == 32
        await works.begun.wait()
        seen = await peer.get(created["taskId"])
        assert (seen["resultType"], seen["status"], seen["statusMessage"]) == ("complete", "working", "Begun")
        assert seen["_meta"]["cloche/progress"] == {"progress": 0, "total": 1, "message": "Begun"}
        works.go.set()
        seen = await peer.until(created["taskId"], "completed")
        assert seen["result"]["content"] == [{"type": "text", "text": "held"}]
    await works.server.close()


async def test_a_task_of_2025_11_25_is_asked_for_and_its_result_is_fetched() -> None:
    works = Works()
    async with Peer(works.server, HANDSHAKE) as peer:
        answer = await peer.ask("tools/call", {"name": "hold", "task": {"ttl": 60_000}})
        task = answer["result"]["task"]
        assert (task["status"], task["ttl"]) == ("working", 60_000)
        waiting = asyncio.create_task(peer.request("tasks/result", {"taskId": task["taskId"]}))
        await works.begun.wait()
        seen = await peer.get(task["taskId"])
        assert (seen["status"], seen["statusMessage"], seen["pollInterval"]) == ("working", "Begun", 100)
        assert "result" not in seen
        works.go.set()
        result = await waiting
        assert result["content"] == [{"type": "text", "text": "held"}]
        assert result["_meta"] == {"io.modelcontextprotocol/related-task": {"taskId": task["taskId"]}}
        told = await peer.next_notification("notifications/tasks/status")
        assert (told["params"]["taskId"], told["params"]["status"]) == (task["taskId"], "completed")
    await works.server.close()


async def test_what_the_server_announces_and_the_tools_say() -> None:
    works = Works()
    async with Client(works.server, version=HANDSHAKE) as client:
        expected: dict[str, Any] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        assert client.server_capabilities["tasks"] == expected
        said = {tool.name: (tool.execution or {}).get("taskSupport") for tool in await client.list_tools()}
        assert (said["hold"], said["only"], said["later"], said["plain"]) == ("optional", "required", "optional", None)
    async with Client(works.server, version=STATELESS) as client:
        assert "tasks" not in client.server_capabilities
        assert client.server_capabilities["extensions"][EXTENSION] == {}
        assert all(tool.execution is None for tool in await client.list_tools())
    async with Client(Server("none"), version=STATELESS) as client:
        assert EXTENSION not in client.server_capabilities["extensions"]
    async with Client(Server("none"), version=HANDSHAKE) as client:
        assert "tasks" not in client.server_capabilities


@pytest.mark.parametrize("version", ERAS)
async def test_a_tool_that_fails_and_one_that_breaks_the_protocol_differ(version: str) -> None:
    works = Works()
    async with Peer(works.server, version) as peer:
        task_id = await peer.start("fail", how="tool")
        outcome = await peer.outcome(task_id)
        assert outcome["result"]["isError"] is True
        assert outcome["result"]["content"][0]["text"] == "It did not work"
        assert (await peer.get(task_id))["status"] == ("completed" if version == STATELESS else "failed")
        task_id = await peer.start("fail", how="protocol")
        assert (await peer.outcome(task_id))["error"]["code"] == -32050
        assert (await peer.get(task_id))["status"] == "failed"
        wrong = await peer.outcome(await peer.start("fail", how=1))
        assert wrong["result"]["content"][0]["text"].startswith("Invalid arguments for fail")
    await works.server.close()


@pytest.mark.parametrize("version", ERAS)
async def test_cancelling_ends_the_function_and_a_second_time_is_as_the_era_says(version: str) -> None:
    works = Works()
    async with Peer(works.server, version) as peer:
        task_id = await peer.start("hold")
        await works.begun.wait()
        answer = await peer.request("tasks/cancel", {"taskId": task_id})
        assert answer.get("status") == (None if version == STATELESS else "cancelled")
        task = await peer.get(task_id)
        assert (task["status"], task["statusMessage"]) == ("cancelled", "The task was cancelled")
        assert await peer.code("tasks/cancel", taskId=task_id) == (0 if version == STATELESS else -32602)
        if version == HANDSHAKE:
            assert await peer.code("tasks/result", taskId=task_id) == -32000
    await works.server.close()
    assert works.ended == ["cancelled"]


async def test_a_function_that_ignores_its_cancellation_is_cancelled_for_everybody_else() -> None:
    server, go = Server("stubborn"), asyncio.Event()

    @server.tool(task=True)
    async def stubborn() -> str:
        try:
            await go.wait()
        except asyncio.CancelledError:
            await go.wait()
        return "I went on"

    async with Peer(server, HANDSHAKE) as peer:
        task_id = await peer.start("stubborn")
        await asyncio.sleep(0)
        await peer.request("tasks/cancel", {"taskId": task_id})
        assert (await peer.get(task_id))["status"] == "cancelled"
        assert server.engine.runs_tasks
        go.set()
        await until(lambda: not server.engine.runs_tasks)
        assert (await peer.get(task_id))["status"] == "cancelled"
    await server.close()


async def test_clients_without_tasks_get_the_result_itself_or_are_told_what_they_lack() -> None:
    works = Works()
    works.go.set()
    async with MemoryPeer(works.server, STATELESS) as peer:
        assert (await peer.call("hold"))["content"][0]["text"] == "held"
        error = (await peer.ask("tools/call", {"name": "only"}))["error"]
        assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"extensions": {EXTENSION: {}}}})
        for method in ("tasks/get", "tasks/cancel", "tasks/update"):
            answer = await peer.ask(method, {"taskId": "x", "inputResponses": {}})
            assert answer["error"]["code"] == -32021
        for method in ("tasks/list", "tasks/result"):
            assert (await peer.ask(method, {"taskId": "x"}))["error"]["code"] == -32601
    for version, code in ((HANDSHAKE, -32602), ("2025-06-18", -32601)):
        async with MemoryPeer(works.server, version) as peer:
            assert (await peer.call("hold"))["content"][0]["text"] == "held"
            assert (await peer.ask("tools/call", {"name": "only"}))["error"]["code"] == -32601
            assert (await peer.ask("tasks/get", {"taskId": "x"}))["error"]["code"] == code
            assert (await peer.ask("tasks/update", {"taskId": "x"}))["error"]["code"] == -32601


async def test_a_wish_for_a_task_where_there_is_none() -> None:
    works = Works()
    async with Peer(works.server, HANDSHAKE) as peer:
        assert await peer.code("tools/call", name="plain", task={}) == -32601
    async with Peer(works.server, STATELESS) as peer:  # there the server decides, whatever an old client says
        assert (await peer.call("plain", {}))["content"][0]["text"] == "plain"
        answer = await peer.ask("tools/call", {"name": "plain", "task": {"ttl": "soon"}})
        assert answer["result"]["content"][0]["text"] == "plain"
    await works.server.close()
    server = Server("none")
    server.register_tool(lambda: "plain", name="plain")
    async with Peer(server, HANDSHAKE) as peer:  # a server without tasks does not look at it
        answer = await peer.ask("tools/call", {"name": "plain", "task": {}})
        assert answer["result"]["content"][0]["text"] == "plain"
        assert await peer.code("tasks/get", taskId="x") == -32601
    await server.close()


# Questions


async def test_the_questions_of_a_task_wait_for_tasks_update() -> None:
    works = Works()
    async with Peer(works.server, STATELESS) as peer:
        task_id = await peer.start("ask")
        task = await peer.until(task_id, "input_required")
        assert task["inputRequests"].keys() == {"one", "two"}
        assert task["inputRequests"]["one"]["method"] == "elicitation/create"
        assert task["inputRequests"]["one"]["params"]["message"] == "One?"

        def answers(**given: Any) -> dict[str, Any]:
            return {"taskId": task_id, "inputResponses": given}

        ada: dict[str, Any] = {"action": "accept", "content": {"name": "Ada"}}
        assert await peer.code("tasks/update", **answers(one=5)) == -32602
        assert await peer.code("tasks/update", **answers(two=ada, one={"action": "accept", "content": {}})) == -32602
        assert (await peer.get(task_id))["inputRequests"].keys() == {"one", "two"}  # none of them counted
        done = await peer.request("tasks/update", answers(one=ada, unknown={"ignored": True}))
        assert done.keys() == {"resultType", "_meta"}
        task = await peer.get(task_id)
        assert (task["status"], list(task["inputRequests"])) == ("input_required", ["two"])
        await peer.request("tasks/update", answers(one={"action": "decline"}, two=ada))
        while list((task := await peer.until(task_id, "input_required"))["inputRequests"]) == ["two"]:
            pass
        assert list(task["inputRequests"]) == ["one-2"]  # a key means one question, for as long as the task lives
        await peer.request("tasks/update", answers(**{"one-2": ada}))
        assert (await peer.outcome(task_id))["result"]["content"][0]["text"] == "Ada Ada Ada"
        assert (await peer.request("tasks/update", answers(one=ada))).keys() == {"resultType", "_meta"}
    await works.server.close()


async def test_the_questions_of_a_task_come_while_tasks_result_waits() -> None:
    works = Works()
    asked: list[dict[str, Any]] = []

    def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
        asked.append(params)
        return {"action": "accept", "content": {"name": params["message"]}}

    async with Peer(works.server, HANDSHAKE, answer=answer) as peer:
        task_id = await peer.start("ask")
        assert (await peer.until(task_id, "input_required")).keys().isdisjoint({"inputRequests", "result"})
        assert asked == []
        result = await peer.request("tasks/result", {"taskId": task_id})
        assert result["content"][0]["text"] == "One? Two? Again?"
        assert {one["_meta"]["io.modelcontextprotocol/related-task"]["taskId"] for one in asked} == {task_id}
    await works.server.close()


async def test_a_client_that_cannot_be_asked_fails_the_task_and_not_the_server() -> None:
    works = Works()
    async with Peer(works.server, STATELESS) as peer:
        poor = {META + "clientCapabilities": {"extensions": {EXTENSION: {}}}}
        created = (await peer.ask("tools/call", {"name": "ask"}, **poor))["result"]
        assert (await peer.outcome(created["taskId"]))["error"]["code"] == -32021
    await works.server.close()


async def test_a_later_task_asks_with_its_request_first() -> None:
    works = Works()
    async with Peer(works.server, STATELESS) as peer:
        first = (await peer.ask("tools/call", {"name": "later"}))["result"]
        assert (first["resultType"], list(first["inputRequests"]), "taskId" in first) == (
            *("input_required", ["first"]),
            False,
        )
        given = {"first": {"action": "accept", "content": {"name": "Ada"}}}
        again = {"name": "later", "inputResponses": given, "requestState": first["requestState"]}
        created = (await peer.ask("tools/call", again))["result"]
        assert created["resultType"] == "task"
        assert created.keys().isdisjoint({"requestState", "inputRequests"})
        works.go.set()
        assert (await peer.outcome(created["taskId"]))["result"]["content"][0]["text"] == "Ada, True"
    await works.server.close()


async def test_a_later_task_stays_with_a_request_whose_client_takes_no_tasks() -> None:
    works = Works()
    works.go.set()

    def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"action": "accept", "content": {"name": "Ada"}}

    for version in (HANDSHAKE, STATELESS):
        async with MemoryPeer(works.server, version, answer) as peer:
            assert (await peer.call("later"))["content"][0]["text"] == "Ada, False"


async def test_cancelling_the_request_of_a_later_task_ends_its_function() -> None:
    server, begun, ended = Server("x"), asyncio.Event(), asyncio.Event()

    @server.tool(task="later")
    async def wait(ctx: Context) -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with Client(server, version=STATELESS) as client:
        call = asyncio.create_task(client.call_tool("wait"))
        await begun.wait()
        call.cancel()
        await ended.wait()
        assert not server.engine.runs_tasks


async def test_become_task_is_for_tools_that_say_so() -> None:
    server = Server("x")
    problems: list[str] = []

    @server.tool
    async def plain(ctx: Context) -> str:
        try:
            await ctx.become_task()
        except LocalError as error:
            problems.append(str(error))
        return "done"

    async with Client(server) as client:
        await client.call_tool("plain")
    assert problems == ["ctx.become_task is for tools that are registered with @server.tool(task='later')"]


def test_a_mode_that_does_not_exist_is_refused_at_registration() -> None:
    with pytest.raises(RegistrationError, match=r"task='sometimes' means nothing: use True"):
        Server("x").register_tool(lambda: "", name="x", task="sometimes")
    entry = Server("x").register_tool(lambda: "", name="x", task=False)
    assert (entry.task, entry.timeout) == (None, None)
