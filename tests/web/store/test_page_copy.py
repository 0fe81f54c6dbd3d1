"""Python and a page change one state in any order: the state, Python's replica and the page's own copy stay equal."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche import Server, Store
from cloche.store import Replica
from cloche.testing.sync_client import SyncClient
from tests.store.test_convergence import (
    EXPECTED,
    KINDS,
    Aborted,
    containers,
    keys,
    mutate,
    random_path,
    remote_patch,
    steps_of,
    values,
)
from tests.support.deno import DENO, ENVIRONMENT, ROOT
from tests.support.examples import examples

NOTHING = object()


class PageCopy:
    """The copy that views and pages have, in Deno, talking to the real tool of a server."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client
        self._process = subprocess.Popen(
            [DENO, "run", "-q", "--no-remote", ROOT / "tests/web/store/copy_process.js"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
            cwd=ROOT,
            text=True,
        )

    def __enter__(self) -> PageCopy:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process as process:
            process.kill()

    def do(self, what: dict[str, Any]) -> dict[str, Any]:
        """Let it do something, and answer its calls until that is done."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        while True:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            told = json.loads(line)
            if "done" in told:
                # JavaScript writes large floats without a point.
                return dict(json.loads(line, parse_int=float)["done"])
            params = {"name": "store_sync", "arguments": told["call"]}
            what = {"answer": self._client.request("tools/call", params)}


def value_at(value: Any, parts: list[str]) -> Any:
    """What a JSON value has at a path, or `NOTHING`."""
    for part in parts:
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            return NOTHING
    return value


def parts_of(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


class Game:
    """One example: a state that Python and a page change, and who keeps up with it."""

    def __init__(self, store: Store[Any], page: PageCopy, initial: Any, chance: random.Random) -> None:
        store.hydrate({"state": initial})
        self.store, self.page, self.chance = store, page, chance
        self.replica, self.stale = Replica(*store.at()), Replica(*store.at())
        self.stop = store.subscribe(self.replica.receive)
        self.aliases: list[Any] = []
        page.do({"new": store.name})
        self.seen = page.do({"sync": None})

    def step(self, kind: str, at: int, how: int, key: str, value: Any) -> None:
        """One change, in Python or from the page."""
        store = self.store
        nodes = containers(store.state)
        node = nodes[at % len(nodes)]
        self.aliases.append(node)
        if kind == "undo":
            store.undo()
        elif kind == "redo":
            store.redo()
        elif kind == "patch":
            with contextlib.suppress(*EXPECTED):
                patch = remote_patch(self.chance, self.stale.value, value)
                store.apply(patch, version=self.stale.version, writer="another page")
        elif kind == "alias":
            mutate(self.chance.choice(self.aliases), at % 4, how, key, value)
        elif kind == "abort":
            with contextlib.suppress(Aborted), store.transaction():
                mutate(node, at % 4, how, key, value)
                raise Aborted
        elif kind == "page":
            self.write(value)
        else:
            with store.batch() if kind == "batch" else contextlib.nullcontext():
                mutate(node, at % 4, how, key, value)
                mutate(node, at % 3, how + 1, key, {"x": value})

    def write(self, value: Any) -> None:
        """The page sets something, from what it has seen."""
        parts = parts_of(random_path(self.chance, self.seen["value"]))
        before, known, version = self.store.json(), self.seen["value"], self.store.version
        is_behind = self.seen["version"] < version
        self.seen = self.page.do({"set": [parts, value]})
        refused = self.seen.get("refused")
        if refused is None and parts and parts[-1] != "-":
            assert value_at(before, parts) == value_at(known, parts), "the page overwrote what it had not seen"
        if refused is not None and refused["isConflict"]:
            assert is_behind, "the page was told of a conflict with nobody"
            assert self.store.version == version
        assert self.seen["value"] == self.store.json()

    def check(self) -> None:
        """Python's replica is equal at once, the others when they have asked."""
        store = self.store
        assert (self.replica.version, self.replica.value) == store.at()
        if self.chance.random() < 0.3:
            assert self.stale.catch_up(store.since(self.stale.version) or [])
            self.seen = self.page.do({"sync": None})
            assert self.seen["value"] == self.stale.value == store.json()
            assert self.seen["version"] == store.version


@pytest.mark.requirement(70, 177)
def test_whatever_python_and_a_page_do_state_replica_and_the_copy_of_the_page_stay_equal() -> None:
    server, store = Server("any"), Store[Any]({}, name="any")
    server.attach(store)
    with SyncClient(server) as client, PageCopy(client) as page:

        @settings(max_examples=examples(120), deadline=None)
        @given(
            st.dictionaries(keys, values, max_size=4),
            steps_of([*KINDS, "page", "page", "page"], 20),
            st.randoms(use_true_random=False),
        )
        def play(initial: dict[str, Any], sequence: list[Any], chance: random.Random) -> None:
            game = Game(store, page, initial, chance)
            try:
                for one in sequence:
                    game.step(*one)
                    game.check()
                game.seen = page.do({"sync": None})
                assert game.seen["value"] == store.json()
            finally:
                game.stop()

        play()
