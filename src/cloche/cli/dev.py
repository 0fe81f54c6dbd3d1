"""`cloche dev SERVER…`: the playground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from cloche.cli.access import Access, access_options
from cloche.cli.command_words import TakesCommand
from cloche.cli.completion import complete_files
from cloche.cli.targets import ServerWords, parse_servers
from cloche.errors import ConfigurationError, shorten

if TYPE_CHECKING:
    from cloche.dev.servers import DevServer


@click.command(cls=TakesCommand, context_settings={"ignore_unknown_options": True})
@click.argument(
    "words",
    metavar="[FILE|URL]… [-- COMMAND…]",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=complete_files,
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (default 8100, or the next free one).")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Record all messages and actions to this file, for cloche replay.",
)
@click.option(
    "--allow-local", is_flag=True, help="Let views of servers on other machines reach this machine and its network."
)
@click.option(
    "--state", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Keep the stores in this file."
)
@access_options
def dev(
    words: Sequence[str],
    port: int | None,
    no_open: bool,
    record: Path | None,
    allow_local: bool,
    state: Path | None,
    access: Access,
) -> None:
    """Open the playground: call a server's tools and see its views. Without a server, it opens the examples."""
    from cloche.dev.cassette import recording_to
    from cloche.dev.launch import run_dev

    servers = chosen(words, access, state)
    run_dev(servers, port=port, open_browser=not no_open, allow_local=allow_local, prepare=recording_to(record))


def chosen(words: Sequence[str], access: Access, state: Path | None = None) -> list[DevServer]:
    """The servers that were named, or the examples. The stores of a server are kept in the file `state`."""
    from cloche.dev.servers import with_own_names

    named = parse_servers(words, "dev") if words else []
    if state is not None:
        if len(named) != 1 or named[0].target is None:
            raise ConfigurationError("--state keeps the stores of one server: cloche dev server.py --state FILE")
        named = [replace(named[0], state=state.absolute())]
    if named:
        access.check(named)
        signs_in = find_spec("mcp") is not None  # whose client does it; without, a server that wants it says so
        return with_own_names([dev_server(one, access, signs_in=signs_in) for one in named])
    from cloche.dev.gallery import gallery

    return gallery()


def dev_server(named: ServerWords, access: Access, *, signs_in: bool = False) -> DevServer:
    """A server as the playground and `cloche open` start it; `signs_in` where a page can ask the person to."""
    from cloche.dev import servers

    if named.url is not None:
        if not named.url.lower().startswith("http"):
            raise ConfigurationError(f"views are shown of servers over HTTP, and {shorten(named.url)!r} is a WebSocket")
        host = urlsplit(named.url).hostname or "remote"
        return servers.of_url(named.url, host, headers=access.headers, token=access.token, signs_in=signs_in)
    if named.target is None:
        return servers.of_command(named.command, access.env)
    if named.target.file is not None:
        return servers.of_file(named.target.file, named.process, access.env)
    return servers.of_module(str(named.target.module), named.process, access.env)
