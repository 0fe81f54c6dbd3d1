"""Plain Python mutations, and what of them everybody is told."""

from __future__ import annotations

import asyncio
import copy
import json
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import msgspec
import pytest

from cloche.errors import LocalError, RegistrationError, StoreValueError
from cloche.store import Store, StoreState
from tests.store.shopping import Cart, Item, Shop, followed


class Limited(TypedDict):
    """A dict with a name that must be there."""

    size: int


@dataclass
class Typed:
    """Types that say more than what kind of value it is."""

    age: Annotated[int, msgspec.Meta(ge=0)] = 0
    ratio: float = 0.0
    three: Annotated[list[int], msgspec.Meta(max_length=3)] = field(default_factory=list)
    limited: Limited | None = None


def told(state: StoreState[Any], act: Callable[[], Any]) -> list[Any]:
    """The operations that an act causes, as JSON."""
    heard: list[Any] = []
    stop = state.on_mutation(lambda patch: heard.extend(msgspec.to_builtins(patch)))
    act()
    stop()
    return heard


@pytest.mark.requirement(70)
def test_a_plain_assignment_is_one_operation() -> None:
    store = Store(Cart())
    assert told(store, lambda: setattr(store.state, "count", 1)) == [{"op": "replace", "path": "/count", "value": 1}]
    assert store.version == 1
    assert told(store, lambda: setattr(store.state, "count", 1)) == []
    assert store.version == 1


def test_an_alias_is_followed_wherever_the_list_moves_it() -> None:
    store = Store(Cart([Item("a"), Item("b")]))
    held = store.state.items[1]
    store.state.items.insert(0, Item("new"))
    assert told(store, lambda: held.more(4)) == [{"op": "replace", "path": "/items/2/count", "value": 5}]
    store.state.items.sort(key=lambda item: item.name)
    assert told(store, held.more) == [{"op": "replace", "path": "/items/1/count", "value": 6}]
    store.state.items.remove(held)
    assert told(store, held.more) == []
    assert held.count == 7
    store.state.items.append(held)
    assert told(store, held.more) == [{"op": "replace", "path": "/items/2/count", "value": 8}]


def test_what_is_put_in_is_copied_once_and_has_one_place() -> None:
    store = Store(Cart())
    mine = Item("bread")
    store.state.items.append(mine)
    store.state.first = store.state.items[0]
    mine.count = 50
    assert store.state.items[0].count == 1
    assert told(store, store.state.items[0].more) == [{"op": "replace", "path": "/items/0/count", "value": 2}]
    assert store.state.first == Item("bread")


def test_a_slice_tells_no_more_than_what_changed() -> None:
    store = Store({"list": [0, 1, 2, 3, 4]})
    assert told(store, lambda: store.state["list"].__setitem__(slice(1, 3), [1, 9, 8])) == [
        {"op": "replace", "path": "/list/2", "value": 9},
        {"op": "add", "path": "/list/3", "value": 8},
    ]
    assert told(store, lambda: store.state["list"].__delitem__(slice(0, None, 2))) == [
        {"op": "remove", "path": "/list/4"},
        {"op": "remove", "path": "/list/2"},
        {"op": "remove", "path": "/list/0"},
    ]
    assert store.state == {"list": [1, 8, 4]}


def test_names_of_json_are_used_and_an_unset_field_is_not_there() -> None:
    store = Store(Cart())
    assert told(store, lambda: setattr(store.state.shop, "shop_name", "big")) == [
        {"op": "replace", "path": "/shop/shopName", "value": "big"}
    ]
    assert told(store, lambda: setattr(store.state.shop, "note", "x"))[0]["op"] == "add"
    assert told(store, lambda: setattr(store.state.shop, "note", msgspec.UNSET)) == [
        {"op": "remove", "path": "/shop/note"}
    ]
    assert store.json()["shop"] == {"shopName": "big", "isOpen": True, "prices": {}}


