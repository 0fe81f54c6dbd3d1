"""docs/run-in-the-browser.md: the commands make what the page says, and the page says what the document says."""

from __future__ import annotations

import http.server
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.support.chromium import FLAGS
from tests.support.snippets import ROOT, all_snippets, blocks_of, save
from tools.chromium import chromium

PAGE = "docs/run-in-the-browser.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
SECONDS = 120


@contextmanager
def plain_server(folder: Path) -> Iterator[str]:
    """What `python -m http.server` is."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """A test's server is quiet."""

    serving = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=serving.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}/"
    serving.shutdown()
    thread.join()
    serving.server_close()


@pytest.mark.requirement(2)
def test_the_command_and_the_page_do_what_is_said(tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "server.py"]
    save(snippet, tmp_path)
    (command,) = [text for text in blocks_of(PAGE, "sh") if "bundle" in text]
    words = [sys.executable, "-m", *command.split()]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    (page,) = blocks_of(PAGE, "html")
    (tmp_path / "site" / "index.html").write_text(page)
    with plain_server(tmp_path / "site") as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        opened = browser.new_page()
        opened.goto(url)
        shown = opened.locator("#answer", has_text="dollar")
        shown.wait_for(timeout=SECONDS * 1000)
        assert f"`{shown.text_content()}`" in TEXT
        browser.close()


def test_every_option_is_in_the_table() -> None:
    script = (resources.files("cloche.web") / "python" / "start.js").read_text(encoding="utf-8")
    (typedef,) = re.findall(r"@typedef \{\{\n(.*?)\}\} PythonOptions", script, re.DOTALL)
    table = TEXT[TEXT.index("| option |") : TEXT.index("What comes back has")]
    assert sorted(re.findall(r"(\w+)\??: ", re.sub(r"\([^)]*\)", "", typedef))) == sorted(
        re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    )
    stages = re.search(r"@typedef \{(.*?)\} Stage", (resources.files("cloche.web") / "python" / "boot.js").read_text())
    assert stages
    assert re.findall(r'"(\w+)"', stages[1]) == re.findall(r"`(\w+)`", table.split("onProgress")[1].split("\n")[0])
