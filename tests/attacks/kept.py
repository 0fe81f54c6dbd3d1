"""What came of the classes of attacks that a run has done, so that a run which was interrupted can be resumed.

Every class is kept as it came out, also one with complaints: only a new run tries it again. What is kept is of one
build: it is found again only while the installed package and the tests are as they were.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import cloche
from tests.attacks.attack import Attack, Outcome
from tools.npm_tools import cache_root

HERE = Path(__file__).parent
TESTED = (Path(cloche.__file__).parent, HERE, HERE.parent / "engines", HERE.parent / "support")
KNOWN = HERE / "known.py"
"""What outcomes are compared with; it has no part in them."""

FIELDS = ("against_control", "against_host", "seconds", "proof", "breach", "note", "problem", "undriven")


def digest() -> str:
    """Of everything that a run is made of."""
    found = hashlib.sha256()
    for folder in TESTED:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path != KNOWN:
                found.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


class Kept:
    """The outcomes of an engine's run in a file."""

    def __init__(self, engine: str, *, resumes: bool) -> None:
        self._path = cache_root() / "attacks" / f"{engine}-{digest()}.json"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not resumes:
            self._path.unlink(missing_ok=True)

    def of(self, attacks: list[Attack]) -> tuple[str, dict[str, Outcome]] | None:
        """The browser, and what came of these attacks in it; None when one of them was not tried."""
        browser, rows = self._read()
        if any(attack.id not in rows for attack in attacks):
            return None
        return browser, {attack.id: Outcome(attack, **rows[attack.id]) for attack in attacks}

    def keep(self, browser: str, outcomes: dict[str, Outcome]) -> None:
        """Add these. Another version of the browser begins again."""
        before, rows = self._read()
        rows = rows if before == browser else {}
        rows |= {name: {field: getattr(one, field) for field in FIELDS} for name, one in outcomes.items()}
        self._path.write_text(json.dumps([browser, rows]), encoding="utf-8")

    def _read(self) -> tuple[str, dict[str, dict[str, str | float | bool]]]:
        if not self._path.exists():
            return "", {}
        browser, rows = json.loads(self._path.read_text(encoding="utf-8"))
        return browser, rows
