"""Rules about views that ran: what the browser and the host saw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cloche.check.browser_run import Rendering
from cloche.check.csp_reach import allowing, origin_of
from cloche.check.findings import Finding, place_of
from cloche.check.server_survey import Json, ViewOfTool
from cloche.check.source_lines import Sources, line_with, quoted
from cloche.errors import shorten
from cloche.host.relaxations import relaxing
from cloche.testing.records import ConsoleLine, ScriptError, Size, Violation

SHOWN = 3
"""Findings of one rule that are spelled out for one view."""

FLAT = 8
"""Pixels below which a view is not there."""

STORAGE = re.compile(r"localStorage|sessionStorage|indexedDB|IDBFactory|cookie|caches|allow-same-origin")
DIRECTIVES = {"connect-src": "connectDomains", "frame-src": "frameDomains", "base-uri": "baseUriDomains"}
RESOURCES = ("script-src", "style-src", "img-src", "font-src", "media-src")
REFUSED_CODE = re.compile(r"'unsafe-eval'|call to (?:eval|Function)\(\) blocked")
SAID_ALREADY = re.compile(r"Content Security Policy|violates the following|net::ERR_BLOCKED_BY_CSP")
"""Lines of the console that repeat a violation."""

OTHERS = re.compile(r"_meta\.ui: |the host's page failed")
"""Problems that V05 tells, or that are not the view's."""


def check_rendering(view: ViewOfTool, seen: Rendering, sources: Sources) -> Iterator[Finding]:
    """Everything that a strict host saw go wrong."""
    where = place_of(view.tool)
    if seen.failure:
        what = f"It did not finish the handshake within {seen.patience:g} s: {shorten(seen.failure, 300)}"
        yield Finding("L01", where, what)
    yield from _errors(view, seen, where, sources)
    yield from _violations(view, seen, where, sources)
    yield from _elsewhere(seen, where)
    yield from _protocol(seen, where)
    if not seen.failure:
        yield from _look(seen, where)


def _errors(view: ViewOfTool, seen: Rendering, where: str, sources: Sources) -> Iterator[Finding]:
    errors: list[ScriptError] = list(dict.fromkeys(seen.record.all("error")))
    refused = [error for error in errors if is_storage(error)]
    if refused:
        yield Finding("L06", where, f"{_thrown_at(refused[0], view, sources)}: {shorten(refused[0], 200)}")
    for error in [error for error in errors if not is_storage(error)][:SHOWN]:
        what = f"{_thrown_at(error, view, sources)}: {shorten(error, 300)}"
        fix = relax_fix("unsafe-eval") if is_refused_code(error) else ""
        yield Finding("L02", where, what, fix)
    lines: list[ConsoleLine] = seen.record.all("console")
    said = dict.fromkeys(line.text for line in lines if line.kind == "error" and not SAID_ALREADY.search(line.text))
    for text in list(said)[:SHOWN]:
        yield Finding("L03", where, f"The console says: {shorten(text, 300)}")


def _thrown_at(error: ScriptError, view: ViewOfTool, sources: Sources) -> str:
    return f"{sources.place(view.html, error.line)}{quoted(view.html, error.line)} threw this, and nobody caught it"


def is_storage(error: str) -> bool:
    """Whether an exception is the browser's answer to a page without an origin that wants storage."""
    denied = "SecurityError" in error or "sandboxed" in error or "Access is denied" in error or "denied" in error
    return denied and STORAGE.search(error) is not None


def _violations(view: ViewOfTool, seen: Rendering, where: str, sources: Sources) -> Iterator[Finding]:
    told: set[tuple[str, str]] = set()
    for violation in seen.record.all("violation"):
        directive = re.sub(r"-(?:elem|attr)$", "", violation.directive)
        # Libraries try eval and go on without it; one that cannot has thrown, or shows what it was told.
        key = (directive, target_of(violation))
        is_harmless = violation.blocked == "eval" and not is_refused_code(seen.text)
        if is_harmless or key in told or len(told) == 2 * SHOWN:
            continue
        told.add(key)
        line = line_of(violation, view.html)
        place = sources.place(view.html, line)
        what = f"{place}{quoted(view.html, line)}: {directive} forbids {shorten(violation.blocked, 100)}."
        yield Finding("L04", where, what, admitting(directive, violation.blocked))


