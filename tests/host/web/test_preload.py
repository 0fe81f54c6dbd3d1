"""`session.preload`: what a page is told of views that it will show, and what that lets nobody do."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from cloche import Csp, View
from cloche.host import Policy
from cloche.host.web.wrapper import Wrapper
from tests.support.host_surface import FRAME, Socket, connect, get, make_server, show, wrapped


async def preload(wrapper: Wrapper, *names: str, user: str = "ann") -> list[str]:
    """The tickets of the elements that get a page ready."""
    made = await wrapper.host.session(user).preload(*names)
    return [unescape(ticket) for ticket in re.findall(r'<mcp-app-preload ticket="([^"]+)">', made)]


async def prepare(socket: Socket, ticket: str, number: int = 1) -> dict[str, Any]:
    """What a page gets that shows such a ticket."""
    socket.say({"open": number, "preload": ticket})
    packet: dict[str, Any] = (await socket.frame("mount", view=number))["mount"]
    return packet


async def test_a_page_is_told_how_the_view_will_be_loaded_and_nothing_of_a_call() -> None:
    async with wrapped() as wrapper:
        (ticket,) = await preload(wrapper, "dice.roll")
        call = await wrapper.host.session("ann").start("dice.roll", {})
        socket = await connect(wrapper)
        prepared = await prepare(socket, ticket)
        assert f' view="{prepared["view"]}"' in call.embed()
        assert set(prepared) == {"id", "key", "view", "frame", "limits", "greetings", "html", "sandbox", "early"}
        view = await show(wrapper, socket, 2)
        assert view.packet["early"] == prepared["early"]
        assert view.packet["sandbox"]["origin"] == prepared["sandbox"]["origin"]
        bodies = [await get(wrapper, f"/cloche/{packet['html']}") for packet in (prepared, view.packet)]
        assert bodies[0].body == bodies[1].body
        await socket.drop()


async def test_the_page_knows_the_greeting_beforehand_but_for_the_id_of_the_call() -> None:
    async with wrapped() as wrapper:
        (ticket,) = await preload(wrapper, "dice.roll")
        call = await wrapper.host.session("ann").start("dice.roll", {})
        assert f' call="{call.id} roll"' in call.embed()
        socket = await connect(wrapper)
        greeting = (await prepare(socket, ticket))["greetings"]["roll"]
        socket.say({"open": 2, "ticket": call.ticket(), "context": {}})
        packet = (await socket.frame("mount", view=2))["mount"]
        assert greeting["hostContext"]["toolInfo"].pop("id") == ""
        assert packet["initialize"]["hostContext"]["toolInfo"].pop("id") == call.id
        assert json.dumps(greeting) == json.dumps(packet["initialize"])  # the page compares texts
        await socket.drop()


async def test_greetings_that_are_large_are_not_sent_beforehand() -> None:
    server = make_server()

    @server.tool(view=View("<p>large</p>"), description="x" * 70_000)
    async def large() -> str:
        return ""

    async with wrapped(server) as wrapper:
        small, heavy = await preload(wrapper, "dice.roll", "dice.large")
        socket = await connect(wrapper)
        found = [(await prepare(socket, ticket, number))["greetings"] for number, ticket in ((1, small), (2, heavy))]
        assert sorted(map(len, found)) == [0, 1]
        await socket.drop()


async def test_tools_without_a_view_and_tools_with_the_same_one_need_no_element_of_their_own() -> None:
    async with wrapped() as wrapper:
        assert len(await preload(wrapper, "dice.roll", "dice.roll", "dice.let_go")) == 1
        assert ' view="' not in (await wrapper.host.session("bob").start("dice.roll", {})).embed()


async def test_the_proxy_page_that_a_page_is_ready_for_is_kept_by_the_browser_with_its_policy() -> None:
    async with wrapped() as wrapper:
        (ticket,) = await preload(wrapper, "dice.roll")
        socket = await connect(wrapper)
        answers = []
        for packet in (await prepare(socket, ticket), (await show(wrapper, socket, 2)).packet):
            url = urlsplit(packet["sandbox"]["url"])
            answers.append(await get(wrapper, f"{url.path}?{url.query}", *FRAME, host=url.netloc))
        lasting, plain = (answer.headers for answer in answers)
        assert (lasting["cache-control"], lasting["vary"]) == ("private, max-age=3600", "Sec-Fetch-Dest")
        assert plain["cache-control"] == "no-store"
        for name in ("content-security-policy", "permissions-policy", "connection-allowlist"):
            assert lasting[name] == plain[name]
        await socket.drop()


async def test_a_preload_ticket_opens_no_view_and_a_ticket_prepares_none() -> None:
    async with wrapped() as wrapper:
        (ticket,) = await preload(wrapper, "dice.roll")
        call = await wrapper.host.session("ann").start("dice.roll", {})
        socket = await connect(wrapper)
        socket.say({"open": 1, "ticket": ticket, "context": {}})
        socket.say({"open": 2, "preload": call.ticket()})
        socket.say({"open": 3, "preload": ticket[:-3] + "AAA"})
        for number in (1, 2, 3):
            assert (await socket.frame("error", view=number))["error"]["code"] == "ticket"
        await socket.drop()


async def test_a_withdrawn_preload_ticket_prepares_nothing() -> None:
    async with wrapped() as wrapper:
        (ticket,) = await preload(wrapper, "dice.roll")
        await wrapper.host.session("ann").revoke()
        socket = await connect(wrapper)
        socket.say({"open": 1, "preload": ticket})
        assert (await socket.frame("error", view=1))["error"]["code"] == "ticket"
        await socket.drop()


async def test_what_the_user_or_the_browser_is_asked_about_is_never_begun_early() -> None:
    asking, refusing = {"server": make_server(permissions=["camera"])}, {"policy": Policy(leaky_browsers="refuse")}
    options: dict[str, Any]
    for options in (asking, refusing):
        async with wrapped(**options) as wrapper:
            (ticket,) = await preload(wrapper, "dice.roll")
            socket = await connect(wrapper)
            assert "early" not in await prepare(socket, ticket)
            await socket.drop()


async def test_another_policy_is_another_way_to_load() -> None:
    found = []
    for csp in (Csp(), Csp(connect=["https://api.example.com"])):
        async with wrapped(server=make_server(csp=csp)) as wrapper:
            (ticket,) = await preload(wrapper, "dice.roll")
            socket = await connect(wrapper)
            found.append((await prepare(socket, ticket))["early"])
            await socket.drop()
    assert found[0] != found[1]


async def test_what_the_view_is_told_first_comes_with_it_and_is_sent_again() -> None:
    async with wrapped() as wrapper:
        call = await wrapper.host.session("ann").start("dice.roll", {})
        await call.result()
        socket = await connect(wrapper)
        view = await show(wrapper, socket, 1, call.ticket())
        methods = ["ui/notifications/tool-input", "ui/notifications/tool-result"]
        assert [message["method"] for message in view.packet["first"]] == methods
        view.greet()
        assert [(await socket.told(method))["message"] for method in methods] == view.packet["first"]
        await socket.drop()
