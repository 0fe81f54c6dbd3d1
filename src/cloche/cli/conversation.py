"""One conversation of a command with a server: connect, do something, and leave."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import click

from cloche import terminal
from cloche.cli.access import Access, Reached
from cloche.cli.call_progress import CallProgress
from cloche.cli.loader import load
from cloche.cli.questions import TerminalQuestions
from cloche.cli.targets import DASHES, ServerWords, parse_server
from cloche.client import Client
from cloche.errors import ConfigurationError, ConnectError, McpError, shorten
from cloche.terminal import printable

T = TypeVar("T")

CONNECT_SECONDS = 60.0
"""From the start to the end of the handshake: `uvx` and `npx` may have to download the server first."""

Work = Callable[[Client, CallProgress], Awaitable[T]]


def server_and_rest(words: Sequence[str], verb: str) -> tuple[ServerWords, list[str]]:
    """`SERVER REST…`, or `REST… -- COMMAND…`: the server, and the other words."""
    if DASHES in words:
        at = list(words).index(DASHES)
        return parse_server(words[at:], verb), list(words[:at])
    if not words:
        raise ConfigurationError(
            f"name a server: cloche {verb} server.py …, a URL, or at the end two dashes and a command"
        )
    return parse_server(words[:1], verb), list(words[1:])


def talk(server: ServerWords, access: Access, work: Work[T], *, timeout: float | None, verbose: bool, doing: str) -> T:
    """Connect, do `work`, and return what it returns. What the server prints goes to stderr."""
    access.check([server])
    with terminal.stdout_kept_clean(), CallProgress(doing) as progress:
        return asyncio.run(_talk(server, access, work, timeout, verbose, progress))


async def _talk(
    server: ServerWords, access: Access, work: Work[T], timeout: float | None, verbose: bool, progress: CallProgress
) -> T:
    questions = TerminalQuestions(progress)
    client = Client(
        target_of(server, access, verbose),
        timeout=timeout,
        name="cloche-cli",
        elicitation=questions.answer,
        on_log=(lambda line: progress.say(log_line(line), "dim")) if verbose else None,
    )
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await client.connect()
    except TimeoutError:
        raise ConnectError(f"the server did not answer within {CONNECT_SECONDS:g} seconds") from None
    except McpError as error:
        raise refused(error, connecting=True) from None
    try:
        questions.server = client.server_info.name if client.server_info is not None else "The server"
        if verbose:
            await _hear_everything(client)
        return await work(client, progress)
    except McpError as error:
        raise refused(error) from None
    finally:
        await asyncio.sleep(0)  # a call that was given up tells the server so, before the connection ends
        await client.close()


async def _hear_everything(client: Client) -> None:
    if client.is_stateless or "logging" in client.server_capabilities:
        await client.set_log_level("debug")


def target_of(server: ServerWords, access: Access, verbose: bool) -> Any:
    """What a client connects to: an object of ours in this process, everything else as its users start it."""
    if server.target is not None:
        access.apply()
        loaded = load(server.target.text)
        if loaded.kind == "cloche":
            return loaded.server
    return Reached(server, access, "inherit" if verbose else "collect")


def refused(error: McpError, *, connecting: bool = False) -> McpError | ConnectError:
    """The error of a server that does not let us in, in the words of the command line."""
    status = error.data.get("status") if isinstance(error.data, dict) else None
    if status == 401:
        return ConnectError("the server wants a token: set CLOCHE_TOKEN, or add --token or --header", 401)
    if status == 403:
        return ConnectError("the server does not accept this caller (HTTP 403): check --token and --header", 403)
    return ConnectError(error.message, status) if connecting else error


def log_line(line: dict[str, Any]) -> str:
    """A log message of a server, on one line."""
    data = line.get("data")
    text = data if isinstance(data, str) else repr(data)
    logger = f" {line['logger']}" if line.get("logger") else ""
    return printable(shorten(f"{line.get('level', 'log')}{logger}: {' '.join(text.split())}", 2000))


def conversation_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that talks to a server."""
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Show the server's log and its stderr."),
        click.option(
            "--timeout",
            metavar="SECONDS",
            type=click.FloatRange(0.1, 86_400),
            help="How long one request may take (default: no limit, Ctrl+C cancels).",
        ),
        click.option(
            "-o",
            "--output",
            type=click.Choice(["auto", "text", "json"]),
            default="auto",
            help="text for people, json for programs; auto is text on a terminal and json in a pipe.",
        ),
    ):
        function = option(function)
    return function


def wants_json(output: str) -> bool:
    """Whether a program reads what is printed."""
    return output == "json" or (output == "auto" and not sys.stdout.isatty())
