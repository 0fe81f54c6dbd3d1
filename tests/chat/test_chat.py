"""The chat: scripts, pydantic-ai's own test models, and an OpenAI-compatible server on loopback; no network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import KnownModelName
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel

from cloche import Server
from cloche.dev.agents import ModelAgent
from cloche.dev.chat import Chat, ChatTurn, Entry
from cloche.dev.models import KEYS, ChosenModel, chosen_model, model_of
from cloche.dev.playground import Playground
from cloche.dev.script import Step, parse_script
from cloche.dev.servers import DevServer
from cloche.errors import ConfigurationError, InvalidParamsError
from tests.support.fake_openai import called, fake_openai, said
from tests.support.snippets import ROOT, blocks_of

VARIABLES = ("CLOCHE_MODEL", "CLOCHE_MODEL_URL", "CLOCHE_MODEL_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "GEMINI_API_KEY", "MISTRAL_API_KEY", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)


running: asyncio.Queue[str] = asyncio.Queue()
"""What becomes of the tool that waits."""


def weather() -> Server:
    server = Server("weather")

    @server.tool(view="<p>a view</p>")
    def forecast(city: str, days: int = 3) -> str:
        """The weather."""
        return f"{days} days of rain in {city}"

    @server.tool
    async def wait() -> str:
        """Take forever."""
        running.put_nowait("running")
        try:
            await asyncio.Event().wait()
        finally:
            running.put_nowait("cancelled")
        return "never"

    return server


class Told(list[dict[str, Any]]):
    """What pages of the chat are told."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()

    def hear(self, one: dict[str, Any]) -> None:
        if one["event"] == "chat":
            self.append(one)
            self._more.set()

    async def entry(self, role: str, **facts: Any) -> dict[str, Any]:
        """The first entry like this."""
        while True:
            entries: list[dict[str, Any]] = [one["entry"] for one in self if one["what"] == "entry"]
            for entry in entries:
                if {**entry, **facts} == entry and entry["role"] == role:
                    return entry
            self._more.clear()
            await self._more.wait()


@asynccontextmanager
async def chatting() -> AsyncIterator[tuple[Chat, Told]]:
    """A chat, and what its pages are told."""
    playground = Playground([DevServer("weather", weather())])
    told = Told()
    playground.listen(told.hear)
    try:
        yield playground.chat, told
    finally:
        await playground.close()
        await playground.host.close()


async def answered(chat: Chat) -> list[Entry]:
    """What is in the conversation when nobody is writing."""
    while (turn := chat._turn) is not None:
        await asyncio.wait([turn])
    return chat.entries


def test_scripts_are_read_and_mistakes_have_their_line() -> None:
    text = '# greet\nsay Hello there.\ncall forecast {"city": "Ghent"}\n\n\nsay Bye.\ncall wait\n'
    assert parse_script(text) == [
        [Step("say", "Hello there.", {}), Step("call", "forecast", {"city": "Ghent"})],
        [Step("say", "Bye.", {}), Step("call", "wait", {})],
    ]
    wrongs = (("shout x", "Line 2 .* is not a step"), ("say", "not a step"), ("call a [1]", "arguments of a"))
    for wrong, says in wrongs:
        with pytest.raises(InvalidParamsError, match=says):
            parse_script(f"say a\n{wrong}\n")


async def test_a_script_answers_and_its_calls_are_seen() -> None:
    script = 'say Look.\ncall forecast {"city": "Ghent"}\ncall nothing\n'
    async with chatting() as (chat, told):
        assert (await chat.state())["model"] is None
        with pytest.raises(InvalidParamsError, match="No model is configured"):
            await chat.say("Hi", None)
        await chat.say("Hi", script)
        user, look, tool, missing, problem = await answered(chat)
        assert (user.role, user.text, look.text) == ("user", "Hi", "Look.\n")
        assert (tool.tool, tool.arguments, tool.status) == ("forecast", {"city": "Ghent"}, "done")
        assert tool.ticket is not None
        assert tool.result is not None
        assert tool.result["content"][0]["text"] == "3 days of rain in Ghent"
        assert missing.status == "failed"
        assert problem.role == "problem"
        assert "nothing" in problem.text
        await chat.say("More", script)
        assert "at its end" in (await answered(chat))[-1].text
        assert [one["busy"] for one in told if one["what"] == "busy"] == [True, False, True, False]
        await chat.clear()
        assert (await chat.state())["entries"] == []
        await chat.say("Again", script)
        assert (await answered(chat))[1].text == "Look.\n", "a cleared conversation begins the script again"


async def test_a_turn_is_stopped_with_what_it_called() -> None:
    async with chatting() as (chat, told):
        await chat.say("Wait", "call wait\nsay never\n")
        with pytest.raises(InvalidParamsError, match="still being written"):
            await chat.say("More", "say x")
        await told.entry("tool", status="running")
        assert await running.get() == "running"
        await chat.stop()
        _, tool, problem = await answered(chat)
        assert (tool.status, problem.text) == ("cancelled", "Cancelled.")
        assert await running.get() == "cancelled"


async def test_pydantic_ais_test_model_calls_every_tool_with_fitting_arguments() -> None:
    async with chatting() as (chat, _):
        agent = ModelAgent(TestModel(call_tools=["weather_forecast"], custom_output_text="All done."))
        await agent.answer("Hi", ChatTurn(chat))
        tool, text = chat.entries
        assert (tool.tool, tool.status) == ("weather_forecast", "done")
        assert text.text == "All done."
        assert text.tokens is not None
        assert min(text.tokens) > 0


