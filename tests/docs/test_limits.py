"""docs/limits.md: its table is `HostLimits`, all of it, with the defaults that the code has."""

from __future__ import annotations

import re

from cloche.host import HostLimits
from cloche.host.web import channel, mounts, socket, socket_frames
from tools.limits_table import BEGIN, END, PAGE, parts, sentences, table


def test_the_table_has_every_limit_as_the_code_has_it() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0] == table(), "run `python -m tools.limits_table`"
    assert [name for _, names in parts() for name in names] == list(HostLimits.__struct_fields__)


def test_every_limit_says_what_happens_beyond_it() -> None:
    assert set(sentences()) == set(HostLimits.__struct_fields__)
    counts = [name for name in sentences() if re.search("_(bytes|burst|rate)$|^(views|tools|sockets|calls)$", name)]
    told = "refused|asked about|error|is told so|forgotten|removed|closed|read later|not shown|ends|links|at once"
    assert [name for name in counts if not re.search(told, sentences()[name])] == []


def test_what_is_fixed_is_so() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| ([^|]+) \| [^|]+ \|$", PAGE.read_text("utf-8").partition("## What is fixed")[2], re.M
    )
    assert rows[1:] == [
        f"{socket.HELLO_SECONDS:g} s",
        f"{socket_frames.MAX_BYTES // 1024**2} MB, {socket_frames.MAX_FRAME_DEPTH} levels deep",
        f"{socket.MAX_WAITING:,}",
        f"{channel.MAX_KEPT:,}, or {channel.MAX_KEPT_BYTES // 1024**2} MB",
        f"{mounts.KEEP_SECONDS:g} s",
    ]
