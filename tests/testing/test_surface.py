"""What `cloche.testing` gives: pinned, documented, and loaded only when used."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from cloche import testing

PUBLIC = [
    "Call",
    "Cassette",
    "CassetteServer",
    "ConsoleLine",
    "Deviation",
    "EmulatedHost",
    "Log",
    "Message",
    "MockTransport",
    "ModelContext",
    "OpenView",
    "PROFILES",
    "Size",
    "Story",
    "StoryFile",
    "SyncClient",
    "ViewError",
    "ViewOpener",
    "Violation",
    "find_chromium",
]


def test_the_names_are_pinned() -> None:
    assert sorted(testing.__all__) == PUBLIC
    assert set(PUBLIC) <= set(dir(testing))
    with pytest.raises(AttributeError, match="OpneView"):
        _ = testing.OpneView


@pytest.mark.parametrize(("old", "new"), [("PERSONALITIES", "PROFILES"), ("Personality", "EmulatedHost")])
def test_former_names_still_work_with_a_warning(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=new):
        assert getattr(testing, old) is getattr(testing, new)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_and_its_methods_are_documented(name: str) -> None:
    thing = getattr(testing, name)
    assert inspect.getdoc(thing)
    members = vars(thing).items() if inspect.isclass(thing) else ()
    public = [member for member, value in members if not member.startswith("_") and _speaks(value)]
    assert [member for member in public if not inspect.getdoc(inspect.getattr_static(thing, member))] == []


def _speaks(value: object) -> bool:
    return callable(value) or isinstance(value, property)


def test_importing_it_loads_nothing() -> None:
    code = "import sys, cloche.testing; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stdout.split())
    assert "cloche.testing" in loaded
    assert not loaded & {"asyncio", "msgspec", "playwright", "pytest", "cloche.client"}