def line_of(violation: Violation, page: str) -> int:
    """Chromium knows the line of a script that asked, and none for elements: there the address stands in the page."""
    if violation.source.startswith("about") and violation.line:
        return violation.line
    target = target_of(violation)
    return line_with(page, violation.blocked) or line_with(page, target) or line_with(page, target.partition("//")[2])


def target_of(violation: Violation) -> str:
    """The origin that was blocked, or the browser's word for what has none."""
    return origin_of(violation.blocked) if "://" in violation.blocked else violation.blocked


def admitting(directive: str, blocked: str) -> str:
    """What to declare so that a directive admits an address."""
    word = relaxing(directive, blocked)
    if word is not None:
        return relax_fix(word)
    name = DIRECTIVES.get(directive) or ("resourceDomains" if directive in RESOURCES else None)
    if name is None or "://" not in blocked:
        return "No list of the CSP allows this: leave it out, or put it into the page as data: or inline."
    return allowing(origin_of(blocked), name)


def relax_fix(word: str) -> str:
    """What to do about something that only a product can allow."""
    return f'Do without it: strict hosts refuse it. A product of yours can allow it: Policy(relax={{"…": ["{word}"]}}).'


def is_refused_code(text: str) -> bool:
    """Whether a text is the browser's answer to code made of text."""
    return REFUSED_CODE.search(text) is not None


def _elsewhere(seen: Rendering, where: str) -> Iterator[Finding]:
    origins: dict[str, str] = {}
    let_through = set(seen.record.all("request"))
    for url, kind in seen.loads:
        if kind in ("script", "link", "css") and url in let_through:
            origins.setdefault(origin_of(url), url)
    for origin, url in list(origins.items())[:SHOWN]:
        broken = f"is broken wherever {origin} cannot be reached or is not let through"
        yield Finding("L05", where, f"It loaded {shorten(url, 100)}, and {broken}.")


def _protocol(seen: Rendering, where: str) -> Iterator[Finding]:
    for problem in list(dict.fromkeys(seen.record.all("problem")))[:SHOWN]:
        if not OTHERS.match(problem):
            yield Finding("L14", where, f"{shorten(str(problem), 300)}.")


def _look(seen: Rendering, where: str) -> Iterator[Finding]:
    size: Size | None = seen.record.last("size")
    if seen.is_blank:
        yield Finding(
            "L07", where, "After its input and result there was neither text nor a picture nor a control in it."
        )
    elif size is not None and size.height is not None and size.height < FLAT:
        yield Finding(
            "L12", where, f"It told the host a height of {size.height:g} px, and hosts follow: nobody sees it."
        )
    if seen.is_waiting and seen.record.all("result"):
        yield Finding("L13", where, f"It has its result, and still says {shorten(seen.text, 60)!r}.")
    if seen.is_restless:
        yield Finding("L11", where, "It keeps telling the host new heights, because each one changes the next.")


def check_result(tool: Json, result: Json) -> Iterator[Finding]:
    """What is wrong with a tool's result, for hosts that look at it."""
    where = place_of(tool.get("name"))
    structured = result.get("structuredContent")
    if result.get("isError") is True:
        return
    if not has_text(result.get("content")):
        if structured:
            what = "The result has structuredContent and no text: models and hosts that read only text get nothing."
            yield Finding("L09", where, what)
        else:
            yield Finding("L08", where, "The result has no text, and a host without views has nothing else to show.")
    if isinstance(tool.get("outputSchema"), dict) and structured is None:
        what = "It has an outputSchema, and its result has no structuredContent: clients refuse the whole result."
        yield Finding("L10", where, what)


def has_text(content: Any) -> bool:
    """Whether something in it can be read, or stands for something that can."""
    if not isinstance(content, list):
        return False
    kinds = ("image", "audio", "resource", "resource_link")
    return any(
        isinstance(one, dict)
        and (bool(str(one.get("text") or "").strip()) if one.get("type") == "text" else one.get("type") in kinds)
        for one in content
    )
