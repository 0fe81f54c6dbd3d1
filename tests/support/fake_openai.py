"""An OpenAI-compatible server on loopback: it streams what it is told to, and keeps what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

Delta = dict[str, Any]


def said(*texts: str) -> list[Delta]:
    """An answer in words, one delta each."""
    return [{"content": text} for text in texts]


def called(name: str, arguments: dict[str, Any]) -> list[Delta]:
    """An answer that calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [{"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}]


class FakeOpenAI:
    """The server. `answers` are given one after the other; while `hold` is clear, the rest of one is kept back."""

    def __init__(self, answers: list[list[Delta]]) -> None:
        self.answers = answers
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = ""
        self.hold = asyncio.Event()
        self.hold.set()
        self.left = asyncio.Event()
        """Set when a client went away in the middle of an answer."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            self.keys.append(fields.get("authorization", ""))
            self.asked.append(json.loads(await reader.readexactly(int(fields["content-length"]))))
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
            await self._stream(self.answers.pop(0), writer, reader)
        except ConnectionError:
            self.left.set()
        finally:
            writer.close()

    async def _stream(self, deltas: list[Delta], writer: asyncio.StreamWriter, reader: asyncio.StreamReader) -> None:
        reason = "tool_calls" if "tool_calls" in deltas[-1] else "stop"
        choices = [[{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}] for delta in deltas]
        choices.append([{"index": 0, "delta": {}, "finish_reason": reason}])
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        for number, choice in enumerate([*choices, []]):
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": choice}
            line = json.dumps({**chunk, **({} if choice else {"usage": usage})})
            writer.write(f"data: {line}\n\n".encode())
            await writer.drain()
            if number == 0 and not self.hold.is_set():
                gone = asyncio.ensure_future(reader.read(1))
                released = asyncio.ensure_future(self.hold.wait())
                done, waiting = await asyncio.wait([gone, released], return_when=asyncio.FIRST_COMPLETED)
                for one in waiting:
                    one.cancel()
                if gone in done:
                    raise ConnectionResetError
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()


@asynccontextmanager
async def fake_openai(*answers: list[Delta]) -> AsyncIterator[FakeOpenAI]:
    """The server, while the block runs."""
    fake = FakeOpenAI(list(answers))
    listening = await asyncio.start_server(fake.serve, "127.0.0.1", 0)
    fake.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
    try:
        yield fake
    finally:
        listening.close()
        await listening.wait_closed()
