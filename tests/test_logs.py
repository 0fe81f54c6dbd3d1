"""What peers say never writes a line into the log: neither a tool's name nor an error's text, wherever it is logged."""

from __future__ import annotations

import ast
import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

import cloche
from cloche import Server, logs
from cloche.host.upstreams.stderr import ErrorOutput
from cloche.logs import NAMES, guarded, make_printable, printable
from tests.support.host_page import Page, hosting, ticket_in

PACKAGE = Path(cloche.__file__).parent
FORGED = "CRITICAL cloche.host: the disk is full"
HOSTILE = f"look\n{FORGED}\r{FORGED}\x1b[2J\x85{FORGED}\u2028{FORGED}\x00\u202e"
EMITTING = {"debug", "info", "warning", "error", "exception", "critical", "log"}

ELSEWHERE = {"cli/run.py", "dev/output.py", "check/tracebacks.py", "testing/behaviour/contract.py", "logs.py"}
"""Files that set levels or handlers of loggers and log nothing through what they get."""


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that the package logs, as a file would have it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("cloche")
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


def beginnings(log: io.StringIO) -> list[str]:
    """How the lines begin, as whoever reads the file sees lines."""
    return [line[:8] for line in log.getvalue().splitlines() if line[:1] != " "]


def nested() -> None:
    try:
        raise KeyError(HOSTILE)
    except KeyError:
        raise ValueError(HOSTILE) from None


@pytest.mark.parametrize("name", [*NAMES, "cloche.host.files"])
def test_hostile_texts_stay_on_the_line_they_are_logged_on(name: str, log: io.StringIO) -> None:
    logger = guarded(name)
    for value in (HOSTILE, ValueError(HOSTILE), [HOSTILE], {"a": HOSTILE}, HOSTILE.encode(), (HOSTILE, 1)):
        logger.warning("a value: %s, %r, %d", value, value, 7)
    logger.warning("a mapping %(a)s", {"a": HOSTILE})
    logger.warning("nothing to fill in: 100%")
    assert beginnings(log) == ["WARNING "] * 8
    assert log.getvalue().isascii()
    assert "\\n" in log.getvalue()


def test_a_traceback_is_read_as_ever_and_no_line_of_it_is_forged(log: io.StringIO) -> None:
    logger = logging.getLogger("cloche.server")
    try:
        try:
            nested()
        except ValueError as error:
            error.add_note(f"Traceback (most recent call last):\n{HOSTILE}")
            raise RuntimeError(HOSTILE) from error
    except RuntimeError:
        logger.exception("it failed")
    text = log.getvalue()
    assert text.startswith("ERROR cloche.server: it failed\nTraceback (most recent call last):\n  File ")
    assert "\nRuntimeError: look\n    CRITICAL" in text
    assert "\nThe above exception was the direct cause of the following exception:\n\nTraceback" in text
    assert not [line for line in text.splitlines() if line.startswith("CRITICAL")]


def test_plain_values_are_left_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    error, text = ValueError("plain"), "späti"
    logging.getLogger("cloche.host").warning("%s %s %g", error, text, 1.5)
    assert caplog.records[-1].args == (error, text, 1.5)
    assert printable("späti \U0001f600") == "späti \U0001f600"
    assert printable("a\tb\\n") == "a\\tb\\n"


async def test_a_tools_name_writes_no_line(log: io.StringIO) -> None:
    """The one that was found: the view of a tool with a line break in its name cannot be shown."""
    server = Server("evil")
    entry = {"name": HOSTILE, "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": "ui://evil/x"}}}

    @server.middleware
    async def lie(message, call_next):  # type: ignore[no-untyped-def]
        if message.method == "tools/list":
            return {"tools": [entry]}
        return {"content": []} if message.method == "tools/call" else await call_next(message)

    async with hosting({"evil": server}) as host:
        call = await host.session("ann").start(f"evil.{HOSTILE}", {})
        with pytest.raises(cloche.McpError):
            await Page().open(host, ticket_in(call.embed()))
    lines = log.getvalue().splitlines()
    assert [line for line in lines if line.startswith(FORGED)] == []
    assert [line for line in lines if line.startswith("WARNING cloche.host: The view of evil.look\\nCRITICAL")]


async def test_what_a_program_says_writes_no_line_beside_its_own(log: io.StringIO) -> None:
    output = ErrorOutput("files")
    output.writing.write(f"hello\x1b[2J\r{FORGED}\x85{FORGED}\n")
    await output.close()
    # A carriage return ends a line of a program's output, and each line is told as the program's own.
    begun = [line[:27] for line in log.getvalue().splitlines()]
    assert begun == ["INFO cloche.host.files: hel", "INFO cloche.host.files: CRI"]


# Every place that logs


def calls(file: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def files() -> list[tuple[str, Path]]:
    found = [(path.relative_to(PACKAGE).as_posix(), path) for path in sorted(PACKAGE.rglob("*.py"))]
    return [(name, path) for name, path in found if not name.startswith("cli/templates/")]


def test_every_logger_of_the_package_is_guarded() -> None:
    used = set()
    for name, path in files():
        for call in calls(path):
            if ast.unparse(call.func) == "logging.getLogger" and name not in ELSEWHERE:
                (given,) = call.args
                assert isinstance(given, ast.Constant), f"{name}: use cloche.logs.guarded for {ast.unparse(given)}"
                used.add(str(given.value))
    assert {one for one in used if one.startswith("cloche")} <= set(NAMES)
    for known in NAMES:
        assert make_printable in logging.getLogger(known).filters


def test_every_template_of_the_log_is_the_packages_own() -> None:
    """A peer's text is given to a record as a value. As a part of the template nobody would look at it."""
    seen = 0
    for name, path in files():
        for call in calls(path):
            if not isinstance(call.func, ast.Attribute) or call.func.attr not in EMITTING or not call.args:
                continue
            if not ast.unparse(call.func.value).lower().endswith(("logger", "_log")):
                continue
            template = call.args[1 if call.func.attr == "log" else 0]
            is_named = isinstance(template, ast.Name) and isinstance(getattr(logs, template.id, None), str)
            is_fixed = is_named or isinstance(template, ast.Constant)
            assert is_fixed, f"{name}:{call.lineno} builds its template: {ast.unparse(call)}"
            seen += 1
    assert seen > 50
