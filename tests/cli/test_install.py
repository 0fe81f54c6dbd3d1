"""`cloche install`: the right entry in the right file, nothing lost of what was there, and it starts."""

from __future__ import annotations

import json
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cloche import Client
from cloche.cli.clients import known_clients
from tests.support.command import CLOCHE, FASTMCP, cloche, refusal, write

FILES = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": "project/.mcp.json",
    "codex": ".codex/config.toml",
    "copilot": ".copilot/mcp-config.json",
    "cursor": ".cursor/mcp.json",
    "gemini": ".gemini/settings.json",
    "kiro": ".kiro/settings/mcp.json",
    "vscode": "project/.vscode/mcp.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
}
KEYS = {"codex": "mcp_servers", "vscode": "servers", "zed": "context_servers"}
EXTRA = {"copilot": {"type": "local", "tools": ["*"]}, "vscode": {"type": "stdio"}}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder, CLOCHE)
    return folder


def at_home(project: Path, *arguments: str) -> str:
    done = cloche(*arguments, folder=project, HOME=str(project.parent), XDG_CONFIG_HOME=".config")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def installed(project: Path, *arguments: str) -> str:
    return at_home(project, "install", "server.py", *arguments)


def config(project: Path, client: str) -> Any:
    text = (project.parent / FILES[client]).read_text("utf-8")
    return tomllib.loads(text) if client == "codex" else json.loads(text)


def test_every_client_is_tried() -> None:
    assert list(FILES) == list(known_clients())


@pytest.mark.parametrize("client", FILES)
async def test_a_client_can_start_what_stands_in_its_file(project: Path, client: str) -> None:
    said = installed(project, "--client", client)
    assert str(project.parent / FILES[client]) in said
    entry = config(project, client)[KEYS.get(client, "mcpServers")]["pantry"]
    assert {name: entry.pop(name) for name in EXTRA.get(client, {})} == EXTRA.get(client, {})
    assert entry == {"command": sys.executable, "args": ["-m", "cloche", "run", str(project / "server.py")]}
    async with Client([entry["command"], *entry["args"]]) as started:
        assert (await started.call_tool("add", {"a": 2, "b": 3})).text == "5"
    assert "as it should be" in installed(project, "--client", client)
    assert "removed pantry from" in at_home(project, "uninstall", "server.py", "--client", client)
    assert config(project, client).get(KEYS.get(client, "mcpServers"), {}) == {}


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
    assert sorted(one.name for one in file.parent.iterdir()) == ["mcp.json", "mcp.json.backup"]
    backup = file.with_name("mcp.json.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert set(json.loads(backup.read_text("utf-8"))["mcpServers"]) == {"git", "pantry"}
    assert "removed git from" in at_home(project, "uninstall", "git", "--client", "cursor")
    assert set(config(project, "cursor")["mcpServers"]) == {"pantry", "larder"}


def test_comments_in_an_editors_settings_stay(project: Path) -> None:
    file = project.parent / FILES["zed"]
    file.parent.mkdir(parents=True)
    before = '// Zed settings\n{\n  "vim_mode": true, // always\n  "context_servers": {\n  },\n}\n'
    file.write_text(before, "utf-8")
    said = installed(project, "--client", "zed")
    assert f"As it was before: {file}.backup" in said
    assert file.with_name("settings.json.backup").read_text("utf-8") == before
    assert "// Zed settings" in file.read_text("utf-8")
    assert "// always" in file.read_text("utf-8")
    at_home(project, "uninstall", "pantry", "--client", "zed")
    assert '"pantry"' not in file.read_text("utf-8")
    assert "// always" in file.read_text("utf-8")


def test_vs_code_for_all_projects(project: Path) -> None:
    installed(project, "--client", "vscode", "--user")
    assert (project.parent / ".config/Code/User/mcp.json").exists()
    assert not (project / ".vscode").exists()


def test_uninstall_says_what_there_is(project: Path) -> None:
    installed(project, "--client", "claude-code")
    said = refusal("uninstall", "pantri", "--client", "claude-code", folder=project)
    assert said.startswith("Claude Code has no server 'pantri' in ")
    assert said.endswith("did you mean 'pantry'?")


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
        ('{"mcpServers": {} // mine', "is not valid JSON (a comma is missing, in line 1) and was left alone"),
        ('["a list"]', "holds no JSON object"),
        ('{"mcpServers": []}', "is not an object"),
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
    assert not file.with_name(".mcp.json.backup").exists()


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
        (["server.py", "--client", "vscode", "--project", ".", "--user"], "choose one"),
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
    assert known_clients("win32", {"APPDATA": "C:/Data"})["zed"].user_file == ("C:/Data", "Zed", "settings.json")
    assert known_clients("darwin", {})["zed"].user_file == (".config", "zed", "settings.json")
    assert below_home("linux") == (".config", "Claude", "claude_desktop_config.json")
