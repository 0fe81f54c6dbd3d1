"""A server that wants its answers as tasks (2025-11-25): it gets a task at once, and comes back for the answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.client import answer_tasks
from cloche.client.server_requests import ElicitRequest, SampleRequest
from cloche.errors import UserDeclinedError
from tests.client.foreign import OLD, ForeignServer
from tests.support.resilience_peers import until

FORM = {"type": "object", "properties": {"size": {"type": "integer"}}}
ELICIT = {"mode": "form", "message": "Which size?", "requestedSchema": FORM}
SAMPLE = {"messages": [{"role": "user", "content": {"type": "text", "text": "A bread?"}}], "maxTokens": 5}
ALL = {
    "list": {},
    "cancel": {},
    "requests": {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}},
}


class Asking(ForeignServer):
    """A server that asks, and counts its questions."""

    count = 0

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The client's whole answer."""
        self.count += 1
        self.say({"id": f"s{self.count}", "method": method, "params": params})
        return await self.answer_to(f"s{self.count}")

    async def begin(self, method: str, params: dict[str, Any], **wish: Any) -> dict[str, Any]:
        """The task that a question became."""
        found: dict[str, Any] = (await self.ask(method, **params, task=wish))["result"]["task"]
        return found


class Person:
    """Answers when the test lets them."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked: list[Any] = []
        self.ended: list[str] = []

    async def elicit(self, request: ElicitRequest) -> dict[str, int]:
        self.asked.append(request.message)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        return {"size": 3}

    async def sample(self, request: SampleRequest) -> str:
        self.asked.append(request.text)
        await self.go.wait()
        return "Rye"


async def test_both_questions_are_answered_as_tasks() -> None:
    server, person = Asking(), Person()
    async with server.client(version="2025-11-25", elicitation=person.elicit, sampling=person.sample):
        assert server.received[0]["params"]["capabilities"]["tasks"] == ALL
        form = await server.begin("elicitation/create", ELICIT, ttl=120_000)
        model = await server.begin("sampling/createMessage", SAMPLE)
        assert (form["status"], form["ttl"], form["statusMessage"]) == ("working", 120_000, "The user was asked")
        assert model["ttl"] == answer_tasks.USUAL_TTL * 1000
        assert form["taskId"] != model["taskId"]
        waiting = asyncio.create_task(server.ask("tasks/result", taskId=form["taskId"]))
        looked = (await server.ask("tasks/get", taskId=model["taskId"]))["result"]
        assert looked["status"] == "working"
        assert not waiting.done()
        person.go.set()
        filled = (await waiting)["result"]
        assert (filled["action"], filled["content"]) == ("accept", {"size": 3})
        assert filled["_meta"]["io.modelcontextprotocol/related-task"] == {"taskId": form["taskId"]}
        said = (await server.ask("tasks/result", taskId=model["taskId"]))["result"]
        assert said["content"] == {"type": "text", "text": "Rye"}
        listed = (await server.ask("tasks/list"))["result"]["tasks"]
        assert [(one["taskId"], one["status"]) for one in listed] == [
            (form["taskId"], "completed"),
            (model["taskId"], "completed"),
        ]
        assert person.asked == ["Which size?", "A bread?"]


async def test_a_task_is_cancelled_and_fails_as_a_request_would() -> None:
    server, person = Asking(), Person()

    async def declined(_: SampleRequest) -> str:
        raise UserDeclinedError("server-sampling")

    async with server.client(version="2025-11-25", elicitation=person.elicit, sampling=declined):
        form = await server.begin("elicitation/create", ELICIT)
        await until(lambda: bool(person.asked))
        assert (await server.ask("tasks/cancel", taskId=form["taskId"]))["result"]["status"] == "cancelled"
        await until(lambda: person.ended == ["cancelled"])
        assert (await server.ask("tasks/cancel", taskId=form["taskId"]))["error"]["code"] == -32602
        assert "cancelled" in (await server.ask("tasks/result", taskId=form["taskId"]))["error"]["message"]
        model = await server.begin("sampling/createMessage", SAMPLE)
        failed = (await server.ask("tasks/result", taskId=model["taskId"]))["error"]
        assert failed["message"] == UserDeclinedError("server-sampling").message
        assert (await server.ask("tasks/get", taskId=model["taskId"]))["result"]["status"] == "failed"
        assert (await server.ask("tasks/get", taskId="made up"))["error"]["code"] == -32602
        assert (await server.ask("elicitation/create", **ELICIT, task=7))["error"]["code"] == -32602


async def test_tasks_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    server, person = Asking(), Person()
    async with server.client(version="2025-11-25", elicitation=person.elicit, sampling=lambda _: "x" * 2_000_000):
        forms = [await server.begin("elicitation/create", ELICIT, ttl=1) for _ in range(answer_tasks.MAX_OPEN)]
        assert {one["ttl"] for one in forms} == {answer_tasks.SHORTEST_TTL * 1000}
        refused = await server.ask("elicitation/create", **ELICIT, task={})
        assert "16 tasks of this server are under way" in refused["error"]["message"]
        person.go.set()
        await server.ask("tasks/result", taskId=forms[-1]["taskId"])
        forever = await server.begin("elicitation/create", ELICIT, ttl=None)
        assert forever["ttl"] == answer_tasks.LONGEST_TTL * 1000
        long = await server.begin("sampling/createMessage", SAMPLE)
        assert "over 1048576 bytes" in (await server.ask("tasks/result", taskId=long["taskId"]))["error"]["message"]
        for _ in range(answer_tasks.MAX_KEPT):
            done = await server.begin("elicitation/create", ELICIT)
            await server.ask("tasks/result", taskId=done["taskId"])
        assert len((await server.ask("tasks/list"))["result"]["tasks"]) == answer_tasks.MAX_KEPT
        assert "error" in await server.ask("tasks/get", taskId=forms[0]["taskId"])


async def test_a_task_whose_time_is_over_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_tasks, "SHORTEST_TTL", 0.02)
    server, person = Asking(), Person()
    async with server.client(version="2025-11-25", elicitation=person.elicit):
        form = await server.begin("elicitation/create", ELICIT, ttl=20)
        waiting = asyncio.create_task(server.ask("tasks/result", taskId=form["taskId"]))
        assert "error" in await waiting
        assert (await server.ask("tasks/get", taskId=form["taskId"]))["error"]["code"] == -32602
        await until(lambda: person.ended == ["cancelled"])


async def test_closing_the_client_ends_its_tasks() -> None:
    server, person = Asking(), Person()
    async with server.client(version="2025-11-25", elicitation=person.elicit):
        await server.begin("elicitation/create", ELICIT)
        await until(lambda: bool(person.asked))
    assert person.ended == ["cancelled"]


async def test_other_versions_and_clients_have_no_such_tasks() -> None:
    person = Person()
    person.go.set()
    older = Asking(initialize={"result": {**OLD, "protocolVersion": "2025-06-18"}})
    async with older.client(version="2025-06-18", elicitation=person.elicit):
        assert "tasks" not in older.received[0]["params"]["capabilities"]
        assert (await older.ask("elicitation/create", **ELICIT, task={}))["result"]["action"] == "accept"
        assert (await older.ask("tasks/list"))["error"]["code"] == -32601
    silent = Asking()
    async with silent.client(version="2025-11-25", roots=["file:///srv"]):
        assert "tasks" not in silent.received[0]["params"]["capabilities"]
        assert (await silent.ask("tasks/list"))["error"]["code"] == -32601
        assert (await silent.ask("elicitation/create", **ELICIT, task={}))["error"]["code"] == -32601
