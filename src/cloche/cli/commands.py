"""The commands of `cloche`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import click

from cloche.cli.check import check
from cloche.cli.dev import dev
from cloche.cli.install import install
from cloche.cli.new import new
from cloche.cli.pyodide import pyodide
from cloche.cli.replay import replay
from cloche.cli.run import run


def package_version() -> str:
    """The installed version, or what a checkout has instead."""
    try:
        return version("cloche")
    except PackageNotFoundError:
        return "not installed"


@click.group(invoke_without_command=True)
@click.version_option(package_version(), prog_name="cloche", message="%(prog)s %(version)s")
@click.pass_context
def cloche(context: click.Context) -> None:
    """MCP servers, their views, and products that show them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (run, check, dev, install, new, pyodide, replay):
    cloche.add_command(command)
