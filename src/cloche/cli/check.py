"""`cloche check SERVER`: what is wrong with a server, in sentences, with the fix."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from cloche.check import Finding, check_server
from cloche.cli import terminal
from cloche.cli.loading import load
from cloche.errors import ConfigurationError, LoadError
from cloche.transports.http.serving.announcing import say

FOUND = 1
"""The exit code when there is an error; warnings alone are no failure."""


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("target", metavar="FILE[:OBJECT]|URL|-- COMMAND…", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
def check(target: Sequence[str], as_json: bool, strict: bool) -> int:
    """Look for what keeps a server's tools and views from working in hosts."""
    if not target:
        raise ConfigurationError("what is to be checked? cloche check server.py, a URL, or -- and a command")
    with terminal.stdout_kept_clean():
        findings = asyncio.run(check_server(server_of(target)))
    errors = sum(finding.rule.severity == "error" for finding in findings)
    if as_json:
        click.echo(json.dumps({"findings": [finding.as_json() for finding in findings]}, indent=2))
    else:
        report(" ".join(target), findings)
    return FOUND if errors or (strict and findings) else 0


def server_of(target: Sequence[str]) -> Any:
    """What a client connects to: an object of ours in this process, everything else as its users start it."""
    first = target[0]
    if first.partition("://")[0].lower() in ("http", "https", "ws", "wss"):
        if len(target) > 1:
            raise ConfigurationError("a URL is checked alone: leave out what follows it")
        return first
    if len(target) > 1:
        return list(target)
    try:
        loaded = load(first)
    except LoadError as error:
        if "there is no file" in str(error) and "." not in first:
            raise LoadError(f"{error}; a command goes after two dashes: cloche check -- {first} …") from None
        raise
    return loaded.server if loaded.kind == "cloche" else [sys.executable, "-m", "cloche", "run", first]


def report(name: str, findings: list[Finding]) -> None:
    """What people read."""
    for finding in findings:
        colour = "red" if finding.rule.severity == "error" else "yellow"
        say(f"{finding.code} {finding.rule.severity}: {finding.where}: {finding.rule.title}", colour)
        say(f"    {finding.what}")
        say(f"    → {finding.fix}  ({finding.rule.anchor})")
    errors = sum(finding.rule.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    if not findings:
        say(f"{name}: nothing found", "green")
    else:
        say(f"{name}: {_count(errors, 'error')}, {_count(warnings, 'warning')}", "bold")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
