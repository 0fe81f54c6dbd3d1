"""`cloche new NAME`: a folder to start from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from cloche.errors import ConfigurationError, shorten
from cloche.transports.http.serving.announcing import say

PLACEHOLDER = "__NAME__"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\-]{0,63}")


@dataclass(frozen=True, slots=True)
class Template:
    """One way to start."""

    what: str
    run: str
    """The command that comes next, in the new folder."""


TEMPLATES = {
    "minimal": Template("a server with one tool", "cloche run server.py --http 8000"),
    "view": Template("a tool with a view in HTML and JavaScript", "cloche run server.py --http 8000"),
    "html": Template("a tool with a view in Python, without JavaScript", "cloche run server.py --http 8000"),
}


@click.command()
@click.argument("name")
@click.option(
    "--template",
    type=click.Choice(list(TEMPLATES)),
    default="view",
    show_default=True,
    help="; ".join(f"{name}: {template.what}" for name, template in TEMPLATES.items()) + ".",
)
def new(name: str, template: str) -> None:
    """Make the folder NAME with a server, and a test of it."""
    folder = checked_folder(name)
    source = resources.files("cloche.cli") / "templates" / template
    written = [
        _copy(file, folder, name) for file in sorted(source.iterdir(), key=lambda one: one.name) if _wanted(file)
    ]
    say(f"{folder}: {TEMPLATES[template].what} ({', '.join(written)})", "bold")
    say("Next:")
    say(f"  cd {name}", "cyan")
    say(f"  {TEMPLATES[template].run}", "cyan")
    say("  pytest                    # after pip install 'cloche[test]'", "cyan")


def checked_folder(name: str) -> Path:
    """The folder to make; it must not be there, or be empty."""
    if not NAME.fullmatch(name):
        raise ConfigurationError(
            f"{shorten(name)!r} is no name for a server: letters, digits, _ and -, beginning with a letter"
        )
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(f"there is something in {name!r} already: choose another name, or an empty folder")
    return folder


def _wanted(file: Traversable) -> bool:
    return file.is_file() and file.name.endswith((".py", ".html", ".md", ".txt"))


def _copy(file: Traversable, folder: Path, name: str) -> str:
    text = file.read_text(encoding="utf-8").replace(PLACEHOLDER, name)
    try:
        folder.mkdir(exist_ok=True)
        (folder / file.name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{folder / file.name} cannot be written: {error.strerror}") from None
    return file.name
