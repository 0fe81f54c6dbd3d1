"""Requirements and tests, held against each other."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.requirements import BROWSER, FINISHED, FOLDERS, REQUIREMENTS, UNDERWAY

TESTS = Path(__file__).parent.parent


def marks(source: str) -> list[tuple[int, object]]:
    """(line, number) of every `@pytest.mark.requirement(…)` on a test function or class."""
    found: list[tuple[int, object]] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.name.startswith(("test_", "Test")):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.requirement":
                found += [(mark.lineno, argument.value) for argument in mark.args if isinstance(argument, ast.Constant)]
    return found


def marks_of_the_suite() -> dict[object, list[str]]:
    """Number -> the places that claim it, over every file that pytest collects."""
    places: dict[object, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for line, number in marks(path.read_text(encoding="utf-8")):
            places.setdefault(number, []).append(f"{path.relative_to(TESTS.parent)}:{line}")
    return places


def test_every_number_has_an_entry() -> None:
    assert sorted(REQUIREMENTS) == list(range(1, 194))


def test_an_entry_has_owners_or_a_reason_and_never_both() -> None:
    assert [number for number, entry in REQUIREMENTS.items() if bool(entry.owners) == bool(entry.reason)] == []


def test_titles_are_short_and_unique_lines() -> None:
    titles = [entry.title for entry in REQUIREMENTS.values()]
    assert [title for title in titles if not title or len(title) > 90 or "\n" in title] == []


def unproven(places: Mapping[object, list[str]]) -> dict[int, set[int | str]]:
    """Number -> the finished owners for whom no test claims it."""
    found = {}
    for number, entry in REQUIREMENTS.items():
        owners = FINISHED & set(entry.owners)
        if len(owners) == 1:  # it does not matter where the one owner's test stands
            missing = set() if number in places else owners
        else:
            missing = owners - {owner for place in places.get(number, ()) for owner in owners_of(place)}
        if missing:
            found[number] = missing
    return found


def owners_of(place: str) -> tuple[int | str, ...]:
    """The issues for which a mark counts, by the folder of its file below `tests`."""
    return FOLDERS[folder_of(place.removeprefix("tests/").rpartition("/")[0])]


def folder_of(path: str) -> str:
    """The entry of `FOLDERS` that a folder below `tests` belongs to."""
    while path not in FOLDERS:
        path, _, last = path.rpartition("/")
        assert path or not last, f"tests/{last} is not a folder of FOLDERS"
    return path


def test_what_a_finished_issue_owns_is_proven_by_a_test_of_its_own() -> None:
    missing = unproven(marks_of_the_suite())
    assert missing == {}, "mark the test that proves it for these issues with @pytest.mark.requirement(n)"


def test_a_mark_of_one_owner_does_not_prove_it_for_another() -> None:
    places = marks_of_the_suite()
    places[150] = [place for place in places[150] if "web/transports" not in place]
    assert unproven(places) == {150: {BROWSER}}


def test_every_folder_of_tests_belongs_to_an_issue() -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("*/test_*.py")} - {"."}
    assert {folder_of(folder) for folder in folders} == set(FOLDERS) - {""}


def test_a_mark_names_a_requirement_that_somebody_works_on_or_has_finished() -> None:
    wrong = {
        number: where
        for number, where in marks_of_the_suite().items()
        if number not in REQUIREMENTS or not (FINISHED | UNDERWAY) & set(REQUIREMENTS[number].owners)
    }
    assert wrong == {}, "these marks name no requirement that such an issue owns (tests/requirements.py)"


@pytest.mark.parametrize(
    ("source", "numbers"),
    [
        ("@pytest.mark.requirement(3, 4)\ndef test_x(): ...", [3, 4]),
        ("@pytest.mark.requirement(5)\nasync def test_x(): ...", [5]),
        ("@pytest.mark.requirement(6)\nclass TestX: ...", [6]),
        ("@pytest.mark.requirement(7)\ndef helper(): ...", []),
        ("# @pytest.mark.requirement(8)\ndef test_x(): ...", []),
    ],
)
def test_marks_are_read_off_tests_only(source: str, numbers: list[int]) -> None:
    assert [number for _, number in marks(source)] == numbers
