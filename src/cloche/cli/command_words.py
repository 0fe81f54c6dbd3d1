"""Commands of ours that are told other commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cloche.cli.completion import names_of
from cloche.cli.targets import DASHES


class TakesCommand(click.Command):
    """Hands the two dashes on to its argument, where `parse_servers` needs them: `-- npx` is not `npx`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, which takes the first two dashes away."""
        if DASHES in args:
            at = args.index(DASHES)
            args = [*args[:at], DASHES, *args[at:]]
        return super().parse_args(ctx, args)


def words_argument(metavar: str, *, kind: str) -> Callable[[Any], Any]:
    """The words of a command that names a server and something of it: a tool or a prompt, which a shell completes."""
    return click.argument("words", metavar=metavar, nargs=-1, type=click.UNPROCESSED, shell_complete=names_of(kind))
