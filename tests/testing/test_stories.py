"""Stories as text: what a person writes is read, a mistake is told with its line, what is saved disturbs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import StoryError
from cloche.testing import Story, StoryFile, ViewOpener
from cloche.testing.stories import MAX_BYTES, MAX_NAME, find_story

WRITTEN = """\
# What we look at before a release.

["Rain in Ghent"]       # the usual case
tool = "forecast"
arguments = {city = "Ghent", days = 3}
theme = "dark"
width = 360

# A place without data:
[Nowhere]
tool = "forecast"
result = '''
{
  "content": [{"type": "text", "text": "none"}],
  "rows": [
[1]
  ]
}
'''

["Deep \\"quoted\\""]
tool = "plan"
profile = "chatgpt"
["Deep \\"quoted\\"".arguments]
day = 2026-01-15
stops = [{name = "a"}, {name = "b"}]
"""


@pytest.fixture
def file(tmp_path: Path) -> StoryFile:
    return StoryFile(tmp_path / "weather.py")


def written(file: StoryFile, text: str) -> StoryFile:
    file.path.write_text(text, "utf-8")
    return file


def test_what_a_person_writes_is_read(file: StoryFile) -> None:
    assert file.read() == []
    assert (file.path.name, file.server.name) == ("weather.stories.toml", "weather.py")
    assert StoryFile(file.path).server == file.server
    rain, nowhere, deep = written(file, WRITTEN).read()
    assert rain == Story(
        name="Rain in Ghent", tool="forecast", arguments={"city": "Ghent", "days": 3}, theme="dark", width=360
    )
    assert nowhere.result == {"content": [{"type": "text", "text": "none"}], "rows": [[1]]}
    assert nowhere.options == {"profile": "strict", "answers": {"forecast": nowhere.result}}
    assert deep.name == 'Deep "quoted"'
    assert deep.arguments == {"day": "2026-01-15", "stops": [{"name": "a"}, {"name": "b"}]}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('["a"]\ntool = \n', 2, "this is not TOML"),
        ('["a"]\ntool = "x\n', 2, "this is not TOML"),
        ("['a']\ntool = '''x\n\n", 4, "this is not TOML"),
        ('["a"]\ntool = "x"\n\n["a"]\ntool = "y"\n', 4, "this is not TOML"),
        ('tool = "x"\n', 1, "outside of a story"),
        ('["a"]\n\n["b"]\ntool = "x"\n', 1, "names no tool"),
        ('["a"]\ntool = 3\n', 2, "tool: Expected `str`, got `int`"),
        ('["a"]\ntool = ""\n', 2, "tool is empty"),
        ('# one\n["a"]\ntool = "x"\nargs = {}\n', 4, "a story has no 'args'; it has tool, arguments"),
        ('["a"]\ntool = "x"\narguments = [1]\n', 3, "arguments: Expected `object`, got `array`"),
        ('["a"]\ntool = "x"\n["a".arguments]\nb = 1\n["b"]\ntool = "y"\ntheme = "blue"\n', 7, "theme: Invalid enum"),
        ('["a"]\ntool = "x"\nprofile = "netscape"\n', 3, "no profile 'netscape'; there are strict"),
        ('["a"]\ntool = "x"\nwidth = 5\n', 3, "width must be from 100 to 4000 pixels"),
        ('["a"]\ntool = "x"\nresult = "{"\n', 3, "result is not JSON"),
        ("['a']\ntool = 'x'\nresult = '''\n{\n  'a': 1\n}\n'''\n", 5, "result is not JSON"),
        ("['b']\ntool = 'x'\n['" + "a" * (MAX_NAME + 1) + "']\ntool = 'x'\n", 3, "1 to 100 characters"),
    ],
)
def test_a_mistake_is_told_with_its_line(file: StoryFile, text: str, line: int, says: str) -> None:
    with pytest.raises(StoryError) as raised:
        written(file, text).read()
    assert (raised.value.file, raised.value.line) == ("weather.stories.toml", line)
    assert str(raised.value).startswith(f"weather.stories.toml line {line}: ")
    assert says in raised.value.what


def test_a_file_that_is_too_large_or_no_text_is_refused(file: StoryFile) -> None:
    file.path.write_bytes(b"# one\n# \xff\n")
    with pytest.raises(StoryError, match="line 2: this is not UTF-8"):
        file.read()
    file.path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(StoryError, match="larger than 8 MB"):
        file.read()


def test_saving_and_removing_leave_the_rest_as_it_was(file: StoryFile) -> None:
    written(file, WRITTEN)
    file.save(Story(name="New", tool="forecast", arguments={"city": "Nice"}))
    assert file.path.read_text("utf-8") == WRITTEN + '\n[New]\ntool = "forecast"\narguments = {city = "Nice"}\n'
    file.save(Story(name="Rain in Ghent", tool="plan", theme="light"))
    changed = file.path.read_text("utf-8")
    assert '["Rain in Ghent"]\ntool = "plan"\ntheme = "light"\n\n# A place without data:\n[Nowhere]' in changed
    assert changed.startswith("# What we look at before a release.\n\n[")
    file.remove('Deep "quoted"')
    file.remove("New")
    assert "stops" not in file.path.read_text("utf-8")
    assert [one.name for one in file.read()] == ["Rain in Ghent", "Nowhere"]
    file.remove("Rain in Ghent")
    assert "# A place without data:\n[Nowhere]" in file.path.read_text("utf-8")
    with pytest.raises(StoryError, match="no story 'Gone'; there are 'Nowhere'"):
        file.remove("Gone")


def test_a_first_story_makes_the_file_and_a_wrong_one_does_not(file: StoryFile) -> None:
    with pytest.raises(StoryError, match="no profile"):
        file.save(Story(name="a", tool="x", profile="netscape"))
    assert not file.path.exists()
    file.save(Story(name="a", tool="x", arguments={"none": None}))
    assert file.path.read_text("utf-8").startswith("# Stories of weather.py: ")
    assert file.get("a").arguments == {"none": None}


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=4)


@settings(max_examples=150, deadline=None)
@given(arguments=OBJECT, result=OBJECT | st.none(), names=st.lists(st.text(min_size=1, max_size=20), unique=True))
def test_whatever_is_saved_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, arguments: Any, result: Any, names: list[str]
) -> None:
    file = StoryFile(tmp_path_factory.mktemp("stories") / "server.py")
    kept = [name for name in names if name.strip() and name.isprintable()]
    stories = [Story(name=name, tool="t", arguments=arguments, result=result) for name in kept]
    for story in stories:
        file.save(story)
    assert file.read() == stories
    for story in stories[::2]:
        file.save(Story(name=story.name, tool="u"))
    assert [one.tool for one in file.read()] == [("u" if n % 2 == 0 else "t") for n in range(len(stories))]
    for story in stories:
        file.remove(story.name)
    assert file.read() == []


SHOP = '''
from cloche import Server

server = Server("shop")


@server.tool(view="<p id=out></p><script>cloche.on('tool:result', (r) => out.textContent = r.content[0].text)</script>")
def shop(day: str) -> str:
    """When it is open."""
    return f"open on {day}"
'''


def test_a_story_is_found_from_a_test_and_opened_with_its_server(open_view: Any, tmp_path: Path) -> None:
    """The opener of a test in `tests/`, whose server lies in the folder above."""
    (tmp_path / "shop.py").write_text(SHOP, "utf-8")
    file = StoryFile(tmp_path / "shop.py")
    file.save(Story(name="Monday", tool="shop", arguments={"day": "Monday"}, theme="dark", width=360))
    result = {"content": [{"type": "text", "text": "closed"}]}
    file.save(Story(name="closed", tool="shop", arguments={"day": "x"}, result=result))
    tests = tmp_path / "tests"
    tests.mkdir()
    opener = ViewOpener(open_view._background, open_view._chromium, folder=tests, root=tmp_path)
    try:
        view = opener.story("Monday")
        view.expect("#out").to_have_text("open on Monday")
        assert (view.host_context["theme"], view.evaluate("innerWidth")) == ("dark", 360)
        opener.story("closed", theme="light").expect("#out").to_have_text("closed")
        with pytest.raises(StoryError, match=r"shop\.stories\.toml: there is no story 'Tuesday'; there are 'Monday'"):
            opener.story("Tuesday")
        (tests / "other.stories.toml").write_text('[Monday]\ntool = "shop"\n', "utf-8")
        assert find_story("Monday", tests, tmp_path).path.name == "other.stories.toml"
        (tests / "third.stories.toml").write_text('[Monday]\ntool = "shop"\n', "utf-8")
        with pytest.raises(StoryError, match="say which with file="):
            find_story("Monday", tests, tmp_path)
        opener.story("Monday", file=tmp_path / "shop.py").expect("#out").to_have_text("open on Monday")
    finally:
        opener.close()
