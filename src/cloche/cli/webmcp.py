"""`cloche webmcp URL`: the tools of a web page as an MCP server."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import click

from cloche.cli.webmcp_browser import BrowserOptions, check_installed, opened_page
from cloche.errors import ClocheError, ConfigurationError, shorten
from cloche.serve.stdio import run_stdio
from cloche.serve.uvicorn.listening_sockets import parse_address
from cloche.serve.uvicorn.run import run_server
from cloche.server import Server
from cloche.terminal import printable, say
from cloche.webmcp import PageLimits, PageTools
from cloche.webmcp.origins import checked_origin, origin_of
from cloche.webmcp.served_page import INSTRUCTIONS, ServedPage

ATTACHING = (
    "cloche webmcp opens a tab in the browser at {endpoint}, signed in wherever that browser is, and lets the MCP "
    "client call the tools of {url} there. Whoever can reach {endpoint} controls the whole browser."
)


@click.command()
@click.argument("url", metavar="URL")
@click.option(
    "--http", metavar="HOST:PORT", help="Serve over HTTP at /mcp instead of stdio; a port alone means 127.0.0.1."
)
@click.option(
    "--profile",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep cookies and sign-ins of the page in this folder.",
)
@click.option("--attach", metavar="ENDPOINT", help="Use a browser that runs, such as http://127.0.0.1:9222.")
@click.option("--yes", is_flag=True, help="Agree to --attach without being asked.")
@click.option("--show", is_flag=True, help="Open a window, for example to sign in.")
@click.option(
    "--origin", "origins", metavar="ORIGIN", multiple=True, help="Serve tools of this origin, too; repeatable."
)
@click.option(
    "--timeout", metavar="SECONDS", type=click.FloatRange(0.1, 3600), default=60.0, help="How long a call may take."
)
def webmcp(
    url: str,
    http: str | None,
    profile: Path | None,
    attach: str | None,
    yes: bool,
    show: bool,
    origins: Sequence[str],
    timeout: float,
) -> None:
    """Serve the tools of the page at URL (WebMCP) to MCP clients.

    The page runs in a Chromium of its own. What its tools say is the page's word: it is labelled as untrusted.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "file") or (parts.scheme != "file" and not parts.hostname):
        raise ConfigurationError(f"{shorten(url)!r} is no address of a page: write it with https://, as a browser does")
    if attach is not None and (profile is not None or show):
        raise ConfigurationError(
            "--attach uses a browser that runs, with its own profile: leave out --profile and --show"
        )
    named = [checked_origin(one) for one in origins]
    check_installed()
    if attach is not None:
        _ask(attach, url, yes)
    _Serving(BrowserOptions(url, profile, attach, show), named, PageLimits(call_seconds=timeout)).run(http)


def _ask(endpoint: str, url: str, yes: bool) -> None:
    """Ask the person at the terminal before a browser of theirs is used."""
    say(printable(ATTACHING.format(endpoint=shorten(endpoint, 100), url=shorten(url, 200))), "yellow")
    if yes:
        return
    if not (sys.stdin and sys.stdin.isatty()):
        raise ConfigurationError("--attach asks before it uses your browser, and there is no terminal: add --yes")
    click.confirm("Do you want that?", abort=True, err=True)


class _Serving:
    """The server, and the page behind it."""

    def __init__(self, options: BrowserOptions, origins: Sequence[str], limits: PageLimits) -> None:
        self._options = options
        self._origins = origins
        self._limits = limits
        self._failure: ClocheError | None = None
        name = urlsplit(options.url).hostname or "page"
        self._server = Server(name, instructions=INSTRUCTIONS)

    def run(self, http: str | None) -> None:
        """Serve until the client or the person ends it."""
        if http is None:
            run_stdio(self._server, self._page())
            return
        host, port = parse_address(http, "--http")
        self._server.lifespan = lambda _: self._page_or_end()
        try:
            run_server(self._server, "http", host=host, port=port)
        finally:
            if self._failure is not None:
                raise self._failure from None

    @asynccontextmanager
    async def _page(self) -> AsyncIterator[None]:
        async with (
            opened_page(self._options) as opened,
            PageTools(opened.page, origins=self._origins, limits=self._limits) as tools,
        ):
            where = next((one.origin for one in tools.documents() if one.is_main), "")
            home = home_of(self._options.url, where)
            served = ServedPage(self._server, tools, [home, *self._origins], _tell, dialogs=opened.dialogs)
            await served.start()
            _tell(f"{self._server.name}: {len(self._server.tools)} tools of {home}")
            try:
                yield
            finally:
                await served.close()

    @asynccontextmanager
    async def _page_or_end(self) -> AsyncIterator[None]:
        """The page; when it cannot be opened the web server stops, and the reason is said as that of any command."""
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._page())
            except ClocheError as error:
                self._failure = error
                asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
            yield


def home_of(url: str, where: str) -> str:
    """The origin whose tools are served: that of the address, or of the same site by HTTPS or with `www.`, where it
    sent the browser. Another one, such as that of a log-in, is not what the person named.
    """
    named = origin_of(url)
    if not named:
        return where  # a file has an origin of its own kind

    def site(origin: str) -> tuple[str, int | None]:
        parts = urlsplit(origin)
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        return (parts.hostname or "").removeprefix("www."), None if parts.port in (None, usual) else parts.port

    is_safer = where.startswith("https:") or named.startswith("http:")
    return where if site(where) == site(named) and is_safer else named


def _tell(text: str) -> None:
    say(printable(shorten(text, 500)), "dim")
