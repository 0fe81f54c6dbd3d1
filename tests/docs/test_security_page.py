"""The page about security: what it says of policies and frames is what the code has."""

from __future__ import annotations

import re

import pytest

from cloche.wire.apps.csp import CLOSED, Sources, content_policy, frame_sandbox
from tests.attacks.catalogue.lookups import CONTROLS
from tests.support.snippets import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
PROXY = (ROOT / "src" / "cloche" / "web" / "host" / "frame.js").read_text("utf-8")


def rows() -> list[str]:
    """The first cells of the table of frames."""
    table = PAGE.split("| `sandbox` | for |")[1].split("\n\n")[0]
    return re.findall(r"^\| (.*?) \|", table, re.MULTILINE)


@pytest.mark.requirement(168)
def test_the_frames_that_it_lists_are_those_of_the_code() -> None:
    strict, own, proxy, nobody = rows()
    assert strict == f"`{frame_sandbox([])}`"
    assert own == f"`{frame_sandbox(['camera'])}`"
    assert f'const PROXY_SANDBOX = "{proxy.strip("`")}";' in PROXY
    for token in re.findall("allow-[a-z-]+", nobody):
        assert token not in frame_sandbox([])
        assert token not in PROXY.split("PROXY_SANDBOX = ")[1].splitlines()[0]


@pytest.mark.requirement(167)
def test_the_headers_for_applications_are_written_down_and_views_have_stricter_ones() -> None:
    checklist = PAGE.split("## Check-list")[1]
    assert "Content-Security-Policy" in checklist
    assert "frame-ancestors" in checklist
    closed = re.findall(r"([a-z-]+)=\(\)", checklist)
    assert {"payment", "usb", "display-capture"} <= set(closed)
    assert {"payment", "usb", "display-capture"} <= set(CLOSED)
    policy = content_policy(Sources({}), "https://product.example")
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("frame-ancestors https://product.example")
    assert "'self'" not in policy


def used_codes() -> set[str]:
    """The codes of attacks in the names of tests, in comments and in strings."""
    files = [
        *(ROOT / "src/cloche").rglob("*.py"),
        *(ROOT / "src/cloche/web").rglob("*.js"),
        *(ROOT / "tests").rglob("*.py"),
    ]
    code = re.compile(r"(?<![A-Za-z0-9])(?:test_)?([HWMBhwmb]\d\d)(?![A-Za-z0-9])")
    found = {name.upper() for file in files for name in code.findall(file.read_text("utf-8").replace("_", " "))}
    return {name for name in found if re.match("[HWM]|B0[1-9]", name)}


def test_the_codes_that_code_and_tests_name_are_listed() -> None:
    listed = re.findall(r"^\| ([HWMB]\d\d) \|", PAGE.partition("## The codes")[2], re.MULTILINE)
    assert listed == sorted(listed, key=lambda code: ("HWMB".index(code[0]), code))
    assert used_codes() == set(listed)


def test_the_lookups_that_only_one_header_stops_are_listed_with_their_attacks() -> None:
    table = PAGE.split("| a view has a name looked up by | attacks |")[1].split("\n\n")[0]
    only = {name for names in CONTROLS.values() for name in names}
    assert set(re.findall(r"name-[a-z-]+", table)) == only
