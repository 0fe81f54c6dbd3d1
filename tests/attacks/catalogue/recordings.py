"""Recordings that somebody else made: who opens the shared file, or plays the cassette, runs nothing but our own."""

from __future__ import annotations

import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from cloche.errors import LoadError
from cloche.testing import Cassette
from cloche.testing.cassettes.lines import FORMAT, Header, PageLine
from cloche.testing.cassettes.played_view import played_frame
from tests.attacks.attack import Attack, Direct
from tests.attacks.shared_file import BROKEN_OUT, SECRET, Lure, attempt, started
from tests.support.controls import Control, Patch
from tests.support.house import House

KIND = "recordings"
SHARED = "cloche.testing.cassettes.shared_page"
CASSETTE = "cloche.testing.cassettes.cassette"
SCRIPT = f"</script><script>document.title = '{BROKEN_OUT}'</script>"
NO_POLICY = "base-uri 'none'"


def as_it_is(original: Any, text: str) -> str:
    """What is recorded, unchanged."""
    return text


def no_policy(original: Any, *_: Any) -> str:
    """A policy that forbids next to nothing."""
    return NO_POLICY


def with_edits(*edits: tuple[str, str, str]) -> tuple[Patch, ...]:
    """Files of the shared page with something else in them: file, passage, what stands there instead."""

    def edited(name: str, text: str) -> str:
        for file, old, new in edits:
            if file == name:
                assert old in text, f"{file} has no {old!r}: change the control with the file"
                text = text.replace(old, new)
        return text

    return (
        Patch(f"{SHARED}:read_web", lambda original, name: edited(name, original(name))),
        Patch(f"{SHARED}:bundled", lambda original, name: edited(f"dist/{name}", original(name))),
    )


def every_byte(original: Any, file: Path, name: str) -> Iterator[bytes]:
    """The lines of a file, however long they and it are."""
    with file.open("rb") as stream:
        yield from stream


def as_deep_as_it_is(original: Any, data: bytes) -> Any:
    """A line that is decoded without a look at what it does to the decoder."""
    from cloche.testing.cassettes.lines import decoder

    return decoder.decode(data)


UNESCAPED = Control(
    "recording-unescaped",
    "the recording's text without a `<`, and the second policy of the page that shows it",
    (
        Patch(f"{SHARED}:_inert", as_it_is),
        Patch(f"{SHARED}:escape", as_it_is),
        Patch(f"{SHARED}:_strict", no_policy),
    ),
)
OPEN = Control(
    "recording-with-a-network",
    "the policies that keep a shared recording from the network",
    (
        Patch(f"{SHARED}:content_policy", no_policy),
        *with_edits(("share/room.html", "frame-src 'none'", NO_POLICY), ("share/index.html", "{{widest}}", NO_POLICY)),
    ),
)
UNBOXED = Control(
    "recording-without-a-sandbox",
    "the sandbox around a recorded view in a shared file",
    with_edits(
        ("share/index.html", ' sandbox="allow-scripts allow-forms"', ""),
        ("dist/shared-stage.js", '"sandbox","allow-scripts allow-forms"', '"class","allow-scripts allow-forms"'),
    ),
)
UNPARSED = Control(
    "recorded-origins-unparsed",
    "the look at what a recording says of origins",
    (Patch("cloche.testing.cassettes.played_view:checked_csp", lambda original, csp, problems: csp),),
)
UNWEIGHED = Control(
    "recordings-unweighed", "the size that a recording may have", (Patch(f"{CASSETTE}:_lines", every_byte),)
)
ANY_DEPTH = Control(
    "recordings-of-any-depth",
    "the end of lines that are nested too deeply",
    (Patch(f"{CASSETTE}:_decoded", as_deep_as_it_is),),
)


def opening(lure: Lure) -> Direct:
    """Somebody opens the shared file in a browser."""

    async def direct(house: House, user: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            async with started() as browser:
                return await attempt(browser, lure, Path(folder) / "shared") != ""

    return direct


def reading(write: Callable[[Path], None], does_harm: Callable[[Path], bool]) -> Direct:
    """Somebody reads the cassette."""

    async def direct(house: House, user: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "evil.cassette"
            write(file)
            return does_harm(file)

    return direct


HEADER = msgspec.json.encode(Header(format=FORMAT, made="2026", cloche="1.0", servers=["evil"])) + b"\n"
DEPTH = 100_000
TOO_LARGE = 600 << 20
"""Bytes; none of them takes room on a disk."""
MUCH = 128 << 20
"""Bytes of memory that a recording which is refused must not cost."""


def write_deep(file: Path) -> None:
    """A result that is a list in a list in a list."""
    deep = b"[" * DEPTH + b"]" * DEPTH
    answer = b'{"kind":"answer","time":1,"server":"evil","exchange":1,"result":{"content":%b}}\n' % deep
    file.write_bytes(HEADER + answer + HEADER)


def write_huge(file: Path) -> None:
    """One line that does not end."""
    with file.open("wb") as stream:
        stream.write(HEADER)
        stream.truncate(TOO_LARGE)


def is_not_refused(file: Path) -> bool:
    """Whether anything but one sentence comes of it."""
    try:
        Cassette.read(file)
    except LoadError:
        return False
    except (RecursionError, msgspec.DecodeError):
        pass
    return True


def costs_memory(file: Path) -> bool:
    """Whether it is read before it is refused."""
    tracemalloc.start()
    try:
        is_not_refused(file)
        return tracemalloc.get_traced_memory()[1] > MUCH
    finally:
        tracemalloc.stop()


async def opens_the_policy(house: House, user: str) -> bool:
    """Whether an origin in a recording becomes a rule of the policy that its view is played under."""
    page = PageLine(hash="x", html="<p>x", csp={"connectDomains": ["https://a.example; script-src *"]})
    return "script-src *" in played_frame(page, 400, 300).policy


def attack(name: str, case: str, control: Control, direct: Direct, **options: Any) -> Attack:
    return Attack(name=name, kind=KIND, case=case, control=control, direct=direct, **options)


def shared(name: str, case: str, control: Control, **lure: Any) -> Attack:
    return attack(name, case, control, opening(Lure(name=name, **lure)))


ATTACKS = [
    shared("script-in-a-recorded-result", "W01", UNESCAPED, text=SCRIPT.replace("{", "{{").replace("}", "}}")),
    shared("script-in-the-name-of-a-recorded-tool", "W02", UNESCAPED, title=f"</title>{SCRIPT}"),
    shared("script-in-a-recorded-picture", "W01", UNESCAPED, picture=("image/png", f"data:{SCRIPT}")),
    shared("recorded-view-calls-home", "W26", OPEN, script="fetch(http).catch(() => 0)"),
    shared("recorded-view-loads-a-picture", "W26", OPEN, script="new Image().src = http"),
    shared(
        "recorded-view-reads-the-recording",
        "W15",
        UNBOXED,
        script=f"if (top.document.documentElement.outerHTML.includes({SECRET!r})) win('it was read')",
    ),
    shared(
        "recorded-view-sends-the-opener-away",
        "W10",
        UNBOXED,
        script="top.opener.location = http",
        opener=True,
    ),
    attack("recorded-origin-with-a-rule", "W03", UNPARSED, opens_the_policy),
    attack("deep-recording", "W13", ANY_DEPTH, reading(write_deep, is_not_refused)),
    attack("huge-recording", "B03", UNWEIGHED, reading(write_huge, costs_memory), exclusive=True),
]
