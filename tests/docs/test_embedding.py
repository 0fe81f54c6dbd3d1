"""docs/embed-in-your-app.md and docs/sandbox-origin.md: each framework's app serves its page and ours."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.request import urlopen

import pytest

from cloche.host.web.sandbox import SETTING, SandboxError, Sandboxes, same_site, sandbox_name
from tests.support.live_server import LiveServer
from tests.support.snippets import ROOT, Snippet, all_snippets, save

EMBED, SANDBOX = "docs/embed-in-your-app.md", "docs/sandbox-origin.md"
APPS = [snippet for snippet in all_snippets() if snippet.document == EMBED and snippet.file.startswith("with_")]


def text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def test_there_is_one_for_each_framework() -> None:
    assert [snippet.file for snippet in APPS] == [
        "with_starlette.py",
        "with_fastapi.py",
        "with_litestar.py",
        "with_django.py",
    ]


def fetch(server: LiveServer, path: str) -> str:
    with urlopen(f"http://localhost:{server.port}{path}", timeout=30) as answer:
        assert answer.status == 200
        return str(answer.read().decode())


@pytest.mark.parametrize("snippet", APPS, ids=lambda snippet: snippet.file)
def test_the_app_serves_a_page_with_a_view_and_the_script_for_it(snippet: Snippet, tmp_path: Path) -> None:
    save(snippet, tmp_path)
    # In a process of its own: Django is configured once per process, and other tests import other sites.
    with LiveServer(tmp_path, f"from {Path(snippet.file).stem} import app") as server:
        page = fetch(server, "/")
        assert re.search(r'<mcp-app ticket="[\w.-]+"></mcp-app>', page), page
        (script,) = re.findall(r'src="(/cloche/[^"]+)"', page)
        assert fetch(server, script)
        assert fetch(server, "/cloche/self-test")


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
