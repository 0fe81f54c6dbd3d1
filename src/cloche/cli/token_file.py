"""`--token-file`: who may call, one line each; on a command line every user of the machine could read a token."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError, shorten

if TYPE_CHECKING:
    from cloche.auth import StaticTokens


def read_tokens(path: Path) -> StaticTokens:
    """Lines of `TOKEN [PRINCIPAL [SCOPE…]]`; empty lines and lines that start with # do not count."""
    from cloche.auth import Principal, StaticTokens

    tokens: dict[str, Principal | str] = {}
    for number, line in enumerate(_lines(path), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        token, *rest = words
        # Sessions belong to a principal, so two holders without a name must not share one.
        if token in tokens:
            raise ConfigurationError(f"{path.name}, line {number}: the token stands in the file twice, remove one")
        tokens[token] = Principal(rest[0] if rest else f"token-{number}", scopes=frozenset(rest[1:]))
    if not tokens:
        raise ConfigurationError(f"{path.name} has no tokens: write lines of TOKEN [PRINCIPAL [SCOPE…]]")
    return StaticTokens(tokens)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except OSError as error:
        reason = (error.strerror or "unreadable").lower()
        raise ConfigurationError(f"the token file {shorten(str(path))!r} cannot be read: {reason}") from None
    except UnicodeError:
        raise ConfigurationError(f"the token file {shorten(str(path))!r} is not a text file in UTF-8") from None
