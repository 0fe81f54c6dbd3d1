"""The programs that `cloche install` knows: where they look for servers, and in which shape.

`source` and `read` say where that is written and when it was read: such files move.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cloche.errors import ConfigurationError

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """One program: its files, the key of its list of servers, and what to do when the file has changed."""

    title: str
    key: str
    user_file: tuple[str, ...] | None
    """Path below the home folder; None when the program keeps a user's servers to itself."""
    project_file: tuple[str, ...] | None
    """Path below a project's folder; None when the program has no projects."""
    next_step: str
    source: str
    """Where the file is described."""
    read: str
    """When that was read."""
    extra: Json = field(default_factory=dict)
    """What an entry has besides the command, its arguments and its environment."""

    def file(self, project: Path | None) -> Path:
        """The file to write: the user's, or that of a project."""
        if project is not None:
            if self.project_file is None:
                raise ConfigurationError(f"{self.title} has no configuration per project: leave --project out")
            return project.joinpath(*self.project_file)
        if self.user_file is None:
            raise ConfigurationError(f"{self.title} reads servers from a project: add --project FOLDER")
        return Path.home().joinpath(*self.user_file)


def _below(platform: str, environment: Mapping[str, str], *parts: str) -> tuple[str, ...]:
    """Where a desktop program keeps its settings."""
    if platform == "darwin":
        return ("Library", "Application Support", *parts)
    if platform == "win32":
        # An absolute part replaces what stands before it.
        return (environment.get("APPDATA", "AppData/Roaming"), *parts)
    return (environment.get("XDG_CONFIG_HOME", ".config"), *parts)


def known_clients(
    platform: str = sys.platform, environment: Mapping[str, str] = os.environ
) -> dict[str, ClientProgram]:
    """The programs by the name that `--client` takes."""
    zed = ("Zed",) if platform == "win32" else ("zed",)
    return {
        "claude-desktop": ClientProgram(
            "Claude Desktop",
            "mcpServers",
            _below(platform, environment, "Claude", "claude_desktop_config.json"),
            None,
            "Quit Claude Desktop and open it again.",
            "playwright.dev, MCP clients, Claude Desktop",
            "2026-11-18",
        ),
        "claude-code": ClientProgram(
            "Claude Code",
            "mcpServers",
            None,
            (".mcp.json",),
            "Start claude in that folder: it asks once whether the server may run.",
            "developersdigest.tech, quoting code.claude.com/docs/en/mcp",
            "2026-11-18",
        ),
        "codex": ClientProgram(
            "Codex",
            "mcp_servers",
            (environment.get("CODEX_HOME", ".codex"), "config.toml"),
            (".codex", "config.toml"),
            "Start codex again; /mcp lists the server. A project's file counts once you trust the project.",
            "openai/codex, docs/config.md; tuff-adapter-codex 0.13, tried with Codex 0.154",
            "2026-11-18",
        ),
        "copilot": ClientProgram(
            "Copilot CLI",
            "mcpServers",
            (environment.get("COPILOT_HOME", ".copilot"), "mcp-config.json"),
            (".mcp.json",),
            "Start copilot again; /mcp show lists the server.",
            "code.visualstudio.com, MCP configuration reference; github/github-mcp-server, install-copilot-cli.md",
            "2026-11-18",
            {"type": "local", "tools": ["*"]},
        ),
        "cursor": ClientProgram(
            "Cursor",
            "mcpServers",
            (".cursor", "mcp.json"),
            (".cursor", "mcp.json"),
            "Cursor sees the change by itself: Settings, MCP.",
            "developersdigest.tech, quoting cursor.com/docs/mcp",
            "2026-11-18",
        ),
        "gemini": ClientProgram(
            "Gemini CLI",
            "mcpServers",
            (".gemini", "settings.json"),
            (".gemini", "settings.json"),
            "Start gemini again; /mcp lists the server.",
            "geminicli.com, Gemini CLI configuration",
            "2026-11-18",
        ),
        "kiro": ClientProgram(
            "Kiro",
            "mcpServers",
            (".kiro", "settings", "mcp.json"),
            (".kiro", "settings", "mcp.json"),
            "Kiro connects when the file is saved.",
            "kiro.dev, Docs, MCP, Configuration",
            "2026-11-18",
        ),
        "vscode": ClientProgram(
            "VS Code",
            "servers",
            _below(platform, environment, "Code", "User", "mcp.json"),
            (".vscode", "mcp.json"),
            "Open the file in VS Code and press Start above the server.",
            "code.visualstudio.com, MCP configuration reference",
            "2026-11-18",
            {"type": "stdio"},
        ),
        "windsurf": ClientProgram(
            "Windsurf",
            "mcpServers",
            (".codeium", "windsurf", "mcp_config.json"),
            None,
            "Refresh the list of MCP servers in Cascade.",
            "confluentinc/mcp-confluent, configuring-windsurf.md, after docs.windsurf.com",
            "2026-11-18",
        ),
        "zed": ClientProgram(
            "Zed",
            "context_servers",
            _below(platform, environment, *zed, "settings.json")
            if platform == "win32"
            else (environment.get("XDG_CONFIG_HOME", ".config"), *zed, "settings.json"),
            (".zed", "settings.json"),
            "Zed sees the change by itself: Settings, AI, MCP Servers.",
            "zed.dev, Model Context Protocol",
            "2026-11-18",
        ),
    }
