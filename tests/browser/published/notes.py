"""A server that is set up with a file, for the tests."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from cloche import PickedFile, Server, SetupError

server = Server("notes", version="1.0", title="Notes")


@dataclass
class Settings:
    """Which notes."""

    document: Annotated[PickedFile, Meta(title="Document")]


@server.setup(fields=Settings)
def setup(settings: Settings) -> str:
    """Look whether there is something in it."""
    if not Path(settings.document).stat().st_size:
        raise SetupError("This file is empty", field="document")
    return Path(settings.document).name


@server.tool
def first() -> str:
    """Read the first line, and say how much there is."""
    with open(setup.settings.document, encoding="utf-8") as notes:
        return f"{notes.readline().strip()} ({Path(setup.settings.document).stat().st_size} bytes)"
