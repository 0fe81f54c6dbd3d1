"""`cloche pyodide`: Python for the browser, and a server as a folder that a browser runs."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.browser import PYODIDE_VERSION, fetch_runtime, write_bundle
from cloche.cli.targets import split
from cloche.cli.terminal import telling_if_slow
from cloche.transports.http.serving.announcing import say

MEGABYTE = 1_000_000


@click.group()
def pyodide() -> None:
    """Run a server inside a browser tab, with Pyodide."""


@pyodide.command()
@click.option("--to", metavar="DIR", type=click.Path(path_type=Path), help="Also put a copy of the files there.")
def fetch(to: Path | None) -> None:
    """Get Pyodide from npm, once, into the cache."""
    with telling_if_slow(f"Getting Pyodide {PYODIDE_VERSION} from npm …"):
        folder = fetch_runtime(to)
    say(f"Pyodide {PYODIDE_VERSION} is in", "bold")
    click.echo(folder)


@pyodide.command()
@click.argument("target", metavar="FILE[:OBJECT]")
@click.option("-o", "--output", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Where to write.")
@click.option("-r", "--requirement", "requirements", metavar="NAME==VERSION", multiple=True, help="What it imports.")
@click.option("--include", metavar="FILE", multiple=True, help="A further file or folder beside FILE.")
@click.option("--runtime", metavar="DIR|URL", help="A folder or URL that has Pyodide, instead of npm.")
@click.option("--snapshot/--no-snapshot", default=True, help="Start four times sooner, for 6.5 MB (default).")
def bundle(
    target: str,
    output: Path,
    requirements: tuple[str, ...],
    include: tuple[str, ...],
    runtime: str | None,
    snapshot: bool,
) -> None:
    """Write the server in FILE as a folder of static files that a page runs."""
    source, name = split(target)
    written = write_bundle(
        source,
        output,
        object=name,
        requirements=requirements,
        include=include,
        runtime=runtime,
        snapshot=snapshot,
        tell=lambda text: say(text, "dim"),
    )
    say(f"Published with it: {', '.join(written.sources)}")
    say(f"{written.entry}:{written.object}, {written.size / MEGABYTE:.1f} MB, is in", "bold")
    click.echo(written.folder)
