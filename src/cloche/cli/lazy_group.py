"""A group of commands that imports a command when it is used: `cloche --help` and `cloche run` need no other."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.formatting import HelpFormatter
from click.shell_completion import CompletionItem


class LazyCommand(NamedTuple):
    """Where a command is, and what the list of commands says of it."""

    place: str
    """`package.module:object`."""
    summary: str


class LazyGroup(click.Group):
    """Commands by name, in the order in which they are listed."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, LazyCommand], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself, imported now."""
        found = self.lazy.get(cmd_name)
        if found is None:
            return None
        module, _, name = found.place.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first word; a misspelt one is told what it may have meant."""
        from difflib import get_close_matches

        if args and args[0] not in self.lazy and not args[0].startswith("-"):
            near = get_close_matches(args[0], list(self.lazy), 1)
            hint = f"did you mean {near[0]}?" if near else "cloche --help lists those there are"
            ctx.fail(f"there is no command {args[0][:40]!r}: {hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of commands and options, without importing the commands."""
        names = [name for name in self.lazy if name.startswith(incomplete)]
        found = [CompletionItem(name, help=self.lazy[name].summary) for name in names]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: HelpFormatter) -> None:
        """The list, without importing what is in it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in self.lazy.items()])
