"""docs/embed-in-your-app.md and docs/sandbox-origin.md: each framework's app serves its page and ours."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cloche.host.web.sandbox import SETTING, SandboxError, Sandboxes, same_site, sandbox_name
from tests.support.snippets import ROOT, Snippet, all_snippets, save, working_in

EMBED, SANDBOX = "docs/embed-in-your-app.md", "docs/sandbox-origin.md"
APPS = [snippet for snippet in all_snippets() if snippet.document == EMBED and snippet.file.startswith("with_")]


def text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def app_of(snippet: Snippet) -> Any:
    """Imported, not run: Django looks for its urls in a module of this name."""
    return importlib.import_module(Path(snippet.file).stem).app


def test_there_is_one_for_each_framework() -> None:
    assert [snippet.file for snippet in APPS] == [
        "with_starlette.py",
        "with_fastapi.py",
        "with_litestar.py",
        "with_django.py",
    ]


@pytest.mark.parametrize("snippet", APPS, ids=lambda snippet: snippet.file)
def test_the_app_serves_a_page_with_a_view_and_the_script_for_it(snippet: Snippet, tmp_path: Path) -> None:
    save(snippet, tmp_path)
    with working_in(tmp_path), TestClient(app_of(snippet), base_url="http://localhost") as client:
        page = client.get("/")
        assert page.status_code == 200
        assert re.search(r'<mcp-app ticket="[\w.-]+"></mcp-app>', page.text), page.text
        (script,) = re.findall(r'src="(/cloche/[^"]+)"', page.text)
        assert client.get(script).status_code == 200
        assert client.get("/cloche/self-test").status_code == 200


def test_the_sentences_of_the_table_are_the_real_ones() -> None:
    with pytest.raises(SandboxError) as failure:
        Sandboxes(None).origin("x", page="https://a.example", address="https://a.example")
    start = str(failure.value).partition("'")[0].strip()
    assert f"| {start} … none can be derived |" in text(EMBED)
    shown = (ROOT / "src" / "cloche").rglob("*.*")
    source = "\n".join(path.read_text("utf-8") for path in shown if path.suffix in (".py", ".js"))
    for sentence in re.findall(r"^\| ([A-Z][^|]+?) \|", text(EMBED), re.MULTILINE)[1:]:
        assert sentence.split(" …")[0] in source, sentence


def test_the_examples_that_it_names_are_there() -> None:
    for name in re.findall(r"`(examples/[\w./]+)`", text(EMBED)):
        assert (ROOT / name).exists()


def test_the_table_of_localhost_is_what_is_derived() -> None:
    rows = re.findall(
        r"^\| `(http://[\w.:]+)`.*? \| `(http://weather)-….localhost:8000` \|", text(SANDBOX), re.MULTILINE
    )
    assert len(rows) == 3
    for page, _ in rows:
        address = page if page.endswith(":8000") else "http://localhost:8000"
        made = Sandboxes(None).origin("weather", page=page, address=address)
        assert made == f"http://{sandbox_name('weather')}.localhost:8000"


def test_the_suffixes_that_it_names_are_known() -> None:
    for suffix in ("co.uk", "github.io", "app.github.dev"):
        assert f"`{suffix}`" in text(SANDBOX)
        assert not same_site(f"a.{suffix}", f"b.{suffix}")
    assert "sandbox=" in SETTING
