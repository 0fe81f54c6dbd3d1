"""What is written down of other browsers is about attacks that exist, and a run that differs from it fails."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.attacks import in_engines, kept, score
from tests.attacks.attack import Outcome
from tests.attacks.catalogue import ATTACKS
from tests.attacks.in_engines import STARTS, Replaceable, Run
from tests.attacks.kept import Kept
from tests.attacks.known import DEAD, OPEN, dead_in
from tests.engines.driving import DriverError

SHOWN = [attack for attack in ATTACKS if attack.direct is None]


def as_written(engine: str) -> dict[str, Outcome]:
    """Outcomes that are as they are written down."""
    dead = {attack.name for attack in SHOWN if attack.dormant is not None} | set(dead_in(engine))
    return {
        attack.id: Outcome(
            attack, against_control=attack.name not in dead, against_host=attack.name in OPEN[engine], breach="seen"
        )
        for attack in SHOWN
    }


@pytest.mark.parametrize("engine", STARTS)
def test_what_is_written_down_names_attacks_that_exist(engine: str) -> None:
    names = [attack.name for attack in SHOWN]
    written = [*OPEN[engine], *(name for group in DEAD[engine].values() for name in group)]
    assert [name for name in written if names.count(name) != 1] == []
    assert len(set(written)) == len(written)


@pytest.mark.parametrize("engine", STARTS)
@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("fetch", {"against_host": True}, "it succeeded against our host"),
        ("fetch", {"against_control": False}, "so nothing was shown"),
        ("fetch", {"problem": "it failed"}, "it failed"),
        ("preconnect", {"against_host": False}, "it is said to be open"),
    ],
)
def test_a_run_that_differs_is_complained_about(engine: str, name: str, change: dict[str, Any], complaint: str) -> None:
    outcomes = as_written(engine)
    assert Run(engine, "a browser", outcomes).complaints == []
    changed = next(outcome for outcome in outcomes.values() if outcome.attack.name == name)
    for field, value in change.items():
        setattr(changed, field, value)
    found = Run(engine, "a browser", outcomes).complaints
    assert len(found) == 1
    assert name in found[0]
    assert complaint in found[0]


def test_a_dead_attack_that_lives_is_complained_about() -> None:
    outcomes = as_written("firefox")
    alive = next(outcome for outcome in outcomes.values() if outcome.attack.name in dead_in("firefox"))
    alive.against_control = True
    assert "is said to be dead here" in Run("firefox", "a browser", outcomes).complaints[0]


def test_what_could_not_be_driven_is_named_with_the_reason() -> None:
    outcomes = as_written("firefox")
    for one in outcomes.values():
        if one.attack.kind == "relaxed views" or one.attack.name == "fetch":
            one.undriven = "no hands"
    run = Run("firefox", "a browser", outcomes)
    assert run.undriven == {"no hands": ["fetch", 'the class "relaxed views"']}
    assert '| fetch, the class "relaxed views" | no hands |' in score.of_engine(run)


async def test_a_browser_that_was_brought_down_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Brittle] = []
    monkeypatch.setitem(STARTS, "firefox", lambda: Brittle(started))
    monkeypatch.setattr(in_engines, "OPENS_WITHIN", 0.05)
    browser = await Replaceable("firefox").start()
    assert await browser.new_page() == "a page of 1"
    started[0].state = "down"
    assert await browser.new_page() == "a page of 2"
    started[1].state = "hung"
    assert await browser.new_page() == "a page of 3"
    await browser.close()
    assert [one.state for one in started] == ["closed"] * 3


def test_a_run_that_was_interrupted_goes_on_after_the_last_class_that_it_did(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLOCHE_CACHE", str(tmp_path))
    monkeypatch.setattr(kept, "digest", lambda: "of one build")
    outcomes = as_written("webkit")
    begun = [attack for attack in SHOWN if attack.kind == "relaxed views"]
    outcomes[begun[0].id].problem = "it failed"
    Kept("webkit", resumes=False).keep("a browser", {one.id: outcomes[one.id] for one in begun})
    found = Kept("webkit", resumes=True).of(begun)
    assert found is not None
    assert found[0] == "a browser"
    assert found[1][begun[0].id].problem == "it failed"
    assert [one.is_live for one in found[1].values()] == [outcomes[one.id].is_live for one in begun]
    assert Kept("webkit", resumes=True).of(SHOWN) is None
    assert Kept("firefox", resumes=True).of(begun) is None
    Kept("webkit", resumes=True).keep("another version", {})
    assert Kept("webkit", resumes=True).of(begun) is None


def test_what_is_kept_is_of_one_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept, "TESTED", (tmp_path,))
    found = set()
    for text in ("one", "another"):
        (tmp_path / "keyboard.js").write_text(text, encoding="utf-8")
        found.add(kept.digest())
    assert len(found) == 2


def test_a_new_run_begins_with_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLOCHE_CACHE", str(tmp_path))
    outcomes = as_written("webkit")
    Kept("webkit", resumes=False).keep("a browser", outcomes)
    assert Kept("webkit", resumes=False).of(SHOWN) is None


class Brittle:
    """A browser that an attack can bring down or hang."""

    def __init__(self, started: list[Brittle]) -> None:
        self.state, self._started = "open", started

    async def start(self) -> Brittle:
        """The next one."""
        self._started.append(self)
        self.name = str(len(self._started))
        return self

    async def new_page(self) -> str:
        """Opens one, fails, or never answers."""
        if self.state == "down":
            raise DriverError("closed", "Firefox has gone")
        if self.state == "hung":
            await asyncio.Event().wait()
        return f"a page of {self.name}"

    async def close(self) -> None:
        """It is over."""
        self.state = "closed"


def test_the_document_has_a_place_for_every_browser() -> None:
    text = score.DOCUMENT.read_text(encoding="utf-8")
    for engine in STARTS:
        assert f"<!-- the score of {engine}: written by `make security` -->" in text
        assert f"<!-- end of the score of {engine} -->" in text
