"""What a client answers when the server asks: its roots, its model (sampling), its user (elicitation).

The same functions answer in both eras: requests of a server in the handshake era, and `input_required` in the
stateless one.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Raw

from cloche.errors import InternalError, InvalidParamsError, McpError, MethodNotFoundError, shorten
from cloche.wire.types import ElicitResult, Json, Root, SamplingResult

T = TypeVar("T")

logger = logging.getLogger("cloche.client")


class SampleRequest(msgspec.Struct, rename="camel", kw_only=True):
    """The server asks the client's model."""

    messages: list[Json]
    max_tokens: int = 1024
    system_prompt: str | None = None
    temperature: float | None = None
    stop_sequences: list[str] | None = None
    model_preferences: Json | None = None
    include_context: str | None = None
    tools: list[Json] | None = None
    tool_choice: Json | None = None
    metadata: Json | None = None

    @property
    def text(self) -> str:
        """The text of all messages."""
        contents = [message.get("content") for message in self.messages]
        blocks = [block for content in contents for block in (content if isinstance(content, list) else [content])]
        return "\n".join(str(block["text"]) for block in blocks if isinstance(block, dict) and "text" in block)


class ElicitRequest(msgspec.Struct, rename="camel", kw_only=True):
    """The server asks the user: to fill in a form (`requested_schema`), or to visit a URL."""

    message: str
    mode: str = "form"
    requested_schema: Json | None = None
    url: str | None = None
    elicitation_id: str | None = None


Roots: TypeAlias = Sequence[str | Root] | Callable[[], Any]
"""Folders as `file://` URIs, or a function that returns them."""

Sampling: TypeAlias = Callable[[SampleRequest], Any]
"""Returns the model's text, a `SamplingResult`, or a dictionary of one; may be async."""

Elicitation: TypeAlias = Callable[[ElicitRequest], Any]
"""Returns the filled-in form as a dictionary, None to decline, or an `ElicitResult`; may be async."""

_sample_decoder = msgspec.json.Decoder(SampleRequest)
_elicit_decoder = msgspec.json.Decoder(ElicitRequest)


class Answers:
    """Answers what a server asks, with the functions a client was given."""

    def __init__(self, roots: Roots | None, sampling: Sampling | None, elicitation: Elicitation | None) -> None:
        self.capabilities: Json = {}
        """What the client says it can be asked."""
        self._methods: dict[str, Callable[[Raw], Awaitable[Any]]] = {"ping": _ping}
        if roots is not None:
            self.capabilities["roots"] = {"listChanged": True}
            self._methods["roots/list"] = lambda _: _list_roots(roots)
        if sampling is not None:
            self.capabilities["sampling"] = {"tools": {}}
            self._methods["sampling/createMessage"] = lambda params: _sample(sampling, params)
        if elicitation is not None:
            self.capabilities["elicitation"] = {"form": {}, "url": {}}
            self._methods["elicitation/create"] = lambda params: _elicit(elicitation, params)

    async def answer(self, method: str, params: Raw) -> Any:
        """The result for one question; raises `McpError` when there is none."""
        handler = self._methods.get(method)
        if handler is None:
            raise MethodNotFoundError(method)
        try:
            return await handler(params)
        except McpError:
            raise
        except Exception:
            logger.exception("answering %s failed", shorten(method))
            raise InternalError(f"The client failed to answer {shorten(method)}") from None


async def _ping(_: Raw) -> Json:
    return {}


async def _list_roots(given: Roots) -> Json:
    roots = await _called(given) if callable(given) else given
    return {"roots": [root if isinstance(root, Root) else Root(str(root)) for root in roots or ()]}


async def _sample(sampling: Sampling, params: Raw) -> Any:
    answer = await _called(sampling, _decoded(params, _sample_decoder, "sampling/createMessage"))
    if isinstance(answer, str):
        return SamplingResult("assistant", {"type": "text", "text": answer}, "unknown", "endTurn")
    return answer


async def _elicit(elicitation: Elicitation, params: Raw) -> Any:
    answer = await _called(elicitation, _decoded(params, _elicit_decoder, "elicitation/create"))
    if answer is None:
        return ElicitResult("decline")
    return answer if isinstance(answer, ElicitResult) else ElicitResult("accept", answer)


async def _called(function: Callable[..., Any], *arguments: Any) -> Any:
    value = function(*arguments)
    return await value if inspect.isawaitable(value) else value


def _decoded(params: Raw, decoder: msgspec.json.Decoder[T], method: str) -> T:
    try:
        return decoder.decode(params)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidParamsError(f"The parameters of {method} are malformed: {shorten(str(error), 200)}") from None
