"""A server in, findings out."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from cloche.check.findings import Finding, place_of
from cloche.check.live import LiveOptions, Report, run_views
from cloche.check.server_survey import survey
from cloche.check.source_lines import Sources
from cloche.check.story_rules import check_stories, is_story, place_of_story, read_stories
from cloche.check.tool_rules import check_tools
from cloche.check.view_rules import check_views
from cloche.client import Client
from cloche.errors import McpError, TransportError, shorten
from cloche.testing.stories import StoryFile
from cloche.testing.tool_view import EXTENSION

SECONDS = 30.0
"""From the first word to the last page."""

EXPLAINED = {"L01": ("V03", "V07", "V08", "V13", "V16"), "L07": ("V16",), "L14": ("V07",)}
"""Findings of running views that one of reading them has told already, with its fix."""

SAME_FIX = ("V06", "L04", "V20")
"""They say which origin to allow, or which name to correct, and one of them is enough."""

CONFIRMED = {"V10": "L06"}
"""Guesses of reading that running made certain."""


async def check_server(target: Any) -> list[Finding]:
    """What is wrong with a server as far as reading tells: an object, a command as a list, or a URL. Errors first."""
    return (await examine(target, live=None)).findings


async def examine(
    target: Any, *, live: LiveOptions | None, folder: Path | None = None, stories: StoryFile | None = None
) -> Report:
    """Everything about a server; with `live` its views and stories are run. The author's files are looked for in
    `folder`.
    """
    sources = Sources(folder)
    told, unreadable = read_stories(stories) if stories is not None else ([], [])
    report = Report()
    seconds = SECONDS if live is None else max(SECONDS, 4 * live.patience)  # whoever is patient is so with servers, too
    try:
        async with asyncio.timeout(seconds) as deadline, Client(target, capabilities=EXTENSION) as client:
            found = await survey(client.request)
            report.findings = [*check_views(found, sources), *check_tools(found)]
            report.findings += [*unreadable, *check_stories(told, found.tools)]
            if live is not None:
                deadline.reschedule(None)  # views have deadlines of their own
                ran = await run_views(client, found, sources, live, told)
                by_tool = {view.tool: view.uri for view in found.views}
                pages = {place_of(tool): uri for tool, uri in by_tool.items()}
                pages |= {place_of_story(one.name): by_tool[one.tool] for one in told if one.tool in by_tool}
                ran.findings = merged(report.findings, ran.findings, pages)
                report = ran
    except TimeoutError:
        report.findings = [_silent(f"It did not answer everything within {seconds:g} s.")]
    except (McpError, TransportError) as error:
        report.findings = [_silent(_wants_token(error) or f"It could not be asked: {shorten(str(error), 300)}")]
    report.findings.sort(key=lambda one: one.rule.severity)
    return report


def merged(read: list[Finding], ran: list[Finding], pages: dict[str, Any]) -> list[Finding]:
    """Findings of reading and of running, each matter once; `pages` says which tools share a page."""

    def about(one: Finding, code: str) -> tuple[Any, str]:
        return pages.get(one.where, one.where), code

    certain = {about(one, one.code) for one in ran}
    kept = [one for one in read if about(one, CONFIRMED.get(one.code, "")) not in certain]
    known = {about(one, one.code) for one in kept}
    told = {(pages.get(one.where), one.fix if one.code in SAME_FIX else one.what) for one in kept}
    for one in ran:
        matter = (pages.get(one.where), one.fix if one.code in SAME_FIX else one.what)
        if matter not in told and not any(about(one, code) in known for code in EXPLAINED.get(one.code, ())):
            if not is_story(one.where):  # two stories may fail in the same way, each for its own reason
                told.add(matter)
            kept.append(one)
    return kept


def _wants_token(error: McpError | TransportError) -> str | None:
    data = error.data if isinstance(error, McpError) else None
    refused = isinstance(data, dict) and data.get("status") == 401
    return "It wants a token: set CLOCHE_TOKEN, or add --token or --header." if refused else None


def _silent(what: str) -> Finding:
    return Finding("S01", "server", what)
