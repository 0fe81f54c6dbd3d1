"""All code in the documents runs."""

from __future__ import annotations

import re
import runpy
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.snippets import Snippet, all_shown, all_snippets, documents, run, shown_in, snippets_of, working_in

NOT_RUN: list[tuple[str, str]] = []
"""(document, reason) of every block that is not run; it grows only here, where somebody sees it."""

FAILING = [shown.snippet for shown in all_shown() if shown.verb == "raises"]
RUN = [snippet for snippet in all_snippets() if not snippet.not_run and snippet not in FAILING]


@pytest.mark.parametrize("snippet", RUN, ids=str)
def test_the_block_runs(snippet: Snippet, tmp_path: Path) -> None:
    namespace = run(snippet, tmp_path)
    assert namespace["__name__"] == Path(snippet.file).stem


def test_a_block_imports_the_file_of_its_own_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = ModuleType("first")
    monkeypatch.setitem(sys.modules, "first", stranger)  # as a test leaves it that loads a file of this name
    first, _, third = snippets_of("x.md", EXAMPLE)
    for snippet in (first, third):
        (tmp_path / snippet.file).write_text(snippet.code, encoding="utf-8")
    with working_in(tmp_path):
        assert runpy.run_path(str(tmp_path / third.file))["VALUE"] == 3
    assert sys.modules["first"] is stranger


def test_blocks_that_are_not_run_are_listed_with_their_reason() -> None:
    assert [(snippet.document, snippet.not_run) for snippet in all_snippets() if snippet.not_run] == NOT_RUN


def test_no_python_block_escapes_the_collector() -> None:
    for path in documents():
        text = path.read_text(encoding="utf-8")
        fences = re.findall(r"^[ >]*(?:```+|~~~+) *(?:python|py|pycon)\b", text, re.MULTILINE | re.IGNORECASE)
        assert len(fences) == len(snippets_of(path.name, text)), f"{path.name}: write Python blocks as ```python"


def test_every_extra_that_the_documents_name_exists() -> None:
    extras = set(metadata.metadata("cloche").get_all("Provides-Extra") or [])
    for path in documents():
        named = re.findall(r"cloche\[([\w,-]+)\]", path.read_text(encoding="utf-8"))
        assert {extra for names in named for extra in names.split(",")} <= extras, path.name


def test_every_link_between_documents_leads_somewhere() -> None:
    for path in documents():
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


EXAMPLE = """\
# Title
```python
# file: first.py
VALUE = 3
```
<!-- not run: needs a moon -->
```python
import moon
```
```python
from first import VALUE
```
<!-- call add {"a": 1} in 2025-11-25 -->
```text
1
```
"""


def test_the_collector_reads_names_lines_and_reasons() -> None:
    first, second, third = snippets_of("x.md", EXAMPLE)
    assert (first.file, first.line, first.not_run) == ("first.py", 3, None)
    assert (second.code, second.not_run) == ("import moon\n", "needs a moon")
    assert (third.file, str(third)) == ("snippet.py", "x.md:11")


def test_the_collector_reads_what_is_shown() -> None:
    (shown,) = shown_in("x.md", EXAMPLE)
    assert (shown.snippet.line, shown.verb, shown.name, shown.params) == (11, "call", "add", {"a": 1})
    assert (shown.version, shown.language, shown.text) == ("2025-11-25", "text", "1\n")


def test_no_comment_that_shows_something_is_misspelt() -> None:
    for path in documents():
        text = path.read_text(encoding="utf-8")
        comments = re.findall(
            r"^<!-- (?!not run:|cloche |file:|made by|end of what is made|the score|end of the score).*? -->$",
            text,
            re.MULTILINE,
        )
        assert len(comments) == len(shown_in(path.name, text)), f"{path.name}: a comment shows nothing"
