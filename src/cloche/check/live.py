"""Views at work: the tools that may be called are called once, and their views opened in every emulated host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cloche.check.browser_run import HANDSHAKE_SECONDS, HowToRender, render
from cloche.check.call_permission import Call, Calls, plan_call, why_not
from cloche.check.findings import Finding, place_of
from cloche.check.live_rules import check_rendering, check_result
from cloche.check.server_survey import Json, Survey, ViewOfTool
from cloche.check.source_lines import Sources
from cloche.check.stand_in import StandIn
from cloche.check.story_rules import MAX_RUN, StoryRun, place_of_story
from cloche.check.table import Verdict, judge
from cloche.check.tracebacks import exceptions_of_tools
from cloche.check.view_rules import check_page, wrong_call
from cloche.client import Client
from cloche.errors import ConfigurationError, McpError, MissingExtraError, ToolError, TransportError, shorten
from cloche.testing.browser import Chromium
from cloche.testing.profiles import PROFILES
from cloche.testing.stories import Story
from cloche.wire.apps.metadata import embedded_view, view_uri, visibility

if TYPE_CHECKING:
    from playwright.async_api import Browser

AT_ONCE = 2
MAX_VIEWS = 20
"""Tools whose views are opened."""


@dataclass(frozen=True)
class LiveOptions:
    """How views are run."""

    calls: Calls = "read-only"
    profiles: Sequence[str] | None = None
    """Which hosts are emulated; all of them unless named. Findings come from "strict"."""
    patience: float = HANDSHAKE_SECONDS
    """Seconds that a view may take until it has said hello."""
    look: float | None = None
    """Seconds after that in which something must be seen; as many, unless given."""
    responses: dict[str, Any] = field(default_factory=dict)
    """What stands at addresses outside, by address, instead of the real thing."""
    chromium: Chromium | None = None
    """A browser that runs already; unless given, one is started and ended."""
    progress: Callable[[float, float | None, str | None], None] = lambda *_: None
    """Told how many views were run, of how many, and of which tool the last one was."""


@dataclass
class Report:
    """What there is to say about a server, or about some of its views at work."""

    findings: list[Finding] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    """Will it render in …; empty when views were not run."""
    calls: list[Call] = field(default_factory=list)
    stories: list[StoryRun] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was not done, and how it can be."""

    def as_json(self) -> Json:
        """For programs."""
        return {
            "findings": [finding.as_json() for finding in self.findings],
            "renders": [verdict.as_json() for verdict in self.verdicts],
            "calls": [call.as_json() for call in self.calls],
            "stories": [story.as_json() for story in self.stories],
            "notes": self.notes,
        }

    def add(self, other: Report) -> None:
        """Take over what was found of some views."""
        self.findings += other.findings
        self.verdicts += other.verdicts
        self.calls += other.calls
        self.stories += other.stories


async def run_views(
    client: Client, found: Survey, sources: Sources, options: LiveOptions, stories: Sequence[Story] = ()
) -> Report:
    """Open every view that a host would open, and every story."""
    report = Report()
    tools = {str(tool.get("name")): tool for tool in found.tools}
    views = [view for view in found.views if _is_opened(tools.get(view.tool, {}), view)]
    chromium = options.chromium or Chromium()
    server = StandIn(client, found, lambda tool: why_not(tool, options.calls))
    try:
        embedded = await _embedded(server, found, options.calls)
        for page in embedded:
            report.findings += check_page(page, sources)
        views += embedded
        if len(views) > MAX_VIEWS:
            report.notes.append(f"{len(views)} tools have views; those of the first {MAX_VIEWS} were run.")
        if len(stories) > MAX_RUN:
            report.notes.append(f"There are {len(stories)} stories; the first {MAX_RUN} were run.")
        if not views and not stories:
            return report
        browser = await _started(chromium)
        look = options.patience if options.look is None else options.look
        how = HowToRender(browser, server, asyncio.Semaphore(AT_ONCE), options.patience, look, options.responses)
        with exceptions_of_tools(sources.folder) as raised:
            async with asyncio.TaskGroup() as group:
                runs = [group.create_task(_run(how, tools, view, options, sources)) for view in views[:MAX_VIEWS]]
                told = [story for story in stories[:MAX_RUN] if story.tool in tools]
                runs += [group.create_task(_run_story(how, tools, views, story, options, sources)) for story in told]
                names = [*(view.tool for view in views[:MAX_VIEWS]), *(story.name for story in told)]
                _tell_progress(runs, names, options)
        for run in runs:
            report.add(run.result())
        report.findings += raised
    except (ConfigurationError, MissingExtraError) as error:
        report.notes.append(f"The views were not run: {error}")
    finally:
        await server.close()
        if options.chromium is None:
            await chromium.close()
    return report


