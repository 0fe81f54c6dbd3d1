"""`cloche build`: a server as a web page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from cloche.browser import write_bundle, write_site
from cloche.browser.static_hosts import written_headers
from cloche.browser.static_server import StaticServer
from cloche.cli.call_progress import CallProgress
from cloche.cli.check import show
from cloche.cli.targets import split
from cloche.terminal import say

MEGABYTE = 1_000_000
KILOBYTE = 1_000
PORT = 8000
FOUND = 1
"""The exit code when --check finds an error."""


@click.command()
@click.argument("target", metavar="FILE[:OBJECT]")
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Folder to write to."
)
@click.option(
    "--allow-origin",
    "allow_origins",
    metavar="ORIGIN",
    multiple=True,
    help="A page that may use it as a server by URL, such as https://app.example; repeatable. Default: none.",
)
@click.option("--connect", metavar="ORIGIN", multiple=True, help="An origin that its tools fetch from; repeatable.")
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
@click.option("--runtime", metavar="DIR", help="Folder with Pyodide, instead of npm.")
@click.option("--snapshot/--no-snapshot", default=True, help="Start four times faster, for 6.5 MB more (default).")
@click.option("--bundle-only", is_flag=True, help="Only Python and the server, for a page of your own.")
@click.option(
    "--check", is_flag=True, help="Open the page in a headless browser and try it, before it counts as built."
)
@click.option("--serve", is_flag=True, help="Serve the folder on this machine afterwards, to try it.")
@click.option("--port", default=PORT, show_default=True, help="For --serve.")
def build(
    target: str,
    output: Path,
    allow_origins: tuple[str, ...],
    connect: tuple[str, ...],
    bundle_only: bool,
    check: bool,
    serve: bool,
    port: int,
    runtime: str | None,
    **options: Any,
) -> int:
    """Write the server in FILE as a web page, for any static host. It runs in the browser, with no server behind."""
    source, name = split(target)
    options |= {"object": name, "runtime": runtime, "tell": lambda text: say(text, "dim")}
    if bundle_only:
        if allow_origins or connect or check or serve:
            raise click.UsageError(
                "--bundle-only writes no page: leave out --allow-origin, --connect, --check and --serve"
            )
        made = write_bundle(source, output, **options)
        say(f"Published with it: {', '.join(made.sources)}")
        say(f"{made.entry}:{made.object}, {made.size / MEGABYTE:.1f} MB, is in", "bold")
        click.echo(made.folder)
        return 0
    if runtime is not None and "://" in runtime:
        raise click.UsageError("--runtime is a folder here: the page loads nothing from elsewhere")
    site = write_site(source, output, allow_origins=allow_origins, connect=connect, **options)
    say(f"Published with it: {', '.join(site.bundle.sources)}")
    for part, size in site.sizes.items():
        say(f"{_shown(size):>10}  {part}", "dim")
    say(f"{_shown(sum(site.sizes.values())):>10}  in all")
    if not site.about["allowedOrigins"]:
        say("No other page may use it as a server by URL: --allow-origin https://app.example lets one", "dim")
    if check and not _is_sound(site.folder):
        return FOUND
    say(f"{site.bundle.entry}:{site.bundle.object} is in", "bold")
    click.echo(site.folder)
    if serve:
        _serve(site.folder, port)
    return 0


def _is_sound(folder: Path) -> bool:
    """Whether nothing that counts is found when the page is opened; the report is for people."""
    from cloche.check.published import check_published

    with CallProgress("Opening the page …"):
        found = asyncio.run(check_published(folder))
    show(str(folder), found)
    return not any(finding.rule.severity == "error" for finding in found.findings)


def _shown(size: int) -> str:
    return f"{size / MEGABYTE:.1f} MB" if size >= MEGABYTE else f"{size / KILOBYTE:.1f} kB"


def _serve(folder: Path, port: int) -> None:
    """The folder, with the headers that a static host would send, for this machine alone."""
    try:
        server = StaticServer(folder, written_headers(folder), port)
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be used ({error.strerror}): name another with --port") from None
    say(server.url, "cyan underline")
    server.serve_forever()
