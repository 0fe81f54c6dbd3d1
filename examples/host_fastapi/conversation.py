"""One user's conversation: what was said, what was shown, and everybody who follows it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from cloche.host import Call, HostSession

Event = dict[str, Any]
Role = Literal["user", "assistant", "view", "problem"]

logger = logging.getLogger(__name__)


@dataclass
class Entry:
    """One thing in the conversation."""

    id: int
    role: Role
    text: str = ""
    source: str | None = None
    """Which view said it, when it was one."""
    call: Call | None = None
    record: dict[str, Any] | None = None
    """What is kept of a call that is over: a database would store this."""


class Reply:
    """What an agent writes to."""

    def __init__(self, conversation: Conversation) -> None:
        self.chat = conversation.chat
        self._conversation = conversation
        self._entry: Entry | None = None
        self.calls: list[Call] = []

    def write(self, text: str) -> None:
        """Some more text."""
        if self._entry is None:
            self._entry = self._conversation.add(Entry(0, "assistant"))
        self._entry.text += text
        self._conversation.tell({"type": "text", "id": self._entry.id, "text": text})

    def show(self, call: Call) -> None:
        """A call, with its view when it has one. It is on screen while the tool runs."""
        self.calls.append(call)
        if call.view_uri is not None:
            self._conversation.add(Entry(0, "view", call=call))
            self._entry = None


Agent = Callable[[str, Reply], Awaitable[None]]


class Conversation:
    """What one user and the agent said to each other. `chat` is the user's session at the host."""

    def __init__(self, chat: HostSession, agent: Agent) -> None:
        self.chat = chat
        self.entries: list[Entry] = []
        self._agent = agent
        self._events: list[Event] = []
        self._changed = asyncio.Event()
        self._turn: asyncio.Task[None] | None = None

    def say(self, text: str, source: str | None = None) -> None:
        """The person, or a view, says something. One turn at a time."""
        if self._turn is None:
            self.add(Entry(0, "user", text, source))
            self._turn = asyncio.get_running_loop().create_task(self._take_turn(text))

    async def stop(self) -> None:
        """End the agent's turn."""
        if self._turn is not None:
            self._turn.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._turn

    async def _take_turn(self, text: str) -> None:
        reply = Reply(self)
        self.tell({"type": "busy", "busy": True})
        try:
            await self._agent(text, reply)
        except asyncio.CancelledError:
            await asyncio.gather(*(call.cancel("Stopped by the person") for call in reply.calls))
            reply.write(" Stopped.")
        except Exception:
            logger.exception("the agent failed")
            self.add(Entry(0, "problem", "The agent could not answer. Try again; the server's log says why."))
        finally:
            self._turn = None
            self._keep_records()
            self.tell({"type": "busy", "busy": False})

    def _keep_records(self) -> None:
        """Calls that are over become records: they show again without being called again."""
        for entry in self.entries:
            if entry.call is not None and entry.call.is_over:
                entry.record, entry.call = entry.call.record(), None

    def add(self, entry: Entry) -> Entry:
        """Put something into the conversation."""
        entry.id = len(self.entries)
        self.entries.append(entry)
        self.tell({"type": "entry", "entry": self._shown(entry)})
        return entry

    def tell(self, event: Event) -> None:
        """Tell everybody who follows."""
        self._events.append(event)
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(self, after: int | None) -> AsyncIterator[tuple[int, Event]]:
        """Events after a number; without one, first everything that there is, as one event."""
        position = len(self._events)
        if after is not None and after <= position:
            position = after
        else:
            entries = [self._shown(entry) for entry in self.entries]
            yield position, {"type": "history", "entries": entries, "busy": self._turn is not None}
        while True:
            changed = self._changed
            while position < len(self._events):
                position += 1
                yield position, self._events[position - 1]
            await changed.wait()

    def _shown(self, entry: Entry) -> dict[str, Any]:
        found: dict[str, Any] = {"id": entry.id, "role": entry.role, "text": entry.text, "source": entry.source}
        if entry.role == "view":
            found["html"] = self.chat.embed(entry.call or entry.record or {})
        return found
