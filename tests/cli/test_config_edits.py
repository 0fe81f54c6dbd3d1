"""One entry of somebody else's file is changed, and nothing else: comments, order and layout stay."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloche.cli.json_edits import JsonTextError, parse, with_member, without_member
from cloche.cli.toml_edits import with_table, without_table

PATH = ("mcpServers", "pantry")
ENTRY = {"command": "python", "args": ["-m", "cloche"]}

COMMENTED = """// my settings
{
    "theme": "dark", // of course
    "mcpServers": {
        /* the repository */
        "git": {"command": "uvx"}, // "not": "a member"
        "time": {
            "command": "time", // a { brace
        },
    },
    "last": [1, 2,],
}
"""


def test_comments_and_trailing_commas_stay() -> None:
    made = with_member(COMMENTED, PATH, ENTRY)
    for line in COMMENTED.splitlines():
        assert line in made.splitlines()
    assert '        "pantry": {\n          "command": "python",' in made
    assert parse(made).value == {**parse(COMMENTED).value, "mcpServers": {**servers(COMMENTED), "pantry": ENTRY}}
    assert without_member(made, PATH) == COMMENTED


def servers(text: str) -> Any:
    return parse(text).value["mcpServers"]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{\n}\n",
        '{"a": 1}',
        '{"mcpServers": {}}',
        '{\n\t"mcpServers": {\n\t\t"git": {}\n\t}\n}\n',
        '{"mcpServers": {"git": {"command": "uvx"}}, "b": 2}',
        '{"mcpServers": {"pantry": {"command": "old", "args": []}, "git": {}}}',
        '{"mcpServers": {"git": {}, "pantry": 3 /* odd */}}',
        "{ // nothing yet\n}",
        '{"mcpServers": {\n  // "old": {}\n}}',
        '\r\n{\r\n  "mcpServers": {\r\n    "git": {}\r\n  }\r\n}\r\n',
    ],
)
def test_every_layout(text: str) -> None:
    before = parse(text).value
    made = with_member(text, PATH, ENTRY)
    expected = {**before, "mcpServers": {**before.get("mcpServers", {}), "pantry": ENTRY}}
    assert parse(made).value == expected
    again = with_member(made, PATH, {"command": "other"})
    assert parse(again).value["mcpServers"]["pantry"] == {"command": "other"}
    gone = without_member(made, PATH)
    del expected["mcpServers"]["pantry"]
    assert parse(gone).value == expected
    for comment in ("// nothing yet", '// "old": {}'):
        assert (comment in text) == (comment in gone)


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a" 1}', "{'a': 1}", '{"a": 1} 2', '{"a": 1 "b": 2}', '{"a": 1, "a": 2}', "{a: 1}", "[" * 100],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError):
        parse(text)


NAMES = st.text(st.characters(codec="utf-8"), max_size=5)
VALUES = st.recursive(st.none() | st.booleans() | st.integers() | NAMES, lambda more: st.lists(more, max_size=3))
OBJECTS = st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=3) | VALUES, max_size=4)


@given(OBJECTS, st.dictionaries(NAMES, VALUES, max_size=4), NAMES, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_any_json(whole: Any, inner: Any, name: str, indent: Any, ascii_only: bool) -> None:
    whole = {**whole, "mcpServers": inner}
    text = json.dumps(whole, indent=indent, ensure_ascii=ascii_only)
    assert parse(text).value == whole
    made = with_member(text, ("mcpServers", name), ENTRY)
    assert json.loads(made) == {**whole, "mcpServers": {**inner, name: ENTRY}}
    assert json.loads(without_member(made, ("mcpServers", name))) == {
        **whole,
        "mcpServers": {key: value for key, value in inner.items() if key != name},
    }


TOML = """# mine
model = "x"

[mcp_servers.git]
command = "uvx" # the runner
args = [
  "mcp-server-git",
]

[mcp_servers.git.env]
KEY = "1"

# what follows is mine, too
[tui]
notifications = true
"""


def test_toml() -> None:
    path = ("mcp_servers", "my pantry")
    entry = {"command": 'C:\\new "one"\x7f', "args": ["-m", "ünï"], "env": {"A B": "x\ny"}}
    made = with_table(TOML, path, entry)
    assert made.startswith(TOML)
    assert tomllib.loads(made) == {**tomllib.loads(TOML), "mcp_servers": {**git(), "my pantry": entry}}
    assert without_table(made, path).rstrip() == TOML.rstrip()
    replaced = with_table(made, path, {"command": "y"})
    assert tomllib.loads(replaced)["mcp_servers"]["my pantry"] == {"command": "y"}
    gone = without_table(TOML, ("mcp_servers", "git"))
    assert tomllib.loads(gone) == {"model": "x", "tui": {"notifications": True}}
    assert "# what follows is mine, too\n[tui]" in gone
    assert tomllib.loads(with_table("", path, entry)) == {"mcp_servers": {"my pantry": entry}}


def git() -> Any:
    return tomllib.loads(TOML)["mcp_servers"]
