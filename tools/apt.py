"""Install what is missing with apt, once, on machines that have it. Only the standard library is used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

DEADLINE = 900
"""Seconds until an apt command counts as stuck."""


def command(name: str) -> str:
    """The path of a command, installed on first use with the package of the same name."""
    found = shutil.which(name)
    if found is None:
        install(name, named=name, by_hand=f"install {name} by hand")
        found = shutil.which(name)
    if found is None:
        raise SystemExit(f"apt-get installed the package {name}, but no command of that name: install {name} by hand.")
    return found


def install(*packages: str, named: str, by_hand: str) -> None:
    """Let apt do it; when it cannot, one sentence says what people call it and what to do."""
    apt = shutil.which("apt-get")
    if apt is None:
        raise SystemExit(f"There is no {named} here and no apt-get to get it with: {by_hand}.")
    print(f"installing {' and '.join(packages)} with apt-get (once, about a minute)", file=sys.stderr, flush=True)
    for words in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        try:
            done = _run([apt, "-qq", *words])
        except subprocess.TimeoutExpired:
            raise SystemExit(f"apt-get took more than {DEADLINE} s to get {named}: {by_hand}.") from None
        if done.returncode != 0:
            raise SystemExit(f"apt-get could not get {named}: {by_hand}. It said:\n{done.stdout[-1000:]}")


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Quietly and without questions."""
    return subprocess.run(
        words,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
