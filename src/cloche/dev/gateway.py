"""The page's socket: requests with answers, and everything that happens, as it happens."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from cloche.asgi import Receive, Send
from cloche.dev.page_queue import PageQueue
from cloche.dev.playground import Playground
from cloche.errors import ClocheError, InvalidParamsError, shorten
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

MAX_FRAME = 4 << 20
"""Bytes of one request: arguments may hold a file."""

HELLO_SECONDS = 10.0

logger = logging.getLogger("cloche.dev")


class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """The first frame. A page that was connected before says what it has heard last."""

    token: str
    run: str = ""
    seq: int = 0


class PlaygroundRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the page wants done."""

    id: int
    do: str
    server: str = ""
    tool: str = ""
    call: str = ""
    method: str = ""
    arguments: dict[str, Any] = {}
    uri: str = ""
    name: str = ""
    on: bool = True
    story: dict[str, Any] = {}
    anew: bool = False
    text: str = ""
    script: str | None = None
    task: bool = False
    number: int = 0


DEEDS: dict[str, Callable[[Playground, PlaygroundRequest], Awaitable[Json]]] = {
    "list": lambda play, asked: play.running.listing(asked.server),
    "call": lambda play, asked: play.calls.start(asked.server, asked.tool, asked.arguments, as_task=asked.task),
    "tasks": lambda play, _: play.task_list.listing(),
    "recall": lambda play, asked: play.calls.recall(asked.call),
    "follow": lambda play, asked: play.running.follow(asked.server, asked.uri, asked.on),
    "profile": lambda play, asked: play.become(asked.name),
    "cancel": lambda play, asked: play.calls.cancel(asked.call),
    "again": lambda play, asked: play.calls.again(asked.call),
    "speak": lambda play, asked: play.running.speak(asked.server, asked.name),
    "restart": lambda play, asked: play.running.restart(asked.server),
    "log-level": lambda play, asked: play.running.log_level(asked.server, asked.name),
    "ask": lambda play, asked: play.running.ask(asked.server, asked.method, asked.arguments),
    "questions": lambda play, _: play.questions(),
    "body": lambda play, asked: play.bodies.whole(asked.number),
    "signed-in": lambda play, asked: play.sign_ins.finish(asked.text),
    "sign-out": lambda play, asked: play.sign_ins.sign_out(asked.server),
    "chat": lambda play, _: play.chat.state(),
    "chat-say": lambda play, asked: play.chat.say(asked.text, asked.script),
    "chat-stop": lambda play, _: play.chat.stop(),
    "chat-clear": lambda play, _: play.chat.clear(),
    "compare-story": lambda play, asked: play.comparison.of_story(asked.server, asked.name),
    "compare-call": lambda play, asked: play.comparison.of_call(asked.call),
    "share": lambda play, _: play.sharing.state(),
    "share-start": lambda play, _: play.sharing.start(),
    "share-stop": lambda play, _: play.sharing.stop(),
    "share-page": lambda play, _: play.sharing.page(),
    "stories": lambda play, _: play.stories.listing(),
    "open-story": lambda play, asked: play.stories.open(asked.server, asked.name, asked.anew),
    "save-story": lambda play, asked: play.stories.save(asked.server, asked.story, asked.call),
    "remove-story": lambda play, asked: play.stories.remove(asked.server, asked.name),
}
"""What the page can have done."""


class Gateway:
    """One page that is open."""

    def __init__(self, playground: Playground, token: str) -> None:
        self._playground = playground
        self._token = token
        self._out = PageQueue()
        self._tasks = Tasks()

    async def run(self, receive: Receive, send: Send) -> None:
        """Serve the page until it goes."""
        hello = await self._greeted(receive, send)
        if hello is None:
            return
        history = self._playground.history
        self._out.put({"event": "begin", "run": history.run})
        for told in history.after(hello.run, hello.seq):
            self._out.put(told)
        self._out.put(
            {
                "event": "ready",
                "hosts": self._playground.hosts(),
                "servers": self._playground.running.names(),
                "signIns": self._playground.sign_ins.wanted(),
                "questions": (await self._playground.questions())["tickets"],
            }
        )
        stop = self._playground.listen(self._out.put)
        both = [self._tasks.spawn(self._write_all(send)), self._tasks.spawn(self._read_all(receive))]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop()
            await self._tasks.end()

    async def _greeted(self, receive: Receive, send: Send) -> Hello | None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                event = await receive()
            said = msgspec.json.decode(event.get("text") or "", type=Hello)
            if hmac.compare_digest(said.token.encode(), self._token.encode()):
                return said
        except (TimeoutError, msgspec.MsgspecError):
            pass
        await send({"type": "websocket.close", "code": 1008, "reason": "token"})
        return None

    async def _write_all(self, send: Send) -> None:
        while True:
            text = await self._out.next()
            try:
                await send({"type": "websocket.send", "text": text})
            except OSError:
                return

    async def _read_all(self, receive: Receive) -> None:
        while True:
            event = await receive()
            if event["type"] != "websocket.receive":
                return
            text = event.get("text")
            if text is None or len(text) > MAX_FRAME:
                return
            try:
                request = msgspec.json.decode(text, type=PlaygroundRequest)
            except msgspec.MsgspecError:
                return
            self._tasks.spawn(self._answer(request))

    async def _answer(self, request: PlaygroundRequest) -> None:
        try:
            self._out.put({"id": request.id, "value": await self._do(request)})
        except ClocheError as error:
            self._out.put({"id": request.id, "error": shorten(str(error), 2000)})
        except Exception as error:
            logger.exception("the playground failed")
            self._out.put({"id": request.id, "error": f"The playground failed: {type(error).__name__}"})

    async def _do(self, request: PlaygroundRequest) -> Json:
        if request.do not in DEEDS:
            raise InvalidParamsError(f"There is no request {shorten(request.do)!r}")
        return await DEEDS[request.do](self._playground, request)
