"""Changes from outside: guards first, versions, and only what the writer sees."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Principal
from cloche.errors import (
    ConfigurationError,
    InvalidParamsError,
    McpError,
    SecurityError,
    UnauthorizedMutationError,
    VersionConflictError,
)
from cloche.store import Operation, Store
from cloche.store.journal import KEPT_CHANGES
from cloche.store.patches import read_patch
from tests.store.shopping import Cart, Item


def put(path: str, value: Any = 1, op: str = "add") -> list[Operation]:
    return [Operation(op, path, value)]  # type: ignore[arg-type]


@pytest.mark.requirement(166)
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/__proto__", {}),
        ("/notes/constructor", 1),
        ("/notes/a/prototype", 1),
        ("/notes/a", {"x": [{"__proto__": {"admin": True}}]}),
        ("", {"notes": {"constructor": 1}}),
    ],
)
def test_names_that_reach_a_prototype_are_refused_before_any_guard_is_asked(path: str, value: Any) -> None:
    asked: list[str] = []

    def hear(path: str, value: Any, principal: Principal | None) -> None:
        asked.append(path)

    store = Store({"notes": {"a": dict[str, Any]()}}, guards=[hear])
    with pytest.raises(SecurityError, match="not allowed in a store"):
        store.apply(put(path, value))
    assert asked == []
    assert store.version == 0


@pytest.mark.requirement(166)
def test_read_only_paths_are_refused_from_above_and_below_and_when_their_list_moves() -> None:
    initial: dict[str, Any] = {"admin": {"name": "ada"}, "rows": [{"price": 1, "n": 1}], "free": 1}
    store = Store(initial, read_only=["/admin/name", "rows.0.price"])
    for patch in (
        put("/admin/name"),
        put("/admin/name/x"),
        put("/admin"),
        put("/admin", op="remove"),
        put("", {}, "replace"),
        put("/rows/0/price"),
        put("/rows/0", {"price": 2}),
        put("/rows/-", {"price": 2}),
        [Operation("move", "/free", source="/admin/name")],
    ):
        with pytest.raises(UnauthorizedMutationError, match="read-only"):
            store.apply(patch)
    assert store.json() == initial
    store.apply(put("/rows/0/n", 2))
    store.state["admin"]["name"] = "bob"
    assert store.json()["admin"]["name"] == "bob"


@pytest.mark.requirement(166)
def test_a_guard_of_the_authors_own_hears_who_writes() -> None:
    def only_ada(path: str, value: Any, principal: Principal | None) -> bool:
        return not path.startswith("/locked") or (principal is not None and principal.id == "ada")

    store = Store({"locked": 0, "open": 0}, guards=[only_ada])
    store.apply(put("/open"))
    store.apply(put("/locked"), principal=Principal("ada"))
    for who in (None, Principal("eve")):
        with pytest.raises(UnauthorizedMutationError, match="/locked"):
            store.apply([*put("/open", 5), *put("/locked", 5)], principal=who)
    assert store.json() == {"locked": 1, "open": 1}


def test_a_guard_that_would_have_to_be_awaited_is_refused_at_once() -> None:
    async def later(path: str, value: Any, principal: Principal | None) -> bool:
        return True

    with pytest.raises(ConfigurationError, match="def"):
        Store({}, guards=[later])  # type: ignore[list-item]


def test_a_writer_with_an_old_version_is_told_and_overwrites_nothing_unseen() -> None:
    store = Store(Cart([Item("a"), Item("b")]))
    seen = store.version
    store.state.items[0].count = 5
    with pytest.raises(VersionConflictError) as told:
        store.apply(put("/items/0/count", 9, "replace"), version=seen)
    assert told.value.version == store.version == 1
    with pytest.raises(VersionConflictError):
        store.apply(put("/items", [], "replace"), version=seen)
    store.apply(put("/items/1/count", 9, "replace"), version=seen)
    seen = store.version
    del store.state.items[0]
    with pytest.raises(VersionConflictError):
        store.apply(put("/items/0/count", 1, "replace"), version=seen)
    assert [item.count for item in store.state.items] == [9]
    with pytest.raises(VersionConflictError):
        store.apply([Operation("test", "/items/0/count", 1), *put("/count")])


def test_who_missed_too_much_is_told_to_read_everything() -> None:
    store = Store({"n": 0})
    for number in range(KEPT_CHANGES + 5):
        store.state["n"] = number + 1
    assert store.since(4) is None
    missed = store.since(5)
    assert missed is not None
    assert [change.version for change in missed] == list(range(6, KEPT_CHANGES + 6))
    assert store.since(store.version) == []
    assert store.since(store.version + 1) is None
    with pytest.raises(VersionConflictError):
        store.apply(put("/n"), version=3)


def test_all_of_json_patch_is_understood_and_half_a_patch_is_none() -> None:
    store = Store({"a": {"b": 1}, "list": [1, 2]})
    store.apply(
        [
            Operation("test", "/a", {"b": 1}),
            Operation("copy", "/c", source="/a"),
            Operation("move", "/list/0", source="/list/1"),
            Operation("add", "/list/-", 3),
            Operation("remove", "/a"),
        ]
    )
    assert store.json() == {"list": [2, 1, 3], "c": {"b": 1}}
    assert store.version == 1
    for patch in (
        put("/list/9"),
        put("/list/01", 1, "replace"),
        put("/missing/x"),
        put("/missing", 1, "replace"),
        put("no pointer"),
        put("/c/b/d"),
    ):
        with pytest.raises(InvalidParamsError):
            store.apply([*put("/half"), *patch])
    assert store.version == 1
    for wrong in ("x", [{"op": "explode", "path": ""}], [{"op": "add", "path": ""}], [{"op": "move", "path": ""}]):
        with pytest.raises(InvalidParamsError):
            read_patch(wrong)


def test_names_that_begin_with_an_underscore_never_leave_and_never_come_in() -> None:
    store = Store({"_token": "t", "user": {"_hash": "h", "name": "ada"}, "n": 0}, private=["/user/name"])
    everything, models = store.for_views, store.for_models
    assert everything.value(store.json()) == {"user": {"name": "ada"}, "n": 0}
    assert models.value(store.json()) == {"user": {}, "n": 0}
    heard: list[Any] = []
    store.on_mutation(heard.extend)
    with store.batch() as state:
        state["_token"] = "u"
        state["user"] = {"_hash": "i", "name": "bob", "age": 3}
    assert [(one.path, one.value) for one in models.patch(heard)] == [("/user", {"age": 3})]
    assert [(one.path, one.value) for one in everything.patch(heard)] == [("/user", {"name": "bob", "age": 3})]
    for patch, seen in (
        (put("/_token"), everything),
        (put("/new", {"_x": 1}), everything),
        (put("/user", {}, "replace"), everything),
        (put("/user", op="remove"), everything),
        (put("", {}, "replace"), everything),
        ([Operation("copy", "/n", source="/_token")], everything),
        ([Operation("copy", "/m", source="/user")], everything),
        ([Operation("test", "/_token", "u")], everything),
        ([Operation("test", "/user/name", "bob")], models),
        (put("/user/name"), models),
    ):
        with pytest.raises(McpError):
            store.apply(patch, seen=seen)
    assert store.json()["_token"] == "u"
    store.apply(put("/user/name", "eve"), seen=everything)
    with pytest.raises(ConfigurationError):
        Store([], private=["/0"])


def test_what_a_writer_wrote_itself_is_no_conflict_and_nothing_else_passes_as_its_own() -> None:
    store = Store({"a": 0, "b": 0})
    store.apply(put("/a", 1), version=0, writer="ann")
    store.apply(put("/a", 2), version=0, writer="ann")
    assert [change.writer for change in store.since(0) or []] == ["ann", "ann"]
    store.apply(put("/a", 2), version=0, writer="ann")  # changes nothing, and leaves no name behind
    store.state["a"] = 3
    with pytest.raises(VersionConflictError):
        store.apply(put("/a", 4), version=0, writer="ann")
    with store.batch():
        store.apply(put("/b", 1), writer="ann")
        store.state["a"] = 5
    with store.batch():
        store.state["a"] = 6
        store.apply(put("/b", 2), writer="ann")
    assert [change.writer for change in store.since(2) or []] == ["", "", ""]
    with pytest.raises(VersionConflictError):
        store.apply(put("/b", 3), version=3, writer="ann")
