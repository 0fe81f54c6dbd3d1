"""Whatever happens to a state, the copy that a page makes from its patches is equal to it."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
from typing import Any

import msgspec
import pytest

from cloche.store import StoreState
from tests.store.test_convergence import EXPECTED, containers, mutate, remote_patch
from tests.support.deno import DENO, ENVIRONMENT, ROOT

HISTORIES = 300
NAMES = ["a", "b", "c/d", "e~f", "", "0", "1", "é", "toString"]


def some_value(chance: random.Random, depth: int = 3) -> Any:
    kind = chance.randrange(7 if depth else 5)
    if kind == 5:
        return [some_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    if kind == 6:
        return {chance.choice(NAMES): some_value(chance, depth - 1) for _ in range(chance.randrange(4))}
    return [None, True, chance.randrange(-(2**53) + 1, 2**53), chance.random(), chance.choice(NAMES)][kind]


def history(seed: int) -> tuple[list[Any], Any]:
    """An initial state and the patches of what happened to it, and what it was in the end."""
    chance = random.Random(seed)
    state: StoreState[Any] = StoreState({name: some_value(chance) for name in chance.sample(NAMES, 4)})
    told: list[Any] = [state.json()]
    state.subscribe(lambda change: told.append(change.patch))
    for _ in range(chance.randrange(20)):
        nodes = containers(state.state)
        node, value = chance.choice(nodes), some_value(chance)
        kind = chance.randrange(8)
        if kind == 0:
            state.undo()
        elif kind == 1:
            state.redo()
        elif kind == 2:
            with contextlib.suppress(*EXPECTED):
                state.apply(remote_patch(chance, state.json(), value), version=state.version)
        else:
            with state.batch():
                mutate(node, chance.randrange(4), chance.randrange(12), chance.choice(NAMES), value)
                mutate(node, chance.randrange(4), chance.randrange(12), chance.choice(NAMES), {"x": value})
    return json.loads(msgspec.json.encode(told)), state.json()


@pytest.mark.requirement(70, 177)
def test_any_sequence_of_changes_leaves_state_and_the_copy_of_a_page_equal() -> None:
    histories = [history(seed) for seed in range(HISTORIES)]
    assert sum(len(told) for told, _ in histories) > 5 * HISTORIES
    done = subprocess.run(
        [DENO, "run", "-q", "--no-remote", ROOT / "tests/web/store/replicate.js"],
        input=json.dumps([told for told, _ in histories]),
        env=ENVIRONMENT,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for copy, (told, final) in zip(json.loads(done.stdout), histories, strict=True):
        assert copy == final, told
