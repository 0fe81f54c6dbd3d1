"""`cloche call SERVER TOOL NAME=VALUE…`: call a tool."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cloche.cli.access import Access, access_options
from cloche.cli.call_progress import CallProgress
from cloche.cli.command_words import TakesCommand, words_argument
from cloche.cli.conversation import conversation_options, server_and_rest, talk, wants_json
from cloche.cli.results import call_as_json, print_json, show_call
from cloche.cli.words import meant, read_json, read_words
from cloche.client import CallToolResult, Client
from cloche.errors import ConfigurationError, shorten
from cloche.wire.types import Tool

FAILED = 1
"""The exit code when the tool said that it failed."""


@click.command(cls=TakesCommand)
@words_argument("SERVER TOOL [NAME=VALUE…] | TOOL [NAME=VALUE…] -- COMMAND…", kind="tool")
@click.option("--json", "as_json", metavar="JSON|@FILE|-", help="All arguments as one JSON object; - reads stdin.")
@access_options
@conversation_options
def call(
    words: Sequence[str],
    as_json: str | None,
    access: Access,
    output: str,
    timeout: float | None,
    verbose: bool,
) -> int:
    """Call a tool and print its result. Exits with 1 when the tool says that it failed.

    NAME=VALUE is converted to the type that the tool wants; a name that is given several times is a list. NAME:=JSON is
    JSON as it stands, NAME:=@FILE the content of a file.
    """
    server, rest = server_and_rest(words, "call")
    given = None if as_json is None else read_json(as_json)
    if given is not None and len(rest) > 1:
        raise ConfigurationError(f"--json has all arguments: leave out {shorten(rest[1])!r}")

    async def work(client: Client, progress: CallProgress) -> CallToolResult:
        tool = find_tool(await client.list_tools(), rest)
        arguments = read_words(rest[1:], tool.input_schema, tool.name) if given is None else given
        return await client.call_tool(tool.name, arguments, progress=progress.update)

    doing = f"{shorten(rest[0], 60)} …" if rest else "Asking the server …"
    result = talk(server, access, work, timeout=timeout, verbose=verbose, doing=doing)
    if wants_json(output):
        print_json(call_as_json(result))
    else:
        show_call(result)
    return FAILED if result.is_error else 0


def find_tool(tools: Sequence[Tool], rest: Sequence[str]) -> Tool:
    """The tool that was named first; raises with those there are."""
    names = [tool.name for tool in tools]
    if not rest:
        raise ConfigurationError(f"name a tool: {meant('', names)}")
    found = next((tool for tool in tools if tool.name == rest[0]), None)
    if found is None:
        raise ConfigurationError(f"the server has no tool {shorten(rest[0])!r}: {meant(rest[0], names)}")
    return found
