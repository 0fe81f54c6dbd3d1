"""H10 to H14, H26, H28: sessions belong to who made them, ids to their session, and neither lives for ever."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Limits, Server
from cloche.auth import StaticTokens
from cloche.serve.http.sessions import HttpSession
from cloche.server.session import Session
from tests.serve.security.surface import Surface, check_next_works, check_refusal, turn_until
from tests.support.http_client import HttpClient, Legacy, message, streaming

ANN = (b"authorization", b"Bearer anns-token-0123456789")
BOB = (b"authorization", b"Bearer bobs-token-0123456789")


def table(client: HttpClient) -> Any:
    return client.app.handshake.table  # type: ignore[attr-defined]


def session_of(legacy: Legacy) -> HttpSession:
    found: HttpSession = table(legacy.client).sessions[legacy.id.encode()]
    return found


def echo(text: str, request_id: Any = 1, tool: str = "echo") -> dict[str, Any]:
    return message("tools/call", {"name": tool, "arguments": {"text": text}}, request_id)


# H10


async def test_H10_session_ids_cannot_be_guessed() -> None:
    client = Surface().client()
    ids = [(await client.initialize()).id for _ in range(200)]
    assert len(set(ids)) == 200
    assert {len(one) for one in ids} == {32}  # 192 bits in base64
    assert len({one[:4] for one in ids}) > 190  # and none of them a counter
    other = "A" if ids[0].endswith("_") else "_"
    for guess in ("0", "1", "admin", ids[0][:-1] + other, ids[0] + "x", ids[0].swapcase(), "", "../../etc/passwd"):
        stranger = Legacy(client, guess, "2025-11-25")
        check_refusal(await stranger.call("echo", text="x"), 404)
    await check_next_works(client)


async def test_H10_a_session_belongs_to_its_principal() -> None:
    surface = Surface()
    tokens = StaticTokens({"anns-token-0123456789": "ann", "bobs-token-0123456789": "bob"})
    client = surface.client(auth=tokens)
    anns = await client.initialize("2025-11-25", None, ANN)
    stolen = Legacy(client, anns.id, "2025-11-25", [BOB])
    check_refusal(await stolen.call("echo", text="stolen"), 404)
    check_refusal(await stolen.get().answer(), 404)
    check_refusal(await stolen.delete(), 404)
    check_refusal(await Legacy(client, anns.id, "2025-11-25").call("echo", text="stolen"), 401)
    assert surface.ran == []
    assert (await anns.call("echo", text="mine")).text == "mine"

    # Without principals there is nothing to bind to: whoever has the id has the session.
    control = Surface()
    open_client = control.client()
    made = await open_client.initialize()
    assert (await Legacy(open_client, made.id, "2025-11-25", [BOB]).call("echo", text="stolen")).text == "stolen"


async def test_H10_a_session_ends_with_delete_and_with_the_process() -> None:
    surface = Surface()
    client = surface.client()
    session = await client.initialize()
    assert (await session.call("echo", text="alive")).text == "alive"
    assert (await session.delete()).status == 204
    for replay in (await session.call("echo", text="x"), await session.get().answer(), await session.delete()):
        check_refusal(replay, 404)
    assert len(table(client)) == 0

    other = await client.initialize()
    restarted = HttpClient(Surface().server.asgi())
    check_refusal(await Legacy(restarted, other.id, "2025-11-25").call("echo", text="x"), 404)
    assert (await (await restarted.initialize()).call("echo", text="again")).text == "again"


# H11


async def test_H11_a_second_stream_cannot_steal_the_first() -> None:
    surface = Surface()
    client = surface.client()
    session = await client.initialize()
    async with streaming(session.get()) as first:
        assert "already" in check_refusal(await session.get().answer(), 409)
        await surface.server.notify("custom/news", {"text": "for the first"})
        assert (await first.events(1))[0]["params"] == {"text": "for the first"}

        # The attack itself: a server that forgets its first stream gives everything to the second.
        session_of(session).stream = None
        async with streaming(session.get()) as second:
            await surface.server.notify("custom/news", {"text": "stolen"})
            assert (await second.events(1))[0]["params"] == {"text": "stolen"}
            assert b"stolen" not in first.body
    async with streaming(session.get()) as later:
        assert later.status == 200  # once it is closed, the next may come


# H12


async def test_H12_an_id_in_flight_is_refused_and_the_first_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    surface = Surface()
    session = await surface.client().initialize()
    first = session.open(echo("first", "same", "wait"))
    await surface.entered.wait()
    second = await session.post(echo("second", "same"))
    assert second.status == 200
    assert second.error["code"] == -32600
    assert second.json["id"] == "same"
    assert surface.ran == ["first"]
    surface.release.set()
    assert (await first.answer()).text == "first"
    assert (await session.post(echo("free again", "same"))).text == "free again"

    # Without the check the second takes the id over, and a cancellation meant for it can no longer reach the first.
    def take_over(self: Session, exchange: Any) -> None:
        self.in_flight[exchange.id] = exchange

    monkeypatch.setattr(Session, "track", take_over)
    control = Surface()
    session = await control.client().initialize()
    first = session.open(echo("first", "same", "wait"))
    await control.entered.wait()
    assert (await session.post(echo("second", "same"))).text == "second"
    assert control.ran == ["first", "second"]
    await session.post(message("notifications/cancelled", {"requestId": "same"}, None))
    control.release.set()
    assert (await first.answer()).text == "first"


async def test_H12_one_and_the_text_1_are_two_ids() -> None:
    surface = Surface()
    session = await surface.client().initialize()
    first = session.open(echo("number", 1, "wait"))
    await surface.entered.wait()
    assert (await session.post(echo("text", "1"))).json["id"] == "1"
    surface.release.set()
    assert (await first.answer()).json["id"] == 1


# H13


async def test_H13_the_same_id_in_two_sessions_is_two_requests() -> None:
    surface = Surface()
    client = surface.client()
    ann, bob = await client.initialize(), await client.initialize()
    calls = [ann.open(echo("for ann", 1, "wait")), bob.open(echo("for bob", 1, "wait"))]
    await turn_until(lambda: len(surface.ran) == 2)
    await ann.post(message("notifications/cancelled", {"requestId": 1}, None))
    cancelled = await calls[0].answer()
    assert cancelled.body == b""  # whoever cancels wants no answer
    surface.release.set()
    assert (await calls[1].answer()).text == "for bob"

    # One table for all sessions is what makes the collision.
    surface.entered.clear()
    surface.release.clear()
    session_of(bob).in_flight = session_of(ann).in_flight
    held = ann.open(echo("for ann", 7, "wait"))
    await surface.entered.wait()
    assert (await bob.post(echo("for bob", 7))).error["code"] == -32600
    surface.release.set()
    assert (await held.answer()).text == "for ann"


async def test_H13_stateless_clients_all_use_id_1() -> None:
    surface = Surface()
    client = surface.client()
    clients = [HttpClient(client.app) for _ in range(20)]  # each counts from 1
    texts = [f"canary-{number}" for number in range(20)]
    calls = [asyncio.ensure_future(one.call("wait", text=text)) for one, text in zip(clients, texts, strict=True)]
    await turn_until(lambda: len(surface.ran) == 20)
    surface.release.set()
    answers = await asyncio.gather(*calls)
    assert [answer.text for answer in answers] == texts
    assert {answer.json["id"] for answer in answers} == {1}


# H14


async def test_H14_an_answer_reaches_only_a_question_of_its_own_session() -> None:
    surface = Surface()
    client = surface.client()
    ann = await client.initialize(capabilities={"elicitation": {}})
    eve = await client.initialize(capabilities={"elicitation": {}})
    call = ann.open(message("tools/call", {"name": "ask", "arguments": {}}))
    (question,) = await call.events(1)
    forged = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "eve"}}}
    assert (await eve.post(forged)).status == 202
    assert (await ann.post({**forged, "id": "cloche-99"})).status == 202
    assert (await ann.post({**forged, "id": 1})).status == 202
    assert session_of(eve).stray == 1
    assert session_of(ann).stray == 2
    assert not call.task.done()
    real = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "ann"}}}
    assert (await ann.post(real)).status == 202
    answered = (await call.answer()).events[-1]
    assert answered["result"]["content"][0]["text"] == "accept {'name': 'ann'}"
    assert (await ann.post(real)).status == 202  # a second time it answers nothing
    assert session_of(ann).stray == 3

    # One table of questions for all sessions, and the forgery works.
    session_of(eve).pending = session_of(ann).pending
    call = ann.open(message("tools/call", {"name": "ask", "arguments": {}}, 2))
    (question,) = await call.events(1)
    await eve.post({**forged, "id": question["id"]})
    assert "'eve'" in (await call.answer()).events[-1]["result"]["content"][0]["text"]


async def test_H14_a_stateless_client_has_nothing_to_answer() -> None:
    client = Surface().client()
    forged = {"jsonrpc": "2.0", "id": "cloche-1", "result": {"action": "accept"}}
    check_refusal(await client.post(forged, (b"mcp-protocol-version", b"2026-07-28")), 400, -32600)
    await check_next_works(client)


# H26


async def test_H26_sessions_are_limited_and_the_refusal_costs_nobody_else() -> None:
    client = Surface(limits=Limits(sessions=3)).client()
    sessions = [await client.initialize() for _ in range(3)]
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    for _ in range(5):
        refused = await client.post(message("initialize", params, 5))
        check_refusal(refused, 503, -32000)
        assert "mcp-session-id" not in refused.headers
    assert len(table(client)) == 3
    assert (await sessions[0].call("echo", text="still here")).text == "still here"
    await check_next_works(client)  # the stateless era needs no session
    await sessions[1].delete()
    assert (await (await client.initialize()).call("echo", text="new")).text == "new"

    control = Surface(limits=Limits(sessions=10_000)).client()
    for _ in range(20):
        await control.initialize()
    assert len(table(control)) == 20


async def test_H26_a_session_without_a_word_is_forgotten_and_one_that_listens_is_kept() -> None:
    client = Surface(limits=Limits(session_idle_seconds=0.05)).client()
    silent, listening = await client.initialize(), await client.initialize()
    async with streaming(listening.get()):
        await turn_until(lambda: len(table(client)) == 1)
        assert list(table(client).sessions) == [listening.id.encode()]
        check_refusal(await silent.call("echo", text="x"), 404)
        assert (await listening.call("echo", text="here")).text == "here"
    await table(client).close()

    patient = Surface(limits=Limits(session_idle_seconds=1800)).client()
    kept = await patient.initialize()
    table(patient)._sweep()
    assert (await kept.call("echo", text="here")).text == "here"
    await table(patient).close()


async def test_H26_what_a_client_says_of_itself_is_kept_and_therefore_short() -> None:
    client = Surface().client()
    info = {"name": "x", "version": "1"}
    large = {"experimental": {"x": "y" * 100_000}}
    params = {"protocolVersion": "2025-11-25", "capabilities": large, "clientInfo": info}
    check_refusal(await client.post(message("initialize", params)), 400, -32602)
    assert len(table(client)) == 0
    kept = await client.initialize(capabilities={"experimental": {"x": "y" * 10_000}})
    assert (await kept.request("resources/subscribe", {"uri": "x://" + "y" * 10_000})).error["code"] == -32602
    assert (await kept.request("resources/subscribe", {"uri": "x://" + "y" * 1000})).result == {}


async def test_H26_one_session_has_so_many_requests_under_way() -> None:
    surface = Surface(limits=Limits(in_flight=3))
    session = await surface.client().initialize()
    held = [session.open(echo("", number, "wait")) for number in range(3)]
    await turn_until(lambda: len(surface.ran) == 3)
    assert (await session.post(echo("one too many", 9))).error["code"] == -32600
    surface.release.set()
    assert [(await call.answer()).status for call in held] == [200] * 3
    assert (await session.post(echo("fits", 9))).text == "fits"

    lifted = Surface(limits=Limits(in_flight=100))
    session = await lifted.client().initialize()
    held = [session.open(echo("", number, "wait")) for number in range(4)]
    await turn_until(lambda: len(lifted.ran) == 4)
    lifted.release.set()
    assert [(await call.answer()).status for call in held] == [200] * 4


async def test_sessions_of_one_server_are_not_those_of_another() -> None:
    ours = Surface().client()
    session = await ours.initialize()
    other = HttpClient(Server("other").asgi())
    check_refusal(await Legacy(other, session.id, "2025-11-25").request("ping"), 404)
