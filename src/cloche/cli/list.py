"""`cloche list SERVER [NAME]`: what a server has."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cloche.cli.access import Access, access_options
from cloche.cli.command_words import TakesCommand, words_argument
from cloche.cli.conversation import conversation_options, server_and_rest, talk, wants_json
from cloche.cli.listing import Listing, read_listing, show_listing, show_tool
from cloche.cli.results import print_json
from cloche.cli.words import meant
from cloche.client import Client
from cloche.errors import ConfigurationError, shorten


@click.command("list", cls=TakesCommand)
@words_argument("SERVER [TOOL] | [TOOL] -- COMMAND…", kind="tool")
@click.option("--all", "everything", is_flag=True, help="Also tools that only views call, and the pages of views.")
@access_options
@conversation_options
def list_(
    words: Sequence[str], everything: bool, access: Access, output: str, timeout: float | None, verbose: bool
) -> None:
    """List a server's tools, resources and prompts; with TOOL, the arguments of one tool.

    SERVER is a file, a module or a URL. A command comes last, after two dashes: cloche list -- uvx mcp-server-git
    """
    server, rest = server_and_rest(words, "list")
    if len(rest) > 1:
        raise ConfigurationError(f"one tool at a time: leave out {shorten(rest[1])!r}")

    async def work(client: Client, _: object) -> Listing:
        return await read_listing(client)

    found = talk(server, access, work, timeout=timeout, verbose=verbose, doing="Asking the server …")
    if rest:
        tool = next((one for one in found.tools if one.name == rest[0]), None)
        if tool is None:
            hint = meant(rest[0], [one.name for one in found.tools])
            raise ConfigurationError(f"the server has no tool {shorten(rest[0])!r}: {hint}")
        if wants_json(output):
            print_json(tool)
        else:
            show_tool(tool, server)
    elif wants_json(output):
        print_json(found.as_json())
    else:
        show_listing(found, everything=everything)
