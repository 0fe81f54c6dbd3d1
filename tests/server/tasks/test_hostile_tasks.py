"""Thousands of odd requests about tasks: each is answered, none does harm, and an honest task goes on."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from cloche import Limits
from tests.server.tasks.peers import ERAS, Peer, Works
from tests.support.memory_peer import STATELESS

CODES = {-32600, -32601, -32602, -32000, -32001, -32021}
ODD: list[Any] = [
    *(None, True, 0, -1, 1.5, 2**70, "", " ", "x" * 300, "\x00", "../../etc/passwd", "'; --", "💥", [], {}, [[]]),
    {"taskId": "x"},
]
METHODS = ["tasks/get", "tasks/cancel", "tasks/result", "tasks/update", "tasks/list", "tools/call"]


def request(chance: random.Random, ids: list[str]) -> tuple[str, dict[str, Any]]:
    """Something that a peer out of its mind might send."""
    method = chance.choice(METHODS)
    if method == "tools/call":
        names = ["hold", "only", "fail", "ask", "later", "plain", "unknown"]
        params: dict[str, Any] = {"name": chance.choice(names), "arguments": chance.choice([{}, {"how": "tool"}])}
        if chance.random() < 0.7:
            params["task"] = chance.choice([{}, {"ttl": chance.choice(ODD)}, chance.choice(ODD)])
        return method, params
    known = chance.choice(ids) if ids and chance.random() < 0.5 else chance.choice(ODD)
    params = {"taskId": known, "cursor": chance.choice(ODD), "inputResponses": chance.choice([{}, *ODD])}
    if chance.random() < 0.3:
        params["inputResponses"] = {chance.choice(["one", "two", "zzz", ""]): chance.choice(ODD)}
    return method, {name: value for name, value in params.items() if chance.random() < 0.9}


@pytest.mark.parametrize("version", ERAS)
async def test_odd_requests_are_answered_and_do_no_harm(version: str) -> None:
    chance = random.Random(20261118)
    works = Works(limits=Limits(tasks=20, tasks_per_caller=15, task_seconds=60))
    table = works.server.engine.tasks
    refused = {"action": "decline"}
    async with (
        Peer(works.server, version, who="ada") as ada,
        Peer(works.server, version, who="eve", answer=lambda *_: refused) as eve,
    ):
        honest = await ada.start("hold")
        ids: list[str] = [honest]
        waiting: set[asyncio.Task[None]] = set()
        kinds: set[int] = set()

        async def send(method: str, params: dict[str, Any]) -> None:
            answer = await eve.ask(method, params)
            error, result = answer.get("error"), answer.get("result", {})
            kinds.add(0 if error is None else error["code"])
            if error is not None:
                assert error["code"] in CODES, (method, params, error)
                assert len(error["message"]) <= 700
            made = result.get("taskId") or (result.get("task") or {}).get("taskId")
            if method == "tools/call" and made:
                ids.append(made)

        for _ in range(2500):
            method, params = request(chance, ids)
            task = asyncio.create_task(send(method, params))
            waiting.add(task)
            task.add_done_callback(waiting.discard)
            await asyncio.sleep(0)
            assert len(table.running) <= 20
            if len(waiting) > 100:  # those that wait for the end of a task
                for running in list(table.running):
                    if running != honest:
                        await eve.ask("tasks/cancel", {"taskId": running})
        assert len(ids) > 20
        assert {0, -32602, -32000} <= kinds
        for running in list(table.running):
            if running != honest:
                await eve.ask("tasks/cancel", {"taskId": running})
        works.go.set()
        if version == STATELESS:
            assert (await ada.outcome(honest))["result"]["content"][0]["text"] == "held"
        else:
            assert (await ada.request("tasks/result", {"taskId": honest}))["content"][0]["text"] == "held"
        async with asyncio.timeout(20):
            await asyncio.gather(*waiting)
    await works.server.close()
    assert not table.running
    assert not table._timers
    assert not table._controls
