"""Compare two lists of tests by name, wherever their files lie: what is gone, what is new.

    pytest --collect-only -q > before.txt
    pytest --collect-only -q > after.txt
    python tools/compare_tests.py before.txt after.txt [--files]

A test that moved to another folder keeps its name, which is all that counts here: the part after the file, with its
parameters, of which folders of tests are ignored. Names that several
files share are counted. With `--files` a file that was renamed counts as changed, too.
Exits with 1 when a name is gone.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

FOLDERS = re.compile(r"\btests/(\w+/)*|\btests\.[^-]*")
"""Folders in a parameter, in a path or in the name of a class, which pytest cuts off after some characters."""


def names(listing: str, *, files: bool = False) -> Counter[str]:
    """The tests in pytest's list, without the folders of their files, and how often each name occurs."""
    found: Counter[str] = Counter()
    for line in listing.splitlines():
        file, separator, name = line.partition("::")
        if separator and file.endswith(".py") and " " not in file:
            name = FOLDERS.sub("", name)
            found[f"{Path(file).name}::{name}" if files else name] += 1
    return found


def main(arguments: list[str]) -> int:
    """Print what differs; returns 1 when a test is gone."""
    before, after = (
        names(Path(file).read_text("utf-8"), files="--files" in arguments)
        for file in arguments
        if not file.startswith("-")
    )
    gone, new = before - after, after - before
    for title, tests in (("gone", gone), ("new", new)):
        for name, count in sorted(tests.items()):
            print(f"{title}: {name}" + (f" ({count} times)" if count > 1 else ""))
    print(f"{before.total()} tests before, {after.total()} after: {gone.total()} names gone, {new.total()} new")
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
