"""The scripts stay small: what a view gets, compressed."""

from __future__ import annotations

import gzip

import pytest

from cloche.views.scripts import inject, script

LIMITS = {
    "bind.js": 2048,
    "interact.js": 2048,
    "links.js": 600,
    "shell.js": 512,
    "state.js": 640,
    "view-tools.js": 3200,
}


@pytest.mark.parametrize("name", LIMITS)
def test_the_script_is_small(name: str) -> None:
    assert len(gzip.compress(script(name).encode(), 9)) <= LIMITS[name]


def test_scripts_are_added_only_where_they_are_used() -> None:
    plain, tool, link = (inject(html, bridge="") for html in ("<p>x", "<p data-tool=x>", "<a href=x>"))
    assert "ModelContext" not in plain + tool + link
    assert (
        "registerTool" in inject("<script>document.modelContext</script>", bridge="").partition("<script>document")[0]
    )
    assert "callTool" not in plain
    assert "openLink" not in plain
    assert "callTool" in tool
    assert "openLink" in link
    assert "callTool" not in link
