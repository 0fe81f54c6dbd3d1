"""Before a tool runs in a visitor's tab the visitor is asked: what each answer, and none, comes to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest

from cloche.errors import ConfigurationError, PolicyDeniedError, UpstreamError, UserDeclinedError
from cloche.host import Call, InBrowser, Policy, Progress, Question
from tests.host.upstreams.in_browser.tabs import decisions, hosted, names, said, session, tab, until_listed


async def test_the_tools_of_a_tab_are_there_while_it_is_and_run_when_its_visitor_allows_it() -> None:
    async with hosted() as wrapper:
        assert await names(wrapper) == []
        assert "No page of this user offers 'mine'" in session(wrapper).problems["mine"]
        async with tab(wrapper) as page:
            assert await names(wrapper) == ["mine_read", "mine_write", "mine_wipe"]
            assert session(wrapper).problems == {}
            call = await session(wrapper).start("mine.write", {"text": "hello"})
            assert said(await call.result()) == "write in page"
            question = page.questions[0]
            assert question["text"] == "The assistant wants to run “write” of “mine” in this tab."
            assert question["details"] == {"text": "hello"}
            assert (question["accept"], question["lasting"]) == ("Allow once", "Allow on this page")
            assert question["seconds"] == 30
            assert decisions(wrapper) == [("approved", "user")]
            await page.leave()
            await until_listed(wrapper)
        with pytest.raises(UpstreamError, match="No page of this user offers 'mine' at the moment"):
            await session(wrapper).start("mine.write", {})
        actions = [entry.action for entry in wrapper.host.timeline.entries(server="mine")]
        assert [one for one in actions if one != "tools/list"] == ["offered", "tab-tool", "call", "offer-ended"]


async def test_what_the_visitor_refuses_does_not_run_and_the_agent_hears_it() -> None:
    async with hosted() as wrapper, tab(wrapper, says=False) as page:
        call = await session(wrapper).start("mine.write", {})
        with pytest.raises(UserDeclinedError, match="declined") as refused:
            await call.result()
        assert not refused.value.timed_out
        assert decisions(wrapper) == [("denied", "user")]
        assert [one["method"] for one in page.asked if one["method"] == "tools/call"] == []


@pytest.mark.parametrize("lie", ["yes", 1, None, {}, "true", "page "])
async def test_only_a_yes_is_one(lie: Any) -> None:
    async with hosted() as wrapper, tab(wrapper, says=lie if lie is not None else {}) as page:
        with pytest.raises(UserDeclinedError):
            await session(wrapper).run("mine.write", {})
        page.says = True
        assert said(await session(wrapper).run("mine.write", {})) == "write in page"


async def test_no_answer_in_time_is_a_no_with_a_text_of_its_own() -> None:
    async with hosted(policy=Policy(seconds=0.05)) as wrapper, tab(wrapper, says=None) as page:
        for _ in range(5):  # a visitor who is away is asked again when they are back
            with pytest.raises(UserDeclinedError, match="did not answer in time") as refused:
                await session(wrapper).run("mine.write", {})
            assert refused.value.timed_out
        assert decisions(wrapper) == [("timeout", "timeout")] * 5
        await page.socket.frame("unask")
        assert not [one for one in page.asked if one["method"] == "tools/call"]


async def test_three_times_no_to_a_tool_is_no_for_this_page_and_says_nothing_of_the_others() -> None:
    async with hosted() as wrapper, tab(wrapper, says=False) as page:
        for _ in range(3):
            with pytest.raises(UserDeclinedError):
                await session(wrapper).run("mine.write", {})
        page.says = True
        with pytest.raises(PolicyDeniedError):
            await session(wrapper).run("mine.write", {})
        assert said(await session(wrapper).run("mine.read", {})) == "read in page"
        assert len(page.questions) == 4


async def test_a_yes_for_the_page_lasts_as_long_as_the_page() -> None:
    async with hosted() as wrapper:
        async with tab(wrapper, says="page") as page:
            for _ in range(3):
                assert said(await session(wrapper).run("mine.write", {})) == "write in page"
            assert len(page.questions) == 1
            await session(wrapper).run("mine.read", {})  # another tool is another question
            assert len(page.questions) == 2
            assert decisions(wrapper) == [("approved", "user")] * 4
            await page.leave()
        async with tab(wrapper, says=True) as other:
            await session(wrapper).run("mine.write", {})
            assert len(other.questions) == 1


async def test_tools_that_are_called_at_once_are_asked_about_one_after_the_other() -> None:
    async with hosted() as wrapper, tab(wrapper, says="page") as page:
        results = await asyncio.gather(*(session(wrapper).run("mine.write", {}) for _ in range(12)))
        assert {said(result) for result in results} == {"write in page"}
        assert len(page.questions) == 1  # one yes for the page is one for those that wait


async def test_what_destroys_something_is_asked_about_each_time() -> None:
    async with hosted() as wrapper, tab(wrapper, says=True) as page:
        await session(wrapper).run("mine.wipe", {})
        await session(wrapper).run("mine.wipe", {})
        assert ["lasting" in question for question in page.questions] == [False, False]
        page.says = "page"  # what was not offered is not an answer
        with pytest.raises(UserDeclinedError):
            await session(wrapper).run("mine.wipe", {})


@pytest.mark.parametrize(
    ("ask", "asked"),
    [("once", ["read", "write"]), ("always", ["read", "write", "write"]), ("changes", ["write"]), ("never", [])],
)
async def test_the_product_says_when_to_ask(ask: Any, asked: list[str]) -> None:
    async with hosted(InBrowser(ask=ask)) as wrapper, tab(wrapper, says=True) as page:
        page.says = True if ask == "always" else "page"
        for name in ("read", "write", "write"):
            assert said(await session(wrapper).run(f"mine.{name}", {})) == f"{name} in page"
        assert [question["text"].split("“")[1].split("”")[0] for question in page.questions] == asked
        assert ask != "always" or not any("lasting" in question for question in page.questions)


async def test_the_policy_comes_before_what_the_server_is_declared_with() -> None:
    async with hosted(InBrowser(ask="never"), policy=Policy(tab_tool="deny")) as wrapper, tab(wrapper):
        with pytest.raises(PolicyDeniedError):
            await session(wrapper).run("mine.read", {})
    picky = Policy(always_ask=["mine.read"], never_ask=["mine.wr*"])
    async with hosted(InBrowser(ask="changes"), policy=picky) as wrapper, tab(wrapper) as page:
        for name in ("read", "write"):
            await session(wrapper).run(f"mine.{name}", {})
        assert [question["text"].split("“")[1].split("”")[0] for question in page.questions] == ["read"]
    async with hosted(policy=Policy(tab_tool="allow")) as wrapper, tab(wrapper) as page:
        await session(wrapper).run("mine.wipe", {})
        assert page.questions == []


async def test_a_product_that_asks_in_its_own_way_may_be_told_for_the_page_too() -> None:
    asked: list[str | None] = []

    async def ask(question: Question) -> bool | Literal["page"]:
        asked.append(question.lasting)
        return "page"

    async with hosted(policy=Policy(ask=ask)) as wrapper, tab(wrapper) as page:
        for _ in range(2):
            assert said(await session(wrapper).run("mine.write", {})) == "write in page"
        with pytest.raises(UserDeclinedError):
            await session(wrapper).run("mine.wipe", {})
        assert (asked, page.questions) == (["Allow on this page", None], [])


async def test_a_question_is_taken_back_when_the_call_is_cancelled() -> None:
    async with hosted() as wrapper, tab(wrapper, says=None) as page:
        call = await session(wrapper).start("mine.write", {})
        await page.socket.frame("ask")
        await call.cancel()
        await page.socket.frame("unask")
        assert call.status == "cancelled"


def test_a_word_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(ConfigurationError, match="always, once, changes, never"):
        InBrowser(ask="sometimes")  # type: ignore[arg-type]


async def test_a_server_in_a_tab_asks_its_visitor_over_the_page_and_reports_progress() -> None:
    async with hosted(InBrowser(ask="never")) as wrapper, tab(wrapper) as page:
        page.holds, page.says = {"read"}, {"content": {"name": "Ann"}}
        call = await session(wrapper).start("mine.read", {})
        held = await page.until_asked("tools/call")
        form = {"type": "object", "properties": {"name": {"type": "string"}}}
        page.say(id="q1", method="elicitation/create", params={"message": "Who?", "requestedSchema": form})
        answer = await page.socket.until(
            lambda: next((one for one in page.socket.frames if one.get("message", {}).get("id") == "q1"), None)
        )
        assert answer["message"]["result"] == {"action": "accept", "content": {"name": "Ann"}}
        assert (page.questions[0]["title"], page.questions[0]["over"]) == ("“mine” asks", "page")
        token = held["params"]["_meta"]["progressToken"]
        page.say(method="notifications/progress", params={"progressToken": token, "progress": 1, "total": 2})
        assert [update.fraction async for update in _first(call)] == [0.5]
        page.say(id=held["id"], result={"content": [{"type": "text", "text": "done"}]})
        assert said(await call.result()) == "done"


async def _first(call: Call) -> AsyncIterator[Progress]:
    """The first report of a call."""
    async for update in call.progress():
        yield update
        return
