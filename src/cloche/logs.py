"""Every logger of this package, and what keeps a peer's text from writing a line of its own into the log.

Names of tools, texts of errors and versions come from peers. A line break in one of them would begin a line that looks
like any other, and an escape character would give the terminal orders. So what is logged here is made printable in one
place: a filter on each logger, which sees every record before any handler does.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from typing import Any

NAMES = (
    "cloche.auth",
    "cloche.client",
    "cloche.dev",
    "cloche.host",
    "cloche.host.server",
    "cloche.host.view",
    "cloche.http",
    "cloche.server",
    "cloche.store",
    "cloche.testing",
    "cloche.transports",
    "cloche.views",
    "cloche.webmcp",
)
"""The loggers of this package. Programs behind a host have one each besides: `cloche.host.<server>`."""

TOOL_FAILED = "the tool %s failed"
"""What a server logs, with the traceback, when a tool raises; the checker and the playground find exceptions by it."""

BECAUSE = "The above exception was the direct cause of the following exception:"
MEANWHILE = "During handling of the above exception, another exception occurred:"


def guarded(name: str) -> logging.Logger:
    """The logger of this name, whose records are printable."""
    logger = logging.getLogger(name)
    logger.addFilter(make_printable)
    return logger


def printable(text: str) -> str:
    """The text on one line: what does not print stands there as Python writes it, a line break as `\\n`."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def make_printable(record: logging.LogRecord) -> bool:
    """The filter: makes what was given to a record printable. Templates are this package's own, and stay."""
    if isinstance(record.args, tuple):
        record.args = tuple(map(_made_printable, record.args))
    elif record.args is not None:  # one mapping, for a template with names
        record.args = {name: _made_printable(value) for name, value in record.args.items()}
    if record.exc_info and record.exc_info[1] is not None and record.exc_text is None:
        record.exc_text = printable_traceback(record.exc_info[1])
    return True


def printable_traceback(error: BaseException) -> str:
    """A traceback as Python prints it, in which no line of an error's text begins where a line of the log would."""
    return "\n".join(_lines(traceback.TracebackException.from_exception(error)))


class Block(str):
    """A text of several lines that is printable already, such as a traceback."""

    __slots__ = ()


class _Printable:
    """Something whose text is not printable as it is."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __str__(self) -> str:
        return printable(str(self._value))

    def __repr__(self) -> str:
        return printable(repr(self._value))


def _made_printable(value: Any) -> Any:
    if value is None or isinstance(value, int | float | Block):
        return value
    return value if str(value).isprintable() else _Printable(value)


def _lines(error: traceback.TracebackException) -> Iterator[str]:
    """As `TracebackException.format` gives them, but with every line of a text after its first one set in."""
    if error.__cause__ is not None:
        yield from (*_lines(error.__cause__), "", BECAUSE, "")
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from (*_lines(error.__context__), "", MEANWHILE, "")
    if error.stack:
        yield "Traceback (most recent call last):"
        for frame in error.stack.format():
            yield from map(printable, frame.rstrip("\n").split("\n"))
    first, *rest = "".join(error.format_exception_only()).rstrip("\n").split("\n")
    yield printable(first)
    yield from (f"    {printable(line)}" for line in rest)
    for part in error.exceptions or ():
        yield from (f"  | {line}" for line in _lines(part))


for _name in NAMES:
    guarded(_name)
