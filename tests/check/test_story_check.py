"""`cloche check` and stories: each is run in its host, theme and size; what is wrong with one is told by its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cloche.check import RULES
from cloche.cli.loader import load
from cloche.testing import StoryFile
from tests.check.conftest import Run
from tests.support.command import cloche

STORY_RULES = {"S02", "S03"}

SERVER = '''
from cloche import Server, ToolAnnotations

PAGE = """<p id=said></p><script>
cloche.on("tool:result", (result) => {
  const {word} = result.structuredContent;
  if (word === "break") throw Error("no such word");
  if (word !== "nothing") said.textContent = word;
  if (word === "elsewhere" && window.openai) said.textContent = "";
});
</script>"""
server = Server("words")
called = []

@server.tool(view=PAGE)
def say(word: str = "hello") -> dict[str, str]:
    """Say a word."""
    called.append(word)
    return {"word": word}

@server.tool(view=PAGE, annotations=ToolAnnotations(destructive_hint=True))
def wipe(word: str = "hello") -> dict[str, str]:
    """Wipe everything."""
    called.append(word)
    return {"word": word}

@server.tool
def plain() -> str:
    """Without a view."""
    called.append("plain")
    return "text"
'''
RESULT = {"content": [{"type": "text", "text": "kept"}], "structuredContent": {"word": "kept"}}
STORIES = f"""
[sound]
tool = "say"
arguments = {{word = "ok"}}
width = 360
theme = "dark"

[broken]
tool = "say"
arguments = {{word = "break"}}

[blank]
tool = "say"
arguments = {{word = "nothing"}}

["only ChatGPT"]
tool = "say"
arguments = {{word = "elsewhere"}}
profile = "chatgpt"

[dangerous]
tool = "wipe"

["dangerous, kept"]
tool = "wipe"
result = '''{json.dumps(RESULT)}'''

[plain]
tool = "plain"

[gone]
tool = "sya"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "words.py").write_text(SERVER, "utf-8")
    (tmp_path / "words.stories.toml").write_text(STORIES, "utf-8")
    return tmp_path


def test_every_story_is_run_and_what_is_wrong_has_its_name(run: Run, folder: Path) -> None:
    server = load(str(folder / "words.py")).server
    report = run(server, folder, stories=StoryFile(folder / "words.py"), calls="own")
    found = {(one.where, one.code) for one in report.findings if one.where.startswith("story")}
    assert found == {
        ("story 'broken'", "L02"),
        ("story 'broken'", "L07"),
        ("story 'blank'", "L07"),
        ("story 'only ChatGPT'", "S03"),
        ("story 'gone'", "S02"),
    }
    gone = next(one for one in report.findings if one.where == "story 'gone'")
    assert (gone.what, gone.fix) == ("The server has no tool 'sya'.", "Write tool = 'say'.")
    runs = {one.story.name: one for one in report.stories}
    assert {name: one.renders for name, one in runs.items()} == {
        "sound": True,
        "broken": False,
        "blank": False,
        "only ChatGPT": False,
        "dangerous": None,
        "dangerous, kept": True,
        "plain": None,
    }
    assert runs["dangerous"].note == "it says that it is destructive; record its result in the story"
    assert RULES.keys() >= STORY_RULES


def test_the_command_says_it_and_a_broken_file_is_told_with_its_line(folder: Path) -> None:
    (folder / "words.stories.toml").write_text('[one]\ntool = "say"\n[two]\ntool = "say"\nwidht = 300\n', "utf-8")
    done = cloche("check", "--static", "words.py", folder=folder, deadline=120)
    assert done.returncode == 1
    assert "S02 error: words.stories.toml line 5: a story cannot be run" in done.stdout
    assert "a story has no 'widht'; it has tool, arguments, result" in done.stdout
    (folder / "words.stories.toml").write_text('[one]\ntool = "say"\n', "utf-8")
    done = cloche("check", "--patience", "10", "--profile", "strict", "--json", "words.py", folder=folder, deadline=300)
    assert json.loads(done.stdout)["stories"] == [
        {"name": "one", "tool": "say", "profile": "strict", "renders": True, "note": ""}
    ]
