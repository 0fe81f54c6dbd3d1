"""The commands of `cloche`."""

from __future__ import annotations

import click

from cloche.cli.lazy_group import LazyCommand, LazyGroup

COMMANDS = {
    "run": LazyCommand("cloche.cli.run:run", "Serve a server over stdio, HTTP or WebSocket."),
    "dev": LazyCommand("cloche.cli.dev:dev", "Open the playground: call tools, see views."),
    "list": LazyCommand("cloche.cli.list:list_", "List a server's tools, resources and prompts."),
    "call": LazyCommand("cloche.cli.call:call", "Call a tool and print its result."),
    "read": LazyCommand("cloche.cli.read:read", "Read a resource."),
    "prompt": LazyCommand("cloche.cli.prompt:prompt", "Fill in a prompt."),
    "open": LazyCommand("cloche.cli.open:open_", "Show the view of one tool in a window of its own."),
    "check": LazyCommand("cloche.cli.check:check", "Find what keeps tools and views from working in hosts."),
    "new": LazyCommand("cloche.cli.new:new", "Create a folder with a server, or a product, and a test."),
    "install": LazyCommand("cloche.cli.install:install", "Add a server to the configuration of a client."),
    "uninstall": LazyCommand("cloche.cli.install:uninstall", "Take a server out of the configuration of a client."),
    "replay": LazyCommand("cloche.cli.replay:replay", "Play recorded views and compare them with the recording."),
    "share": LazyCommand("cloche.cli.share:share", "Write a recording as one HTML file that plays in any browser."),
    "build": LazyCommand("cloche.cli.build:build", "Write a server as a web page: static files, no server."),
    "webmcp": LazyCommand("cloche.cli.webmcp:webmcp", "Serve the tools of a web page to MCP clients."),
    "pyodide": LazyCommand("cloche.cli.pyodide:pyodide", "Run a server inside a browser tab."),
}


def show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the installed version and exit."""
    if wanted and not context.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("cloche")
        except PackageNotFoundError:
            found = "not installed"
        click.echo(f"cloche {found}")
        context.exit()


@click.group(
    cls=LazyGroup, lazy=COMMANDS, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help="Show the version."
)
@click.pass_context
def cloche(context: click.Context) -> None:
    """MCP servers, their views, and products that show them. `cloche COMMAND -h` explains a command."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
