"""The host's side of a view that is played: it says what was recorded, when it was recorded."""

from __future__ import annotations

from typing import Any

from cloche.errors import MethodNotFoundError
from cloche.testing.cassettes.recorded_answers import RecordedAnswers
from cloche.testing.protocol import Post, ViewConversation
from cloche.testing.records import Call, Message, ModelContext, Record
from cloche.wire.apps.lifecycle import ViewPhase
from cloche.wire.types import Json


class PlayedConversation(ViewConversation):
    """Answers with what the recording has. What views may say in which order was the recorded host's to decide."""

    def __init__(self, record: Record, post: Post, answers: RecordedAnswers) -> None:
        super().__init__(record, post, _refuse)
        self._recorded = answers

    async def post(self, message: Json) -> None:
        """Send a recorded message as it is."""
        await self._post(message)

    def receive(self, message: Any) -> None:
        """A message of the view arrived: the recording answers requests, whatever their order."""
        is_own = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
        method = message.get("method") if is_own else None
        if is_own and isinstance(method, str) and "id" in message:
            if self.phase is not ViewPhase.CLOSED:
                self.received.append(message)
                self._begin(repr(message["id"]), self._play(method, message))
        elif not is_own or isinstance(method, str) or message.get("id") in self._waiting:
            super().receive(message)  # other answers are to what was recorded

    async def _play(self, method: str, message: Json) -> None:
        params = message.get("params")
        call = self._noted(method, params if isinstance(params, dict) else {})
        slot = self._recorded.take(method, params)
        if slot is None:
            return
        await slot.is_due.wait()
        if method == "ui/initialize" and "error" not in slot.outcome:
            self.peer.greeted(params if isinstance(params, dict) else {})
        if call is not None:
            call.result, call.error = slot.outcome.get("result"), slot.outcome.get("error")
            self.record.add("answered", call)
        if self.phase is not ViewPhase.CLOSED:
            await self._post({"jsonrpc": "2.0", "id": message["id"], **slot.outcome})

    def _noted(self, method: str, params: Json) -> Call | None:
        """Keep what tests read of a view."""
        if method == "tools/call":
            call = Call(str(params.get("name")), params.get("arguments") or {})
            self.record.add("call", call)
            return call
        if method == "ui/message":
            self.record.add("message", Message(_blocks(params), str(params.get("role", "user"))))
        elif method == "ui/update-model-context":
            self.record.add("context", ModelContext(_blocks(params), params.get("structuredContent")))
        elif method == "ui/open-link":
            self.record.add("link", str(params.get("url")))
        return None


def _blocks(params: Json) -> list[Json]:
    content = params.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


async def _refuse(method: str, _: Json) -> Any:
    raise MethodNotFoundError(method)
