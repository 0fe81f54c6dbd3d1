"""All tests; what failed is run once more alone, when it is so little that the busy machine is the likely reason.

    python tools/run_tests.py [pytest's arguments …]

Thousands of tests share two cores with real browsers and servers. A test that fails beside them and passes alone is
named at the end, so that somebody makes it steady; a test that fails twice is red, and so are failures in many files.
Files are counted, not tests: a browser that ends takes all tests along that share it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
SECOND_GO = 12
"""Failed tests of as many files may have a second go; more of them are never the machine's doing."""

LISTED = 20
"""Files with failed tests that are listed at the end."""


def main(arguments: list[str]) -> int:
    """Run pytest, and what failed again; returns pytest's exit code."""
    FAILED.unlink(missing_ok=True)
    code = _pytest(*arguments)
    failed = list(json.loads(FAILED.read_text("utf-8"))) if FAILED.exists() else []
    files = {name.partition("::")[0] for name in failed}
    if code != 1 or not 0 < len(files) <= SECOND_GO:
        _print_files(failed)
        return code
    print(f"\nonce more, alone: {' '.join(failed)}", flush=True)
    code = _pytest("-q", *failed)
    if code == 0:
        print("\nunsteady (failed beside the others, passed alone): " + ", ".join(failed), flush=True)
    else:
        _print_files(json.loads(FAILED.read_text("utf-8")) if FAILED.exists() else [])
    return code


def _print_files(failed: list[str]) -> None:
    """Print where the failed tests are, last and in little, for a log of which somebody sees only the end."""
    for name, count in Counter(test.partition("::")[0] for test in failed).most_common(LISTED):
        print(f"{count:5} failed in {name}", flush=True)


def _pytest(*arguments: str) -> int:
    return subprocess.run([Path(sys.executable).with_name("pytest"), *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
