"""`pytest -p tools.browserless`: only the tests that need no browser.

A test needs one when it uses the fixture `open_view`, or when its module, or that of one of its fixtures, imports
Playwright: itself, or through other modules of `tests/`. Types count too: a test that names a `Page` gets one. The few
tests whose browser starts in a process of their own are run.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SHARED_BROWSER = "_cloche_browser"
"""The fixture behind `open_view` and its relatives, in the package's own plugin."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what needs a browser."""
    needing = [item for item in items if isinstance(item, pytest.Function) and needs_browser(item)]
    config.hook.pytest_deselected(items=needing)
    left_out = set(needing)
    items[:] = [item for item in items if item not in left_out]


def needs_browser(test: pytest.Function) -> bool:
    """Whether the test, or a fixture it uses, shows something in a browser."""
    fixtures = [found[-1] for found in test._fixtureinfo.name2fixturedefs.values()]
    modules = {test.module.__name__, *(fixture.func.__module__ for fixture in fixtures)}
    return SHARED_BROWSER in test.fixturenames or any(map(imports_playwright, modules))


@cache
def imports_playwright(module: str) -> bool:
    """Whether a module of the tests imports Playwright, itself or through others."""
    seen, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        if name.partition(".")[0] == "playwright":
            return True
        if name not in seen and name.startswith("tests."):
            seen.add(name)
            waiting += imported(ROOT / f"{name.replace('.', '/')}.py")
    return False


@cache
def imported(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it; `from a import b` may mean `a.b`. None for another path."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
