"""When a session is over, its pages do not stay connected: whatever they show ends, and the connection says why."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from html import unescape

import pytest

from cloche.host import HostLimits, HostSession
from cloche.host.web.socket import NOT_ALLOWED
from cloche.host.web.wrapper import Wrapper
from tests.support.host_surface import Socket, connect, show, ticket_of, wrapped


def ticket_of_element(markup: str) -> str:
    """The ticket of an element of any kind."""
    (ticket,) = re.findall(r' ticket="([^"]+)"', markup)
    return unescape(ticket)


async def preloaded(wrapper: Wrapper, socket: Socket, number: int) -> None:
    """A page that has got ready for a view."""
    made = await wrapper.host.session("ann").preload("dice.roll")
    socket.say({"open": number, "preload": ticket_of_element(made)})
    await socket.frame("mount", view=number)


async def questions(wrapper: Wrapper, socket: Socket, number: int) -> None:
    """A page that shows what servers ask."""
    socket.say({"open": number, "questions": ticket_of_element(wrapper.host.session("ann").questions_element())})
    await socket.frame("mount", view=number)


async def view(wrapper: Wrapper, socket: Socket, number: int) -> None:
    """A page that shows a view."""
    await show(wrapper, socket, number)


Opens = Callable[[Wrapper, Socket, int], Awaitable[None]]


@pytest.mark.parametrize("opens", [view, preloaded, questions], ids=lambda one: one.__name__)
@pytest.mark.parametrize("how", ["revoke", "close"])
async def test_the_connection_of_a_session_that_ends_ends_with_it(how: str, opens: Opens) -> None:
    """Also that of a page which does not take its elements away, as ours does."""
    async with wrapped() as wrapper:
        socket, other = await connect(wrapper), await connect(wrapper)
        await opens(wrapper, socket, 1)
        of_bob = await show(wrapper, other, 1, await ticket_of(wrapper, user="bob"))
        await getattr(wrapper.host.session("ann"), how)()
        reason = {"revoke": "The session was revoked", "close": "The session was closed"}[how]
        assert await socket.ended() == (NOT_ALLOWED, reason)
        last = [frame for frame in socket.frames if "error" in frame or "do" in frame][-1]
        assert reason in str(last)
        of_bob.greet()
        await other.told("ui/notifications/tool-result")  # somebody else's goes on
        await other.drop()


async def test_an_evicted_session_takes_its_connections_along() -> None:
    async with wrapped(limits=HostLimits(sessions=2)) as wrapper:
        socket, other = await connect(wrapper), await connect(wrapper)
        await preloaded(wrapper, socket, 1)  # nothing is shown: the session counts as idle
        await show(wrapper, other, 1, await ticket_of(wrapper, user="bob"))
        wrapper.host.session("cleo")
        code, reason = await socket.ended()
        assert (code, "too many users" in reason) == (NOT_ALLOWED, True)
        assert (await socket.frame("error", view=1))["error"]["message"] == reason
        assert other.closed is None
        await other.drop()


async def test_a_page_with_views_of_two_users_keeps_those_of_the_other() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        await view(wrapper, socket, 1)
        of_bob = await show(wrapper, socket, 2, await ticket_of(wrapper, user="bob"))
        await wrapper.host.session("ann").revoke()
        of_bob.greet()
        await socket.told("ui/notifications/tool-result")
        assert socket.closed is None
        await wrapper.host.session("bob").revoke()
        assert await socket.ended() == (NOT_ALLOWED, "The session was revoked")


async def test_a_view_that_came_back_on_another_connection_ends_there() -> None:
    async with wrapped() as wrapper:
        first = await connect(wrapper)
        shown = await show(wrapper, first)
        await first.drop()
        second = await connect(wrapper)
        shown.resume(second)
        await second.frame("resumed", view=1)
        await wrapper.host.session("ann").close()
        assert await second.ended() == (NOT_ALLOWED, "The session was closed")


async def test_a_preload_that_is_withdrawn_while_it_is_being_read_opens_nothing() -> None:
    async with wrapped() as wrapper:
        session: HostSession = wrapper.host.session("ann")
        socket = await connect(wrapper)
        read = session.pages.read

        async def meanwhile(server: str, uri: str) -> object:
            source = await read(server, uri)
            await session.revoke()
            return source

        made = await session.preload("dice.roll")
        session.pages.read = meanwhile  # type: ignore[method-assign,assignment]
        socket.say({"open": 1, "preload": ticket_of_element(made)})
        assert "withdrawn" in (await socket.frame("error", view=1))["error"]["message"]
        await socket.drop()


async def test_after_the_host_is_closed_pages_hear_that_and_may_come_back_to_another_process() -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        await view(wrapper, socket, 1)
        await wrapper.host.close()
        assert socket.closed is None
        await wrapper.close()
        assert (await socket.ended())[1] == "The host is closing"
