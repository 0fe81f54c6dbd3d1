"""The blocks of README.md and docs/*.md, and how to run one.

A Python block is what stands between a line "```python" and a line "```". Its first line may be `# file: name.py`: then
it is saved under that name, and later blocks of the same document can import it. `<!-- not run: reason -->` on the line
above keeps a block from being run; the reasons are pinned in test_snippets.py. A block of HTML that begins with
`<!-- file: name.html -->` is saved for every Python block of its document.

A block of text or JSON with one of these comments on the line above is what really comes back, from the server that the
last Python block before it defines (test_shown.py). Without `in VERSION` it must be the same in both eras:

    <!-- call TOOL {arguments} [in VERSION] -->        the result of a tool; as text: the texts in it
    <!-- input TOOL -->, <!-- output TOOL [in …] -->   its schemas
    <!-- request METHOD {params} [in …] -->            any other result
    <!-- error METHOD {params} [in …] -->              the error of a response
    <!-- prints -->                                    what the Python block prints
    <!-- raises -->                                    what it fails with: "ErrorClass: the message"
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent

FENCE = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+?) -->\n)?^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
SHOWN = re.compile(
    r"^<!-- (?P<verb>call|input|output|request|error|prints|raises)"
    r"(?: (?P<rest>[^\n]*?))?(?: in (?P<version>[\d-]+))? -->\n"
    r"^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FILE_LINE = re.compile(r"# file: (?P<name>[a-z_]\w*\.py)\n")
HTML_FILE = re.compile(r"<!-- file: (?P<name>[a-z_]\w*\.html) -->\n")


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


@dataclass(frozen=True)
class Shown:
    """What a document says that comes back, and the Python block it comes from."""

    snippet: Snippet
    line: int
    verb: str
    name: str
    params: dict[str, Any]
    version: str | None
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.snippet.document}:{self.line}:{self.verb}"


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


def shown_in(name: str, text: str) -> list[Shown]:
    """What one document shows of its servers' answers."""
    blocks = snippets_of(name, text)
    found = []
    for match in SHOWN.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        snippet = [block for block in blocks if block.line <= line][-1]
        target, _, params = (match["rest"] or "").partition(" ")
        given = json.loads(params) if params else {}
        found.append(
            Shown(snippet, line, match["verb"], target, given, match["version"], match["language"], match["text"])
        )
    return found


def all_shown() -> list[Shown]:
    """What every document shows."""
    return [
        one
        for path in documents()
        for one in shown_in(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def blocks_of(document: str, language: str) -> list[str]:
    """The text of every block in this language, in order; a document is named by its path from the root."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def save(snippet: Snippet, folder: Path) -> Path:
    """Write the block into `folder`, after the pages of its document and the named blocks that stand before it."""
    for page in blocks_of(snippet.document, "html"):
        if named := HTML_FILE.match(page):
            (folder / named["name"]).write_text(page, encoding="utf-8")
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
    """Inside `folder`: imports find its files, whatever else was loaded under their names, and what they loaded is
    forgotten afterwards.
    """
    hidden = {path.stem: sys.modules.pop(path.stem) for path in folder.glob("*.py") if path.stem in sys.modules}
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
        sys.modules.update(hidden)
