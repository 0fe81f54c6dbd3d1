"""Whatever happens to a state, in whatever order, a replica that hears of the changes is equal to it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import InvalidParamsError, StoreValueError, UnauthorizedMutationError, VersionConflictError
from cloche.store import Operation, Replica, StoreState
from tests.store.shopping import Cart, Item, Shop, followed
from tests.support.examples import examples

EXPECTED = (StoreValueError, InvalidParamsError, UnauthorizedMutationError, VersionConflictError)
EXAMPLES = examples(150)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
)
keys = st.sampled_from(["a", "b", "c/d", "e~f", "", "0", "1", "é"])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=6,
)


class Aborted(Exception):
    """What ends a transaction that is to be rolled back."""


def containers(value: Any) -> list[Any]:
    """Every list and dict in a JSON state that can be changed, root first."""
    found = [value] if isinstance(value, list | dict) else []
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found += containers(one)
    return found


def mutate(node: Any, at: int, how: int, key: str, value: Any) -> None:
    """One plain Python mutation of a list or dict."""
    if isinstance(node, dict):
        changes: list[Callable[[], Any]] = [
            lambda: node.__setitem__(key, value),
            lambda: node.update({key: value, "b": at}),
            lambda: node.pop(key, None),
            lambda: node.setdefault(key, value),
            lambda: node.clear() if at == 0 else node.__ior__({key: value}),
            lambda: node.popitem() if node else None,
        ]
        changes[how % 6]()
        return
    end = at + how % 3
    choices: list[Callable[[], Any]] = [
        lambda: node.append(value),
        lambda: node.insert(at - 2, value),
        lambda: node.__setitem__(slice(at, end), [value, value]),
        lambda: node.__delitem__(slice(at, None, 2)),
        lambda: node.pop() if node else None,
        node.reverse,
        lambda: node.sort(key=repr),
        lambda: node.extend([value, at]),
        lambda: node.__imul__(2) if len(node) < 8 else node.clear(),
        lambda: node.append(node.pop(0)) if node else None,
        lambda: node.__setitem__(at % len(node), value) if node else None,
        lambda: node.__setitem__(slice(None, None, -1), list(node)),
    ]
    choices[how % len(choices)]()


def random_path(chance: random.Random, value: Any) -> str:
    """The pointer to something in a JSON value, or to a place just beside."""
    pointer = ""
    while isinstance(value, dict | list) and chance.random() < 0.8:
        if isinstance(value, dict):
            name = chance.choice([*value, "new"])
            pointer += "/" + name.replace("~", "~0").replace("/", "~1")
            value = value.get(name)
        else:
            at = chance.randrange(len(value) + 1)
            pointer += f"/{at}" if at < len(value) or chance.random() < 0.5 else "/-"
            value = value[at] if at < len(value) else None
    return pointer


def remote_patch(chance: random.Random, known: Any, value: Any) -> list[Operation]:
    """What a tab with this replica might send."""
    patch = []
    for _ in range(chance.randint(1, 3)):
        op = chance.choice(["add", "replace", "remove", "move", "copy", "test"])
        path = random_path(chance, known)
        if op in ("move", "copy"):
            patch.append(Operation(op, path, source=random_path(chance, known)))  # type: ignore[arg-type]
        else:
            patch.append(Operation(op, path, value))  # type: ignore[arg-type]
    return patch


KINDS = ["change", "change", "change", "batch", "abort", "undo", "redo", "patch", "alias"]


def steps_of(kinds: list[str], most: int = 25) -> st.SearchStrategy[list[tuple[str, int, int, str, Any]]]:
    """Sequences of changes: the kind, two numbers and a name that say which, and a value."""
    one = st.tuples(st.sampled_from(kinds), st.integers(0, 30), st.integers(0, 30), keys, values)
    return st.lists(one, max_size=most)


@pytest.mark.requirement(70, 177)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.dictionaries(keys, values, max_size=4), steps_of(KINDS), st.randoms(use_true_random=False))
def test_any_sequence_of_changes_leaves_state_and_replica_equal(
    initial: dict[str, Any], sequence: list[Any], chance: random.Random
) -> None:
    state = StoreState(initial)
    replica, stale = followed(state), Replica(*state.at())
    aliases: list[Any] = []
    for kind, at, how, key, value in sequence:
        nodes = containers(state.state)
        node = nodes[at % len(nodes)]
        aliases.append(node)
        before = state.json()
        if kind == "undo":
            state.undo()
        elif kind == "redo":
            state.redo()
        elif kind == "patch":
            with contextlib.suppress(*EXPECTED):
                state.apply(remote_patch(chance, stale.value, value), version=stale.version)
        elif kind == "alias":
            mutate(chance.choice(aliases), at % 4, how, key, value)
        elif kind == "abort":
            with contextlib.suppress(Aborted), state.transaction():
                mutate(node, at % 4, how, key, value)
                mutate(node, how % 4, at, key, [value])
                raise Aborted
            assert state.json() == before
        else:
            with state.batch() if kind == "batch" else contextlib.nullcontext():
                mutate(node, at % 4, how, key, value)
                mutate(node, at % 3, how + 1, key, {"x": value})
        assert replica.version == state.version
        assert replica.value == state.json()
        if chance.random() < 0.3:
            missed = state.since(stale.version)
            assert missed is not None
            assert stale.catch_up(missed)
            assert stale.value == state.json()


def act(cart: Cart, held: list[Item], what: int, number: int, text: str) -> None:
    """One change of a cart; `held` are items that were in it at some time."""
    if not cart.items:
        cart.items.append(Item(text))
    item = cart.items[number % len(cart.items)]
    held.append(item)
    acts: list[Callable[[], Any]] = [
        lambda: cart.items.append(Item(text, number)),
        lambda: item.more(number),
        lambda: item.tags.append(text),
        lambda: setattr(cart.shop, "shop_name", text),
        lambda: cart.shop.prices.update({text: number / 2}),
        lambda: setattr(cart, "first", item),
        lambda: cart.items.sort(key=lambda one: (one.name, one.count)),
        lambda: cart.items.remove(item),
        lambda: setattr(cart, "shop", Shop(text, prices={"x": number})),
        lambda: setattr(cart.shop, "note", text),
        held[number % len(held)].more,
        lambda: cart.notes.__setitem__(text, Item(text)),
        lambda: cart.items.append(cart.items.pop(0)),
        lambda: setattr(cart, "count", cart.count + number),
        lambda: setattr(cart, "items", [Item(text)] * number),
    ]
    acts[what]()


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 5), st.text("abc", max_size=3)), max_size=30))
def test_typed_objects_and_their_replica_stay_equal(sequence: list[tuple[int, int, str]]) -> None:
    state = StoreState(Cart([Item("bread"), Item("milk")], notes={"a": Item("loose")}), Cart)
    replica, cart = followed(state), state.state
    versions = [state.json()]
    held: list[Item] = []
    for what, number, text in sequence:
        act(cart, held, what, number, text)
        assert replica.value == state.json()
        if len(versions) <= state.version:
            versions += [state.json()] * (state.version - len(versions) + 1)
    done = state.version
    while state.undo():
        assert replica.value == state.json()
    assert state.json() == versions[0]
    while state.redo():
        pass
    assert replica.value == state.json() == versions[done]


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), keys, scalars, st.booleans()), max_size=30))
def test_two_tabs_and_a_server_converge_and_every_loser_is_told(sequence: list[tuple[int, str, Any, bool]]) -> None:
    state = StoreState(dict.fromkeys("abc", 0))
    tabs = [Replica(*state.at()), Replica(*state.at())]
    for who, key, value, sees in sequence:
        if who == 2:
            state.state[key] = value
            continue
        tab = tabs[who]
        if sees:
            assert tab.catch_up(state.since(tab.version) or [])
        seen = tab.value.get(key)
        overwrites_unseen = state.json().get(key) != seen
        pointer = "/" + key.replace("~", "~0").replace("/", "~1")
        try:
            state.apply([Operation("add", pointer, value)], version=tab.version)
        except VersionConflictError as error:
            told = error.version
        else:
            assert not overwrites_unseen, "a writer overwrote what it had not seen"
            continue
        assert told == state.version > tab.version
    for tab in tabs:
        assert tab.catch_up(state.since(tab.version) or [])
        assert tab.value == state.json()
