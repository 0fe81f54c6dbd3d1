"""A budget for the person: what a view may do in their name, or over their page, and how often it may ask them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche.host import Host, HostLimits, Policy, Question, ViewMessage
from tests.host.servers import Weather, capturing
from tests.support.host_page import Page, hosting, opened, ticket_in

SAY = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
ERASE = {"name": "erase", "arguments": {"city": "Rome"}}


class Person:
    """Who is asked; says no, until told otherwise."""

    def __init__(self) -> None:
        self.agrees = False
        self.questions: list[Question] = []
        self.heard: list[ViewMessage] = []

    async def ask(self, question: Question) -> bool:
        self.questions.append(question)
        return self.agrees

    @property
    def kinds(self) -> list[str]:
        return [question.kind for question in self.questions]


@asynccontextmanager
async def used(limits: HostLimits | None = None, **policy: Any) -> AsyncIterator[tuple[Person, Page, Host]]:
    person = Person()
    options = {} if limits is None else {"limits": limits}
    async with hosting({"weather": Weather().server}, policy=Policy(ask=person.ask, **policy), **options) as host:
        host.on_message(lambda view, message: person.heard.append(message))
        yield person, await opened(host, "weather.forecast", {"city": "Paris"}), host


async def after(page: Page, gesture: int, method: str, params: Any) -> Any:
    answer = await page.answer_to(page.post_after(gesture, method, params))
    return answer.get("result", answer.get("error"))


async def test_a_gesture_pays_for_one_message_and_without_one_the_person_is_asked() -> None:
    async with used() as (person, page, host):
        assert await after(page, 1, "ui/message", SAY) == {}
        assert (len(person.heard), person.kinds) == (1, [])
        assert await after(page, 1, "ui/message", SAY) == {"isError": True}
        assert await after(page, 0, "ui/message", SAY) == {"isError": True}
        assert (len(person.heard), person.kinds) == (1, ["message", "message"])
        assert await after(page, 2, "ui/message", SAY) == {}
        assert (len(person.heard), person.kinds) == (2, ["message", "message"])
        person.agrees = True
        assert await after(page, 2, "ui/message", SAY) == {}
        assert [message.approved for message in person.heard] == [False, False, True]
        first = person.heard[0]
        assert (first.server, first.tool, first.view) == ("weather", "forecast", page.view.id)
        assert [question.details for question in person.questions] == [{"content": "hello"}] * 3
        assert [entry.decision for entry in host.timeline.entries(action="message")] == [
            "allowed", "denied", "denied", "allowed", "approved",
        ]  # fmt: skip


async def test_a_view_that_nobody_uses_sends_no_messages_and_asks_once() -> None:
    async with used() as (person, page, host):
        page.idle = True
        for _ in range(30):
            assert await page.result("ui/message", SAY) == {"isError": True}
        assert (person.heard, person.kinds) == ([], ["message"])
        decided = [entry.decision_by for entry in host.timeline.entries(action="message")]
        assert decided == ["user"] + ["gesture"] * 29


async def test_a_product_can_let_every_message_through() -> None:
    async with used(message="allow") as (person, page, _):
        page.idle = True
        for _ in range(30):
            assert await page.result("ui/message", SAY) == {}
        assert (len(person.heard), person.kinds) == (30, [])


async def test_whoever_types_or_plays_does_not_send_a_message_with_every_key() -> None:
    async with used(HostLimits(messages=3, message_rate=0.0)) as (person, page, _):
        for _ in range(8):
            await page.result("ui/message", SAY)
        assert len(person.heard) == 3
        assert person.kinds == ["message"] * 3  # three times no means no for good


async def test_full_screen_needs_a_gesture_and_the_way_back_does_not() -> None:
    async with used(HostLimits(display_seconds=0.01)) as (person, page, _):
        mode = "ui/request-display-mode"
        await after(page, 0, mode, {"mode": "fullscreen"})
        assert person.kinds == ["display-mode"]
        assert not [frame for frame in page.frames if frame.get("do") == "display-mode"]
        await after(page, 1, mode, {"mode": "fullscreen"})
        assert [frame["mode"] for frame in page.frames if frame.get("do") == "display-mode"] == ["fullscreen"]
        page.view.event("display-mode", {"mode": "fullscreen"})
        await after(page, 0, mode, {"mode": "inline"})
        assert [frame["mode"] for frame in page.frames if "mode" in frame] == ["fullscreen", "inline"]
        assert person.kinds == ["display-mode"]


async def test_a_view_may_ask_once_unprompted_and_then_once_for_each_gesture() -> None:
    async with used() as (person, page, host):
        page.idle = True
        assert "message" in (await page.ask("tools/call", ERASE))["error"]
        code, text = await page.error("tools/call", ERASE)
        assert (code, text) == (-32000, "The host asks the user only right after they used the view (tool)")
        assert await page.result("ui/open-link", {"url": "https://example.com/"}) == {"isError": True}
        assert person.kinds == ["tool"]
        assert "message" in await after(page, 1, "tools/call", ERASE)
        assert "message" in await after(page, 1, "tools/call", ERASE)
        assert await after(page, 2, "ui/open-link", {"url": "https://example.com/"}) == {"isError": True}
        assert person.kinds == ["tool", "tool", "link"]
        entries = [(entry.action, entry.decision_by) for entry in host.timeline.entries(decision="denied")]
        assert entries == [
            ("tool", "user"), ("tool", "gesture"), ("link", "gesture"),
            ("tool", "user"), ("tool", "gesture"), ("link", "user"),
        ]  # fmt: skip


@pytest.mark.parametrize("gesture", [0, 1])
async def test_who_says_yes_may_go_on_clicking(gesture: int) -> None:
    """A browser does not tell two clicks within five seconds apart, and a person who deletes three things does them."""
    async with used() as (person, page, _):
        person.agrees = True
        for _ in range(6):
            assert "content" in await after(page, gesture, "tools/call", ERASE)
        person.agrees = False
        for _ in range(6):
            await after(page, gesture, "tools/call", ERASE)
        assert len(person.questions) == 6 + (1 if gesture == 0 else 2)


@pytest.mark.parametrize("unprompted", [0, 3])
async def test_how_often_a_view_may_ask_unprompted_is_the_products_choice(unprompted: int) -> None:
    async with used(unprompted=unprompted) as (person, page, _):
        page.idle = True
        for _ in range(5):
            await page.ask("tools/call", ERASE)
        assert len(person.questions) == unprompted


async def test_the_question_about_permissions_is_not_the_views() -> None:
    person = Person()
    policy = Policy(ask=person.ask, unprompted=0)
    async with hosting({"capturing": capturing()}, policy=policy) as host:
        call = await host.session("ann").start("capturing.photo", {})
        await Page().open(host, ticket_in(call.embed()))
        assert person.kinds == ["permission"]


async def test_one_gesture_pays_for_each_kind_once() -> None:
    async with used(HostLimits(display_seconds=0.01)) as (person, page, _):
        await after(page, 1, "ui/message", SAY)
        await after(page, 1, "ui/request-display-mode", {"mode": "fullscreen"})
        assert (len(person.heard), person.kinds) == (1, [])
        assert [frame["mode"] for frame in page.frames if frame.get("do") == "display-mode"] == ["fullscreen"]
