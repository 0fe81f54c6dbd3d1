"""The playground has no model: whoever is at the page answers for it."""

from __future__ import annotations

from cloche.host.hooks import Sampling
from cloche.host.page_questions import NobodyToAskError
from cloche.host.plain_text import middle_cut, quoted, visible
from cloche.host.session import HostSession

MAX_ASKED = 4000
"""Characters of what a server asks the model that are shown."""

ANSWER = {"type": "string", "title": "Answer of the model"}


async def play_model(session: HostSession, wanted: Sampling) -> str | None:
    """What the person at the page writes as the model's answer; nothing when they decline or nobody is there."""
    seconds = session.host.limits.elicit_seconds
    question = {
        "kind": "sampling",
        "title": f"{quoted(wanted.server)} asks the model",
        "text": "There is no model in the playground: write what it should answer, or decline.",
        "details": {"asked": middle_cut(visible(wanted.text), MAX_ASKED)},
        "form": {"type": "object", "properties": {"answer": ANSWER}, "required": ["answer"]},
        "accept": "Answer",
        "refuse": "Decline",
        "seconds": seconds,
    }
    try:
        said = await session.questions.ask(question, seconds)
    except NobodyToAskError:
        return None
    content = said.get("content") if isinstance(said, dict) else None
    answer = content.get("answer") if isinstance(content, dict) else None
    return answer if isinstance(answer, str) else None
