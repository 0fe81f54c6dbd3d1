"""docs/command-line.md: the commands that it names exist, its examples run, and what it shows is what they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from cloche.cli.clients import known_clients
from cloche.cli.commands import COMMANDS, cloche
from tests.support.command import cloche as run_cloche
from tests.support.command import write
from tests.support.snippets import blocks_of

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text("utf-8")
SHOWN = re.findall(r"^<!-- cloche (.+?) -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands() -> dict[str, click.Command]:
    context = click.Context(cloche)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = cloche.get_command(context, name)
        assert command is not None
        found[name] = command
    return found


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    write(tmp_path, next(block for block in blocks_of("docs/command-line.md", "python") if "weather" in block))
    return tmp_path


def test_the_table_has_every_command() -> None:
    assert re.findall(r"^\| \[`cloche (\w+)`\]", PAGE, re.MULTILINE) == list(COMMANDS)


def test_every_option_on_the_page_exists() -> None:
    parameters = [one for command in commands().values() for one in command.params]
    known = {option for one in parameters for option in (*one.opts, *one.secondary_opts)}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE))
    assert named - known <= {"--scope"}, named - known


@pytest.mark.parametrize(("typed", "shown"), SHOWN, ids=[typed for typed, _ in SHOWN])
def test_what_a_command_shows(typed: str, shown: str, weather: Path) -> None:
    done = run_cloche(*shlex.split(typed), folder=weather)
    assert done.stdout + done.stderr == shown


@pytest.mark.parametrize(
    "typed",
    [
        "list server.py",
        "list server.py forecast",
        "call server.py forecast city=Paris days=2",
        "read server.py weather://stations",
        "prompt server.py trip city=Rome",
    ],
)
def test_the_first_examples_work(typed: str, weather: Path) -> None:
    assert f"cloche {typed} " in PAGE
    done = run_cloche(*shlex.split(typed), folder=weather)
    assert done.returncode == 0, done.stderr


def test_the_table_of_clients_is_what_install_does() -> None:
    for name, client in known_clients("linux", {}).items():
        user = f"`~/{'/'.join(client.user_file)}`" if client.user_file else ""
        project = f"`{'/'.join(client.project_file)}`" if client.project_file else ""
        row = f"| `{name}` | {client.title} | {user} | {project} | `{client.key}` | {client.source}, {client.read} |"
        assert row in PAGE.splitlines()
