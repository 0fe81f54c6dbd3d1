"""What a tool may ask of the client: its user (`Elicit`), its model (`Sample`), its roots (`ListRoots`).

The handshake era sends a request back to the client and waits. The stateless era has no way back: the call is
answered with the question (`InputRequired`), and the client repeats the call with the answer. Then the tool runs
again from the top: answers it got before are there at once, and `ctx.once` keeps an effect from happening twice. The
answers and the effects travel in the request state, which is signed and bound to the call, the caller and a time.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import InvalidParamsError, LocalError, McpError, MissingCapabilityError
from cloche.server.elicitation_forms import check_form, form_schema
from cloche.server.schema import schema_of
from cloche.wire import types
from cloche.wire.signing import Signer

STATE_SECONDS = 3600
"""How long a client may take to come back with an answer."""

T = TypeVar("T")


@dataclass(eq=False)
class Elicited(Generic[T]):
    """What the user answered: `action` is "accept", "decline" or "cancel"; `data` is there when accepted."""

    action: str
    data: T | None

    @property
    def accepted(self) -> bool:
        """Whether the user said yes and filled in the form."""
        return self.action == "accept"


class Ask:
    """Base of a question to the client."""

    method: str
    capability: str

    def params(self) -> dict[str, Any]:
        """The parameters of the request that asks it."""
        raise NotImplementedError

    def read(self, answer: bytes | Raw) -> Any:
        """The client's answer, checked; raises `InvalidParamsError` when it does not fit."""
        raise NotImplementedError

    def check(self, capabilities: dict[str, Any]) -> None:
        """Refuse a question that the client did not say it can take."""
        if not isinstance(capabilities.get(self.capability), dict):
            raise MissingCapabilityError(self.capability, self.method)


class Elicit(Ask):
    """Ask the user to fill in a form: a flat dataclass, Struct, TypedDict or pydantic model, or a JSON Schema."""

    method = "elicitation/create"
    capability = "elicitation"

    def __init__(self, message: str, form: Any) -> None:
        self.message = message
        self._decode: Callable[[bytes], Any] | None = None
        if isinstance(form, dict):
            self.schema = form_schema(form)
        else:
            schema, self._decode = schema_of(form, what="The form of an elicitation")
            self.schema = form_schema(schema)

    def params(self) -> dict[str, Any]:
        """The parameters of `elicitation/create`."""
        return {"mode": "form", "message": self.message, "requestedSchema": self.schema}

    def read(self, answer: bytes | Raw) -> Elicited[Any]:
        """What the user answered."""
        result = _read(answer, types.ElicitResult, self.method)
        if result.action != "accept":
            return Elicited(result.action, None)
        content = result.content or {}
        check_form(self.schema, content)
        if self._decode is None:
            return Elicited("accept", content)
        try:
            return Elicited("accept", self._decode(msgspec.json.encode(content)))
        except Exception as error:
            raise InvalidParamsError(f"The answer to the elicitation does not fit its form: {error}") from None


class ElicitUrl(Ask):
    """Ask the user to visit a URL, for what must not pass through the client (a login, a payment)."""

    method = "elicitation/create"
    capability = "elicitation"

    def __init__(self, message: str, url: str, elicitation_id: str | None = None) -> None:
        if not url.startswith(("https://", "http://")):
            raise LocalError(f"An elicitation's URL is http or https, not {url[:60]!r}")
        self.message = message
        self.url = url
        self.elicitation_id = elicitation_id or hashlib.sha256(url.encode()).hexdigest()[:32]

    def params(self) -> dict[str, Any]:
        """The parameters of `elicitation/create`."""
        return {"mode": "url", "message": self.message, "url": self.url, "elicitationId": self.elicitation_id}

    def read(self, answer: bytes | Raw) -> Elicited[None]:
        """Whether the user agreed to go there."""
        return Elicited(_read(answer, types.ElicitResult, self.method).action, None)

    def check(self, capabilities: dict[str, Any]) -> None:
        """Refuse when the client cannot open URLs."""
        super().check(capabilities)
        if not isinstance(capabilities["elicitation"].get("url"), dict):
            raise MissingCapabilityError("elicitation", "elicitation/create with a URL")


