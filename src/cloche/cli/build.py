"""`cloche build`: a server as a web page."""

from __future__ import annotations

import functools
import http.server
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from cloche.browser import write_bundle, write_site
from cloche.browser.site import site_headers
from cloche.browser.static_hosts import checked_origins, headers_for
from cloche.cli.targets import split
from cloche.terminal import say

MEGABYTE = 1_000_000
KILOBYTE = 1_000
PORT = 8000


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
@click.option("--runtime", metavar="DIR", help="Folder with Pyodide, instead of npm.")
@click.option("--snapshot/--no-snapshot", default=True, help="Start four times faster, for 6.5 MB more (default).")
@click.option("--bundle-only", is_flag=True, help="Only Python and the server, for a page of your own.")
@click.option("--serve", is_flag=True, help="Serve the folder on this machine afterwards, to try it.")
@click.option("--port", default=PORT, show_default=True, help="For --serve.")
def build(
    target: str,
    output: Path,
    allow_origins: tuple[str, ...],
    connect: tuple[str, ...],
    bundle_only: bool,
    serve: bool,
    port: int,
    runtime: str | None,
    **options: Any,
) -> None:
    """Write the server in FILE as a web page, for any static host. It runs in the browser, with no server behind."""
    source, name = split(target)
    options |= {"object": name, "runtime": runtime, "tell": lambda text: say(text, "dim")}
    if bundle_only:
        if allow_origins or connect or serve:
            raise click.UsageError("--bundle-only writes no page: leave out --allow-origin, --connect and --serve")
        made = write_bundle(source, output, **options)
        say(f"Published with it: {', '.join(made.sources)}")
        say(f"{made.entry}:{made.object}, {made.size / MEGABYTE:.1f} MB, is in", "bold")
        click.echo(made.folder)
        return
    if runtime is not None and "://" in runtime:
        raise click.UsageError("--runtime is a folder here: the page loads nothing from elsewhere")
    site = write_site(source, output, allow_origins=allow_origins, connect=connect, **options)
    say(f"Published with it: {', '.join(site.bundle.sources)}")
    for part, size in site.sizes.items():
        say(f"{_shown(size):>10}  {part}", "dim")
    say(f"{_shown(sum(site.sizes.values())):>10}  in all")
    if not site.about["allowedOrigins"]:
        say("No other page may use it as a server by URL: --allow-origin https://app.example lets one", "dim")
    say(f"{site.bundle.entry}:{site.bundle.object} is in", "bold")
    click.echo(site.folder)
    if serve:
        _serve(site.folder, port, site_headers(site.about, checked_origins(connect)))


def _shown(size: int) -> str:
    return f"{size / MEGABYTE:.1f} MB" if size >= MEGABYTE else f"{size / KILOBYTE:.1f} kB"


def _serve(folder: Path, port: int, headers: dict[str, dict[str, str]]) -> None:
    """The folder, with the headers that a static host would send, for this machine alone."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            for name, value in headers_for(urlsplit(self.path).path, **headers).items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """A line for each file would hide what matters."""

    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(folder)))
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be used ({error.strerror}): name another with --port") from None
    with server:
        say(f"http://127.0.0.1:{server.server_port}/", "cyan underline")
        server.serve_forever()
