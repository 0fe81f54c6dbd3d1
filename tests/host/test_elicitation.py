"""Servers that ask the user: from every kind of upstream, over the page or by the product, within limits."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cloche import Context, Server, View
from cloche.errors import McpError
from cloche.host import Elicitation, Host, HostLimits, HostSession, Policy
from cloche.wire.types import ElicitResult
from tests.host.servers import PAGE
from tests.support import talking
from tests.support.asked_person import Person, decoded
from tests.support.host_page import ORIGIN, Page, hosting, ticket_in

CONTENT = {"name": "Ann", "mail": "a@b.example", "count": 3, "weight": 1.5, "gift": True, "size": "l", "extras": ["c"]}


def asking(schema: Any = talking.FORM, message: str = talking.MESSAGE, **options: Any) -> Server:
    """A server with a tool that asks."""
    server = Server("shop")

    @server.tool(**options)
    async def order(ctx: Context) -> str:
        """Order something."""
        said = await ctx.elicit(message, schema)
        return f"{said.action} {json.dumps(said.data) if said.accepted else ''}".strip()

    return server


async def run(host: Host, user: str = "ann", tool: str = "shop.order") -> str:
    result = await host.session(user).run(tool)
    return str(result["content"][0]["text"])


@pytest.mark.parametrize("kind", talking.WAYS)
async def test_a_form_and_an_address_from_every_kind_of_upstream(kind: str) -> None:
    async with talking.upstream_of(kind) as spec, hosting({"talking": spec}) as host:
        ann, chat = await Person().at(host), host.session("ann")
        call = await chat.start("talking.talk", {"about": "form"})
        question = await ann.says({"content": CONTENT})
        assert decoded(await call.result()) == ["accept", CONTENT]
        assert (question["details"], question["over"]) == ({"message": talking.MESSAGE}, "page")
        assert "“talking”" in question["title"]
        assert question["form"]["properties"]["size"]["oneOf"][1] == {"const": "l", "title": "Large"}
        for value, action in ((False, "decline"), ("cancel", "cancel")):
            call = await chat.start("talking.talk", {"about": "form"})
            await ann.says(value)
            assert decoded(await call.result()) == [action, None]
        call = await chat.start("talking.talk", {"about": "url"})
        question = await ann.says(True)
        assert decoded(await call.result()) == ["accept", None]
        assert (question["link"], question["title"]) == (talking.URL, "Open pay.example?")
        assert question["details"]["address"] == talking.URL
        entries = host.timeline.entries(action="elicitation")
        assert [one.decision for one in entries] == ["approved", "denied", "denied", "approved"]
        assert {(one.decision_by, one.user) for one in entries} == {("user", "ann")}
        assert "Ann" not in str(entries[0].args)  # what a person enters is the server's and nobody else's


async def test_without_a_page_the_answer_is_cancel_at_once_and_says_why() -> None:
    async with hosting({"shop": asking()}) as host:
        assert await run(host) == "cancel"
        (entry,) = host.timeline.entries(action="elicitation")
        assert (entry.decision_by, entry.problem) == (
            "policy",
            "Nobody could be asked: no page of this user is connected",
        )


async def test_a_question_waits_for_the_view_of_its_call_and_is_shown_over_the_page() -> None:
    async with hosting({"shop": asking(view=View(PAGE))}) as host:
        call = await host.session("ann").start("shop.order")
        page = await Page().open(host, ticket_in(call.embed()))
        frame = await page.asked()
        assert frame["question"]["over"] == "page"
        page.view.answered(frame["ask"], {"content": {"name": "Bob", "count": 1}})
        assert (await call.result())["content"][0]["text"] == 'accept {"name": "Bob", "count": 1}'
        await page.until(lambda one: one.get("unask") == frame["ask"])


async def test_every_page_of_the_user_is_asked_and_the_first_answer_counts() -> None:
    async with hosting({"shop": asking()}) as host:
        one, two, other = await Person().at(host), await Person().at(host), await Person().at(host, "eve")
        running = asyncio.ensure_future(run(host))
        first, second = await one.asked(), await two.asked()
        assert first == second
        other.page.answered(first["ask"], {"content": {"name": "Eve", "count": 9}})  # not her question
        late = await Person().at(host)
        assert await late.asked() == first
        two.page.answered(first["ask"], False)
        assert await running == "decline"
        assert await asyncio.wait_for(one.frames.get(), 5) == {"unask": first["ask"]}
        assert other.frames.empty()


async def test_a_page_that_is_closed_ends_the_question() -> None:
    async with hosting({"shop": asking()}) as host:
        ann = await Person().at(host)
        running = asyncio.ensure_future(run(host))
        await ann.asked()
        await ann.page.close("gone")
        assert await running == "cancel"


async def test_a_call_that_is_cancelled_takes_its_question_back(caplog: pytest.LogCaptureFixture) -> None:
    async with hosting({"shop": asking()}) as host:
        ann = await Person().at(host)
        call = await host.session("ann").start("shop.order")
        frame = await ann.asked()
        await call.cancel()
        assert await asyncio.wait_for(ann.frames.get(), 5) == {"unask": frame["ask"]}
        await call.over()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_no_answer_in_time_cancels_and_a_person_who_writes_has_more() -> None:
    limits = HostLimits(elicit_seconds=0.2, call_seconds=0.3)
    async with hosting({"shop": asking()}, limits=limits) as host:
        ann = await Person().at(host)
        running = asyncio.ensure_future(run(host))
        frame = await ann.asked()
        for _ in range(3):  # the time of the call is over meanwhile, and does not count
            await asyncio.sleep(0.12)
            ann.page.answered(frame["ask"], "seen")
        assert await running == "cancel"
        (entry,) = host.timeline.entries(action="elicitation")
        assert (entry.decision, entry.decision_by) == ("timeout", "timeout")
        assert float(entry.duration_ms or 0) > 450


async def test_three_declines_in_a_row_stop_the_asking_until_it_is_allowed_again() -> None:
    async with hosting({"shop": asking()}) as host:
        ann, chat = await Person().at(host), host.session("ann")
        texts = []
        for value in (False, "cancel", False):
            running = asyncio.ensure_future(run(host))
            texts.append((await ann.says(value))["text"])
            await running
        assert ["decline once more" in text for text in texts] == [False, False, True]
        assert await run(host) == "decline"
        assert chat.questions_off == {"shop"}
        assert "allow_questions" in str(host.timeline.entries(action="elicitation")[-1].problem)
        chat.allow_questions("shop")
        running = asyncio.ensure_future(run(host))
        await ann.says({"content": {"name": "Ann", "count": 1}})
        assert (await running).startswith("accept")
        assert chat.questions_off == frozenset()


async def test_a_view_of_a_server_whose_questions_are_off_has_a_button_that_allows_them() -> None:
    async with hosting({"shop": asking(view=View(PAGE))}) as host:
        chat = host.session("ann")
        call = await chat.start("shop.order")
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        for _ in range(3):
            page.view.answered((await page.asked())["ask"], False)
            await call.result()
            page.frames.clear()
            call = await chat.start("shop.order")
        assert (await call.result())["content"][0]["text"] == "decline"
        await page.until(lambda frame: frame.get("do") == "questions" and frame["off"] is True)
        page.view.event("allow-questions", {})
        assert chat.questions_off == frozenset()
        assert host.timeline.entries(action="questions-on")[0].server == "shop"
        await page.until(lambda frame: frame.get("do") == "questions" and frame["off"] is False)


async def test_what_does_not_fit_is_asked_again_and_never_reaches_the_server() -> None:
    async with hosting({"shop": asking()}) as host:
        ann = await Person().at(host)
        running = asyncio.ensure_future(run(host))
        await ann.says({"content": {"name": "Ann", "count": 99}})
        question = await ann.says({"content": {"name": "A", "count": 1}})
        assert (question["problem"], question["values"]["count"]) == ("The field 'count' is too small or too large", 99)
        await ann.says({"content": {"name": "Ann", "count": 1, "admin": True}})
        assert await running == "cancel"


async def test_the_product_may_ask_with_an_interface_of_its_own() -> None:
    answers: list[Any] = [
        {"name": "Ann", "count": 1}, None, ElicitResult("cancel"), {"name": "Ann"}, RuntimeError("broken")
    ]  # fmt: skip
    seen: list[Elicitation] = []

    async with hosting({"shop": asking()}) as host:

        @host.on_elicit
        async def elicit(session: HostSession, wanted: Elicitation) -> Any:
            seen.append(wanted)
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        found = [await run(host) for _ in range(5)]
        assert found == ['accept {"name": "Ann", "count": 1}', "decline", "cancel", "cancel", "cancel"]
        assert (seen[0].server, seen[0].tool, seen[0].mode, seen[0].message) == (
            "shop", "order", "form", talking.MESSAGE
        )  # fmt: skip
        assert seen[0].call in host.session("ann").calls


async def test_a_policy_that_denies_tells_servers_that_nobody_can_be_asked() -> None:
    class Careful(Policy):
        async def decide(self, request: Any) -> Any:
            return (
                "deny" if request.kind == "elicitation" and request.server == "shop" else await super().decide(request)
            )

    async with hosting({"shop": asking()}, policy=Policy(elicitation="deny")) as host:
        with pytest.raises(McpError, match="did not declare"):
            await run(host)
    async with hosting({"shop": asking()}, policy=Careful()) as host:
        await Person().at(host)
        assert await run(host) == "decline"


async def test_on_a_connection_of_all_users_only_the_one_with_a_call_is_asked() -> None:
    """In the handshake era a question says nothing about the request that it belongs to."""
    async with talking.upstream_of("fastmcp object") as spec, hosting({"talking": spec}) as host:
        ann, bob = await Person().at(host, "ann"), await Person().at(host, "bob")
        call = await host.session("bob").start("talking.talk", {"about": "form"})
        await bob.says(False)
        await call.result()
        assert ann.frames.empty()
        held = await host.session("ann").start("talking.talk", {"about": "form"})
        await ann.asked()
        call = await host.session("bob").start("talking.talk", {"about": "form"})
        assert decoded(await call.result()) == ["cancel", None]  # whose is it? Nobody is asked
        assert "Nobody knows which user" in str(host.timeline.entries(action="elicitation")[-1].problem)
        await held.cancel()


async def test_a_view_that_calls_a_tool_has_its_user_asked_over_the_page() -> None:
    async with hosting({"shop": asking(view=View(PAGE))}) as host:
        call = await host.session("ann").start("shop.order")
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        page.view.answered((await page.asked())["ask"], False)
        await call.result()
        page.frames.clear()
        number = page.post("tools/call", {"name": "order", "arguments": {}})
        page.view.answered((await page.asked())["ask"], {"content": {"name": "Ann", "count": 1}})
        answer = await page.answer_to(number)
        assert answer["result"]["content"][0]["text"].startswith("accept")


async def test_a_flood_of_questions_is_cut_and_the_user_sees_few() -> None:
    server = Server("pest")

    @server.tool
    async def pester(ctx: Context) -> list[str]:
        asked = [ctx.elicit(f"Again {number}?", talking.FORM) for number in range(20)]
        return [said.action for said in await asyncio.gather(*asked)]

    async with hosting({"pest": server}, limits=HostLimits(question_burst=4)) as host:
        ann = await Person().at(host)
        call = await host.session("ann").start("pest.pester")
        for _ in range(3):
            await ann.says({"content": {"name": "Ann", "count": 1}})
        actions = (await call.result())["structuredContent"]["result"]
        assert (actions.count("accept"), actions.count("cancel")) == (3, 17)
        call = await host.session("ann").start("pest.pester")
        await ann.says({"content": {"name": "Ann", "count": 1}})
        assert (await call.result())["structuredContent"]["result"].count("accept") == 1  # the rate
        limits = {entry.problem for entry in host.timeline.entries(action="budget")}
        assert any("server_questions" in str(one) for one in limits)
        assert any("question_rate" in str(one) for one in limits)


async def test_a_ticket_for_questions_is_for_nothing_else_and_can_be_withdrawn() -> None:
    async with hosting({"shop": asking()}) as host:
        ticket = host.session("ann").questions_element().split('"')[1]
        with pytest.raises(McpError, match="not one of this host"):
            await Page().open(host, ticket)
        ann = await Person().at(host)
        await host.session("ann").revoke()
        assert "error" in await asyncio.wait_for(ann.frames.get(), 5)
        with pytest.raises(McpError, match="withdrawn"):
            await host._open_questions(ticket, page_origin=ORIGIN, send=lambda _: None, admitted=lambda: None)


async def test_too_many_pages_for_questions_are_refused() -> None:
    async with hosting({"shop": asking()}, limits=HostLimits(question_pages=1)) as host:
        await Person().at(host)
        with pytest.raises(McpError, match="question_pages"):
            await Person().at(host)
