"""docs/demos.md: it names the demos that there are, and builds them as `make demo` does. What they do is tested in
tests/browser/demos.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.demos import DEMOS, FOLDER, PORT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "demos.md").read_text("utf-8")


def test_the_table_has_every_demo() -> None:
    assert re.findall(r"^\| `(\w+)\.py` \|", PAGE, re.MULTILINE) == [demo.name for demo in DEMOS]
    assert {file.stem for file in FOLDER.glob("*.py")} == {demo.name for demo in DEMOS}


def test_the_commands_are_those_of_the_files() -> None:
    for demo in DEMOS:
        assert f"cloche build examples/demos/{demo.source.name} -o site" in PAGE + demo.source.read_text("utf-8")
        for script in demo.scripts:
            assert f"--include {Path(script).name}" in PAGE


def test_the_client_has_the_files_that_the_page_names() -> None:
    named = PAGE.partition("The files of the client are")[2]
    assert set(re.findall(r"`([\w-]+\.js)`", named)) == {file.name for file in (FOLDER / "client").glob("*.js")}


def test_the_addresses_are_those_of_make_demo() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"DEMO_PORT ?= {PORT}\n" in makefile
    assert f"http://127.0.0.1:{PORT}" in PAGE
