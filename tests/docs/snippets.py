"""The Python blocks of README.md and docs/*.md, and how to run one.

A block is what stands between a line "```python" and a line "```". Its first line may be `# file: name.py`: then it is
saved under that name, and later blocks of the same document can import it. `<!-- not run: reason -->` on the line above
keeps a block from being run; the reasons are pinned in test_snippets.py.
"""

from __future__ import annotations

import contextlib
import os
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

FENCE = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+?) -->\n)?^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
FILE_LINE = re.compile(r"# file: (?P<name>[a-z_]\w*\.py)\n")


@dataclass(frozen=True)
class Snippet:
    """One block of a document."""

    document: str
    line: int
    code: str
    not_run: str | None

    @property
    def file(self) -> str:
        """The name it is saved under."""
        named = FILE_LINE.match(self.code)
        return named["name"] if named else "snippet.py"

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def documents() -> list[Path]:
    """Every document whose code is run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def snippets_of(name: str, text: str) -> list[Snippet]:
    """The blocks of one document, in order."""
    return [
        Snippet(name, text.count("\n", 0, found.start("code")) + 1, found["code"], found["reason"])
        for found in FENCE.finditer(text)
    ]


def all_snippets() -> list[Snippet]:
    """Every block of every document."""
    return [
        snippet
        for path in documents()
        for snippet in snippets_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def save(snippet: Snippet, folder: Path) -> Path:
    """Write the block into `folder`, after the named blocks that stand before it in its document."""
    for earlier in all_snippets():
        if earlier.document == snippet.document and earlier.line < snippet.line and FILE_LINE.match(earlier.code):
            (folder / earlier.file).write_text(earlier.code, encoding="utf-8")
    path = folder / snippet.file
    path.write_text(snippet.code, encoding="utf-8")
    return path


def run(snippet: Snippet, folder: Path) -> dict[str, object]:
    """Execute the block as a fresh module in `folder`, and give its namespace. `__name__` is not `__main__`."""
    path = save(snippet, folder)
    with working_in(folder):
        return runpy.run_path(str(path), run_name=path.stem)


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Inside `folder`: imports find its files, and what they loaded is forgotten afterwards."""
    before, modules = Path.cwd(), set(sys.modules)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(before)
        for name in set(sys.modules) - modules:
            origin = getattr(sys.modules[name], "__file__", None)
            if origin and Path(origin).parent == folder:
                del sys.modules[name]
