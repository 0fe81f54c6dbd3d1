"""`cloche pyodide`: Python for the browser, and a server as a folder that a browser runs."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.browser import PYODIDE_VERSION, fetch_runtime, write_bundle
from cloche.cli.targets import split
from cloche.terminal import say, telling_if_slow

MEGABYTE = 1_000_000


@click.group()
def pyodide() -> None:
    """Run a server inside a browser tab, with Pyodide."""


@pyodide.command()
@click.option("--to", metavar="DIR", type=click.Path(path_type=Path), help="Also copy the files to this folder.")
def fetch(to: Path | None) -> None:
    """Download Pyodide from npm into the cache, once."""
    with telling_if_slow(f"Getting Pyodide {PYODIDE_VERSION} from npm …"):
        folder = fetch_runtime(to)
    say(f"Pyodide {PYODIDE_VERSION} is in", "bold")
    click.echo(folder)


@pyodide.command()
@click.argument("target", metavar="FILE[:OBJECT]")
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Folder to write to."
)
@click.option(
    "-r",
    "--requirement",
    "requirements",
    metavar="NAME==VERSION",
    multiple=True,
    help="A package that the server imports; repeatable.",
)
@click.option("--include", metavar="FILE", multiple=True, help="Another file or folder beside FILE; repeatable.")
@click.option("--pyodide", metavar="DIR|URL", help="A distribution of Pyodide, for packages such as numpy.")
@click.option("--runtime", metavar="DIR|URL", help="Folder or URL with Pyodide, instead of npm.")
@click.option("--snapshot/--no-snapshot", default=True, help="Start four times faster, for 6.5 MB more (default).")
def bundle(
    target: str,
    output: Path,
    requirements: tuple[str, ...],
    include: tuple[str, ...],
    pyodide: str | None,
    runtime: str | None,
    snapshot: bool,
) -> None:
    """Write the server in FILE as a folder of static files that run in a page."""
    source, name = split(target)
    written = write_bundle(
        source,
        output,
        object=name,
        requirements=requirements,
        include=include,
        pyodide=pyodide,
        runtime=runtime,
        snapshot=snapshot,
        tell=lambda text: say(text, "dim"),
    )
    say(f"Published with it: {', '.join(written.sources)}")
    say(f"{written.entry}:{written.object}, {written.size / MEGABYTE:.1f} MB, is in", "bold")
    click.echo(written.folder)
