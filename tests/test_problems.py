"""Problems with views: sentences for people, codes and facts for programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cloche
from cloche.problems import FACT_LIMIT, SENTENCES, Problem

SOURCES = [path.read_text("utf-8") for path in Path(cloche.__file__).parent.rglob("*.py")]


def test_a_problem_is_its_sentence_and_has_a_code_and_facts() -> None:
    problem = Problem("view-flooded", count=12)
    assert problem == "The view sent too many messages (12)"
    assert (problem.code, problem.facts) == ("view-flooded", {"count": 12})


def test_a_sentence_does_not_repeat_a_peer_at_length() -> None:
    problem = Problem("view-failed", message="x" * 10_000)
    assert len(problem) < FACT_LIMIT + 50
    assert len(problem.facts["message"]) == 10_000


@pytest.mark.parametrize("code", SENTENCES)
def test_every_code_is_used_and_gets_the_facts_of_its_sentence(code: str) -> None:
    calls = [call for source in SOURCES for call in re.findall(rf'Problem\(\s*"{code}"([^\n]*)', source)]
    assert calls
    for fact in re.findall(r"\{(\w+)", SENTENCES[code]):
        assert all(f"{fact}=" in call for call in calls)
