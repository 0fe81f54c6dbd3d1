"""The two phases in a real browser: pages of the same origin, another origin, another site, no origin, and popups."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

SOURCE = (Path(__file__).parent / "pages" / "cases.js").read_text(encoding="utf-8")

RUN = """async (name) => {
  const { CASES, Lab } = await import("/cases.js");
  const lab = new Lab();
  try {
    const late = new Promise((_, reject) => setTimeout(reject, 25_000, new Error("it took more than 25 s")));
    await Promise.race([CASES[name](lab), late]);
    return "";
  } catch (error) {
    return String(error.stack ?? error);
  } finally {
    lab.close();
  }
}"""

KINDS = re.findall(r'^  "?([a-z ]+)"?: \{ site', (Path(__file__).parent / "pages" / "lab.js").read_text("utf-8"), re.M)
OF_KINDS = re.findall(r"^  CASES\[`([^`]+): \$\{kind\}`\]", SOURCE, re.MULTILINE)
NAMES = re.findall(r'^CASES\["([^"]+)"\]', SOURCE, re.M) + [f"{name}: {kind}" for name in OF_KINDS for kind in KINDS]


@pytest.mark.requirement(119, 120, 121, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 138, 139)
@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, page: Page) -> None:
    assert page.evaluate(RUN, name) == ""


@pytest.mark.requirement(133)
def test_the_outer_page_is_loaded_again(page: Page) -> None:
    name = "what was set up is there when the outer page is loaded again"
    assert page.evaluate(RUN, name) == ""
    page.reload()
    assert page.evaluate("() => sessionStorage.getItem('saved')")
    assert page.evaluate(RUN, name) == ""


def test_every_case_is_run(page: Page) -> None:
    """None is left out by the patterns above."""
    names = page.evaluate("async () => Object.keys((await import('/cases.js')).CASES)")
    assert sorted(names) == sorted(NAMES)
    assert len(KINDS) == 6
