"""`cloche share CASSETTE`: a recording as one HTML file that plays in any browser."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.errors import ConfigurationError, shorten
from cloche.terminal import describe, report


@click.command()
@click.argument("file", metavar="CASSETTE", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write (default: the cassette's name with .html).",
)
def share(file: Path, output: Path | None) -> None:
    """Write a recording as one HTML file: it plays in any browser, with no server and no network.

    cloche dev --record FILE makes a recording. Arguments, results and what was typed are in the file, apart from
    passwords.
    """
    from cloche.testing.cassettes import Cassette

    cassette = Cassette.read(file)
    target = output or file.with_suffix(".html")
    check_replaceable(target)
    html = cassette.html()
    try:
        target.write_text(html, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigurationError(f"{shorten(str(target), 80)!r} cannot be written: {error.strerror or error}") from None
    if cassette.is_cut_off:
        report("The recording was interrupted: it is shared as far as it goes.", "yellow")
    held = describe({"view": len(cassette.views), "exchange": len(cassette.exchanges)})
    report(f"{target}: {held}, {len(html.encode()) / 1e6:.1f} MB", "green")


def check_replaceable(target: Path) -> None:
    """Raise `ConfigurationError` when a file is there that is not a shared recording."""
    from cloche.testing.cassettes.shared_page import is_shared

    if target.exists() and not is_shared(target):
        raise ConfigurationError(
            f"{shorten(str(target), 80)!r} exists and is not a shared recording: name another file with -o"
        )
