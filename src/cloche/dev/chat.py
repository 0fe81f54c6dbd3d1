"""The chat of the playground: what was said, which tools were called, and the views between the lines."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from cloche.dev.agents import Agent, ModelAgent, ScriptedAgent, context_text
from cloche.dev.models import ChosenModel, chosen_model, model_of
from cloche.dev.script import parse_script
from cloche.errors import ClocheError, InvalidParamsError, LocalError, shorten
from cloche.host.call import Call
from cloche.host.hooks import ModelContext, ViewMessage
from cloche.host.session import HostSession
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.dev.playground import Playground

USER = "dev-chat"
MAX_TEXT = 20_000
"""Characters of one message."""
MAX_ENTRIES = 500
MAX_WAITING = 10
"""Messages of views that wait for the end of a turn."""

Role = Literal["user", "assistant", "tool", "problem"]

logger = logging.getLogger("cloche.dev")


class Entry(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """One thing in the conversation."""

    id: int
    role: Role
    text: str = ""
    source: str | None = None
    """The server whose view said it, if one did."""
    tool: str | None = None
    arguments: Json | None = None
    status: Literal["running", "done", "failed", "cancelled"] | None = None
    result: Json | None = None
    ticket: str | None = None
    milliseconds: float | None = None
    tokens: tuple[int, int] | None = None
    """Sent to the model, and received from it."""


class Chat:
    """One conversation with the servers of a playground."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self.entries: list[Entry] = []
        self._count = 0
        self._calls: dict[int, Call] = {}
        self._waiting: list[tuple[str, str]] = []
        self._turn: asyncio.Task[None] | None = None
        self._tasks = Tasks()
        self._agent: Agent | None = None
        self._uses: str = ""
        """What the agent was made from: the model's name, or the script."""
        self._session: HostSession | None = None

    @property
    def session(self) -> HostSession:
        """The session whose tools are called and whose views speak here."""
        if self._session is None:
            self._session = self._playground.host.session(USER)
            self._hook(self._session)
        return self._session

    def _hook(self, session: HostSession) -> None:
        @session.on_message
        def message(view: Any, said: ViewMessage) -> None:
            self._playground.tell("message", view=view.id, tool=view.tool, content=said.content)
            self._heard(shorten(said.text, MAX_TEXT), view.server)

        @session.on_model_context
        def context(view: Any, left: ModelContext) -> None:
            told = {"content": left.content, "structured": left.structured_content}
            self._playground.tell("context", view=view.id, tool=view.tool, **told)

    # What the page does

    async def state(self) -> Json:
        """Everything, for a page that is opened."""
        model, problem = _configured()
        return {
            "entries": [msgspec.to_builtins(self._renewed(entry)) for entry in self.entries],
            "busy": self._turn is not None,
            "model": None if model is None else model.as_json(),
            "problem": problem,
        }

    def _renewed(self, entry: Entry) -> Entry:
        """An entry whose ticket is good for a page that is opened now."""
        call = self._calls.get(entry.id)
        if call is not None and call.view_uri is not None:
            entry.ticket = call.ticket()
        return entry

    async def say(self, text: str, script: str | None) -> Json:
        """The person says something. With a script that answers, else the model of the environment."""
        if not text.strip() or len(text) > MAX_TEXT:
            raise InvalidParamsError(f"A message has 1 to {MAX_TEXT} characters")
        if self._turn is not None:
            raise InvalidParamsError("The answer is still being written: wait for it, or stop it")
        agent = await self._agent_for(script)
        self._begin(text, None, agent)
        return {}

    async def _agent_for(self, script: str | None) -> Agent:
        model, problem = _configured() if script is None else (None, "")
        uses = f"script {script}" if script is not None else f"model {model}"
        if self._agent is not None and uses == self._uses:
            return self._agent
        if script is not None:
            agent: Agent = ScriptedAgent(parse_script(script)).answer
        elif model is None:
            raise InvalidParamsError(problem or "No model is configured: write a script, or set one of the variables")
        else:
            try:
                agent = ModelAgent(await asyncio.to_thread(model_of, model)).answer
            except LocalError as error:
                raise InvalidParamsError(f"{str(error)[:1].upper()}{str(error)[1:]}") from None
        self._agent, self._uses = agent, uses
        return agent

    async def stop(self) -> Json:
        """End the turn; what runs for it is cancelled."""
        if self._turn is not None:
            self._turn.cancel()
        return {}

    async def clear(self) -> Json:
        """Begin again."""
        await self.stop()
        if self._turn is not None:
            await asyncio.wait([self._turn])
        self.entries.clear()
        self._calls.clear()
        self._waiting.clear()
        self._agent, self._uses = None, ""
        self._tell("cleared")
        return {}

    # A turn

    def _heard(self, text: str, server: str) -> None:
        """A view says something: it is answered like a message of the person, after what is under way."""
        if self._agent is None:
            return
        if self._turn is None:
            self._begin(text, server, self._agent)
        elif len(self._waiting) < MAX_WAITING:
            self._waiting.append((text, server))

    def _begin(self, text: str, source: str | None, agent: Agent) -> None:
        self.add(role="user", text=text, source=source)
        self._turn = self._tasks.spawn(self._take(text, agent))
        self._tell("busy", busy=True)

    async def _take(self, text: str, agent: Agent) -> None:
        turn = ChatTurn(self)
        try:
            await agent(text, turn)
        except asyncio.CancelledError:
            await turn.cancel()
            self.add(role="problem", text="Cancelled.")
        except ClocheError as error:
            self.add(role="problem", text=shorten(str(error), 500))
        except Exception as error:  # of the model's client: an address that is not there, a key that is refused
            logger.debug("the model failed", exc_info=True)
            self.add(role="problem", text=f"The model failed: {shorten(str(error) or type(error).__name__, 500)}")
        finally:
            self._turn = None
            self._tell("busy", busy=False)
        if self._waiting:
            said, server = self._waiting.pop(0)
            self._heard(said, server)

    # What is in it

    def add(self, **facts: Any) -> Entry:
        """Put something into the conversation."""
        self._count += 1
        entry = Entry(id=self._count, **facts)
        self.entries.append(entry)
        if len(self.entries) > MAX_ENTRIES:
            self._calls.pop(self.entries.pop(0).id, None)
        self.changed(entry)
        return entry

    def changed(self, entry: Entry) -> None:
        """Tell every page what an entry is like now."""
        self._tell("entry", entry=msgspec.to_builtins(entry))

    def grown(self, entry: Entry, text: str) -> None:
        """Tell every page what was added to a text."""
        self._tell("text", id=entry.id, text=text)

    def keep(self, entry: Entry, call: Call) -> None:
        """Remember whose call an entry shows."""
        self._calls[entry.id] = call

    def _tell(self, what: str, **facts: Any) -> None:
        self._playground.tell_now("chat", what=what, **facts)

    async def close(self) -> None:
        """End what is under way."""
        await self._tasks.end()