def test_tracked_values_are_what_they_were_to_everybody_else() -> None:
    cart = Store(Cart([Item("a", tags=["x"])], notes={"k": [1]})).state
    assert isinstance(cart, Cart)
    assert cart == Cart([Item("a", tags=["x"])], notes={"k": [1]})
    assert Cart([Item("a", tags=["x"])], notes={"k": [1]}) == cart
    assert Item("a", tags=["x"]) in cart.items
    assert cart.shop == Shop()
    assert Shop() == cart.shop
    assert json.dumps(cart.notes) == '{"k": [1]}'
    assert msgspec.json.decode(msgspec.json.encode(cart), type=Cart) == cart
    assert repr(cart.items) == "[Item(name='a', count=1, tags=['x'])]"
    for plain in (copy.deepcopy(cart), copy.copy(cart), Store(cart).snapshot()):
        assert type(plain) is Cart
        assert plain == cart
    assert type(copy.deepcopy(cart).items) is list
    match cart.notes:
        case {"k": [one]}:
            assert one == 1
        case _:
            pytest.fail("a dict of a state is a mapping")


def test_a_batch_is_one_version_and_a_value_set_twice_is_told_once() -> None:
    store = Store(Cart())

    def several() -> None:
        with store.batch() as cart:
            for number in range(5):
                cart.count = number + 1
            cart.items.append(Item("a"))

    assert [one["path"] for one in told(store, several)] == ["/count", "/items/0"]
    assert store.version == 1


def test_a_transaction_that_fails_leaves_nothing_and_inner_ones_count() -> None:
    store = Store(Cart([Item("a")]))
    replica, before, items = followed(store), store.json(), store.state.items

    def fail(cart: Cart) -> None:
        cart.items.clear()
        cart.shop = Shop("gone")
        cart.notes["x"] = {"y": [1]}
        cart.count = 1 // 0

    with pytest.raises(ZeroDivisionError), store.transaction() as cart:
        fail(cart)
    assert store.json() == before == replica.value
    assert store.version == 0
    with store.transaction() as cart:
        cart.count = 7
        with pytest.raises(ZeroDivisionError), store.transaction():
            fail(cart)
    assert store.state.count == 7
    items.append(Item("still the list of the state"))
    assert len(store.state.items) == 2
    assert replica.value == store.json()


def test_undo_and_redo_go_back_and_forth_and_a_new_change_ends_redoing() -> None:
    store = Store(Cart([Item("a"), Item("b")]), history=3)
    store.state.items.reverse()
    store.state.items.clear()
    assert store.undo()
    assert [item.name for item in store.state.items] == ["b", "a"]
    assert store.undo()
    assert [item.name for item in store.state.items] == ["a", "b"]
    assert not store.undo()
    assert store.redo()
    assert [item.name for item in store.state.items] == ["b", "a"]
    store.state.count = 1
    assert not store.redo()
    assert store.version == 6
    with store.batch() as cart:
        cart.count = 2
        with pytest.raises(LocalError, match="not for inside a batch"):
            store.undo()


def test_values_that_do_not_fit_are_refused_and_change_nothing() -> None:
    store = Store(Typed())
    typed = store.state
    refused: list[Callable[[], Any]] = [
        lambda: setattr(typed, "age", -1),
        lambda: setattr(typed, "age", "1"),
        lambda: setattr(typed, "age", 2**53),
        lambda: setattr(typed, "ratio", float("nan")),
        lambda: typed.three.extend([1, 2, 3, 4]),
        lambda: typed.three.append("x"),  # type: ignore[arg-type]
        lambda: setattr(typed, "limited", {"other": 1}),
        lambda: delattr(typed, "age"),
    ]
    for act in refused:
        with pytest.raises(StoreValueError):
            act()
    assert store.version == 0
    typed.ratio = 3
    assert repr(typed.ratio) == "3.0"
    typed.limited = {"size": 1}
    with pytest.raises(StoreValueError):
        del typed.limited["size"]  # type: ignore[misc]
    assert typed.limited == {"size": 1}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({1: 2}, "keys of a dict"),
        ({1, 2}, "use a list"),
        (object(), "not something a store keeps"),
        ("\ud800", "surrogate"),
        (float("inf"), "infinity"),
    ],
)
def test_values_that_json_cannot_hold_are_refused(value: Any, reason: str) -> None:
    store: Store[dict[str, Any]] = Store({"a": []})
    with pytest.raises(StoreValueError, match=reason):
        store.state["a"].append(value)
    with pytest.raises(StoreValueError, match=reason):
        store.state["b"] = {"deep": [value]}
    assert store.json() == {"a": []}


