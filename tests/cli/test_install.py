"""`cloche install`: the right entry in the right file, nothing lost of what was there, and it starts."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from cloche import Client
from cloche.cli.clients import known_clients
from tests.support.command import CLOCHE, FASTMCP, cloche, refusal, write

FILES = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": "project/.mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": "project/.vscode/mcp.json",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder, CLOCHE)
    return folder


def installed(project: Path, *arguments: str) -> str:
    done = cloche(
        "install", "server.py", *arguments, folder=project, HOME=str(project.parent), XDG_CONFIG_HOME=".config"
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return done.stderr


def config(project: Path, client: str) -> Any:
    return json.loads((project.parent / FILES[client]).read_text("utf-8"))


@pytest.mark.parametrize("client", FILES)
async def test_a_client_can_start_what_stands_in_its_file(project: Path, client: str) -> None:
    said = installed(project, "--client", client)
    assert str(project.parent / FILES[client]) in said
    entry = config(project, client)["servers" if client == "vscode" else "mcpServers"]["pantry"]
    assert entry.pop("type", None) == ("stdio" if client == "vscode" else None)
    assert entry == {"command": sys.executable, "args": ["-m", "cloche", "run", str(project / "server.py")]}
    async with Client([entry["command"], *entry["args"]]) as started:
        assert (await started.call_tool("add", {"a": 2, "b": 3})).text == "5"


def test_what_was_in_the_file_stays_and_the_same_name_is_replaced(project: Path) -> None:
    file = project.parent / FILES["cursor"]
    file.parent.mkdir()
    before = {"theme": "dünkel", "mcpServers": {"git": {"command": "uvx"}, "pantry": {"command": "old"}}}
    file.write_text(json.dumps(before), "utf-8")
    file.chmod(0o600)
    assert "replaced pantry" in installed(project, "--client", "cursor", "--env", "KEY=a=b")
    now = config(project, "cursor")
    assert (now["theme"], now["mcpServers"]["git"]) == ("dünkel", {"command": "uvx"})
    assert now["mcpServers"]["pantry"]["env"] == {"KEY": "a=b"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "replaced pantry" in installed(project, "--client", "cursor", "--env", "OTHER=1")
    assert config(project, "cursor")["mcpServers"]["pantry"]["env"] == {"KEY": "a=b", "OTHER": "1"}
    assert "added larder" in installed(project, "--client", "cursor", "--name", "larder")
    assert set(config(project, "cursor")["mcpServers"]) == {"git", "pantry", "larder"}
    assert [one.name for one in file.parent.iterdir()] == ["mcp.json"]


def test_for_one_project(project: Path) -> None:
    installed(project, "--client", "cursor", "--project", ".")
    assert (project / ".cursor/mcp.json").exists()
    assert not (project.parent / ".cursor").exists()


def test_print_writes_nothing_and_takes_servers_of_others(project: Path) -> None:
    write(project, FASTMCP, "other.py")
    done = cloche("install", "other.py:server", "--client", "vscode", "--print", folder=project)
    entry = json.loads(done.stdout)["servers"]["pantry"]
    assert entry["args"][-1] == f"{project / 'other.py'}:server"
    assert sorted(one.name for one in project.iterdir() if one.name != "__pycache__") == ["other.py", "server.py"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"mcpServers": {} // mine\n}', "is not plain JSON"),
        ('["a list"]', "holds no JSON object"),
        ('{"mcpServers": []}', "is no object"),
    ],
    ids=["comment", "list", "servers"],
)
def test_a_file_that_is_not_understood_is_left_alone(project: Path, text: str, said: str) -> None:
    file = project / ".mcp.json"
    file.write_text(text, "utf-8")
    sentence = refusal("install", "server.py", "--client", "claude-code", folder=project)
    assert said in sentence
    assert "--print" in sentence
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["server.py"], "--client"),
        (["server.py", "--client", "netscape"], "claude-desktop"),
        (["sever.py", "--client", "cursor"], "there is no file 'sever.py'"),
        (["server.py", "--client", "cursor", "--env", "KEY"], "--env takes NAME=VALUE"),
        (["server.py", "--client", "cursor", "--name", " "], "--name"),
        (["server.py", "--client", "claude-desktop", "--project", "."], "leave --project out"),
        (["server.py", "--client", "cursor", "--project", "nowhere"], "nowhere"),
    ],
    ids=str,
)
def test_mistakes_are_explained(project: Path, arguments: list[str], said: str) -> None:
    assert said in refusal("install", *arguments, folder=project)


def test_a_server_that_cannot_be_loaded_is_not_installed(project: Path) -> None:
    write(project, "import nowhere_to_be_found", "broken.py")
    assert "nowhere_to_be_found" in refusal("install", "broken.py", "--client", "claude-code", folder=project)
    assert not (project / ".mcp.json").exists()


def test_where_claude_desktop_looks_on_other_systems() -> None:
    def below_home(platform: str, **environment: str) -> tuple[str, ...] | None:
        return known_clients(platform, environment)["claude-desktop"].user_file

    assert below_home("darwin") == ("Library", "Application Support", "Claude", "claude_desktop_config.json")
    assert below_home("win32", APPDATA="C:/Data") == ("C:/Data", "Claude", "claude_desktop_config.json")
    assert below_home("linux") == (".config", "Claude", "claude_desktop_config.json")
