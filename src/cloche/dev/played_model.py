"""Whoever is at the page answers for the model: with words of their own, or by letting the chat's model answer."""

from __future__ import annotations

import os

from cloche.dev.agents import answer_once
from cloche.dev.models import ChosenModel, chosen_model
from cloche.errors import LocalError
from cloche.host.hooks import Sampling
from cloche.host.page_questions import NobodyToAskError
from cloche.host.plain_text import middle_cut, name, quoted, visible
from cloche.host.session import HostSession
from cloche.wire.types import Json

MAX_ASKED = 4000
"""Characters of what a server asks the model that are shown."""

ANSWER = {"type": "string", "title": "Answer of the model"}


async def play_model(session: HostSession, wanted: Sampling) -> str | None:
    """What the person at the page writes as the model's answer, or has the chat's model write; nothing when they
    decline or nobody is there.
    """
    seconds, model = session.host.limits.elicit_seconds, _model()
    question = {
        "kind": "sampling",
        "title": f"{quoted(wanted.server)} asks the model",
        "text": "Write what it should answer, or decline." if model is None else _choice(model),
        "details": {"asked": middle_cut(visible(wanted.text), MAX_ASKED)},
        "form": _form(model),
        "accept": "Answer",
        "refuse": "Decline",
        "seconds": seconds,
    }
    try:
        said = await session.questions.ask(question, seconds)
    except NobodyToAskError:
        return None
    content = said.get("content") if isinstance(said, dict) else None
    if not isinstance(content, dict):
        return None
    if model is not None and content.get("model") is True:
        return await answer_once(model, wanted.request)
    answer = content.get("answer")
    return answer if isinstance(answer, str) and answer else None


def _model() -> ChosenModel | None:
    """The model of the chat, when the environment names one that can be used."""
    try:
        return chosen_model(os.environ)
    except LocalError:
        return None


def _choice(model: ChosenModel) -> str:
    return (
        f"Write what it should answer, or let {quoted(model.name)} answer: what is asked goes to {model.goes_to} then."
    )


def _form(model: ChosenModel | None) -> Json:
    if model is None:
        return {"type": "object", "properties": {"answer": ANSWER}, "required": ["answer"]}
    asks = {"type": "boolean", "title": f"Let {name(model.name)} answer"}
    return {"type": "object", "properties": {"answer": ANSWER, "model": asks}, "required": []}
