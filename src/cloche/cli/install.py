"""`cloche install FILE --client NAME`: tell a program about a server, in its own configuration file."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from cloche import terminal
from cloche.cli.clients import ClientProgram, known_clients
from cloche.cli.loader import load
from cloche.cli.targets import split
from cloche.errors import ConfigurationError, shorten
from cloche.terminal import say

Json = dict[str, Any]

MAX_FILE = 4 << 20
"""Bytes of a configuration file that is looked into."""


@click.command()
@click.argument("target", metavar="FILE[:OBJECT]")
@click.option(
    "--client",
    "client_name",
    type=click.Choice(list(known_clients())),
    required=True,
    help="The client to configure.",
)
@click.option("--name", metavar="NAME", help="Name in the client (default: the server's own name).")
@click.option(
    "--env", "variables", metavar="NAME=VALUE", multiple=True, help="Environment variable for the server; repeatable."
)
@click.option(
    "--project",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Configure only this project (default for claude-code and vscode: the current folder).",
)
@click.option("--print", "only_print", is_flag=True, help="Print the configuration instead of writing it.")
def install(
    target: str, client_name: str, name: str | None, variables: Sequence[str], project: Path | None, only_print: bool
) -> None:
    """Add the server in FILE to the configuration of a client. It must load without an error first."""
    client = known_clients()[client_name]
    with terminal.stdout_kept_clean():
        loaded = load(target)
    entry = entry_of(target, loaded.file, client, variables)
    name = checked_name(name if name is not None else str(loaded.server.name))
    if only_print:
        click.echo(json.dumps({client.key: {name: entry}}, indent=2))
        return
    if project is None and client.user_file is None:
        project = Path.cwd()
    file = client.file(project)
    replaced = write_entry(file, client.key, name, entry)
    say(f"{client.title}: {'replaced' if replaced else 'added'} {name} in {file}", "bold")
    say(client.next_step)


def entry_of(target: str, file: Path | None, client: ClientProgram, variables: Sequence[str]) -> Json:
    """How the client starts the server: with this Python, in which the server has what it needs."""
    source, wanted = split(target)
    where = str(file) if file is not None else source
    entry: Json = {"type": "stdio"} if client.typed else {}
    entry |= {"command": sys.executable, "args": ["-m", "cloche", "run", f"{where}:{wanted}" if wanted else where]}
    if file is None:
        # A module is found from where it was found now.
        entry["env"] = {"PYTHONPATH": os.getcwd()}
    given = dict(_variable(text) for text in variables)
    if given:
        entry["env"] = entry.get("env", {}) | given
    return entry


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not name.replace("_", "a").isalnum() or name[0].isdigit():
        raise ConfigurationError(f"--env takes NAME=VALUE, and this is {shorten(shlex.quote(name))}")
    return name, value


def checked_name(name: str) -> str:
    """A name that clients take as a key and show."""
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise ConfigurationError(f"{shorten(name)!r} is no name for a server in a client: choose one with --name")
    return name


def write_entry(file: Path, key: str, name: str, entry: Json) -> bool:
    """Put the entry into the file beside what is there; whether it replaced one of the same name."""
    whole = read_config(file)
    servers = whole.setdefault(key, {})
    if not isinstance(servers, dict):
        raise ConfigurationError(f"{key!r} in {file} is no object: repair the file, or use --print and paste")
    before = servers.get(name)
    replaced = name in servers
    kept = before.get("env") if isinstance(before, dict) else None
    if isinstance(kept, dict):  # keys and the like, which somebody put there by hand
        entry = {**entry, "env": kept | entry.get("env", {})}
    servers[name] = entry
    _write(file, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    return replaced


def read_config(file: Path) -> Json:
    """What the file has; nothing when there is none. A file that is not plain JSON is left alone."""
    try:
        if file.stat().st_size > MAX_FILE:
            raise ConfigurationError(f"{file} is larger than {MAX_FILE >> 20} MB: use --print and paste")
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read ({type(error).__name__}): use --print and paste") from None
    if not text.strip():
        return {}
    try:
        whole = json.loads(text)
    except ValueError as error:
        raise ConfigurationError(
            f"{file} is not plain JSON ({shorten(str(error))}), perhaps it has comments: use --print and paste"
        ) from None
    if not isinstance(whole, dict):
        raise ConfigurationError(f"{file} holds no JSON object: repair the file, or use --print and paste")
    return whole


def _write(file: Path, text: str) -> None:
    """All of it or nothing: a client may read the file at any time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        target = file.resolve()  # a link stays one
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".cloche-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            if target.exists():
                os.chmod(temporary, target.stat().st_mode & 0o777)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be written ({error.strerror}): use --print and paste") from None