class ChatTurn:
    """What an agent writes one answer to."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._entry: Entry | None = None
        self._calls: list[Call] = []

    def write(self, text: str) -> None:
        """Add text to the answer."""
        if self._entry is None:
            if not text:
                return
            self._entry = self._chat.add(role="assistant", text=text)
        else:
            self._entry.text += text
            self._chat.grown(self._entry, text)

    async def tools(self) -> list[Json]:
        """The tools of all servers."""
        return await self._chat.session.tools()

    def context(self) -> list[str]:
        """What open views left for the model."""
        left = self._chat.session.model_context()
        return [f"{one.server}.{one.tool}: {context_text(one.structured_content or one.content)}" for one in left]

    async def call(self, name: str, arguments: Json) -> Json:
        """Call a tool, and show it with its view while it runs."""
        self._entry = None
        started = time.monotonic()
        entry = self._chat.add(role="tool", tool=name, arguments=arguments, status="running")
        try:
            call = await self._chat.session.start(await self._named(name), arguments)
            self._calls.append(call)
            self._chat.keep(entry, call)
            if call.view_uri is not None:
                entry.ticket = call.ticket()
                self._chat.changed(entry)
            result = await call.result()
            entry.status = "failed" if result.get("isError") else "done"
            entry.result = result
            return result
        except asyncio.CancelledError:
            entry.status = "cancelled"
            raise
        except ClocheError as error:
            entry.status, entry.text = "failed", shorten(str(error), 500)
            raise
        finally:
            entry.milliseconds = round((time.monotonic() - started) * 1000, 1)
            self._chat.changed(entry)

    async def _named(self, name: str) -> str:
        """The name that the host knows a tool by; a script may leave the server out."""
        session = self._chat.session
        for server in session.host.servers:
            if any(tool.get("name") == name for tool in await session.upstream(server).tools()):
                return f"{server}.{name}"
        return name

    def used(self, sent: int, received: int) -> None:
        """Count the tokens of this turn, with its last text."""
        entry = self._entry or self._chat.add(role="assistant")
        entry.tokens = (sent, received)
        self._chat.changed(entry)

    async def cancel(self) -> None:
        """Give up what was called and is not over."""
        for call in self._calls:
            if not call.is_over:
                await call.cancel("Cancelled in the chat")


def _configured() -> tuple[ChosenModel | None, str]:
    """The model of the environment, or why the one that it names cannot be used."""
    try:
        return chosen_model(os.environ), ""
    except LocalError as error:
        return None, str(error)
