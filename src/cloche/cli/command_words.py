"""Commands of ours that are told other commands."""

from __future__ import annotations

import click

from cloche.cli.targets import DASHES


class TakesCommand(click.Command):
    """Hands the two dashes on to its argument, where `parse_servers` needs them: `-- npx` is not `npx`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, which takes the first two dashes away."""
        if DASHES in args:
            at = args.index(DASHES)
            args = [*args[:at], DASHES, *args[at:]]
        return super().parse_args(ctx, args)
