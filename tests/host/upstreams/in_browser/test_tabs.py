"""Which tab answers, and what becomes of a call when its tab goes."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from cloche.errors import LocalProtocolError, UnknownNameError, UpstreamError
from cloche.host import Host, HostLimits, InBrowser
from cloche.host.users import new_visitor
from tests.host.upstreams.in_browser.tabs import Page, hosted, names, said, session, tab, text, until, until_listed
from tests.support.host_surface import SECRET, connect, make_server


async def test_a_tab_that_is_closed_in_the_middle_of_a_call_ends_it_with_a_sentence() -> None:
    async with hosted(InBrowser(ask="never")) as wrapper, tab(wrapper) as page:
        page.holds.add("write")
        call = await session(wrapper).start("mine.write", {})
        await page.until_asked("tools/call")
        await page.leave()
        with pytest.raises(UpstreamError, match="'mine' was closed before it answered; nobody knows how far it got"):
            await call.result()
        assert wrapper.host.timeline.entries(action="call")[0].outcome == "failed"


async def test_a_tab_that_is_closed_while_its_visitor_is_asked_has_not_run_the_tool() -> None:
    async with hosted() as wrapper, tab(wrapper, says=None) as page:
        call = await session(wrapper).start("mine.write", {})
        await page.socket.frame("ask")
        await page.leave()
        with pytest.raises(UpstreamError, match="closed while its visitor was asked; the tool did not run"):
            await call.result()


async def test_a_call_goes_on_when_the_socket_drops_and_comes_back() -> None:
    async with hosted() as wrapper, tab(wrapper, says="page") as page:
        page.holds.add("write")
        call = await session(wrapper).start("mine.write", {})
        await page.until_asked("tools/call")
        await page.socket.drop()
        other = await session(wrapper).start("mine.read", {})  # asked for while nobody is there
        await page.resumed(await connect(wrapper))
        page.say(id=page.held["write"]["id"], result=text("written after all"))
        assert said(await call.result()) == "written after all"
        assert said(await other.result()) == "read in page"
        assert len(page.questions) == 2  # leave is for the page, not for its socket
        actions = [entry.action for entry in wrapper.host.timeline.entries(server="mine")]
        assert actions.count("detached") == actions.count("attached") == 1


async def test_a_page_that_does_not_come_back_is_gone_after_a_while() -> None:
    async with hosted(InBrowser(ask="never")) as wrapper:
        wrapper.routes.mounts.keep_seconds = 0.05
        async with tab(wrapper) as page:
            page.holds.add("write")
            call = await session(wrapper).start("mine.write", {})
            await page.until_asked("tools/call")
            await page.socket.drop()
            with pytest.raises(UpstreamError, match="was closed before it answered"):
                await call.result()
            assert await names(wrapper) == []


async def test_the_tab_that_was_looked_at_last_answers_and_when_it_goes_the_one_before() -> None:
    async with hosted(InBrowser(ask="never")) as wrapper:

        async def is_answered(by: str) -> bool:
            return said(await session(wrapper).run("mine.read", {})) == f"read in {by}"

        async with tab(wrapper, name="first") as first, tab(wrapper, name="second") as second:
            assert await is_answered(by="second")
            async with tab(wrapper, name="hidden", visible=False) as hidden:
                assert await is_answered(by="second")
                hidden.answers["tools/list"] = lambda _: {"tools": [{"name": "alone", "inputSchema": {}}]}
                hidden.send(event="visible")
                await until_listed(wrapper, "alone")
                first.holds.add("write")
                first.send(event="visible")
                await until_listed(wrapper, "read", "write", "wipe")
                call = await session(wrapper).start("mine.write", {})
                await first.until_asked("tools/call")
                second.send(event="visible")
                await until(wrapper, partial(is_answered, by="second"))
                # What is under way stays where it is.
                first.say(id=first.held["write"]["id"], result=text("written in first"))
                assert said(await call.result()) == "written in first"
            await second.leave()
            await until(wrapper, partial(is_answered, by="first"))


async def test_a_tab_without_a_connection_lets_another_one_answer_until_it_is_back() -> None:
    quiet = InBrowser(ask="never")
    async with hosted(quiet) as wrapper, tab(wrapper, name="first"), tab(wrapper, name="second") as one:
        await one.socket.drop()
        assert said(await session(wrapper).run("mine.read", {})) == "read in first"
        await one.resumed(await connect(wrapper))
        await one.socket.frame("resumed")
        assert said(await session(wrapper).run("mine.read", {})) == "read in second"


async def test_of_too_many_tabs_the_one_that_was_looked_at_longest_ago_is_let_go() -> None:
    limits = HostLimits(tabs=2)
    async with hosted(limits=limits) as wrapper, tab(wrapper) as first, tab(wrapper), tab(wrapper):
        assert (await first.refused())["code"] == "limit"
        assert len(session(wrapper).tabs) == 2


async def test_who_gives_up_while_the_server_is_greeted_takes_it_from_nobody() -> None:
    async with hosted(InBrowser(ask="never")) as wrapper, tab(wrapper) as page:
        greeting = page.answers.pop("initialize")
        listing = asyncio.create_task(session(wrapper).tools())
        message = await page.until_asked("initialize")
        listing.cancel()
        await asyncio.gather(listing, return_exceptions=True)
        page.say(id=message["id"], result=greeting(message["params"]))
        assert said(await session(wrapper).run("mine.read", {})) == "read in page"


async def test_a_server_that_cannot_be_greeted_is_told_to_the_page() -> None:
    async with hosted() as wrapper, tab(wrapper) as page:
        page.answers["initialize"] = lambda _: {"protocolVersion": "1999-01-01"}
        assert await names(wrapper) == []
        assert "cannot be greeted" in session(wrapper).problems["mine"]
        assert (await page.refused())["code"] == "silent"


async def test_the_list_is_fetched_again_when_the_page_says_that_it_changed() -> None:
    async with hosted() as wrapper, tab(wrapper) as page:
        assert len(await names(wrapper)) == 3
        page.answers["tools/list"] = lambda _: {"tools": [{"name": "new", "inputSchema": {"type": "object"}}]}
        assert len(await names(wrapper)) == 3
        page.say(method="notifications/tools/list_changed")
        await until_listed(wrapper, "new")


async def test_a_session_that_is_closed_takes_its_tabs_with_it_and_one_with_tabs_is_not_idle() -> None:
    async with hosted() as wrapper, tab(wrapper) as page:
        assert not session(wrapper).is_idle
        await session(wrapper).close()
        assert (await page.refused())["code"] == "closed"
        assert await names(wrapper) == []


async def test_a_session_that_is_revoked_takes_its_tabs_with_it_and_its_offers_are_withdrawn() -> None:
    async with hosted() as wrapper, tab(wrapper) as page:
        ticket = session(wrapper).offer("mine")
        await session(wrapper).revoke()
        assert (await page.refused())["code"] == "closed"
        socket = await connect(wrapper)
        late = Page(socket)
        late.offer(ticket)
        assert "withdrawn" in (await late.refused())["message"]
        await socket.drop()
        again = await Page(await connect(wrapper)).offered(session(wrapper).offer("mine"))
        await again.stop()
        await again.socket.drop()


async def test_only_what_is_declared_can_be_offered() -> None:
    per_user = Host({"mine": lambda user: InBrowser(), "dice": make_server()}, secret=SECRET)
    assert per_user.session("ann").offer("mine")
    with pytest.raises(LocalProtocolError, match="declare it with InBrowser"):
        per_user.session("ann").offer("dice")
    with pytest.raises((LocalProtocolError, UnknownNameError)):
        per_user.session("ann").offer("nothing")
    with pytest.raises(LocalProtocolError, match="A visitor without a name offers no server"):
        per_user.session_of(new_visitor()).offer("mine")
    await per_user.close()
