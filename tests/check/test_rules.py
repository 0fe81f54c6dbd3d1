"""Every rule finds what it is for, says the fix, and finds nothing in servers that are sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloche.check import RULES, check_server
from cloche.check.csp_reach import covers
from cloche.check.page import read_page
from cloche.cli.loader import load
from tests.check.broken_live import LIVE, RAISES
from tests.check.test_published_pages import PUBLISHED_RULES
from tests.check.test_story_check import STORY_RULES
from tests.support.broken_server import BROKEN, RUNTIME, SOUND, page, server
from tests.support.raw_server import RawServer

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted(ROOT.glob("examples/*.py"))


def test_there_is_a_broken_server_for_every_rule() -> None:
    assert set(BROKEN) | set(LIVE) | {RAISES} | STORY_RULES | PUBLISHED_RULES == set(RULES)
    assert not set(BROKEN) & set(LIVE)


@pytest.mark.parametrize("code", BROKEN)
async def test_the_rule_finds_its_server_and_nothing_else(code: str) -> None:
    findings = await check_server(RawServer(BROKEN[code]))
    assert {finding.code for finding in findings} == {code}
    for finding in findings:
        assert finding.what.endswith(".") or ": " in finding.what
        assert finding.fix.endswith(".")
        assert len(finding.what) + len(finding.fix) < 700


@pytest.mark.parametrize("name", SOUND)
async def test_nothing_is_found_in_a_sound_server(name: str) -> None:
    assert await check_server(RawServer(SOUND[name])) == []


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
async def test_nothing_is_found_in_our_examples(file: Path) -> None:
    assert await check_server(load(str(file)).server) == []


async def test_a_misspelt_tool_is_found_with_its_line_and_the_name_that_was_meant() -> None:
    hidden = {"name": "wipe", "description": "x", "inputSchema": {"type": "object"}}
    html = "<p>x</p>\n<button data-tool=shwo>A</button>\n<script>\ncallTool('wipe')\n</script>" + RUNTIME
    said = server(None, page(html), more=({**hidden, "_meta": {"ui": {"visibility": ["model"]}}},))
    first, second = await check_server(RawServer(said))
    assert first.what == "Line 2 calls the tool 'shwo', which the server does not have."
    assert first.fix == "Correct the name 'shwo' (did you mean 'show'?)."
    assert second.what == "Line 4 calls the tool 'wipe', which is for the model alone."
    assert second.fix == "Add \"app\" to the visibility of 'wipe'."


def test_rules_are_documented() -> None:
    page = (ROOT / "docs" / "check.md").read_text("utf-8")
    for rule in RULES.values():
        assert f"### {rule.code}\n" in page, f"docs/check.md has no section {rule.code}"
        first = page.split(f"### {rule.code}\n")[1].split(".")[0].replace("`", "")
        assert first.lower() == rule.title.lower()


@pytest.mark.parametrize(
    ("entry", "url", "said"),
    [
        ("https://a.example", "https://a.example/x.js", True),
        ("https://a.example", "//a.example/x.js", True),
        ("https://a.example", "https://a.example:8443/x.js", False),
        ("https://*.a.example", "https://b.a.example/", True),
        ("https://*.a.example", "https://a.example/", False),
        ("https://*.a.example", "https://evila.example/", False),
        ("wss://a.example", "https://a.example/", False),
        ("http://localhost:8000", "http://localhost:8000/x", True),
    ],
)
def test_what_an_entry_admits(entry: str, url: str, said: bool) -> None:
    assert covers([entry], url) is said


def test_lines_are_those_of_the_page() -> None:
    page = read_page(
        "<p>\n<script>\n\nfetch('https://a.example/x')\n</script>\n<style>\n\n@import 'https://b.example/y.css';\n"
        "p { background: url(https://c.example/z.png) }\n@font-face { src: url('https://d.example/f.woff2') }</style>"
    )
    assert [(load.kind, load.line) for load in page.loads] == [("connect", 4), ("style", 8), ("image", 9), ("font", 10)]
