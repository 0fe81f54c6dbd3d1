"""Every attack of the catalogue: it succeeds against a host without the protection, and fails against ours."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest

from cloche.testing.background import BackgroundLoop
from tests.attacks import score
from tests.attacks.attack import Attack, Outcome
from tests.attacks.battery import Battery
from tests.attacks.catalogue import ATTACKS

CASES = {f"W{number:02}" for number in range(1, 29)}

CLASSES = {
    "exfiltration by request",
    "exfiltration by navigation",
    "exfiltration by WebRTC",
    "exfiltration by lookup",
    "DOM and storage of others",
    "sandbox escape",
    "spoofed messages",
    "forged and replayed messages",
    "pinning races",
    "malformed messages",
    "floods",
    "busy loops",
    "link schemes",
    "CSP strings",
    "prototype pollution",
    "tool shadowing",
    "calls that are not the view's",
    "other users",
    "permissions",
    "malformed pages",
    "the host's own pages",
    "identity",
    "createAppHost",
    "in the person's name",
    "imitation",
    "relaxed views",
    "too much of everything",
    "consent by trickery",
    "stolen keyboard",
    "servers that ask",
    "recordings",
    "copilots",
    "servers by URL",
}


UNSTEADY_BESIDE_OTHERS = {"swallow-a-letter", "swallow-and-hang", "read-a-letter", "read-in-a-pause"}
"""Their controls need a browser that is not kept waiting: `make test-all` and `make security` try them."""


def marked(attack: Attack) -> Any:
    """The attack as a parameter."""
    return pytest.param(
        attack, marks=[pytest.mark.long] if attack.name in UNSTEADY_BESIDE_OTHERS else [], id=str(attack)
    )


class Running:
    """The battery, on a loop of its own; a test waits for its own attack only."""

    def __init__(self, attacks: list[Attack]) -> None:
        self.battery = Battery(attacks)
        self._loop = BackgroundLoop("attacks")
        self._done = asyncio.run_coroutine_threadsafe(self.battery.run(), self._loop.loop)

    def outcome(self, attack: Attack) -> Outcome:
        """How it went."""
        outcome = self.battery.outcomes[attack.id]
        self._loop.run(outcome.done.wait())
        return outcome

    def close(self) -> None:
        """Wait for the rest."""
        try:
            self._done.result()
        finally:
            self._loop.close()


@pytest.fixture(scope="module")
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    """Every attack that this run of pytest has selected, all started at once."""
    selected = [
        item.callspec.params["attack"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.module is request.module and hasattr(item, "callspec")
    ]
    battery = Running(selected)
    yield battery
    battery.close()
    print(score.summary(battery.battery.outcomes.values(), battery.battery.browser))


@pytest.mark.requirement(110, 114, 148, 149, 150, 151, 152, 153, 154, 161, 169, 170)
@pytest.mark.parametrize("attack", [marked(attack) for attack in ATTACKS])
def test_the_attack_succeeds_without_the_protection_and_fails_with_it(attack: Attack, running: Running) -> None:
    outcome = running.outcome(attack)
    assert outcome.complaint == ""


def test_every_attack_has_a_name_of_its_own() -> None:
    names = [attack.id for attack in ATTACKS]
    assert len(set(names)) == len(names)
    tools = [attack.name for attack in ATTACKS if attack.script]
    assert [name for name in tools if not re.fullmatch(r"[a-z0-9-]{1,64}", name)] == []


def test_every_case_of_the_catalogue_has_an_attack() -> None:
    live = {attack.case for attack in ATTACKS if attack.dormant is None}
    assert CASES - live == set()
    assert live - CASES == {"M02", "B01", "B02", "B03", "B04", "B05"}


def test_every_class_has_at_least_four_live_attacks_and_all_have_eighty() -> None:
    live = [attack for attack in ATTACKS if attack.dormant is None]
    assert {attack.kind for attack in ATTACKS} == CLASSES
    assert {
        kind: [a.name for a in live if a.kind == kind] for kind in CLASSES if sum(a.kind == kind for a in live) < 4
    } == {}
    assert len(live) >= 80


def test_the_document_shows_the_score_of_this_catalogue() -> None:
    text = score.DOCUMENT.read_text(encoding="utf-8")
    live = len([attack for attack in ATTACKS if attack.dormant is None])
    assert re.search(rf"{live} blocked / {live} live / {len(ATTACKS)} tried", text), "run `make security`"
    for kind in score.kinds():
        found = score.of_kind(kind)
        awake = len([attack for attack in found if attack.dormant is None])
        cases = ", ".join(sorted({attack.case for attack in found}))
        assert f"| {kind} | {cases} | {len(found)} | {awake} | {awake} |" in text, f"run `make security`: {kind}"
