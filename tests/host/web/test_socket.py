"""A page's socket: what opens a view, what comes back after a break, and what ends the connection."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cloche.host import Entry, HostLimits, Policy
from cloche.host.web import channel as channel_module
from cloche.host.web import mounts as mounts_module
from cloche.host.web import socket as socket_module
from cloche.host.web.wrapper import Wrapper
from tests.support.host_page import CONTEXT
from tests.support.host_surface import HandshakeError, Socket, connect, get, make_server, show, ticket_of, wrapped


def actions(wrapper: Wrapper) -> list[str]:
    return [entry.action for entry in wrapper.host.timeline.entries()]


async def noted(wrapper: Wrapper, action: str) -> Entry:
    """Wait until the timeline has an entry of this kind."""
    came = asyncio.Event()
    stop = wrapper.host.timeline.on_entry(lambda _: came.set())
    async with asyncio.timeout(5):
        while not (found := wrapper.host.timeline.entries(action=action)):
            came.clear()
            await came.wait()
    stop()
    return found[0]


async def test_a_ticket_opens_its_view_with_everything_the_page_needs() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        packet = view.packet
        assert (packet["server"], packet["tool"]) == ("dice", "roll")
        assert packet["html"].startswith("body/")
        assert packet["initialize"]["hostContext"]["theme"] == "dark"
        assert packet["sandbox"]["url"].startswith(packet["sandbox"]["origin"] + "/cloche/sandbox?p=")
        assert packet["frame"] == {"sandbox": "allow-scripts allow-forms", "allow": ""}
        view.greet()
        result = await socket.told("ui/notifications/tool-result")
        assert result["message"]["params"]["structuredContent"] == {"rolled": 6}
        await socket.drop()


async def test_what_a_page_invents_opens_nothing() -> None:
    async with wrapped() as wrapper:
        good = await ticket_of(wrapper)
        socket = await connect(wrapper)
        wrong = ["", "x", good[:-1], good + "A", "a.b", good.split(".")[0]]
        for number, ticket in enumerate(wrong, 1):
            socket.say({"open": number, "ticket": ticket})
            error = (await socket.frame("error", view=number))["error"]
            assert error["code"] == "ticket"
        invented: list[dict[str, Any]] = [
            {"server": "dice", "tool": "roll", "arguments": {}},
            {"server": "git", "tool": "log", "arguments": {}},
            {"server": "dice", "tool": "nothing", "arguments": {}},
        ]
        for number, frame in enumerate(invented, 50):
            socket.say({"open": number, **frame})
            assert "page_tools" in (await socket.frame("error", view=number))["error"]["message"]
        assert not [one for one in socket.frames if "mount" in one]
        await socket.drop()
    async with wrapped(page_tools=["dice.roll"]) as control:
        socket = await connect(control)
        socket.say({"open": 1, "server": "dice", "tool": "roll", "arguments": {"sides": 8}, "context": CONTEXT})
        assert (await socket.frame("mount"))["mount"]["tool"] == "roll"
        await socket.drop()


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        ("nonsense", "not JSON"),
        ({"open": 1, "ticket": "x", "more": 1}, "not one that a page may send"),
        ({"hello": 1}, "once"),
        ({"view": 1, "n": 1, "message": "x"}, "not one that a page may send"),
        ({}, "not one that a page may send"),
    ],
)
async def test_a_frame_that_is_none_ends_the_connection_with_its_reason(frame: Any, reason: str) -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        socket.say(frame)
        code, text = await socket.ended()
        assert code == 1008
        assert reason in text
        assert len(text.encode()) <= 123


async def test_the_first_frame_is_hello_and_comes_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    async with wrapped() as wrapper:
        for first in ({"open": 1, "ticket": "x"}, {"hello": 2}, {"close": 1}):
            socket = await connect(wrapper, hello=False)
            socket.say(first)
            assert (await socket.ended())[0] == 1008
        monkeypatch.setattr(socket_module, "HELLO_SECONDS", 0.01)
        socket = await connect(wrapper, hello=False)
        assert "handshake" in (await socket.ended())[1]


async def test_a_connection_without_a_view_is_closed_after_a_while() -> None:
    async with wrapped(limits=HostLimits(unopened_seconds=0.02, idle_seconds=0.02)) as wrapper:
        used = await connect(wrapper)
        view = await show(wrapper, used)
        idle = await connect(wrapper)
        assert (await idle.ended()) == (1001, "No view is open")
        view.ask(1, "ping")
        await view.answer(1)
        used.say({"close": 1})
        assert (await used.ended())[0] == 1001


async def test_frames_are_text_and_of_the_right_subprotocol() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        socket.say_bytes(b"{}")
        assert (await socket.ended())[0] == 1003
        for wrong in ([], ["mcp"], ["cloche.2"]):
            with pytest.raises(HandshakeError) as refused:
                await connect(wrapper, subprotocols=wrong)
            assert refused.value.status == 400


async def test_a_page_that_sends_too_much_is_cut_off_and_others_are_not() -> None:
    async with wrapped(limits=HostLimits(frame_burst=100, frame_rate=1.0)) as wrapper:
        loud, calm = await connect(wrapper), await connect(wrapper)
        for _ in range(200):
            loud.say({"close": 5})
        code, reason = await loud.ended()
        assert (code, reason) == (1008, "The page sends too much")
        view = await show(wrapper, calm)
        assert view.packet["tool"] == "roll"
        await calm.drop()


async def test_there_are_only_so_many_pages_with_a_view_and_views_on_a_page() -> None:
    async with wrapped(limits=HostLimits(sockets=1, page_views=1)) as wrapper:
        socket, other = await connect(wrapper), await connect(wrapper)
        await show(wrapper, socket)
        for one, number in ((socket, 2), (other, 1)):
            one.say({"open": number, "ticket": await ticket_of(wrapper)})
            assert (await one.frame("error", view=number))["error"]["code"] == "limit"
        await socket.drop()
        await show(wrapper, other, number=2)
        await other.drop()


async def test_after_a_break_nothing_is_lost_and_nothing_comes_twice() -> None:
    async with wrapped() as wrapper:
        first = await connect(wrapper)
        view = await show(wrapper, first)
        view.greet()
        await first.told("ui/notifications/tool-result")
        view.ask(1, "tools/call", name="wait", arguments={})
        await first.until(lambda: wrapper.routes.mounts.by_id[view.packet["id"]].channel.received == 3)
        seen = view.got
        await first.drop()
        # While it is broken the view's host side says something, and the page has something to say.
        other = wrapper.host.session("ann")
        await other.run("dice.let_go", {})
        second = await connect(wrapper)
        view.resume(second, got=seen - 1)
        resumed = await second.frame("resumed")
        assert resumed["resumed"] == 3
        answer = await view.answer(1)
        assert answer["message"]["result"]["content"][0]["text"] == "waited"
        numbers = [one["n"] for one in second.frames if "n" in one]
        assert numbers[:2] == [seen, seen + 1], "the one that was lost came again, then the answer"
        # A frame that the host has already is not taken twice.
        second.say({"view": 1, "n": 3, "message": {"jsonrpc": "2.0", "id": 9, "method": "tools/list"}})
        view.ask(4, "ping")
        await view.answer(4)
        assert not [one for one in second.frames if one.get("message", {}).get("id") == 9]
        await second.drop()


async def test_the_order_of_messages_survives_many_breaks() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        view.greet()
        await socket.told("ui/notifications/tool-result")
        everything: dict[int, Any] = {one["n"]: one for one in socket.frames if "n" in one}
        for turn in range(10):
            for step in range(5):
                view.ask(100 + 5 * turn + step, "ping")
            if turn % 3:
                await view.answer(100 + 5 * turn)
            everything |= {one["n"]: one for one in socket.frames if "n" in one}
            await socket.drop()
            everything |= {one["n"]: one for one in socket.frames if "n" in one}
            socket = await connect(wrapper)
            view.resume(socket, got=max(everything))
            received = (await socket.frame("resumed"))["resumed"]
            assert received <= view.sent
            # What the host did not get before the break is sent again.
            for number in range(received + 1, view.sent + 1):
                request = {"jsonrpc": "2.0", "id": 100 + number - 3, "method": "ping", "params": {}}
                socket.say({"view": 1, "n": number, "message": request})
        await view.answer(149) if 149 not in _ids(everything) else None
        everything |= {one["n"]: one for one in socket.frames if "n" in one}
        assert sorted(_ids(everything)) == list(range(100, 150))
        assert sorted(everything) == list(range(1, max(everything) + 1))
        await socket.drop()


def _ids(frames: dict[int, Any]) -> list[int]:
    return [one["message"]["id"] for one in frames.values() if "id" in one.get("message", {})]


async def test_only_the_page_with_the_key_gets_a_view_back() -> None:
    async with wrapped(origins=["https://other.example.com"]) as wrapper:
        first = await connect(wrapper)
        view = await show(wrapper, first)
        await first.drop()
        for key in ("", "x", view.packet["key"][:-1], view.packet["id"]):
            thief = await connect(wrapper)
            view.resume(thief, key=key, got=0)
            assert (await thief.frame("error"))["error"]["code"] == "gone"
            await thief.drop()
        foreign = await connect(wrapper, origin="https://other.example.com")
        view.resume(foreign, got=0)
        assert (await foreign.frame("error"))["error"]["code"] == "gone"
        await foreign.drop()
        own = await connect(wrapper)
        view.resume(own, got=0)
        await own.frame("resumed")
        await own.drop()


async def test_a_new_socket_takes_the_view_from_one_that_only_seems_alive() -> None:
    async with wrapped() as wrapper:
        old = await connect(wrapper)
        view = await show(wrapper, old)
        view.greet()
        await old.told("ui/notifications/tool-result")
        new = await connect(wrapper)
        view.resume(new, got=view.got)
        await new.frame("resumed")
        view.ask(1, "ping")
        await view.answer(1)
        before = len(old.frames)
        await old.drop()
        view.ask(2, "ping")
        await view.answer(2)
        assert len(old.frames) == before
        await new.drop()


async def test_a_view_without_a_page_is_kept_for_a_while_and_then_closed() -> None:
    async with wrapped() as wrapper:
        wrapper.routes.mounts.keep_seconds = 0.01
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        await socket.drop()
        assert "too long" in ((await noted(wrapper, "closed")).problem or "")
        late = await connect(wrapper)
        view.resume(late, got=0)
        assert (await late.frame("error"))["error"]["code"] == "gone"
        await late.drop()
        assert len(wrapper.routes.mounts.bodies) == 0


async def test_a_page_that_takes_an_element_off_closes_its_view_at_once() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        socket.say({"close": 1})
        other = await show(wrapper, socket, 2)
        assert "closed" in actions(wrapper)
        view.send(message={"jsonrpc": "2.0", "method": "x"})  # was under way
        other.ask(1, "ping")
        await other.answer(1)
        assert list(wrapper.routes.mounts.by_id) == [other.packet["id"]]
        await socket.drop()


async def test_a_page_that_leaves_while_a_view_is_opening_leaves_nothing() -> None:
    policy = Policy(permission="ask")
    async with wrapped(make_server(permissions=["camera"]), policy=policy) as wrapper:
        socket = await connect(wrapper)
        socket.say({"open": 1, "ticket": await ticket_of(wrapper)})
        await socket.frame("ask")
        await socket.drop()
        await noted(wrapper, "closed")
        assert wrapper.routes.mounts.by_id == {}
        assert wrapper.host.session("ann").views == {}


async def test_a_question_before_the_view_is_shown_is_answered_over_the_same_line() -> None:
    async with wrapped(make_server(permissions=["camera"])) as wrapper:
        for number, value in ((1, True), (2, False)):
            socket = await connect(wrapper)
            socket.say({"open": number, "ticket": await ticket_of(wrapper)})
            asked = await socket.frame("ask")
            assert asked["n"] == 1
            socket.say({"view": number, "n": 1, "answer": asked["ask"], "value": value})
            packet = (await socket.frame("mount"))["mount"]
            assert packet["frame"]["allow"] == ("camera" if value else "")
            await socket.drop()


async def test_large_messages_go_by_ticketed_get_and_are_gone_once_acknowledged() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        view.greet()
        await socket.told("ui/notifications/tool-result")
        held = len(wrapper.routes.mounts.bodies)
        view.ask(1, "tools/call", name="big", arguments={"size": 300_000})
        body = await socket.frame("body")
        assert body["free"] is True
        assert len(json.dumps(body)) < 1000
        answer = await get(wrapper, f"/cloche/{body['body']}")
        message = json.loads(answer.body)
        assert message["id"] == 1
        assert len(message["result"]["content"][0]["text"]) == 300_000
        view.ask(2, "tools/call", name="big", arguments={"size": 1000})
        await view.answer(2)
        assert len(wrapper.routes.mounts.bodies) == held + 1
        socket.say({"view": 1, "got": view.got})
        view.ask(3, "ping")
        await view.answer(3)
        assert len(wrapper.routes.mounts.bodies) == held
        assert (await get(wrapper, f"/cloche/{body['body']}")).status == 404
        await socket.drop()


async def test_the_page_hears_what_arrived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts_module, "TICK", 0.01)
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        view.greet()
        await socket.frame("got", got=2)
        monkeypatch.setattr(mounts_module, "TICK", 3600.0)
        for number in range(32):
            view.ask(number, "ping")
        await socket.frame("got", got=34)
        await socket.drop()


async def test_acknowledging_what_was_never_sent_ends_the_connection() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        await show(wrapper, socket)
        socket.say({"view": 1, "got": 10_000})
        assert (await socket.ended())[0] == 1008


async def test_a_missing_frame_ends_the_connection_so_that_the_page_sends_it_again() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        view.sent += 1
        view.ask(1, "ping")
        code, reason = await socket.ended()
        assert (code, "missing" in reason) == (1008, True)
        again = await connect(wrapper)
        view.resume(again, got=view.got)
        assert (await again.frame("resumed"))["resumed"] == 0
        await again.drop()


async def test_a_page_that_never_acknowledges_loses_its_view_and_not_the_hosts_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel_module, "MAX_KEPT", 20)
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        view.greet()
        for number in range(30):
            view.ask(number, "ping")
        error = (await socket.frame("error"))["error"]
        assert error["code"] == "overload"
        other = await show(wrapper, socket, 2)
        assert list(wrapper.routes.mounts.by_id) == [other.packet["id"]]
        await socket.drop()


async def test_one_users_ticket_never_shows_anothers_call() -> None:
    async with wrapped() as wrapper:
        ann, ben = await ticket_of(wrapper, user="ann", sides=4), await ticket_of(wrapper, user="ben", sides=20)
        for ticket, rolled in ((ann, 4), (ben, 20)):
            socket = await connect(wrapper)
            view = await show(wrapper, socket, ticket=ticket)
            view.greet()
            result = await socket.told("ui/notifications/tool-result")
            assert result["message"]["params"]["structuredContent"] == {"rolled": rolled}
            await socket.drop()


async def test_a_slow_server_holds_up_nobody_else_on_the_page() -> None:
    server = make_server()
    gate = asyncio.Event()

    @server.resource("ui://slow", mime_type="text/html;profile=mcp-app")
    async def slow_page() -> str:
        await gate.wait()
        return "<p>slow</p>"

    server.register_tool(lambda: "slow", name="slow", meta={"ui": {"resourceUri": "ui://slow"}})
    async with wrapped(server) as wrapper:
        socket = await connect(wrapper)
        socket.say({"open": 7, "ticket": await ticket_of(wrapper, "dice.slow")})
        await show(wrapper, socket, 1)
        assert not [one for one in socket.frames if one.get("view") == 7]
        gate.set()
        await socket.frame("mount", view=7)
        await socket.drop()


async def test_a_view_that_never_opens_does_not_keep_the_host_from_closing() -> None:
    server = make_server()

    @server.resource("ui://never", mime_type="text/html;profile=mcp-app")
    async def never() -> str:
        await asyncio.Event().wait()
        return ""

    server.register_tool(lambda: "x", name="never", meta={"ui": {"resourceUri": "ui://never"}})
    async with wrapped(server) as wrapper:
        socket = await connect(wrapper)
        socket.say({"open": 1, "ticket": await ticket_of(wrapper, "dice.never")})
        await show(wrapper, socket, 2)
        async with asyncio.timeout(5):
            await wrapper.close()
        assert (await socket.ended())[0] == 1001


async def test_when_the_host_closes_views_and_connections_end() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        await show(wrapper, socket)
        await wrapper.close()
        code, _ = await socket.ended()
        assert code == 1001
        assert wrapper.routes.mounts.by_id == {}


async def test_a_page_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_module, "MAX_WAITING", 50)
    async with wrapped() as wrapper:
        socket: Socket = await connect(wrapper)
        view = await show(wrapper, socket)
        socket.stop_reading()
        for number in range(100):
            view.ask(number, "ping")
        await asyncio.sleep(0)
        socket._reads.set()
        code, reason = await socket.ended()
        assert (code, reason) == (1013, "The page does not read")


async def test_a_page_that_never_reads_again_cannot_hold_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_module, "MAX_WAITING", 50)
    monkeypatch.setattr(socket_module, "CLOSE_SECONDS", 0.02)
    async with wrapped() as wrapper:
        socket: Socket = await connect(wrapper)
        view = await show(wrapper, socket)
        socket.stop_reading()
        for number in range(100):
            view.ask(number, "ping")
        async with asyncio.timeout(5):
            await socket.task
        assert socket.closed is None
        again = await connect(wrapper)
        view.resume(again, got=0)
        await again.frame("resumed")
        await again.drop()