def test_nothing_contains_itself() -> None:
    store: Store[dict[str, Any]] = Store({"a": {}})
    taken = store.state.pop("a")
    loop: dict[str, Any] = {}
    loop["loop"] = loop
    with pytest.raises(StoreValueError, match="levels"):
        store.state["loop"] = loop
    taken["me"] = taken
    assert taken == {"me": {}}


def test_mistakes_fail_where_the_store_is_made() -> None:
    with pytest.raises(StoreValueError, match="a state is"):
        Store(5)
    with pytest.raises(RegistrationError):
        Store({}, type=dict[str, type])
    with pytest.raises(LocalError, match="name"):
        Store({}, name="no spaces")


def test_threads_lose_no_update_inside_batches() -> None:
    store: Store[dict[str, Any]] = Store({"count": 0, "list": []})
    replica = followed(store)

    def work() -> None:
        for _ in range(200):
            with store.batch() as state:
                state["count"] += 1
            store.state["list"].append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.state["count"] == len(store.state["list"]) == 800
    assert replica.value == store.json()
    assert replica.version == store.version == 1600


async def test_another_task_may_not_change_an_open_transaction() -> None:
    store, turn = Store({"a": 0}), asyncio.Event()

    async def other() -> None:
        await turn.wait()
        store.state["a"] = 1

    task = asyncio.get_running_loop().create_task(other())
    with store.transaction():
        turn.set()
        with pytest.raises(LocalError, match="do not await"):
            await task
    store.state["a"] = 2


@pytest.mark.requirement(180)
def test_derived_values_are_members_that_nobody_sets() -> None:
    store = Store(Cart([Item("a", 2)]))
    runs: list[int] = []

    @store.derived(of=["/items"])
    def total(cart: Cart) -> int:
        runs.append(1)
        return sum(item.count for item in cart.items)

    replica = followed(store)
    assert replica.value["total"] == 2
    store.state.items[0].more()
    assert replica.value["total"] == 3 == store.json()["total"]
    runs.clear()
    store.state.count = 9
    assert runs == []
    store.undo()
    store.undo()
    assert replica.value["total"] == 2
    with pytest.raises(RegistrationError, match="member"):
        store.derived(name="items")(lambda cart: 1)


@pytest.mark.requirement(180)
def test_a_dehydrated_state_is_json_and_hydrates_into_its_types() -> None:
    store = Store(Cart([Item("a")]))
    data = json.loads(json.dumps(store.dehydrate()))
    other = Store(Cart())
    replica = followed(other)
    other.hydrate(data)
    assert other.state == store.state
    assert isinstance(other.state.items[0], Item)
    assert replica.value == other.json()
    assert not other.undo()
    with pytest.raises(StoreValueError):
        other.hydrate({"state": {"items": 5}})
    other.reset()
    assert other.state == Cart()


def test_a_listener_that_fails_keeps_nothing_from_the_others() -> None:
    store, heard = Store({"a": 0}), list[Any]()

    def broken(_: Any) -> None:
        raise RuntimeError("a mistake of its own")

    def changes_again(_: Any) -> None:
        if store.state["a"] < 3:
            store.state["a"] += 1

    store.subscribe(broken)
    store.subscribe(changes_again)
    store.subscribe(lambda change: heard.append(change.version))
    stop = store.subscribe_key("a", lambda value: heard.append(("a", value)))
    store.state["a"] = 1
    assert [one for one in heard if isinstance(one, int)] == [1, 2, 3]
    assert heard[-1] == ("a", 3)
    stop()
    heard.clear()
    store.state["b"] = 1
    assert heard == [4]


def test_the_cost_of_a_change_does_not_grow_with_the_state() -> None:
    """Counted in calls of Python functions, which do not depend on the machine."""

    def calls(size: int) -> int:
        state: dict[str, Any] = {"rows": [{"n": 0} for _ in range(size)], "keys": {str(n): n for n in range(size)}}
        store = Store(state)
        followed(store)
        count = 0

        def count_calls(frame: Any, event: str, arg: Any) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        row = store.state["rows"][size // 2]
        sys.setprofile(count_calls)
        row["n"] += 1
        store.state["keys"]["3"] = -1
        store.state["rows"].append({"n": 1})
        store.state["rows"].insert(0, {"n": 1})
        sys.setprofile(None)
        return count

    assert calls(10_000) <= calls(10) + 5
