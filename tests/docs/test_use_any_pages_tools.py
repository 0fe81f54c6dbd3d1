"""docs/use-any-pages-tools.md: what it prints, its options, and what it says of other browsers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from cloche.cli.webmcp import webmcp
from tests.support.snippets import ROOT, all_snippets
from tools.chromium import chromium

DOCUMENT = "docs/use-any-pages-tools.md"
TEXT = (ROOT / DOCUMENT).read_text(encoding="utf-8")


def test_it_prints_what_the_page_shows(tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == DOCUMENT]
    (tmp_path / snippet.file).write_text(snippet.code, encoding="utf-8")
    environment = {"CLOCHE_CHROMIUM": chromium(), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, snippet.file]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    (shown,) = re.findall(r"It prints:\n\n```text\n(.*?)```", TEXT, re.DOTALL)
    assert (done.stdout, done.stderr) == (shown, "")


def test_the_options_are_those_of_the_command() -> None:
    listed = re.findall(r"^\| `(--[a-z]+)", TEXT, re.MULTILINE)
    options = [name for one in webmcp.params for name in one.opts if name.startswith("--")]
    assert sorted([*listed, "--yes"]) == sorted(options)


def test_the_configuration_is_json_and_starts_the_command() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    (entry,) = json.loads(block)["mcpServers"].values()
    assert [entry["command"], *entry["args"]] == ["cloche", "webmcp", "https://shop.example/"]
