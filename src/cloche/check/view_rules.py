"""Rules about views: why a host shows nothing, or something broken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cloche.check.csp_reach import LISTS, OURS, allowing, covers, origin_of, sources
from cloche.check.findings import Finding, place_of
from cloche.check.page import Load, Reading, read_page
from cloche.check.server_survey import Json, Survey, ViewOfTool
from cloche.check.source_lines import Sources
from cloche.errors import shorten
from cloche.host.tool_names import meant
from cloche.wire.apps.metadata import PERMISSIONS, RESOURCE_URI_META_KEY, TEMPLATE_META_KEY, named_view, visibility
from cloche.wire.apps.mime import RESOURCE_MIME_TYPE, is_profile_mime_type

LARGE = 2_000_000
"""Characters of a page after which it is noticed how long it takes."""

SHOWN = 3
"""Findings of one kind that are spelled out for one page."""

STORAGE = re.compile(
    r"(?<![\w$'\"`.])(?:(?:window|self|globalThis)\.)?(?:(?:localStorage|sessionStorage)\s*[.\[]|indexedDB\s*\.\s*open)"
    r"|\b(?:window|self|globalThis)\.(?:localStorage|sessionStorage|indexedDB)\b|\bdocument\.cookie\b"
)
"""Used, not named: bundles have lists of such words."""
FROM_TEXT = re.compile(r"\beval\s*\(|\bnew Function\s*\(|\bset(?:Timeout|Interval)\s*\(\s*['\"]")
DIALOGS = re.compile(
    r"(?<![\w.$])(?:alert|confirm|prompt|print)\s*\(\s*['\"`]|\bwindow\.(?:open|alert|confirm|prompt)\s*\("
)
HANDSHAKE = re.compile(r"ui/initialize|window\.openai|\bopenai\.")

LOCAL = re.compile(r"(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|10\.[\d.]+|192\.168\.[\d.]+|[^.]+\.local)(?::\d+)?")
CLAUDE_DOMAIN = re.compile(r"[0-9a-f]{32}\.claudemcpcontent\.com")


def check_views(found: Survey, files: Sources) -> Iterator[Finding]:
    """Every rule about views; a page that serves several tools is looked at once."""
    seen: set[object] = set()
    tools = {str(tool.get("name")): tool for tool in found.tools}
    for tool in found.tools:
        yield from _template(tool)
    for view in found.views:
        where = place_of(view.tool)
        yield from _link(tools.get(view.tool, {}), view, where)
        if view.uri in seen:
            continue
        seen.add(view.uri)
        yield from _resource(view, where, files)
        for line, name in read_page(view.html).calls:
            yield from wrong_call(name, f"{files.place(view.html, line)} calls", where, found.tools)


def wrong_call(name: str, who: str, where: str, tools: list[Json]) -> Iterator[Finding]:
    """A tool that a view wants to call and cannot; `who` is the beginning of the sentence."""
    usable = [str(tool.get("name")) for tool in tools if "app" in visibility(tool)]
    if name in usable:
        return
    hidden = any(tool.get("name") == name for tool in tools)
    why = "is for the model alone" if hidden else "the server does not have"
    fix = f"Correct the name {shorten(name)!r} ({meant(name, usable)})."
    if hidden:
        fix = f'Add "app" to the visibility of {shorten(name)!r}.'
    yield Finding("V20", where, f"{who} the tool {shorten(name)!r}, which {why}.", fix)


def _template(tool: Json) -> Iterator[Finding]:
    meta = tool.get("_meta")
    if isinstance(meta, dict) and TEMPLATE_META_KEY in meta and named_view(tool) is None:
        what = f"The view is named by _meta[{TEMPLATE_META_KEY!r}] alone, which only ChatGPT reads."
        yield Finding("V17", place_of(tool.get("name")), what)


def _link(tool: Json, view: ViewOfTool, where: str) -> Iterator[Finding]:
    meta = tool.get("_meta") or {}
    said = meta.get("ui")
    ui: Json = said if isinstance(said, dict) else {}
    lost = [name for name in ("csp", "permissions", "domain", "prefersBorder") if name in ui]
    if lost:
        what = f"_meta.ui.{lost[0]} is on the tool, and hosts read it from the resource: it has no effect."
        fix = f"Put {lost[0]} into the _meta.ui of the resource; with Cloche: View(…, {lost[0]}=…)."
        yield Finding("V04", where, what, fix)
    if "resourceUri" not in ui and RESOURCE_URI_META_KEY in meta:
        what = f"The view is named by _meta[{RESOURCE_URI_META_KEY!r}] alone, which newer hosts need not read."
        yield Finding("V15", where, what)
    if not isinstance(view.uri, str) or not view.uri.startswith("ui://"):
        yield Finding("V02", where, f"The view's address is {shorten(repr(view.uri), 80)}.")


def _resource(view: ViewOfTool, where: str, files: Sources) -> Iterator[Finding]:
    if not isinstance(view.uri, str) or not view.uri.startswith("ui://"):
        return
    if view.problem is not None:
        yield Finding("V01", where, f"{shorten(view.uri)} cannot be read: {view.problem}")
        return
    if len(view.contents) != 1:
        yield Finding("V08", where, f"{shorten(view.uri)} has {len(view.contents)} contents.")
        if not view.contents:
            return
    kind = view.contents[0].get("mimeType")
    if not is_profile_mime_type(kind if isinstance(kind, str) else None):
        what = f"{shorten(view.uri)} is {shorten(repr(kind), 60)}, and hosts show only {RESOURCE_MIME_TYPE}."
        yield Finding("V03", where, what)
    yield from check_page(view, files)


def check_page(view: ViewOfTool, files: Sources) -> Iterator[Finding]:
    """The rules about the page of a view and what it declares, wherever the page comes from."""
    where = place_of(view.tool)
    yield from _policy(view, where)
    yield from _page(view, where, files)


def _policy(view: ViewOfTool, where: str) -> Iterator[Finding]:
    csp = view.ui.get("csp")
    for name in OURS:
        for entry, why in sources(csp, name)[1][:SHOWN]:
            what = f"_meta.ui.csp.{name} has {shorten(repr(entry), 60)}, which hosts drop: {shorten(why, 200)}"
            yield Finding("V05", where, what)
    yield from _reach(view, where)
    permissions = view.ui.get("permissions")
    for name in permissions if isinstance(permissions, dict) else {}:
        if name not in PERMISSIONS:
            yield Finding("V14", where, f"There is no permission {shorten(str(name))!r}.")


def _reach(view: ViewOfTool, where: str) -> Iterator[Finding]:
    csp = view.ui.get("csp")
    own = [entry for name in OURS for entry in sources(csp, name)[0] if LOCAL.fullmatch(entry.partition("://")[2])]
    if own:
        what = f"_meta.ui.csp has {shorten(own[0], 60)}, which is another machine for everybody else."
        yield Finding("V19", where, what)
    domain = view.ui.get("domain")
    if domain is not None:
        fits = isinstance(domain, str) and CLAUDE_DOMAIN.fullmatch(domain) is not None
        why = "only Claude knows such names" if fits else "Claude refuses all but {hash}.claudemcpcontent.com"
        yield Finding("V18", where, f"_meta.ui.domain is {shorten(repr(domain), 60)}, and {why}.")


def _page(view: ViewOfTool, where: str, files: Sources) -> Iterator[Finding]:
    html = view.html
    page = read_page(html)
    if not page.scripts and not page.loads and not page.has_text:
        yield Finding("V16", where, f"{shorten(view.uri)} is a page with nothing in it.")
        return
    if len(html) > LARGE:
        yield Finding("V09", where, f"The page has {len(html):,} characters.")
    yield from _loads(page, view, where, files)
    yield from _code(page, where)


def _loads(page: Reading, view: ViewOfTool, where: str, files: Sources) -> Iterator[Finding]:
    csp = view.ui.get("csp")
    relative = [load for load in page.loads if load.is_relative] if not page.has_base else []
    for load in relative[:SHOWN]:
        loads = f"{files.place(view.html, load.line)} loads {shorten(load.url, 80)!r}"
        yield Finding("V07", where, f"{loads}, and a view has no folder: nothing is beside it.")
    blocked: dict[tuple[str, str], Load] = {}
    for load in page.loads:
        name = LISTS.get(load.kind)
        if load.is_external and (name is None or not covers(sources(csp, name)[0], load.url)):
            blocked.setdefault((origin_of(load.url), load.kind), load)
    for (origin, kind), load in list(blocked.items())[: 2 * SHOWN]:
        what = f"{files.place(view.html, load.line)} needs {shorten(load.url, 80)} ({kind}), and the CSP blocks it."
        fix = allowing(origin, LISTS[kind]) if kind in LISTS else "No host allows this: leave it out."
        yield Finding("V06", where, what, fix)


def _code(page: Reading, where: str) -> Iterator[Finding]:
    code, written = page.code, page.written_code
    if not HANDSHAKE.search(code) and not any(load.kind == "script" for load in page.loads):
        yield Finding(
            "V13", where, "The page never says ui/initialize, so hosts send it nothing, and some take it away."
        )
    for rule, pattern, what in (
        ("V10", STORAGE, "uses {}, and most hosts show views in a frame without an origin, where that throws"),
        ("V11", FROM_TEXT, "has {}, and strict hosts forbid code that is made from text"),
        ("V12", DIALOGS, "has {}, and a view's frame may open neither windows nor dialogs"),
    ):
        found = pattern.search(code if rule == "V10" else written)
        if found is not None:
            text = what.format(shorten(_called(found[0].rstrip(".[ ")), 40))
            yield Finding(rule, where, f"The page {text}.")


def _called(code: str) -> str:
    """Code with nothing in its parentheses."""
    name, called, _ = code.partition("(")
    return f"{name.rstrip()}(…)" if called else name
