"""docs/api.md is what the code says."""

from __future__ import annotations

from tools.api_page import PAGE, packages, page


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text("utf-8") == page(), "python -m tools.api_page writes it anew"


def test_every_exported_name_is_on_the_page_once_for_each_package() -> None:
    text = PAGE.read_text("utf-8")
    for package in packages():
        section = text.split(f"## {package.__name__}\n")[1].split("\n## ")[0]
        rows = [row.split("`")[1].split("(")[0] for row in section.splitlines() if row.startswith("| `")]
        assert rows == sorted(package.__all__)