class Sample(Ask):
    """Ask the client's model."""

    method = "sampling/createMessage"
    capability = "sampling"

    def __init__(
        self,
        messages: str | Sequence[Any],
        *,
        max_tokens: int = 1024,
        system: str | None = None,
        temperature: float | None = None,
        stop: Sequence[str] | None = None,
        preferences: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] | None = None,
        tool_choice: dict[str, Any] | None = None,
    ) -> None:
        given = [messages] if isinstance(messages, str) else list(messages)
        self._params: dict[str, Any] = {"messages": [_message(item) for item in given], "maxTokens": max_tokens}
        optional = {
            "systemPrompt": system,
            "temperature": temperature,
            "stopSequences": list(stop) if stop else None,
            "modelPreferences": preferences,
            "tools": list(tools) if tools else None,
            "toolChoice": tool_choice,
        }
        self._params |= {key: value for key, value in optional.items() if value is not None}

    def params(self) -> dict[str, Any]:
        """The parameters of `sampling/createMessage`."""
        return self._params

    def read(self, answer: bytes | Raw) -> types.SamplingResult:
        """What the model answered."""
        return _read(answer, types.SamplingResult, self.method)

    def check(self, capabilities: dict[str, Any]) -> None:
        """Refuse tools in a request to a client whose model takes none."""
        super().check(capabilities)
        if "tools" in self._params and not isinstance(capabilities["sampling"].get("tools"), dict):
            raise MissingCapabilityError("sampling", "sampling/createMessage with tools")


class ListRoots(Ask):
    """Ask for the folders and files the client lets the server work in."""

    method = "roots/list"
    capability = "roots"

    def params(self) -> dict[str, Any]:
        """`roots/list` takes none."""
        return {}

    def read(self, answer: bytes | Raw) -> list[types.Root]:
        """The client's roots."""
        return _read(answer, types.ListRootsResult, self.method).roots


class InputRequired(BaseException):
    """Ends a stateless call with questions. Not an `Exception`, so that a tool's own `except` does not swallow it."""

    def __init__(self, asks: dict[str, Ask]) -> None:
        super().__init__("the client must answer first")
        self.asks = asks


class Memory:
    """What a call remembers over its repetitions: answers by key, and effects done once."""

    def __init__(self) -> None:
        self.answers: dict[str, Raw] = {}
        self.done: dict[str, Any] = {}
        self.order = 0

    def key(self, given: str | None, kind: str) -> str:
        """The key of a question: as given, or its number in the order of asking, which is the same each time."""
        self.order += 1
        return given if given is not None else f"{kind}-{self.order}"


class _State(msgspec.Struct, array_like=True):
    call: str
    expires: int
    answers: dict[str, Raw]
    done: dict[str, Any]


class RequestStateSigner:
    """Puts a call's memory into the request state and takes it out again."""

    def __init__(self, signer: Signer, most_bytes: int) -> None:
        self._signer = signer
        self._most = most_bytes
        self._decoder = msgspec.json.Decoder(_State)

    def sign(self, memory: Memory, call: str) -> str:
        """The request state for this call."""
        state = _State(call, int(time.time()) + STATE_SECONDS, memory.answers, memory.done)
        payload = msgspec.json.encode(state)
        if len(payload) > self._most:
            raise LocalError(f"The call remembers {len(payload)} bytes, over {self._most}: let ctx.once return less")
        return self._signer.sign("request state", payload)

    def open(self, params: types.InputParams, call: str) -> Memory:
        """The memory of a call from what the client sent back; state of another call, caller or time is refused."""
        memory = Memory()
        if params.request_state is not UNSET:
            state = self._decoder.decode(self._signer.open("request state", params.request_state))
            if state.call != call:
                raise InvalidParamsError("The request state belongs to another request")
            if state.expires < time.time():
                raise InvalidParamsError("The request state has expired: repeat the request without it")
            memory.answers |= state.answers
            memory.done = state.done
        if params.input_responses is not UNSET:
            memory.answers |= params.input_responses
        return memory


def call_fingerprint(method: str, target: str, arguments: bytes, principal: str) -> str:
    """What a request state is bound to: the method, its target and arguments, and the caller."""
    parts = (method.encode(), target.encode(), hashlib.sha256(arguments).digest(), principal.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _message(item: Any) -> Any:
    if isinstance(item, str):
        return {"role": "user", "content": {"type": "text", "text": item}}
    return item


def _read(answer: bytes | Raw, kind: type[T], method: str) -> T:
    try:
        return msgspec.json.decode(answer, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidParamsError(f"The client's answer to {method} is malformed: {error}") from None


def failed_answer(error: McpError) -> McpError:
    """The client answered a question with an error: the tool sees it as one of its own, without the client's data."""
    return McpError(f"The client refused: {error.message}", code=error.code)
