"""Leave to do something: asked for, given, refused, and not answered; every decision is written down."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.host import HostLimits, Policy, Question, Request
from cloche.host.policy import Answer
from cloche.host.questions import question_for
from tests.host.servers import Weather, capturing
from tests.support.host_page import Page, hosting, opened, ticket_in

ERASE = {"name": "erase", "arguments": {"city": "Rome"}}


@pytest.mark.requirement(169)
@pytest.mark.parametrize(
    ("answer", "runs", "decision"),
    [(True, True, "approved"), (False, False, "denied"), ("true", False, "denied"), (1, False, "denied")],
    ids=repr,
)
async def test_the_dialog_in_the_page_decides(answer: Any, runs: bool, decision: str) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        number = page.post("tools/call", ERASE)
        asked = await page.asked()
        assert ("erase", "Rome") not in weather.calls
        question = asked["question"]
        assert (question["kind"], question["title"], question["seconds"]) == ("tool", "Run this tool?", 30)
        assert question["text"] == "The view of “weather” wants to run “erase”."
        page.view.answered("guess", True)
        page.view.answered(asked["ask"], answer)
        page.view.answered(asked["ask"], True)  # once is enough
        said = await page.answer_to(number)
        assert ("result" in said, ("erase", "Rome") in weather.calls) == (runs, runs)
        (entry,) = host.timeline.entries(action="tool")
        assert (entry.decision, entry.decision_by, entry.user, entry.server) == (decision, "user", "ann", "weather")
        if not runs:
            assert said["error"] == {
                "code": -32000,
                "message": "The user declined (tool)",
                "data": {"kind": "tool", "by": "user"},
            }


async def test_no_answer_means_no_and_the_question_is_taken_back() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, policy=Policy(seconds=0.05)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        code, text = await page.error("tools/call", ERASE)
        assert (code, text) == (-32000, "The user did not answer in time (tool)")
        asked = await page.asked()
        assert {"unask": asked["ask"]} in page.frames
        (entry,) = host.timeline.entries(action="tool")
        assert (entry.decision, entry.decision_by) == ("timeout", "timeout")
        assert entry.duration_ms is not None
        assert entry.duration_ms >= 50
        page.view.answered(asked["ask"], True)
        await page.result("ping")
        assert ("erase", "Rome") not in weather.calls


async def test_a_product_can_ask_in_its_own_way() -> None:
    questions: list[Question] = []

    async def ask(question: Question) -> bool:
        questions.append(question)
        return question.details.get("url") == "https://good.example/"

    async with hosting({"weather": Weather().server}, policy=Policy(ask=ask)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/open-link", {"url": "https://good.example"}) == {}
        assert await page.result("ui/open-link", {"url": "https://bad.example"}) == {"isError": True}
        assert [frame["url"] for frame in page.frames if frame.get("do") == "open-link"] == ["https://good.example/"]
        assert not [frame for frame in page.frames if "ask" in frame]
        assert [(one.kind, one.user, one.server) for one in questions] == [("link", "ann", "weather")] * 2


async def test_a_policy_of_ones_own() -> None:
    class Careful(Policy):
        async def decide(self, request: Request) -> Answer:
            if request.kind == "tool" and request.details["arguments"].get("city") == "Rome":
                return "deny"
            return await super().decide(request)

    weather = Weather()
    async with hosting({"weather": weather.server}, policy=Careful()) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        code, text = await page.error("tools/call", {"name": "refresh", "arguments": {"city": "Rome"}})
        assert (code, text) == (-32000, "The host does not allow this (tool)")
        await page.result("tools/call", {"name": "refresh", "arguments": {"city": "Oslo"}})
        decisions = [(entry.decision, entry.decision_by) for entry in host.timeline.entries(action="tool")]
        assert decisions == [("denied", "policy"), ("allowed", "policy")]


async def test_a_view_cannot_heap_questions_upon_the_user() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(questions=2)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        numbers = [page.post("tools/call", ERASE) for _ in range(5)]
        said = [await page.answer_to(number) for number in numbers[2:]]
        assert {one["error"]["message"] for one in said} == {"The host does not allow this (tool)"}
        assert len([frame for frame in page.frames if "ask" in frame]) == 1  # one dialog at a time
        page.view.answered((await page.asked())["ask"], True)
        assert "result" in await page.answer_to(numbers[0])
        second = await page.until(lambda frame: "ask" in frame and frame is not page_first(page))
        page.view.answered(second["ask"], False)
        assert "error" in await page.answer_to(numbers[1])


def page_first(page: Page) -> dict[str, Any]:
    return next(frame for frame in page.frames if "ask" in frame)


async def test_a_view_that_is_closed_takes_its_question_with_it() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.post("tools/call", ERASE)
        asked = await page.asked()
        await page.view.close("gone", gone=True)
        assert {"unask": asked["ask"]} in page.frames


@pytest.mark.parametrize("given", [True, False])
async def test_permissions_are_asked_for_before_the_view_is_shown(given: bool) -> None:
    async with hosting({"capturing": capturing()}) as host:
        call = await host.session("ann").start("capturing.photo", {})
        page = Page()
        opening = asyncio.create_task(page.open(host, ticket_in(call.embed())))
        asked = await page.asked()
        assert asked["question"]["text"] == "The view of “capturing” wants to use: “camera”, “microphone”."
        page.view.answered(asked["ask"], given)
        await opening
        packet = page.view.packet()
        assert packet["frame"]["allow"] == ("camera; microphone" if given else "")
        announced = packet["initialize"]["hostCapabilities"]["sandbox"]["permissions"]
        assert announced == ({"camera": {}, "microphone": {}} if given else {})
        assert page.view.permissions == (("camera", "microphone") if given else ())


def test_names_in_a_question_are_quoted_short_and_on_one_line() -> None:
    name = "ok” — approved by the host.\nPress Allow“" + "x" * 200
    question = question_for(Request("tool", "ann", "weather", "t", "v", {"name": name}), 30)
    assert "\n" not in question.text
    assert len(question.text) < 130
    assert (question.text.count("“"), question.text.count("”")) == (2, 2)


async def test_a_user_who_said_no_three_times_is_not_asked_again() -> None:
    asked: list[Question] = []

    async def ask(question: Question) -> bool:
        asked.append(question)
        return question.details.get("url") == "https://good.example/"

    async with hosting({"weather": Weather().server}, policy=Policy(ask=ask)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        for url in (
            "https://bad.example",
            "https://bad.example",
            "https://good.example",
            *["https://bad.example"] * 10,
        ):
            await page.result("ui/open-link", {"url": url})
        assert len(asked) == 6  # a yes in between counts
        await page.error("tools/call", ERASE)
        assert len(asked) == 7  # another kind of question is another question
        decisions = [entry.decision_by for entry in host.timeline.entries(action="link")]
        assert decisions == ["user"] * 6 + ["policy"] * 7


def test_a_question_about_much_shows_a_part_of_it() -> None:
    details = {"name": "save", "arguments": {"text": "x" * 500_000}}
    question = question_for(Request("tool", "ann", "files", "t", "v", details), 30)
    assert question.details["name"] == "save"
    assert len(question.details["arguments"]["text"]) == 4000


async def test_the_time_for_an_answer_begins_when_the_question_can_be_seen() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, policy=Policy(seconds=0.3)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        started = asyncio.get_running_loop().time()
        number = page.post("tools/call", ERASE)
        asked = await page.asked()
        page.view.answered("guess", "seen")
        page.view.answered(asked["ask"], "seen")
        page.view.answered(asked["ask"], "seen")
        assert "did not answer in time" in (await page.answer_to(number))["error"]["message"]
        seen = asyncio.get_running_loop().time() - started
        # Nobody has seen the next one: it waits longer, four times as long, and then it is over as well.
        started = asyncio.get_running_loop().time()
        number = page.post("tools/call", ERASE)
        await page.answer_to(number)
        unseen = asyncio.get_running_loop().time() - started
        assert unseen >= 4 * 0.3
        assert 0.3 <= seen < unseen
        assert ("erase", "Rome") not in weather.calls


async def test_a_question_that_nobody_answered_on_the_page_ran_out_of_time() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        number = page.post("tools/call", ERASE)
        page.view.answered((await page.asked())["ask"], None)
        assert "did not answer in time" in (await page.answer_to(number))["error"]["message"]
        (entry,) = host.timeline.entries(action="tool")
        assert (entry.decision, entry.decision_by) == ("timeout", "timeout")


@pytest.mark.parametrize(("is_seen", "asked"), [(True, 3), (False, 5)])
async def test_only_silence_of_somebody_who_could_answer_is_a_refusal(is_seen: bool, asked: int) -> None:
    async with hosting({"weather": Weather().server}, policy=Policy(seconds=0.02)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        for turn in range(5):
            number = page.post("tools/call", ERASE)
            if turn < 3 and is_seen:
                await page.until(lambda _: len(questions(page)) > turn)  # noqa: B023
                page.view.answered(questions(page)[turn], "seen")
            await page.answer_to(number)
        assert len(questions(page)) == asked


def questions(page: Page) -> list[str]:
    return [frame["ask"] for frame in page.frames if "ask" in frame]
