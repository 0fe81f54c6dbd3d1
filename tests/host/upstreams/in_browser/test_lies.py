"""Pages that lie: nothing that one of them says reaches another user, or costs the host more than a little.

Each attack has its control: the same without the protection, or the honest message beside the forged one, gets through.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cloche.errors import McpError, RequestTimeoutError, UpstreamError
from cloche.host import Host, HostLimits, InBrowser
from cloche.host.tickets import OfferTicket
from tests.host.upstreams.in_browser.tabs import TOOLS, Page, hosted, names, said, session, tab, text
from tests.host.web.test_hostile_frames import MESSAGE
from tests.support.host_surface import connect, ticket_of

QUIET = InBrowser(ask="never")


async def refusal(wrapper: Any, ticket: Any) -> dict[str, Any]:
    socket = await connect(wrapper)
    page = Page(socket)
    page.offer(ticket)
    error = await page.refused()
    await socket.drop()
    return error


async def test_a_forged_changed_or_expired_ticket_offers_nothing() -> None:
    async with hosted() as wrapper:
        good = session(wrapper).offer("mine")
        other = Host({"mine": InBrowser()}, secret="another secret of sixteen bytes").session("ann").offer("mine")
        body, _, signature = good.rpartition(".")
        old = wrapper.host.tickets.make(
            OfferTicket(user="ann", server="mine", born=time.time(), expires=int(time.time()) - 1)
        )
        for ticket in ("", "x", "a.b", good[:-1], f"A{body[1:]}.{signature}", f"A{good}", other, old):
            assert (await refusal(wrapper, ticket))["code"] == "ticket", ticket
        assert await names(wrapper) == []
        page = await Page(await connect(wrapper)).offered(good)  # the control
        assert await names(wrapper) != []
        await page.stop()
        await page.socket.drop()


async def test_a_ticket_of_a_view_offers_no_server_and_the_other_way_round() -> None:
    async with hosted() as wrapper:
        assert (await refusal(wrapper, await ticket_of(wrapper)))["code"] == "ticket"
        socket = await connect(wrapper)
        socket.say({"open": 1, "ticket": session(wrapper).offer("mine")})
        assert (await socket.frame("error", view=1))["error"]["code"] == "ticket"
        await socket.drop()


async def test_a_server_that_is_not_declared_cannot_be_offered_even_with_our_signature() -> None:
    async with hosted() as wrapper:
        for name in ("dice", "nothing", ""):
            ticket = wrapper.host.tickets.make(
                OfferTicket(user="ann", server=name, born=time.time(), expires=int(time.time()) + 60)
            )
            assert (await refusal(wrapper, ticket))["code"] == "ticket"
        assert session(wrapper).tabs == {}


async def test_a_tab_is_one_users_upstream_and_nobody_elses() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper, "ann", name="of ann"), tab(wrapper, "bob", name="of bob"):
        for user in ("ann", "bob"):
            assert said(await session(wrapper, user).run("mine.read", {})) == f"read in of {user}"
        assert await names(wrapper, "eve") == []
        assert list(session(wrapper, "ann").tabs) != list(session(wrapper, "bob").tabs)


async def test_another_page_cannot_take_up_a_tab_without_its_key() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page:
        thief = await connect(wrapper)
        stolen = {"open": 1, "resume": page.packet["id"], "got": 0}
        thief.say({**stolen, "key": "x"})
        assert (await thief.frame("error"))["error"]["code"] == "gone"
        far = await connect(wrapper, origin="http://127.0.0.1:8000", host="127.0.0.1:8000")
        far.say({**stolen, "key": page.packet["key"]})
        assert (await far.frame("error"))["error"]["code"] == "gone"
        thief.say({**stolen, "key": page.packet["key"], "got": page.socket.frames[-1].get("n", 0)})
        await thief.frame("resumed")  # the control: with the key it is the same page
        await thief.drop()
        await far.drop()


async def test_an_answer_that_nobody_asked_for_answers_nothing() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page:
        page.holds.add("write")
        call = await session(wrapper).start("mine.write", {})
        await page.until_asked("tools/call")
        number = page.held["write"]["id"]
        prefix, _, count = number.rpartition("-")
        for forged in (
            f"{prefix}-{int(count) + 1}",
            f"{prefix}-{int(count) + 99}",
            int(count),
            "",
            None,
            -1,
            1,
            [],
            {},
        ):
            page.say(id=forged, result=text("forged"))
        page.say(method="notifications/progress", params={"progressToken": f"{prefix}-{int(count) + 1}", "progress": 1})
        page.say(id=number, result=text("honest"))  # the control
        assert said(await call.result()) == "honest"
        page.say(id=number, result=text("twice"))
        assert said(await session(wrapper).run("mine.read", {})) == "read in page"


@pytest.mark.parametrize("result", [None, 5, "text", [], [1], True])
async def test_a_result_that_is_none_is_an_error_of_the_page(result: Any) -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page:
        await names(wrapper)
        page.answers["tools/call"] = lambda _: result
        with pytest.raises(McpError):
            await session(wrapper).run("mine.read", {})
        page.answers["tools/call"] = lambda _: text("well")
        assert said(await session(wrapper).run("mine.read", {})) == "well"


LISTS: dict[str, Any] = {
    "no list": lambda _: {"tools": 5},
    "text": lambda _: {"tools": "read"},
    "nothing": lambda _: {},
    "never ends": lambda _: {"tools": TOOLS, "nextCursor": "more"},
    "odd cursor": lambda _: {"tools": TOOLS, "nextCursor": {"a": 1}},
    "too long": lambda said: {"tools": [{"name": f"{len(said)}t{n}", "description": "x" * 500} for n in range(1000)],
                                **({} if "cursor" in said else {"nextCursor": "b"})},
}  # fmt: skip


@pytest.mark.parametrize("kind", LISTS)
async def test_a_list_that_is_none_or_too_long_is_no_list(kind: str) -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page, tab(wrapper, "bob"):
        honest, page.answers["tools/list"] = page.answers["tools/list"], LISTS[kind]
        assert await names(wrapper) == []
        assert re.search("'mine' is none|lists more tools than a host can use", session(wrapper).problems["mine"])
        assert len(await names(wrapper, "bob")) == 3
        page.answers["tools/list"] = honest
        assert len(await names(wrapper)) == 3


async def test_the_long_list_is_one_without_the_limit() -> None:
    """The control of the one above."""
    async with hosted(QUIET, limits=HostLimits(tab_list_bytes=10**9)) as wrapper, tab(wrapper) as page:
        page.answers["tools/list"] = LISTS["too long"]
        assert len(await names(wrapper)) == 2000


async def test_entries_that_are_no_tools_are_left_out() -> None:
    odd = [5, None, "x", {}, {"name": 7}, {"name": None}, {"name": ["x"]}, *TOOLS[:1], {"name": "", "annotations": 5}]
    async with hosted() as wrapper, tab(wrapper) as page:
        page.answers["tools/list"] = lambda _: {"tools": odd}
        assert "mine_read" in await names(wrapper)
        assert said(await session(wrapper).run("mine.read", {})) == "read in page"


FLOODS: dict[str, Any] = {
    "notifications": lambda page, number: page.say(method="notifications/tools/list_changed"),
    "forged answers": lambda page, number: page.say(id=number + 1000, result={}),
    "questions": lambda page, number: page.say(id=f"q{number}", method="ping"),
    "events": lambda page, number: page.send(event="visible"),
}


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_page_that_floods_is_cut_off_and_others_notice_nothing(kind: str) -> None:
    limits = HostLimits(rate=1, burst=10, refusals=50)
    async with hosted(QUIET, limits=limits) as wrapper, tab(wrapper) as page, tab(wrapper, "bob"):
        await names(wrapper)
        for number in range(100):
            FLOODS[kind](page, number)
        assert (await page.refused())["code"] == "flood"
        assert len(wrapper.host.timeline.entries(action="misbehaved")) <= 50
        assert said(await session(wrapper, "bob").run("mine.read", {})) == "read in page"
        assert await names(wrapper) == []
    unlimited = HostLimits(rate=1e9, burst=10**9)
    async with hosted(QUIET, limits=unlimited) as wrapper, tab(wrapper) as page:  # the control
        await names(wrapper)
        for number in range(100):
            FLOODS[kind](page, number)
        assert said(await session(wrapper).run("mine.read", {})) == "read in page"


async def test_answers_to_what_was_asked_do_not_count_as_a_flood() -> None:
    limits = HostLimits(rate=0.001, burst=1, refusals=5)
    async with hosted(QUIET, limits=limits) as wrapper, tab(wrapper):
        results = await asyncio.gather(*(session(wrapper).run("mine.read", {}) for _ in range(40)))
        assert {said(result) for result in results} == {"read in page"}


def nested(depth: int) -> Any:
    return json.loads("[" * depth + "]" * depth)


@pytest.mark.parametrize(("allowed", "passes"), [(20, False), (60, True)])
async def test_an_answer_that_is_nested_too_deeply_is_an_error(allowed: int, passes: bool) -> None:
    limits = HostLimits(message_depth=allowed)
    async with hosted(QUIET, limits=limits) as wrapper, tab(wrapper) as page:
        await names(wrapper)
        page.answers["tools/call"] = lambda _: {**text("deep"), "structuredContent": {"a": nested(30)}}
        if passes:
            assert said(await session(wrapper).run("mine.read", {})) == "deep"
        else:
            with pytest.raises(McpError, match="nested"):
                await session(wrapper).run("mine.read", {})


async def test_a_frame_that_is_too_long_ends_this_page_alone() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page, tab(wrapper, "bob") as other:
        await names(wrapper)
        page.answers["tools/call"] = lambda _: text("x" * 1_100_000)
        other.answers["tools/call"] = lambda _: text("x" * 900_000)  # the control
        call = await session(wrapper).start("mine.read", {})
        code, reason = await page.socket.ended()
        assert (code, "longer than" in reason) == (1008, True)
        assert len(said(await session(wrapper, "bob").run("mine.read", {}))) == 900_000
        await call.cancel()


async def test_a_page_that_never_answers_costs_its_own_user_a_deadline() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page, tab(wrapper, "bob"):
        page.holds.add("read")
        await names(wrapper)
        upstream = session(wrapper).upstream("mine")
        with pytest.raises(RequestTimeoutError):
            await upstream.call_tool("read", {}, timeout=0.05)
        await page.until_asked("notifications/cancelled")
        assert said(await session(wrapper, "bob").run("mine.read", {})) == "read in page"


async def test_a_page_that_never_lists_its_tools_costs_no_more_than_a_call_may_take() -> None:
    limits = HostLimits(call_seconds=0.05)
    async with hosted(QUIET, limits=limits) as wrapper, tab(wrapper) as page, tab(wrapper, "bob"):
        del page.answers["tools/list"]
        for find in (session(wrapper).start, session(wrapper).preload):
            with pytest.raises(UpstreamError, match=r"mine\.read: the server did not list its tools within 0\.05 s"):
                await find("mine.read")
        await names(wrapper, "bob")
        assert (await session(wrapper, "bob").start("mine.read")).status == "running"


async def test_questions_of_the_server_in_the_page_are_answered_with_an_error() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page:
        await names(wrapper)
        for number, method in enumerate(["sampling/createMessage", "roots/list", "elicitation/create", "x"]):
            page.say(id=f"q{number}", method=method, params={})
            frame = await page.socket.until(
                lambda wanted=f"q{number}": next(
                    (one for one in page.socket.frames if one.get("message", {}).get("id") == wanted), None
                )
            )
            assert frame["message"]["error"]["code"] in (-32601, -32602, -32600)


async def test_pages_that_come_and_go_leave_nothing_behind() -> None:
    async with hosted(QUIET) as wrapper:
        for number in range(200):
            async with tab(wrapper, f"user {number % 5}") as page:
                await names(wrapper, f"user {number % 5}")
                await page.leave()
        await asyncio.sleep(0)
        gc.collect()
        assert wrapper.routes.mounts.by_id == {}
        assert all(session(wrapper, f"user {number}").tabs == {} for number in range(5))
        upstreams = [session(wrapper, f"user {number}").upstream("mine") for number in range(5)]
        assert {upstream.status for upstream in upstreams} == {"idle"}


async def test_secrets_of_a_tab_do_not_stand_on_the_timeline() -> None:
    async with hosted(QUIET) as wrapper, tab(wrapper) as page:
        await session(wrapper).run("mine.read", {})
        written = wrapper.host.timeline.export("json")
        assert page.packet["key"] not in written
        assert page.packet["id"] in written


async def test_a_user_whose_pages_offer_all_the_time_is_slowed_down() -> None:
    async with hosted(QUIET, limits=HostLimits(offer_burst=3)) as wrapper:
        socket = await connect(wrapper)
        ticket = session(wrapper).offer("mine")
        for number in range(1, 11):
            socket.say({"open": number, "offer": ticket})
        await socket.frame("error", view=10)
        assert [frame["view"] for frame in socket.frames if "mount" in frame] == [1, 2, 3]
        async with tab(wrapper, "bob"):  # the control: it is this user's own fault
            assert len(await names(wrapper, "bob")) == 3
        await socket.drop()


async def said_all(messages: list[dict[str, Any]]) -> None:
    """Say all this as a page; then everything works as before, for it and for others."""
    async with hosted(QUIET) as wrapper, tab(wrapper) as page, tab(wrapper, "bob"):
        await names(wrapper)
        for message in messages:
            page.send(message=message)
        for user in ("ann", "bob"):
            assert said(await session(wrapper, user).run("mine.read", {})) == "read in page"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MESSAGE, max_size=12))
def test_whatever_a_page_says_nothing_fails_inside(
    caplog: pytest.LogCaptureFixture, messages: list[dict[str, Any]]
) -> None:
    caplog.clear()
    asyncio.run(said_all(messages))
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
