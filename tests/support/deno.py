"""Deno as the tests start it: without network, with its cache beside the environment."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = ROOT / "tests" / "interop" / "page"
DENO = Path(sysconfig.get_path("scripts")) / "deno"
ENVIRONMENT = {
    **os.environ,
    "DENO_DIR": str(ROOT / ".venv" / "deno"),
    "NO_COLOR": "1",
    "DENO_NO_UPDATE_CHECK": "1",
}


def command(script: str, *permissions: str) -> list[str]:
    """The command that runs one of the scripts in tests/interop/page."""
    return [str(DENO), "run", "-q", "--no-remote", *permissions, str(SCRIPTS / script)]
