"""`cloche read SERVER URI`: what a resource holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from cloche.cli.access import Access, access_options
from cloche.cli.command_words import TakesCommand
from cloche.cli.completion import complete_files
from cloche.cli.conversation import conversation_options, server_and_rest, talk, wants_json
from cloche.cli.results import print_json, show_read
from cloche.cli.words import meant
from cloche.client import Client, ReadResourceResult
from cloche.errors import ConfigurationError, McpError, shorten


@click.command(cls=TakesCommand)
@click.argument(
    "words",
    metavar="SERVER URI | URI -- COMMAND…",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=complete_files,
)
@click.option("--raw", is_flag=True, help="Only the content, byte by byte: cloche read … --raw > FILE")
@access_options
@conversation_options
def read(words: Sequence[str], raw: bool, access: Access, output: str, timeout: float | None, verbose: bool) -> None:
    """Read a resource by its URI."""
    server, rest = server_and_rest(words, "read")
    if len(rest) != 1:
        raise ConfigurationError("name one URI: cloche list shows those there are")

    async def work(client: Client, _: object) -> ReadResourceResult:
        try:
            return await client.read_resource(rest[0])
        except McpError as error:
            known = [one.uri for one in await client.list_resources()]
            if rest[0] in known or not known:
                raise
            raise McpError(f"{error.message}: {meant(rest[0], known)}", code=error.code, data=error.data) from None

    found = talk(server, access, work, timeout=timeout, verbose=verbose, doing=f"{shorten(rest[0], 60)} …")
    if raw:
        if sys.stdout.isatty() and any(part.text is None for part in found.contents):
            raise ConfigurationError("these are bytes, not text: write them to a file with > FILE")
        sys.stdout.flush()
        for part in found.contents:
            sys.stdout.buffer.write(part.data)
        sys.stdout.buffer.flush()
    elif wants_json(output):
        parts = [{key: value for key, value in one.items() if value is not None} for one in _plain(found)]
        print_json({"contents": parts})
    else:
        show_read(found)


def _plain(found: ReadResourceResult) -> list[dict[str, object]]:
    import msgspec

    plain: list[dict[str, object]] = msgspec.to_builtins(found.contents)
    return plain
