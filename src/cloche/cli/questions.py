"""Questions of a server (elicitation), put to the person at the terminal. Where there is none, they are declined."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from typing import Any

from cloche.cli.call_progress import CallProgress
from cloche.cli.words import Json, WordError, choices_of, kinds_of, read_value, simple_schemas
from cloche.client import ElicitRequest
from cloche.errors import shorten
from cloche.terminal import printable, say
from cloche.wire.types import ElicitResult

MAX_TEXT = 2000
MAX_FIELDS = 50
MAX_LINE = 64 << 10


class TerminalQuestions:
    """Asks on stderr and reads from stdin, one question at a time."""

    def __init__(self, progress: CallProgress) -> None:
        self.server = "The server"
        """Who asks."""
        self._progress = progress
        self._turn = asyncio.Lock()

    async def answer(self, asked: ElicitRequest) -> ElicitResult:
        """The person's answer: accept, decline or cancel."""
        message = printable(shorten(asked.message, MAX_TEXT))
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
            self._progress.say(
                f"{printable(self.server)} asked: {message} (declined: there is no terminal to answer at)", "yellow"
            )
            return ElicitResult("decline")
        async with self._turn:
            with self._progress.hidden():
                say(f"{printable(self.server)} asks: {message}", "bold")
                if asked.mode == "url":
                    return await self._visit(asked.url or "")
                return await self._fill(asked.requested_schema or {})

    async def _visit(self, url: str) -> ElicitResult:
        if not url.startswith(("https://", "http://")):
            say("It is not an address of the web, and was declined.", "yellow")
            return ElicitResult("decline")
        say(printable(shorten(url, MAX_TEXT)), "cyan underline")
        if not await _agreed("Open this address in your browser?", default=False):
            return ElicitResult("decline")
        if not webbrowser.open(url):
            say("No browser could be opened here: open the address above yourself.")
        return ElicitResult("accept")

    async def _fill(self, schema: Json) -> ElicitResult:
        properties = schema.get("properties")
        fields: Json = properties if isinstance(properties, dict) else {}
        required = schema.get("required") or ()
        answers: Json = {}
        say("Enter keeps what stands in brackets. Ctrl+D cancels.", "dim")
        for name, field in list(fields.items())[:MAX_FIELDS]:
            form = _FormField(name, field if isinstance(field, dict) else {}, name in required)
            given, value = await form.ask()
            if given is None:
                return ElicitResult("cancel")
            if given:
                answers[name] = value
        sent = await _agreed("Send this?", default=True)
        return ElicitResult("accept", answers) if sent else ElicitResult("decline")


class _FormField:
    def __init__(self, name: str, schema: Json, required: bool) -> None:
        self.name, self.schema, self.required = name, schema, required
        self.options = list(simple_schemas(schema, schema))
        self.several = any(kinds_of(one) == ["array"] for one in self.options)

    async def ask(self) -> tuple[bool | None, Any]:
        """Whether there is an answer, and which; None means that the person wants no more."""
        for line in self._about():
            say(line)
        while True:
            text = await read_line(self._label())
            if text is None:
                return None, None
            if not text.strip():
                if "default" in self.schema:
                    return True, self.schema["default"]
                if not self.required:
                    return False, None
                say(f"{printable(self.name)} is required.", "yellow")
                continue
            try:
                return True, self._read(text.strip())
            except WordError as error:
                say(printable(str(error)), "yellow")

    def _read(self, text: str) -> Any:
        if not self.several:
            return self._one(text, self.schema)
        items = next(one.get("items", {}) for one in self.options if kinds_of(one) == ["array"])
        return [self._one(part.strip(), items) for part in text.split(",") if part.strip()]

    def _one(self, text: str, schema: Json) -> Any:
        offered = list(_offered(schema))
        if text.isdigit() and 0 < int(text) <= len(offered) and text not in [str(value) for value, _ in offered]:
            return offered[int(text) - 1][0]
        return read_value(self.name, text, schema, schema)

    def _about(self) -> Iterator[str]:
        if self.schema.get("description"):
            yield f"  {printable(shorten(str(self.schema['description']), MAX_TEXT))}"
        items: Any = next((one.get("items", {}) for one in self.options if kinds_of(one) == ["array"]), {})
        for number, (value, title) in enumerate(_offered(items if self.several else self.schema), 1):
            shown = f"{title} ({value})" if title != str(value) else title
            yield printable(f"  {number}. {shorten(shown, 200)}")

    def _label(self) -> str:
        title = str(self.schema.get("title") or self.name)
        notes = []
        if self.several:
            notes.append("several, with commas")
        elif any(kinds_of(one) == ["boolean"] for one in self.options):
            notes.append("yes or no")
        if not self.required:
            notes.append("optional")
        note = f" ({', '.join(notes)})" if notes else ""
        default = f" [{self.schema['default']}]" if "default" in self.schema else ""
        return printable(shorten(f"{title}{note}{default}: ", 300))


def _offered(schema: Any) -> Iterator[tuple[Any, str]]:
    """Values that can be chosen, with their titles."""
    if not isinstance(schema, dict):
        return
    names = schema.get("enumNames")
    for number, value in enumerate(choices_of(schema)):
        titled = isinstance(names, list) and number < len(names)
        yield value, str(names[number] if titled else value)  # type: ignore[index]
    for key in ("oneOf", "anyOf"):
        for one in schema.get(key) or ():
            if isinstance(one, dict) and "const" in one:
                yield one["const"], str(one.get("title", one["const"]))


async def _agreed(question: str, *, default: bool) -> bool:
    answer = await read_line(f"{question} [{'Y/n' if default else 'y/N'}] ")
    if answer is None:
        return False
    return default if not answer.strip() else answer.strip().lower() in ("y", "yes")


async def read_line(label: str, read: Callable[[int, int], bytes] = os.read) -> str | None:
    """One line of the terminal; None at its end. The thread that waits for it is left behind when the call ends."""
    sys.stderr.write(label)
    sys.stderr.flush()
    loop = asyncio.get_running_loop()
    line: asyncio.Future[bytes] = loop.create_future()

    def wait() -> None:
        try:
            data = read(0, MAX_LINE)  # a terminal hands over whole lines
        except OSError:
            data = b""
        with contextlib.suppress(RuntimeError):  # the loop is over
            loop.call_soon_threadsafe(finish, data)

    def finish(data: bytes) -> None:
        if not line.done():
            line.set_result(data)

    threading.Thread(target=wait, daemon=True).start()
    data = await line
    return data.decode("utf-8", "replace").rstrip("\r\n") if data else None
