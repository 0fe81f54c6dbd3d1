"""Servers that ask the product's model, or for folders: from every kind of upstream, with consent, within budgets."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Context, Server
from cloche.errors import McpError
from cloche.host import Call, Host, HostLimits, HostSession, Policy, Question, Sampling
from tests.support import talking
from tests.support.asked_person import Person, decoded
from tests.support.host_page import hosting

ROOT = "file:///srv/bread"


def modelled(host: Host, says: Any = "Pumpernickel") -> list[Sampling]:
    """Give a host a model."""
    asked: list[Sampling] = []

    @host.on_sample
    async def sample(session: HostSession, wanted: Sampling) -> Any:
        asked.append(wanted)
        return says

    return asked


def thinking(**options: Any) -> Server:
    """A server with a tool that asks the model."""
    server = Server("baker")

    @server.tool
    async def think(ctx: Context) -> str:
        """Think."""
        return (await ctx.sample("Name a bread.", **{"max_tokens": 100_000, **options})).text

    return server


@pytest.mark.parametrize("kind", talking.WAYS)
async def test_model_and_folders_for_every_kind_of_upstream(kind: str) -> None:
    async with talking.upstream_of(kind) as spec, hosting({"talking": spec}) as host:
        asked, shared = modelled(host), []

        @host.on_roots
        def roots(session: HostSession | None, server: str) -> list[str]:
            shared.append(session is None)
            return [f"{ROOT}/{server}"]

        ann, chat = await Person().at(host), host.session("ann")
        call = await chat.start("talking.talk", {"about": "sample"})
        question = await ann.says(True)
        assert decoded(await call.result()) == "Pumpernickel"
        assert "“talking”" in question["text"]
        assert "Name a bread." in str(question["details"])
        assert (asked[0].server, asked[0].text, asked[0].request.max_tokens) == ("talking", "Name a bread.", 20)
        call = await chat.start("talking.talk", {"about": "sample"})
        await ann.says(False)
        assert "declined" in await outcome(call)
        assert len(asked) == 1
        result = await chat.run("talking.talk", {"about": "roots"})
        assert decoded(result) == [f"{ROOT}/talking"]
        entries = host.timeline.entries(action="server-sampling")
        assert [(one.decision, one.decision_by) for one in entries] == [("approved", "user"), ("denied", "user")]
        assert host.timeline.entries(action="roots")[0].server == "talking"


async def outcome(call: Call) -> str:
    """What came of a call: its result, or its error. Libraries differ in what becomes of a question that fails."""
    try:
        return str(await call.result())
    except McpError as error:
        return error.message


async def test_without_a_hook_servers_are_told_that_there_is_no_model() -> None:
    async with hosting({"baker": thinking()}) as host:
        with pytest.raises(McpError, match="did not declare"):
            await host.session("ann").run("baker.think")


async def test_a_policy_may_allow_or_deny_and_the_product_may_ask_itself() -> None:
    asked: list[Question] = []

    async def ask(question: Question) -> bool:
        asked.append(question)
        return True

    for policy, questions in ((Policy(server_sampling="allow"), 0), (Policy(ask=ask), 1)):
        async with hosting({"baker": thinking()}, policy=policy) as host:
            modelled(host)
            assert (await host.session("ann").run("baker.think"))["content"][0]["text"] == "Pumpernickel"
            assert len(asked) == questions
    async with hosting({"baker": thinking()}, policy=Policy(server_sampling="deny")) as host:
        modelled(host)
        with pytest.raises(McpError, match="did not declare"):
            await host.session("ann").run("baker.think")


async def test_nobody_to_ask_means_no() -> None:
    async with hosting({"baker": thinking()}) as host:
        asked = modelled(host)
        with pytest.raises(McpError, match="no page of this user"):
            await host.session("ann").run("baker.think")
        assert asked == []


async def test_tokens_and_requests_have_budgets_for_each_user() -> None:
    limits = HostLimits(sample_tokens=100, sample_user_tokens=250, sample_burst=3)
    async with hosting({"baker": thinking()}, limits=limits, policy=Policy(server_sampling="allow")) as host:
        asked = modelled(host)
        for _ in range(2):
            await host.session("ann").run("baker.think")
        with pytest.raises(McpError, match="sample_user_tokens"):
            await host.session("ann").run("baker.think")
        with pytest.raises(McpError, match="sample_rate"):
            await host.session("ann").run("baker.think")
        await host.session("bob").run("baker.think")  # has budgets of his own
        assert [one.request.max_tokens for one in asked] == [100, 100, 100]
        assert len(host.timeline.entries(action="budget")) == 2


async def test_a_request_that_is_too_long_never_reaches_the_model() -> None:
    server = Server("baker")

    @server.tool
    async def think(ctx: Context) -> str:
        return (await ctx.sample("x" * 3000)).text

    policy = Policy(server_sampling="allow")
    async with hosting({"baker": server}, limits=HostLimits(sample_bytes=2000), policy=policy) as host:
        asked = modelled(host)
        with pytest.raises(McpError, match="sample_bytes"):
            await host.session("ann").run("baker.think")
        assert asked == []


async def test_tools_go_to_the_model_and_its_calls_come_back() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "oven", "input": {"heat": 220}}
    tools = [{"name": "oven", "inputSchema": {"type": "object"}}]
    server = Server("baker")

    @server.tool
    async def think(ctx: Context) -> dict[str, Any]:
        said = await ctx.sample("Bake.", tools=tools)
        return {"content": said.content, "why": said.stop_reason}

    async with hosting({"baker": server}, policy=Policy(server_sampling="allow")) as host:
        asked = modelled(host, {"role": "assistant", "content": [use], "model": "m1", "stopReason": "toolUse"})
        result = await host.session("ann").run("baker.think")
        assert result["structuredContent"] == {"content": [use], "why": "toolUse"}
        assert asked[0].request.tools == tools


async def test_three_declines_stop_this_asking_too() -> None:
    async with hosting({"baker": thinking()}) as host:
        modelled(host)
        ann, chat = await Person().at(host), host.session("ann")
        for _ in range(3):
            call = await chat.start("baker.think")
            await ann.says(False)
            with pytest.raises(McpError):
                await call.result()
        with pytest.raises(McpError, match="does not allow this"):
            await chat.run("baker.think")
        assert chat.questions_off == {"baker"}


async def test_the_hook_of_a_session_comes_first_and_one_that_fails_is_an_error() -> None:
    async with hosting({"baker": thinking()}, policy=Policy(server_sampling="allow")) as host:
        modelled(host)
        chat = host.session("ann")

        @chat.on_sample
        def own(session: HostSession, wanted: Sampling) -> str:
            raise RuntimeError("no key")

        with pytest.raises(McpError):
            await chat.run("baker.think")
        assert (await host.session("bob").run("baker.think"))["content"][0]["text"] == "Pumpernickel"
