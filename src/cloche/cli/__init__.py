"""The command `cloche`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from cloche.errors import ConfigurationError, LoadError, LocalError, McpError, MissingExtraError, TransportError

FAILURE, USAGE, UNREACHABLE, INTERRUPTED = 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done; 1 failed, or the tool or server answered with an error; 2 wrong usage;
    3 no connection, or no answer; 130 interrupted.
    """
    from cloche.terminal import say_error

    try:
        import click  # noqa: F401
    except ImportError:
        say_error(str(MissingExtraError("the cloche command", "cli")))
        sys.exit(USAGE)
    from cloche.cli.commands import cloche

    exit_with(lambda: cloche.main(args=arguments, prog_name="cloche", standalone_mode=False))


def exit_with(work: Callable[[], object]) -> NoReturn:
    """Do something and exit with its code; what goes wrong is said in one sentence."""
    import click

    from cloche.terminal import printable, say_error

    try:
        code = work()
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        say_error(error.format_message())
        sys.exit(USAGE)
    except LocalError as error:
        say_error(str(error))
        sys.exit(USAGE if isinstance(error, LoadError | ConfigurationError | MissingExtraError) else FAILURE)
    except McpError as error:
        say_error(f"the server answered: {printable(error.message)}")
        sys.exit(FAILURE)
    except TransportError as error:
        say_error(printable(error.message))
        sys.exit(UNREACHABLE)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
