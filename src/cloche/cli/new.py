"""`cloche new NAME`: a folder to start from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from cloche.errors import ConfigurationError, shorten
from cloche.terminal import say

PLACEHOLDER = "__NAME__"
NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9_\-]{0,62}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Template:
    """One way to start."""

    what: str
    run: str
    """The command that comes next, in the new folder."""
    hint: str
    """What it needs, or does."""


TEMPLATES = {
    "minimal": Template("a server with one tool", "cloche dev server.py", "opens the playground with it"),
    "view": Template("a tool with a view in HTML and JavaScript", "cloche dev server.py", "opens the view"),
    "html": Template("a tool with a view in Python, without JavaScript", "cloche dev server.py", "opens the view"),
    "host": Template(
        "a product in FastAPI that shows a server's view on its page",
        "uvicorn app:app --reload",
        "after pip install 'cloche[host]' fastapi; then open http://localhost:8000",
    ),
}

KINDS = (".py", ".html", ".md", ".toml", ".css", ".js", ".svg")
"""The files of templates; whatever else lies about in a folder is none."""

IGNORED = "gitignore.txt"
"""What every new folder has as `.gitignore`; under that name it would count here, too."""


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
    """Create the folder NAME with a server, or a product that shows one, and a test."""
    folder = checked_folder(name)
    chosen = TEMPLATES[template]
    templates = resources.files("cloche.cli") / "templates"
    written = _copy(templates / template, folder, name)
    _write(folder / ".gitignore", (templates / "shared" / IGNORED).read_text(encoding="utf-8"))
    say(f"{folder}: {chosen.what} ({', '.join(written)})", "bold")
    say("Next:")
    say(f"  cd {name}", "cyan")
    say(f"  {chosen.run:24}  # {chosen.hint}", "cyan")
    say(f"  {'pytest':24}  # after pip install 'cloche[test]'", "cyan")


def checked_folder(name: str) -> Path:
    """The folder to make; it must not be there, or be empty."""
    if not NAME.fullmatch(name):
        raise ConfigurationError(
            f"{shorten(name)!r} is not a name for a server: letters, digits, _ and -, a letter first"
        )
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(f"there is something in {name!r} already: choose another name, or an empty folder")
    return folder


def _copy(source: Traversable, folder: Path, name: str, below: str = "") -> list[str]:
    """Copy a folder; the names of what was written, as seen from the first."""
    written: list[str] = []
    for file in sorted(source.iterdir(), key=lambda one: (one.is_dir(), one.name)):
        if file.is_dir() and file.name != "__pycache__":
            written += _copy(file, folder / file.name, name, f"{below}{file.name}/")
        elif file.name.endswith(KINDS):
            _write(folder / file.name, file.read_text(encoding="utf-8").replace(PLACEHOLDER, name))
            written.append(f"{below}{file.name}")
    return written


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be written: {error.strerror}") from None
