"""Every control still takes away what it says: the functions that it replaces and the passages that it edits are there.

The attacks notice that too, but only where they run, and many of them only run in `make security`.
"""

from __future__ import annotations

import importlib
from importlib import resources
from typing import Any

import pytest

from tests.attacks.catalogue import ATTACKS
from tests.support.controls import Control

CONTROLS = {attack.control.name: attack.control for attack in ATTACKS}


@pytest.mark.parametrize("control", CONTROLS.values(), ids=str)
def test_what_a_control_takes_away_is_there(control: Control) -> None:
    for patch in control.patches:
        module, _, path = patch.place.partition(":")
        owner: Any = importlib.import_module(module)
        *outer, attribute = path.split(".")
        for part in outer:
            owner = getattr(owner, part)
        assert attribute in vars(owner), f"{patch.place} is gone: change the control with it"
    texts: dict[str, str] = {}
    for edit in control.edits:
        text = texts.get(edit.file) or resources.files("cloche.web").joinpath(edit.file).read_text(encoding="utf-8")
        assert text.count(edit.old) == 1, f"{edit.file} has not exactly one {edit.old!r}: change the edit with the file"
        texts[edit.file] = text.replace(edit.old, edit.new)


def test_controls_of_one_name_are_one() -> None:
    assert all(CONTROLS[attack.control.name] == attack.control for attack in ATTACKS)
