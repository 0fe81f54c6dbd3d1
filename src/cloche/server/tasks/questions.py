"""What a task asks its client: the questions wait, and the function with them, until somebody answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from cloche.errors import McpError
from cloche.server.client_requests import Ask


class Question:
    """One open question."""

    __slots__ = ("answer", "ask", "is_taken", "key")

    def __init__(self, key: str, ask: Ask) -> None:
        self.key = key
        self.ask = ask
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.is_taken = False
        """Whether it was sent to a client that has not answered yet (2025-11-25)."""


class Questions:
    """The open questions of one task."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._open: dict[str, Question] = {}
        self._keys: set[str] = set()

    def __len__(self) -> int:
        return len(self._open)

    async def ask(self, asks: dict[str, Ask]) -> dict[str, Any]:
        """Ask several things at once, and return the answers by name when the last one has come."""
        asked = {name: Question(self._new_key(name), ask) for name, ask in asks.items()}
        self._open |= {question.key: question for question in asked.values()}
        self._changed()
        try:
            return {name: await question.answer for name, question in asked.items()}
        finally:
            for question in asked.values():
                question.answer.cancel()
                self._close(question)

    def _new_key(self, name: str) -> str:
        """A key that this task has not used yet: an answer must never meet another question."""
        key, number = name, 1
        while key in self._keys:
            number += 1
            key = f"{name}-{number}"
        self._keys.add(key)
        return key

    def encoded(self) -> bytes | None:
        """The open questions as a JSON object by key; None when there are none."""
        if not self._open:
            return None
        questions = {key: {"method": one.ask.method, "params": one.ask.params()} for key, one in self._open.items()}
        return msgspec.json.encode(questions)

    # Answers

    def answer(self, answers: dict[str, Raw]) -> None:
        """Take answers by key. Keys without an open question are ignored; an answer that does not fit its question is
        refused with `InvalidParamsError`, and then none of them counts.
        """
        read = [(self._open[key], self._open[key].ask.read(raw)) for key, raw in answers.items() if key in self._open]
        for question, value in read:
            self._settle(question, value)

    def take(self) -> Question | None:
        """A question to send to a client that can be asked directly (2025-11-25); None when there is none to send."""
        for question in self._open.values():
            if not question.is_taken:
                question.is_taken = True
                return question
        return None

    def give_back(self, question: Question) -> None:
        """The client went away without an answer: the next one is asked."""
        question.is_taken = False
        self._changed()

    def settle(self, question: Question, raw: Raw) -> None:
        """The client that was asked directly has answered."""
        try:
            self._settle(question, question.ask.read(raw))
        except McpError as error:
            self.fail(question, error)

    def fail(self, question: Question, error: McpError) -> None:
        """The client refused to answer: the function gets the error."""
        if not question.answer.done():
            question.answer.set_exception(error)
            self._close(question)

    def _settle(self, question: Question, value: Any) -> None:
        if not question.answer.done():
            question.answer.set_result(value)
            self._close(question)

    def _close(self, question: Question) -> None:
        if self._open.pop(question.key, None) is not None:
            self._changed()
