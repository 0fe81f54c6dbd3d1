"""server.js on stdio against the official TypeScript client, in every mode that it has."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.deno import ENVIRONMENT, ROOT, command
from tools.npm_tools import node_modules

PACKAGES = ROOT / "tests" / "interop" / "node"
DEADLINE = 60


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script beside the packages that it imports: Node looks for these in the folders above it."""
    folder = tmp_path_factory.mktemp("official")
    shutil.copy(PACKAGES / "page_server.mjs", folder)
    (folder / "node_modules").symlink_to(node_modules(PACKAGES), target_is_directory=True)
    return folder


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_it_is_content(mode: str, workshop: Path) -> None:
    done = subprocess.run(
        ["node", "page_server.mjs", mode, *command("serve_lines.js")],
        cwd=workshop,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == {
        "version": "2025-11-25" if mode == "legacy" else "2026-07-28",
        "server": {"name": "behaviour", "version": "1.0"},
        "tools": 17,
        "sum": ["42", {"result": 42} if mode == "legacy" else 42],
        "wrong": [True, "Invalid arguments for add: a must be integer, not string"],
        "unknown": -32602,
        "asked": "accept Ada",
        "read": "Hello, Ada!",
        "prompt": "Say hello to Ada.",
        "completed": ["Ada", "Alan"],
        "updated": "behaviour://count",
    }
