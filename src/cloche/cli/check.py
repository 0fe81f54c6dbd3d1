"""`cloche check SERVER`: what is wrong with a server, in sentences, with the fix, and where its views render."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cloche import terminal
from cloche.cli.access import Access, Reached, access_options
from cloche.cli.call_progress import CallProgress
from cloche.cli.command_words import TakesCommand
from cloche.cli.completion import complete_files
from cloche.cli.loader import load
from cloche.cli.targets import DASHES, ServerWords, parse_server
from cloche.errors import ConfigurationError, shorten
from cloche.terminal import say

if TYPE_CHECKING:
    from cloche.check import Calls, Finding, LiveOptions, Report
    from cloche.testing.stories import StoryFile

FOUND = 1
"""The exit code when there is an error; warnings alone are no failure."""


@click.command(cls=TakesCommand, context_settings={"ignore_unknown_options": True})
@click.argument(
    "words",
    metavar="FILE[:OBJECT]|URL|FOLDER|-- COMMAND…",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=complete_files,
)
@click.option("--static", is_flag=True, help="Only read: no browser, no tool calls.")
@click.option("--call/--no-call", "call", default=None, help="Call every tool that has a view, or none.")
@click.option(
    "--profile", "hosts", metavar="NAME", multiple=True, help="Emulate only this host, such as chatgpt; repeatable."
)
@click.option("--host", "older_hosts", multiple=True, hidden=True)
@click.option(
    "--patience", metavar="SECONDS", type=click.FloatRange(0.1, 600), help="How long a view may take (default 3)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings, too.")
@click.option("--explain", metavar="CODE", help="Explain a finding, such as V06, and exit.")
@access_options
def check(
    words: Sequence[str],
    static: bool,
    call: bool | None,
    hosts: Sequence[str],
    older_hosts: Sequence[str],
    patience: float | None,
    as_json: bool,
    strict: bool,
    explain: str | None,
    access: Access,
) -> int:
    """Find what keeps a server's tools and views from working in hosts.

    Views run in a headless browser. To show them, cloche check calls the tools in your own file with made-up arguments,
    except those annotated as making changes. Tools behind a command or URL are called only if annotated as read-only.
    The stories in FILE's *.stories.toml are run as well. FOLDER is one that cloche build wrote: its page is opened.
    """
    if explain is not None:
        return explain_code(explain)
    if is_published(words):
        return report_on_published(words[0], call, as_json=as_json, strict=strict)
    named = parse_server(words, "check")
    access.check([named])
    from cloche.check import examine

    live = None if static else live_options(named, call, [*hosts, *older_hosts], patience)
    doing = "Reading the server …" if static else "Running the views …"
    folder = named.target.folder if named.target is not None else None
    with terminal.stdout_kept_clean(), CallProgress(doing) as progress:
        live = None if live is None else replace(live, progress=progress.update)
        given = server_of(named, access)
        found = asyncio.run(examine(given, live=live, folder=folder, stories=stories_of(named)))
    return report(" ".join(word for word in words if word != DASHES), found, as_json=as_json, strict=strict)


def is_published(words: Sequence[str]) -> bool:
    """Whether a folder is meant that `cloche build` wrote."""
    from cloche.browser.site import ABOUT

    return len(words) == 1 and os.path.isfile(os.path.join(words[0], ABOUT))


def report_on_published(folder: str, call: bool | None, *, as_json: bool, strict: bool) -> int:
    """Open the page of a published server; the exit code."""
    from cloche.check.published import PublishedOptions, check_published

    options = PublishedOptions(calls="read-only" if call is None else "all" if call else "no")
    with terminal.stdout_kept_clean(), CallProgress("Opening the page …"):
        found = asyncio.run(check_published(folder, options))
    return report(folder, found, as_json=as_json, strict=strict)


def report(name: str, found: Report, *, as_json: bool, strict: bool) -> int:
    """Print what was found; the exit code."""
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
    else:
        show(name, found)
    errors = sum(finding.rule.severity == "error" for finding in found.findings)
    return FOUND if errors or (strict and found.findings) else 0


def live_options(words: ServerWords, call: bool | None, hosts: Sequence[str], patience: float | None) -> LiveOptions:
    """Which tools are called, which hosts emulated, and how long is waited."""
    from cloche.check import LiveOptions
    from cloche.testing.profiles import PROFILES

    unknown = [name for name in hosts if name not in PROFILES]
    if unknown:
        raise ConfigurationError(f"no host {shorten(unknown[0])!r} is emulated: there are {', '.join(PROFILES)}")
    of_target: Calls = "own" if words.target is not None else "read-only"
    calls: Calls = of_target if call is None else "all" if call else "no"
    ready = LiveOptions(calls=calls, profiles=("strict", *hosts) if hosts else None)
    return ready if patience is None else replace(ready, patience=patience)


def server_of(words: ServerWords, access: Access) -> Any:
    """What a client connects to: an object of ours in this process, everything else as its users start it."""
    if words.target is not None:
        access.apply()
        loaded = load(words.target.text)
        if loaded.kind == "cloche":
            return loaded.server
    return Reached(words, access)


def stories_of(words: ServerWords) -> StoryFile | None:
    """The stories beside the server's file."""
    from cloche.testing.stories import StoryFile

    return StoryFile(words.target.file) if words.target is not None and words.target.file is not None else None


def explain_code(code: str) -> int:
    """What a finding means, as the documentation has it."""
    from cloche.check.findings import RULES, explanation

    rule = RULES.get(code.upper())
    if rule is None:
        raise ConfigurationError(f"there is no finding {shorten(code)!r}: there are {', '.join(RULES)}")
    terminal.report(f"{rule.code} {rule.severity}: {rule.title}", "bold")
    terminal.report(explanation(rule.code))
    return 0


def show(name: str, found: Report) -> None:
    """The report for people, on stdout; what could not be done, on stderr."""
    from cloche.check.table import lines_of

    for finding in found.findings:
        say_finding(finding)
    table = lines_of(found.verdicts)
    for line in table:
        terminal.report(line, "bold" if line is table[0] else "")
    for call in found.calls:
        terminal.report(call.sentence, "dim")
    for story in found.stories:
        terminal.report(story.sentence, "dim" if story.renders is not False else "red")
    for note in found.notes:
        say(note, "yellow")
    errors = sum(finding.rule.severity == "error" for finding in found.findings)
    warnings = len(found.findings) - errors
    if not found.findings:
        terminal.report(f"{name}: no problems found", "green")
    else:
        terminal.report(f"{name}: {_count(errors, 'error')}, {_count(warnings, 'warning')}", "bold")


def say_finding(finding: Finding) -> None:
    """One finding, in three lines."""
    colour = "red" if finding.rule.severity == "error" else "yellow"
    terminal.report(f"{finding.code} {finding.rule.severity}: {finding.where}: {finding.rule.title}", colour)
    terminal.report(f"    {finding.what}")
    terminal.report(f"    → {finding.fix}  ({finding.rule.more})")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
