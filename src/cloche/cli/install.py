"""`cloche install FILE --client NAME` and `cloche uninstall`: a server in the configuration file of a client."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from cloche import terminal
from cloche.cli.client_config import ClientConfig
from cloche.cli.clients import ClientProgram, known_clients
from cloche.cli.completion import complete_files
from cloche.cli.loader import load
from cloche.cli.targets import split
from cloche.cli.toml_edits import with_table
from cloche.cli.words import meant
from cloche.errors import ConfigurationError, shorten
from cloche.terminal import report

Json = dict[str, Any]

client_option = click.option(
    "--client",
    "client_name",
    type=click.Choice(list(known_clients())),
    required=True,
    help="The client to configure.",
)
project_option = click.option(
    "--project",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Configure only this project (default for claude-code and vscode: the current folder).",
)


@click.command()
@click.argument("target", metavar="FILE[:OBJECT]", shell_complete=complete_files)
@client_option
@click.option("--name", metavar="NAME", help="Name in the client (default: the server's own name).")
@click.option(
    "--env", "variables", metavar="NAME=VALUE", multiple=True, help="Environment variable for the server; repeatable."
)
@project_option
@click.option("--user", is_flag=True, help="Configure all projects (for vscode).")
@click.option("--print", "only_print", is_flag=True, help="Print the configuration instead of writing it.")
def install(
    target: str,
    client_name: str,
    name: str | None,
    variables: Sequence[str],
    project: Path | None,
    user: bool,
    only_print: bool,
) -> None:
    """Add the server in FILE to the configuration of a client. It must load without an error first.

    Everything else in the client's file stays as it is, comments included, and a copy of the file is kept beside it.
    """
    client = known_clients()[client_name]
    with terminal.stdout_kept_clean():
        loaded = load(target)
    entry = entry_of(target, loaded.file, client, variables)
    name = checked_name(name if name is not None else str(loaded.server.name))
    file = client.file(chosen_project(client_name, client, project, user))
    if only_print:
        if file.suffix == ".toml":
            click.echo(with_table("", (client.key, name), entry).rstrip("\n"))
        else:
            click.echo(json.dumps({client.key: {name: entry}}, indent=2))
        return
    config = ClientConfig(file, client.key)
    before = config.servers.get(name)
    kept = before.get("env") if isinstance(before, dict) else None
    if isinstance(kept, dict):  # keys and the like, which somebody put there by hand
        entry = {**entry, "env": kept | entry.get("env", {})}
    if before == entry:
        report(f"{client.title}: {name} is in {file} already, as it should be", "bold")
        return
    replaced = config.set(name, entry)
    report(f"{client.title}: {'replaced' if replaced else 'added'} {name} in {file}", "bold")
    _tell_backup(config)
    report(client.next_step)


@click.command()
@click.argument("name", metavar="NAME|FILE")
@client_option
@project_option
@click.option("--user", is_flag=True, help="Configure all projects (for vscode).")
def uninstall(name: str, client_name: str, project: Path | None, user: bool) -> None:
    """Take a server out of the configuration of a client, by its name there or by its file."""
    client = known_clients()[client_name]
    file = client.file(chosen_project(client_name, client, project, user))
    config = ClientConfig(file, client.key, "take it out by hand")
    found = name if name in config.servers else next(iter(_of_file(name, config.servers)), None)
    if found is None:
        hint = meant(name, config.servers)
        raise ConfigurationError(f"{client.title} has no server {shorten(name)!r} in {file}: {hint}")
    config.remove(found)
    report(f"{client.title}: removed {found} from {file}", "bold")
    _tell_backup(config)


def chosen_project(name: str, client: ClientProgram, project: Path | None, user: bool) -> Path | None:
    """The project whose file is meant; the current folder for clients that are used by project."""
    if project is not None and user:
        raise ConfigurationError("--project is one project and --user all of them: choose one")
    if project is None and not user and (client.user_file is None or name == "vscode"):
        return Path.cwd()
    return project


def _of_file(text: str, servers: Json) -> list[str]:
    """The servers that run a file, whatever they are called."""
    path = str(Path(text).resolve())
    found = []
    for name, entry in servers.items():
        words = entry.get("args") if isinstance(entry, dict) else None
        last = str(words[-1]) if isinstance(words, list) and words else ""
        if last == path or last.startswith(f"{path}:"):
            found.append(name)
    return found


def _tell_backup(config: ClientConfig) -> None:
    if config.backup.exists():
        report(f"As it was before: {config.backup}", "dim")


def entry_of(target: str, file: Path | None, client: ClientProgram, variables: Sequence[str]) -> Json:
    """How the client starts the server: with this Python, in which the server has what it needs."""
    source, wanted = split(target)
    where = str(file) if file is not None else source
    words = ["-m", "cloche", "run", f"{where}:{wanted}" if wanted else where]
    entry: Json = {**client.extra, "command": sys.executable, "args": words}
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
        raise ConfigurationError(f"{shorten(name)!r} is not a name for a server in a client: choose one with --name")
    return name
