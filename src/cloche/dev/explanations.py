"""Why a view is blank: what a browser and a host report, in sentences with a fix and the author's own line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloche.check.csp_reach import covers
from cloche.check.findings import RUNTIME, Finding, place_of
from cloche.check.live_rules import SAID_ALREADY, admitting, is_refused_code, is_storage, relax_fix
from cloche.check.source_lines import Sources, line_with, quoted
from cloche.errors import shorten
from cloche.problems import Problem
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView

MAX_TOLD, MAX_VIEWS = 100, 100
"""Matters of one view that are told, and views of which it is known what was told."""


class Explainer:
    """Explains what went wrong in views. One matter of one view is told once."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = dict(folders)
        self._told: dict[str, set[tuple[str, str]]] = {}

    def event(self, what: str, body: Any, view: MountedView) -> Json | None:
        """What a page reported of a view: a violation, an error, a line of its console."""
        explain = {"violation": self._violation, "error": self._error, "console": self._console}.get(what)
        if explain is None or not isinstance(body, dict):
            return None
        found = explain(body, ViewPage(view, Sources(self._folders.get(view.server))))
        if found is None:
            return None
        code, text, fix = found
        told = self._told.setdefault(view.id, set())
        while len(self._told) > MAX_VIEWS:
            del self._told[next(iter(self._told))]
        if (code, text) in told or len(told) >= MAX_TOLD:
            return None
        told.add((code, text))
        return Finding(code, place_of(view.tool), text, fix).as_json()

    def _violation(self, body: Json, page: ViewPage) -> tuple[str, str, str] | None:
        blocked = str(body.get("blocked") or "")
        if "text" in body:  # what of the declaration the host left out
            return "V05", shorten(str(body["text"]), 300), ""
        if blocked == "eval":
            return None
        directive = re.sub(r"-(?:elem|attr)$", "", str(body.get("directive")))
        where = page.place(body, blocked)
        return "L04", f"{where}: {directive} forbids {shorten(blocked, 100)}.", admitting(directive, blocked)

    def _error(self, body: Json, page: ViewPage) -> tuple[str, str, str] | None:
        message = str(body.get("message"))
        missing = message.removeprefix("Could not load ")
        if missing != message:
            if not page.admits(missing):
                return None  # the violation tells it
            what = f"{page.place(body, missing)}: {shorten(missing, 100)} could not be loaded."
            return "L02", what, "Put it into the page, or see what blocked it."
        fix = relax_fix("unsafe-eval") if is_refused_code(message) else ""
        return "L06" if is_storage(message) else "L02", f"{page.place(body)}: {shorten(message, 300)}", fix

    def _console(self, body: Json, page: ViewPage) -> tuple[str, str, str] | None:
        message = str(body.get("message"))
        if SAID_ALREADY.search(message) or body.get("level") != "error":
            return None
        return "L03", f"{page.place(body)}: {shorten(message, 300)}", ""

    def failure(self, problem: Problem, tool: str, findings: list[Json]) -> Json | None:
        """What the host says of a call's view, unless the page reports it; `findings` are those of the tool."""
        if problem.code == "view-failed":
            return None  # the page reports it as well, with the line
        known = [one for one in findings if one["severity"] == "error"]
        if problem.code == "view-silent":
            code, fix = "L01", f"For the handshake, {RUNTIME}."
        elif known:  # reading the server told it already, with the fix that fits
            return {**known[0], "what": shorten(str(problem), 300)}
        else:
            code, fix = "L14", ""
        return Finding(code, place_of(tool), shorten(str(problem), 300), fix).as_json()


class ViewPage:
    """A page and the files that it was made of."""

    def __init__(self, view: MountedView, sources: Sources) -> None:
        self._html = view.source.html
        self._csp = view.csp
        self._sources = sources

    def admits(self, url: str) -> bool:
        """Whether the policy lets it through."""
        return not url.startswith(("http://", "https://")) or covers(list(self._csp["resourceDomains"]), url)

    def place(self, body: Json, text: str = "") -> str:
        """The line that a report names, else the first that has the text."""
        known = self._sources.place_of_text(text) if text else None
        if known is not None:
            return known
        given = body.get("line")
        line = given if isinstance(given, int) and given > 0 else line_with(self._html, text)
        return f"{self._sources.place(self._html, line)}{quoted(self._html, line)}"
