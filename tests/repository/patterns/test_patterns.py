"""No regular expression takes more time than its text is worth (S28): every one in `src/` is found and tried.

An expression that fails here is rewritten (possessive, or as steps). If it grows faster than its text and nobody's text
but our own reaches it, or only a short one does, it stands in `ALLOWED` with the reason.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sysconfig
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.repository.patterns.in_python import ROOT, Found, Unknown, all_patterns
from tests.repository.patterns.shapes import Shape, shapes
from tests.support.growth import LINEAR, growth

HERE = Path(__file__).parent
DENO = Path(sysconfig.get_path("scripts")) / "deno"

AUTHOR = "a docstring of the server's own author, read once when the tool is registered"

ALLOWED = {
    "server/schema/docstrings.py:_GOOGLE_ENTRY": AUTHOR,
    "server/schema/docstrings.py:_REST_PARAM": AUTHOR,
}
"""Expressions that grow faster than their text, and why that hurts nobody."""

MADE = {
    "check/arguments.py:_matches": "a server's own pattern, on a text of 16 characters at most",
    "host/view_handshake.py:_text": "only the expressions of the table in the same file, which are below",
    "server/schema/patterns.py:expression": "the author's own pattern, on a text of 10,000 characters at most",
    "web/server/schema.js": "the author's own pattern, on a text of 10,000 characters at most",
    "web/form/schema.js": "a server's own pattern, in the playground of the developer who opened it",
}
"""Expressions that are made when the program runs, and why they are no danger."""

FOUND = list(all_patterns())
PATTERNS = [found for found in FOUND if isinstance(found, Found)]


def worst(found: Found) -> tuple[float, Shape | None]:
    """The fastest growth of the work, and the text that makes it grow so."""
    text = found.pattern.pattern
    source = text if isinstance(text, str) else text.decode("latin-1")
    flags = found.pattern.flags & (re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE)
    for shape in shapes(source, flags):
        for method in sorted(found.methods):
            exponent = growth(working(found.pattern, method, shape), longest=shape.longest, unit=len(shape.pump))
            if exponent > LINEAR:
                return exponent, shape
    return 0.0, None


def working(pattern: re.Pattern[Any], method: str, shape: Shape) -> Callable[[int], object]:
    """One use of an expression on a text of any length."""
    is_text = isinstance(pattern.pattern, str)
    call = getattr(pattern, "findall" if method == "finditer" else method)

    def work(length: int) -> object:
        text: Any = shape.text(length) if is_text else shape.text(length).encode("latin-1", "replace")
        return call("" if is_text else b"", text) if method in ("sub", "subn") else call(text)

    return work


def test_every_expression_is_found() -> None:
    assert len(PATTERNS) > 115
    made = {found.place for found in FOUND if isinstance(found, Unknown)}
    assert made == {place for place in MADE if place.endswith(".py") or ".py:" in place}
    assert set(ALLOWED) <= {found.place for found in PATTERNS}, "these are gone, or have another name"


@pytest.mark.parametrize("part", range(2))
def test_no_expression_of_python_grows_faster_than_its_text(part: int) -> None:
    bad = {}
    for found in PATTERNS[part::2]:
        exponent, shape = (0.0, None) if found.place in ALLOWED else worst(found)
        if shape is not None:
            bad[found.place] = (round(exponent, 1), found.pattern.pattern, shape)
    assert bad == {}


def test_the_measurement_sees_what_it_should() -> None:
    """The control: expressions that are known to be slow, the one of the sandbox's prelude among them."""
    for source in (r"^(?:\s|<!--.*?-->)*<!doctype[^>]*>", r"(?:a+)+$", r"\s+$", r"([^/]+)-([^/]+)-([^/]+)"):
        found = Found("control", re.compile(source, re.DOTALL), frozenset(["search"]))
        assert worst(found)[0] > LINEAR, source
    for source in (r"[a-z]+", r"^a*b", r"(?:<!--(?:(?!-->).)*+-->)*+x", r"\d+\.\d+"):
        found = Found("control", re.compile(source, re.DOTALL), frozenset(["match"]))
        assert worst(found)[0] <= LINEAR, source


# JavaScript


def deno(*arguments: str, text: str = "", **environment: str) -> str:
    """What Deno prints."""
    cache = str(HERE.parents[2] / ".venv" / "deno")
    settings = {"DENO_DIR": cache, "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1", **environment}
    done = subprocess.run(
        [DENO, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **settings},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def scripts() -> list[str]:
    """Every script that a browser gets."""
    return [
        str(path)
        for path in sorted((ROOT / "web").rglob("*"))
        if path.suffix in (".js", ".mjs", ".html") and "dist" not in path.parts
    ]


def as_python(source: str) -> str:
    """An expression of JavaScript in Python's spelling, for making texts; only what our scripts use."""
    return source.replace("[^]", r"[\s\S]").replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!")


def measured(found: list[dict[str, Any]]) -> list[tuple[float, Any]]:
    """The worst of each expression, in V8."""
    asked = []
    for one in found:
        flags = re.IGNORECASE if "i" in one["flags"] else 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            made = shapes(as_python(one["pattern"]), flags | (re.DOTALL if "s" in one["flags"] else 0))
        asked.append({"pattern": one["pattern"], "flags": one["flags"], "shapes": made})
    return [tuple(one) for one in json.loads(deno("run", "--quiet", str(HERE / "measure.js"), text=json.dumps(asked)))]


def test_no_expression_of_javascript_grows_faster_than_its_text() -> None:
    files = scripts()
    assert len(files) > 60
    options = ("test", "--no-check", "--allow-read", "--allow-env")
    said = deno(*options, str(HERE / "find.js"), FILES=json.dumps(files))
    (line,) = (line for line in said.splitlines() if line.startswith("FOUND "))
    found = json.loads(line.removeprefix("FOUND "))
    made = {Path(one["file"]).relative_to(ROOT).as_posix() for one in found if one.get("made")}
    assert made == {place for place in MADE if place.endswith(".js")}
    written = [one for one in found if not one.get("made")]
    assert len(written) > 40
    controls = [{"pattern": source, "flags": ""} for source in (r"^(?:\s|<!--[^]*?-->)*<!doctype[^>]*>", r"\s+$")]
    *exponents, slow, slower = measured([*written, *controls])
    assert min(slow[0], slower[0]) > LINEAR, "the measurement sees what it should"
    slowest = [one for one, (exponent, _) in zip(written, exponents, strict=True) if exponent > LINEAR]
    for _ in range(2):  # what was the machine's doing is not so again
        if slowest:
            slowest = [one for one, (e, _) in zip(slowest, measured(slowest), strict=True) if e > LINEAR]
    assert [f"{Path(one['file']).name} /{one['pattern']}/{one['flags']}" for one in slowest] == []
