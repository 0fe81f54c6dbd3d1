"""When the files of a server were last written."""

from __future__ import annotations

from pathlib import Path

WATCHED = (".py", ".html", ".css", ".js", ".svg", ".json", ".toml")
MAX_FILES = 2000


def file_times(folder: Path) -> dict[Path, int]:
    """When the files of a server were last written: those in its folder, and in the folders there."""
    found: dict[Path, int] = {}
    for pattern in ("*", "*/*"):
        for path in folder.glob(pattern):
            if path.suffix in WATCHED and not any(part.startswith((".", "__")) for part in path.parts[-2:-1]):
                try:
                    found[path] = path.stat().st_mtime_ns
                except OSError:
                    continue
                if len(found) >= MAX_FILES:
                    return found
    return found


def changes(before: dict[Path, int], now: dict[Path, int]) -> set[Path]:
    """Files that are new, gone or written again."""
    return {path for path in now.keys() | before.keys() if now.get(path) != before.get(path)}
