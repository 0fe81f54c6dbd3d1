"""The command `cloche`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cloche.errors import ConfigurationError, LoadError, LocalError, MissingExtraError

USAGE, FAILURE, INTERRUPTED = 2, 1, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 failed, 2 not as it is meant to be used."""
    from cloche.terminal import say_error

    try:
        import click
    except ImportError:
        say_error(str(MissingExtraError("the cloche command", "cli")))
        sys.exit(USAGE)
    from cloche.cli.commands import cloche

    try:
        code = cloche.main(args=arguments, prog_name="cloche", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        say_error(error.format_message())
        sys.exit(USAGE)
    except LocalError as error:
        say_error(str(error))
        sys.exit(USAGE if isinstance(error, LoadError | ConfigurationError | MissingExtraError) else FAILURE)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
