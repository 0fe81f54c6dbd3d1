"""How long tasks live, whose they are, and how many there may be."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Client, Context, Limits, Server
from cloche.server.bus import MemoryBus
from cloche.server.session_store import MemorySessionStore
from tests.server.tasks.peers import ERAS, Peer, Works
from tests.support.memory_peer import HANDSHAKE, STATELESS
from tests.support.resilience_peers import until


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("version", ERAS)
async def test_a_task_outlives_its_client_and_another_connection_fetches_the_result(version: str) -> None:
    works = Works()
    async with Peer(works.server, version, who="ada") as peer:
        task_id = await peer.start("hold")
        await works.begun.wait()
    async with Peer(works.server, version, who="ada") as peer:
        assert (await peer.get(task_id))["status"] == "working"
        works.go.set()
        assert (await peer.outcome(task_id))["result"]["content"][0]["text"] == "held"
    async with Peer(works.server, version, who="ada") as peer:  # and it is still there for the next
        assert (await peer.get(task_id))["status"] == "completed"
    await works.server.close()


async def test_a_server_that_only_had_clients_of_its_process_stays_for_their_tasks() -> None:
    works = Works()
    async with Client(works.server) as client:
        task_id = (await client.start_task("hold")).id
        await works.begun.wait()
    assert works.server.engine.is_open
    works.go.set()
    await until(lambda: not works.server.engine.is_open)
    assert works.ended == ["done"]
    async with Client(works.server) as client:
        assert (await client.task(task_id).result()).text == "held"


@pytest.mark.parametrize("version", ERAS)
async def test_nobody_sees_or_touches_the_task_of_another_principal(version: str) -> None:
    works = Works()
    async with Peer(works.server, version, who="ada") as ada, Peer(works.server, version, who="eve") as eve:
        task_id = await ada.start("hold")
        methods = ["tasks/get", "tasks/cancel", "tasks/update" if version == STATELESS else "tasks/result"]
        for method in methods:
            mine = await eve.ask(method, {"taskId": "no-such-task", "inputResponses": {}})
            theirs = await eve.ask(method, {"taskId": task_id, "inputResponses": {}})
            assert theirs["error"] == mine["error"]
            assert theirs["error"]["code"] == -32602
        async with Peer(works.server, version) as nobody:
            assert await nobody.code("tasks/get", taskId=task_id) == -32602
        if version == HANDSHAKE:
            assert (await eve.request("tasks/list"))["tasks"] == []
            assert [task["taskId"] for task in (await ada.request("tasks/list"))["tasks"]] == [task_id]
        assert (await ada.get(task_id))["status"] == "working"
    await works.server.close()


@pytest.mark.parametrize("version", ERAS)
async def test_without_principals_the_id_is_what_one_has_to_know(version: str) -> None:
    works = Works()
    async with Peer(works.server, version) as first, Peer(works.server, version) as second:
        task_id = await first.start("hold")
        assert (await second.get(task_id))["status"] == "working"
        if version == HANDSHAKE:
            assert len((await first.request("tasks/list"))["tasks"]) == 1
            assert (await second.request("tasks/list"))["tasks"] == []
    await works.server.close()


async def test_the_list_comes_in_pages_that_belong_to_one_caller() -> None:
    works = Works(page_size=2)
    works.go.set()
    async with Peer(works.server, HANDSHAKE, who="ada") as ada:
        ids = [await ada.start("hold") for _ in range(5)]
        found: list[str] = []
        page = await ada.request("tasks/list")
        cursors = []
        while True:
            found += [task["taskId"] for task in page["tasks"]]
            if "nextCursor" not in page:
                break
            cursors.append(page["nextCursor"])
            page = await ada.request("tasks/list", {"cursor": cursors[-1]})
        assert found == ids
        assert len(cursors) == 2
        assert await ada.code("tasks/list", cursor="made up") == -32602
        tools = (await ada.request("tools/list"))["nextCursor"]
        assert await ada.code("tasks/list", cursor=tools) == -32602
        async with Peer(works.server, HANDSHAKE, who="eve") as eve:
            assert await eve.code("tasks/list", cursor=cursors[0]) == -32602
    await works.server.close()


# Time


@pytest.mark.parametrize(
    ("asked", "given"),
    [({}, 3600), ({"ttl": 5000}, 5), ({"ttl": 0}, 1), ({"ttl": 1e300}, 86_400), ({"ttl": None}, 86_400)],
)
async def test_the_time_to_live_is_the_clients_wish_within_bounds(asked: dict[str, Any], given: int) -> None:
    works = Works()
    async with Peer(works.server, HANDSHAKE) as peer:
        answer = await peer.ask("tools/call", {"name": "hold", "task": asked})
        assert answer["result"]["task"]["ttl"] == given * 1000
    await works.server.close()


@pytest.mark.parametrize("task", [{"ttl": -1}, {"ttl": "1"}, {"ttl": True}, {"ttl": [1]}, None, 5, []])
async def test_a_wish_that_makes_no_sense_is_refused(task: Any) -> None:
    works = Works()
    async with Peer(works.server, HANDSHAKE) as peer:
        assert await peer.code("tools/call", name="hold", task=task) == -32602
        assert not works.server.engine.runs_tasks
    await works.server.close()


async def test_a_function_that_takes_longer_than_its_task_lives_is_ended() -> None:
    works = Works(limits=Limits(task_seconds=1.0))
    async with Peer(works.server, STATELESS) as peer:
        task_id = await peer.start("hold")
        await works.begun.wait()
        running = works.server.engine.tasks.running[task_id]
        running.until = 0.0  # as if its time were over; the next tick of the table sees it
        task = await peer.until(task_id, "failed")
        assert task["error"]["code"] == -32001
        assert task["ttlMs"] >= 300_000  # the outcome is kept for those who come to fetch it
    await works.server.close()
    assert works.ended == ["cancelled"]


async def test_the_deadline_of_the_tool_itself_is_a_result() -> None:
    server = Server("x")

    @server.tool(task=True, timeout=0.05)
    async def slow() -> str:
        await asyncio.Event().wait()
        return ""

    async with Peer(server, STATELESS) as peer:
        result = (await peer.outcome(await peer.start("slow")))["result"]
        assert result["isError"]
        assert result["content"][0]["text"] == "The tool did not finish within 0.05 seconds"
    await server.close()


async def test_a_task_whose_time_is_over_is_forgotten_and_not_before() -> None:
    clock, store = Clock(), MemorySessionStore()
    works = Works(sessions=store)
    store._values._clock = clock
    works.go.set()
    async with Peer(works.server, HANDSHAKE) as peer:
        task_id = await peer.start("hold")
        await peer.outcome(task_id)
        await until(lambda: not works.server.engine.runs_tasks)
        clock.now = 3590.0
        assert (await peer.get(task_id))["status"] == "completed"
        clock.now = 3610.0
        assert await peer.code("tasks/get", taskId=task_id) == -32602
        assert await peer.code("tasks/result", taskId=task_id) == -32602
        assert (await peer.request("tasks/list"))["tasks"] == []
    await works.server.close()


# Limits


@pytest.mark.parametrize("version", ERAS)
async def test_a_caller_and_all_callers_have_only_so_many_tasks_at_once(version: str) -> None:
    works = Works(limits=Limits(tasks=3, tasks_per_caller=2))

    async def refusal(peer: Peer) -> str:
        wish = {} if version == STATELESS else {"task": {}}
        error = (await peer.ask("tools/call", {"name": "hold", **wish}))["error"]
        assert error["code"] == -32000
        return str(error["message"])

    async with Peer(works.server, version, who="ada") as ada, Peer(works.server, version) as nobody:
        ids = [await ada.start("hold") for _ in range(2)]
        assert await refusal(ada) == "2 tasks of yours run already, and that is the limit: wait for one, or cancel one"
        await nobody.start("hold")
        assert await refusal(nobody) == "3 tasks run already, and that is the limit: wait for one, or cancel one"
        await ada.request("tasks/cancel", {"taskId": ids[0]})
        await until(lambda: len(works.server.engine.tasks.running) < 3)
        await ada.start("hold")
    await works.server.close()
    assert works.ended == ["cancelled"] * 4


async def test_closing_the_server_ends_its_tasks_and_says_so() -> None:
    store = MemorySessionStore()
    works = Works(sessions=store)
    async with Peer(works.server, STATELESS) as peer:
        task_id = await peer.start("hold")
        await works.begun.wait()
    await works.server.close()
    assert works.ended == ["cancelled"]
    async with Peer(Works(sessions=store).server, STATELESS) as peer:  # a replica, or the server started again
        task = await peer.get(task_id)
        assert (task["status"], task["error"]["message"]) == ("failed", "The server stopped before the task ended")
        await peer.server.close()


# Replicas


@pytest.mark.parametrize("version", ERAS)
async def test_another_replica_sees_cancels_answers_and_waits(version: str) -> None:
    shared: dict[str, Any] = {"sessions": MemorySessionStore(), "bus": MemoryBus(), "secret": "x" * 32}
    one, two = Works(**shared), Works(**shared)
    async with Peer(one.server, version, who="ada") as here, Peer(two.server, version, who="ada") as there:
        task_id = await here.start("hold")
        await one.begun.wait()
        assert (await there.get(task_id))["status"] == "working"
        await there.request("tasks/cancel", {"taskId": task_id})
        assert (await there.get(task_id))["status"] == "cancelled"
        await until(lambda: not one.server.engine.runs_tasks)
        assert one.ended == ["cancelled"]
        one.go.set()
        task_id = await here.start("hold")
        assert (await there.outcome(task_id))["result"]["content"][0]["text"] == "held"
        if version == STATELESS:
            task_id = await here.start("ask")
            ada = {"action": "accept", "content": {"name": "Ada"}}
            for _ in range(2):
                keys = (await there.until(task_id, "input_required"))["inputRequests"]
                await there.request("tasks/update", {"taskId": task_id, "inputResponses": dict.fromkeys(keys, ada)})
                while (await there.get(task_id)).get("inputRequests", {}).keys() == keys.keys():
                    pass
            assert (await there.outcome(task_id))["result"]["content"][0]["text"] == "Ada Ada Ada"
    await one.server.close()
    await two.server.close()


# Listening


async def test_a_stream_tells_of_the_tasks_that_it_names() -> None:
    works = Works()
    async with Peer(works.server, STATELESS, who="ada") as ada, Peer(works.server, STATELESS, who="eve") as eve:
        task_id = await ada.start("hold")
        streams = []
        for peer in (ada, eve):
            listening = {"notifications": {"taskIds": [task_id, "unknown"]}}
            streams.append(asyncio.create_task(peer.ask("subscriptions/listen", listening)))
            told = await peer.next_notification("notifications/subscriptions/acknowledged")
            assert told["params"]["notifications"] == ({"taskIds": [task_id]} if peer is ada else {})
        works.go.set()
        while (told := await ada.next_notification("notifications/tasks"))["params"]["status"] != "completed":
            continue
        assert told["params"]["result"]["content"][0]["text"] == "held"
        assert "io.modelcontextprotocol/subscriptionId" in told["params"]["_meta"]
        assert eve.notifications == []
        answer = await MemoryAsk(works.server).listen(task_id)
        assert answer["error"]["code"] == -32021
        for stream in streams:
            stream.cancel()
    await works.server.close()


class MemoryAsk(Peer):
    """A client that does not say that it takes tasks."""

    def __init__(self, server: Server) -> None:
        super().__init__(server, STATELESS)

    async def listen(self, task_id: str) -> dict[str, Any]:
        async with self:
            return await super(Peer, self).ask("subscriptions/listen", {"notifications": {"taskIds": [task_id]}})


# What a `def` tool does


async def test_a_def_tool_runs_as_a_task_too() -> None:
    server, seen = Server("threads"), []

    @server.tool(task=True)
    def work(ctx: Context) -> str:
        ctx.wait(ctx.progress(1, 2))
        seen.append(ctx.cancelled)
        return "worked"

    async with Peer(server, STATELESS) as peer:
        task_id = await peer.start("work")
        assert (await peer.outcome(task_id))["result"]["content"][0]["text"] == "worked"
        assert (await peer.get(task_id))["statusMessage"] == "1 of 2"
    await server.close()
    assert seen == [False]