def _tell_progress(runs: Sequence[asyncio.Task[Report]], names: Sequence[str], options: LiveOptions) -> None:
    """Say how many are done, whenever one is."""
    options.progress(0, len(runs), None)
    for run, name in zip(runs, names, strict=True):
        run.add_done_callback(
            lambda _, name=name: options.progress(sum(one.done() for one in runs), len(runs), name)  # type: ignore[misc]
        )


async def _started(chromium: Chromium) -> Browser:
    try:
        return await chromium.browser()
    except (ConfigurationError, MissingExtraError):
        raise
    except Exception as error:  # whatever a browser raises that is there and does not start
        first = str(error).strip().partition("\n")[0]
        raise ConfigurationError(f"the browser does not start: {shorten(first, 200)}") from None


def _is_opened(tool: Json, view: ViewOfTool) -> bool:
    """Whether there is a page, and a model that may call the tool it belongs to."""
    return bool(view.contents) and view.problem is None and "model" in visibility(tool)


async def _embedded(server: StandIn, found: Survey, calls: Calls) -> list[ViewOfTool]:
    """The pages inside the results of tools that name no view. Nobody expects those tools to be called, so of one's own
    tools, too, only those that say they only read are.
    """
    pages = []
    tools = [tool for tool in found.tools if view_uri(tool, None, openai=True) is None and "model" in visibility(tool)]
    plans = [plan_call(tool, "read-only" if calls == "own" else calls) for tool in tools]
    for call in [plan for plan in plans if plan.was_called][:MAX_VIEWS]:
        page = embedded_view((await _called(server, call))[1] or {})
        if page is not None:
            pages.append(ViewOfTool(call.tool, page["uri"], contents=[page]))
    return pages


async def _run(
    how: HowToRender, tools: dict[str, Json], view: ViewOfTool, options: LiveOptions, sources: Sources
) -> Report:
    report = Report()
    tool = tools[view.tool]
    call = plan_call(tool, options.calls)
    if call.was_called:
        call, result = await _called(how.server, call)
        report.findings += check_result(tool, result or {"isError": True})
    report.calls.append(call)
    names = dict.fromkeys(options.profiles or PROFILES)
    for rendering in await asyncio.gather(*(render(how, call, name) for name in names)):
        if rendering.profile == "strict":
            report.findings += check_rendering(view, rendering, sources)
            for name in rendering.tools:
                report.findings += wrong_call(name, "data-tool names", place_of(view.tool), list(tools.values()))
        report.verdicts.append(judge(view.tool, rendering))
    return report


async def _run_story(
    how: HowToRender,
    tools: dict[str, Json],
    views: list[ViewOfTool],
    story: Story,
    options: LiveOptions,
    sources: Sources,
) -> Report:
    """Call the tool as the story says, or take the result that it recorded, and open the view in its host."""
    tool, place = tools[story.tool], place_of_story(story.name)
    call = Call(story.tool, story.arguments, was_called=True)
    if story.result is None:
        refusal = why_not(tool, options.calls)
        if refusal is not None:
            return Report(stories=[StoryRun(story, None, f"{refusal}; record its result in the story")])
        call, result = await _called(how.server, call)
        if result is None:
            return Report([Finding("S02", place, f"The call failed: {call.note}")], stories=[StoryRun(story, False)])
    else:
        result = story.result
    report = Report([replace(one, where=place) for one in check_result(tool, result)])
    view = next((one for one in views if one.tool == story.tool), None)
    if view is None:
        return replace(report, stories=[StoryRun(story, None, call.note or "its tool has no view")])
    seen = await render(how, call, **story.options)
    verdict = judge(story.tool, seen)
    if story.profile == "strict":
        report.findings += [replace(one, where=place) for one in check_rendering(view, seen, sources)]
    elif not verdict.renders:
        report.findings.append(Finding("S03", place, f"In {PROFILES[story.profile].title}: {verdict.reason}"))
    return replace(report, stories=[StoryRun(story, verdict.renders, verdict.reason or call.note)])


async def _called(server: StandIn, call: Call) -> tuple[Call, Json | None]:
    """Call the tool once; every profile gets the same result."""
    try:
        result = await server.call(call.tool, call.arguments)
    except (McpError, TransportError, ToolError) as error:
        return replace(call, was_called=False, note=f"it failed: {shorten(str(error), 150)}"), None
    if result.get("isError") is True:
        return replace(call, note="it answered with an error, so these arguments do not suit it"), result
    return call, result
