"""`cloche check SERVER`: what is wrong with a server, in sentences, with the fix."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cloche.cli import terminal
from cloche.cli.dashes import TakesCommand
from cloche.cli.loading import load
from cloche.cli.targets import DASHES, ServerWords, parse_server
from cloche.transports.http.serving.announcing import say

if TYPE_CHECKING:
    from cloche.check import Finding

FOUND = 1
"""The exit code when there is an error; warnings alone are no failure."""


@click.command(cls=TakesCommand, context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="FILE[:OBJECT]|URL|-- COMMAND…", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
def check(words: Sequence[str], as_json: bool, strict: bool) -> int:
    """Look for what keeps a server's tools and views from working in hosts."""
    named = parse_server(words, "check")
    from cloche.check import check_server

    with terminal.stdout_kept_clean():
        findings = asyncio.run(check_server(server_of(named)))
    errors = sum(finding.rule.severity == "error" for finding in findings)
    if as_json:
        click.echo(json.dumps({"findings": [finding.as_json() for finding in findings]}, indent=2))
    else:
        report(" ".join(word for word in words if word != DASHES), findings)
    return FOUND if errors or (strict and findings) else 0


def server_of(words: ServerWords) -> Any:
    """What a client connects to: an object of ours in this process, everything else as its users start it."""
    if words.url is not None:
        return words.url
    if words.target is None:
        return list(words.command)
    loaded = load(words.target.text)
    return loaded.server if loaded.kind == "cloche" else words.process


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
