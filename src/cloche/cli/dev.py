"""`cloche dev SERVER…`: the playground."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cloche.errors import ConfigurationError

if TYPE_CHECKING:
    from cloche.dev.targets import DevServer


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("targets", metavar="[FILE|URL]… [-- COMMAND…]", nargs=-1, type=click.UNPROCESSED)
@click.option("--port", type=click.IntRange(0, 65535), help="Listen here; 8100 or the next free one unless given.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep what is said and done in this file, for cloche replay.",
)
def dev(targets: Sequence[str], port: int | None, no_open: bool, record: Path | None) -> None:
    """Try a server's tools and see its views, in a host as strict as real ones. Without a server: the examples."""
    from cloche.dev.recording import recording_to
    from cloche.dev.serving import run_dev

    run_dev(chosen(targets), port=port, open_browser=not no_open, prepare=recording_to(record))


def chosen(targets: Sequence[str]) -> list[DevServer]:
    """The servers that were named; everything that is no file and no URL begins a command."""
    from cloche.dev.targets import servers_of

    for at, word in enumerate(targets):
        if not word.partition(":")[0].endswith(".py") and "://" not in word:
            return servers_of(targets[:at], targets[at:])
    if not targets:
        from cloche.dev.gallery import gallery

        return gallery()
    found = servers_of(targets)
    if not found:
        raise ConfigurationError("name a file, a URL, or two dashes and a command")
    return found
