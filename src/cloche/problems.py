"""What can go wrong with a view: a code and facts for programs, and the sentence that people read.

A `Problem` is the sentence, so it can be printed and logged as any text; programs compare `problem.code` and read
`problem.facts`. Sentences may be improved, codes stay.
"""

from __future__ import annotations

from typing import Any

from cloche.errors import shorten

SENTENCES: dict[str, str] = {
    "view-unavailable": "{reason}",
    "view-silent": (
        "The view never completed the ui/initialize handshake: it said nothing for {seconds:g} s after it was opened. "
        "`cloche check` says what keeps it from that"
    ),
    "view-failed": "The view failed: {message}",
    "view-navigated": "The view went to another page",
    "view-unresponsive": "The view did not respond",
    "view-flooded": "The view sent too many messages ({count})",
    "view-misbehaved": "The view {did}",
    "leaky-browser": "The browser does not enforce Connection-Allowlist, so views can send data out",
}
"""Every code, and the sentence that its facts are put into."""

FACT_LIMIT = 300
"""Characters of a fact that a sentence shows: some are the view's own words."""


class Problem(str):
    """One problem with a view, as a sentence; `code` and `facts` are for programs."""

    __slots__ = ("code", "facts")

    code: str
    facts: dict[str, Any]

    def __new__(cls, code: str, **facts: Any) -> Problem:
        shown = {name: shorten(fact, FACT_LIMIT) if isinstance(fact, str) else fact for name, fact in facts.items()}
        problem = super().__new__(cls, SENTENCES[code].format(**shown))
        problem.code, problem.facts = code, facts
        return problem