async def test_a_function_model_streams_and_hears_of_failures_and_of_views() -> None:
    heard: list[str] = []

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        heard.append(str(messages[-1].parts))
        if len(messages) == 1:
            yield {0: DeltaToolCall(name="weather_forecast", json_args='{"city": 3}', tool_call_id="1")}
        else:
            yield "It "
            yield "failed."

    async with chatting() as (chat, told):
        agent = ModelAgent(FunctionModel(stream_function=stream))
        turn = ChatTurn(chat)
        turn.context = lambda: ["weather.forecast: the person looks at Ghent"]  # type: ignore[method-assign]
        await agent.answer("Hi", turn)
        tool, text = chat.entries
        assert (tool.status, text.text) == ("failed", "It failed.")
        assert "untrusted: weather.forecast: the person looks at Ghent" in heard[0]
        assert "isError" in heard[1]
        assert [one["text"] for one in told if one["what"] == "text"] == ["failed."], "text comes as it is written"


async def test_an_openai_compatible_address_answers_with_tools_tokens_and_a_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [called("weather_forecast", {"city": "Ghent"}), said("Take ", "an umbrella."), said("You said Hi.")]
    async with fake_openai(*answers) as fake, chatting() as (chat, _):
        monkeypatch.setenv("CLOCHE_MODEL_URL", fake.url)
        monkeypatch.setenv("CLOCHE_MODEL", "tiny")
        monkeypatch.setenv("CLOCHE_MODEL_KEY", "sesame")
        state = await chat.state()
        assert state["model"] == {"name": "tiny", "goesTo": fake.url.removeprefix("http://").removesuffix("/v1")}
        await chat.say("Hi", None)
        _, tool, text = await answered(chat)
        assert (tool.tool, tool.status) == ("weather_forecast", "done")
        assert (text.text, text.tokens) == ("Take an umbrella.", (22, 14))
        assert fake.keys[0] == "bearer sesame"
        assert [one["function"]["name"] for one in fake.asked[0]["tools"]] == ["weather_forecast", "weather_wait"]
        assert "3 days of rain in Ghent" in str(fake.asked[1]["messages"][-1])
        chat._heard("Ask it", "weather")  # a view speaks in the conversation
        *_, message, reply = await answered(chat)
        assert (message.source, message.text, reply.text) == ("weather", "Ask it", "You said Hi.")
        assert any(one["content"] == "Hi" for one in fake.asked[2]["messages"] if one["role"] == "user")


async def test_an_answer_that_is_stopped_is_hung_up_on_and_an_address_without_a_server_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLOCHE_MODEL", "tiny")
    async with chatting() as (chat, told):
        async with fake_openai(said("One ", "two")) as fake:
            monkeypatch.setenv("CLOCHE_MODEL_URL", fake.url)
            fake.hold.clear()
            await chat.say("Count", None)
            await told.entry("assistant")
            await chat.stop()
            _, text, problem = await answered(chat)
            assert (text.text, problem.text) == ("One ", "Cancelled.")
            await fake.left.wait()
        monkeypatch.setenv("CLOCHE_MODEL_URL", "http://127.0.0.1:9/v1")
        await chat.say("Anybody?", None)
        assert (await answered(chat))[-1].text.startswith("The model failed: ")


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, None),
        ({"OPENAI_API_KEY": "k"}, ChosenModel("openai:gpt-5.4-mini", "api.openai.com")),
        ({"OPENAI_API_KEY": "k", "CLOCHE_MODEL": "openai:x"}, ChosenModel("openai:x", "api.openai.com")),
        ({"CLOCHE_MODEL": "ollama:qwen3"}, ChosenModel("qwen3", "localhost:11434", "http://localhost:11434/v1")),
        (
            {"CLOCHE_MODEL_URL": "https://u:p@models.example/v1", "CLOCHE_MODEL": "m", "OPENAI_API_KEY": "other"},
            ChosenModel("m", "models.example", "https://u:p@models.example/v1"),
        ),
    ],
)
def test_the_environment_names_the_model_and_where_it_goes(
    environment: dict[str, str], chosen: ChosenModel | None
) -> None:
    assert chosen_model(environment) == chosen


def test_a_key_alone_names_a_model_that_pydantic_ai_knows() -> None:
    known = get_args(KnownModelName.__value__)
    assert [name for name, _ in KEYS.values() if name not in known] == []


def test_the_script_and_the_variables_of_the_docs() -> None:
    text = (ROOT / "docs" / "chat.md").read_text("utf-8")
    steps = [len(answer) for answer in parse_script(blocks_of("docs/chat.md", "text")[0])]
    assert steps == [2, 2]
    assert all(f"`{name}`" in text for name in (*VARIABLES, *KEYS))


def test_what_cannot_be_used_is_told_in_a_sentence() -> None:
    for environment, says in (
        ({"CLOCHE_MODEL": "gpt"}, "names no provider: write openai:gpt"),
        ({"CLOCHE_MODEL_URL": "ftp://x"}, "is not an address"),
        ({"CLOCHE_MODEL_URL": "http://x"}, "set CLOCHE_MODEL"),
    ):
        with pytest.raises(ConfigurationError, match=says):
            chosen_model(environment)
    with pytest.raises(ConfigurationError, match="the model 'nobody:x' cannot be used"):
        model_of(ChosenModel("nobody:x", "nobody"))
