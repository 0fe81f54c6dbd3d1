"""The programs that `cloche install` knows: where they look for servers, and in which shape."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cloche.errors import ConfigurationError


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
    typed: bool = False
    """Whether an entry says that it is a stdio server."""

    def file(self, project: Path | None) -> Path:
        """The file to write: the user's, or that of a project."""
        if project is not None:
            if self.project_file is None:
                raise ConfigurationError(f"{self.title} has no configuration per project: leave --project out")
            return project.joinpath(*self.project_file)
        if self.user_file is None:
            raise ConfigurationError(f"{self.title} reads servers from a project: add --project FOLDER")
        return Path.home().joinpath(*self.user_file)


def _claude_desktop(platform: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    name = "claude_desktop_config.json"
    if platform == "darwin":
        return ("Library", "Application Support", "Claude", name)
    if platform == "win32":
        # An absolute part replaces what stands before it.
        return (environment.get("APPDATA", "AppData/Roaming"), "Claude", name)
    return (environment.get("XDG_CONFIG_HOME", ".config"), "Claude", name)


def known_clients(
    platform: str = sys.platform, environment: Mapping[str, str] = os.environ
) -> dict[str, ClientProgram]:
    """The programs by the name that `--client` takes."""
    return {
        "claude-desktop": ClientProgram(
            "Claude Desktop",
            "mcpServers",
            _claude_desktop(platform, environment),
            None,
            "Quit Claude Desktop and open it again.",
        ),
        "claude-code": ClientProgram(
            "Claude Code",
            "mcpServers",
            None,
            (".mcp.json",),
            "Start claude in that folder: it asks once whether the server may run.",
        ),
        "cursor": ClientProgram(
            "Cursor",
            "mcpServers",
            (".cursor", "mcp.json"),
            (".cursor", "mcp.json"),
            "Cursor sees the change by itself: Settings, MCP.",
        ),
        "vscode": ClientProgram(
            "VS Code",
            "servers",
            None,
            (".vscode", "mcp.json"),
            "Open the file in VS Code and press Start above the server.",
            typed=True,
        ),
    }
