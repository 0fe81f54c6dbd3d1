"""Will it render in …: every view in every host that is emulated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cloche.check.browser_run import Rendering
from cloche.check.server_survey import Json
from cloche.errors import shorten
from cloche.testing.profiles import PROFILES

GREETING = re.compile(r"(?:invalid|fail|error|unsupported).{0,40}ui/initialize", re.IGNORECASE)
"""How libraries begin their complaint."""


@dataclass(frozen=True)
class Verdict:
    """One view in one emulated host."""

    tool: str
    profile: str
    renders: bool
    reason: str = ""
    """Why not, or what is amiss though it renders."""

    def as_json(self) -> Json:
        """For programs."""
        said = PROFILES[self.profile]
        return {
            "tool": self.tool,
            "profile": self.profile,
            "personality": self.profile,  # its former name
            "title": said.title,
            "renders": self.renders,
            "reason": self.reason,
            "dated": said.dated,
        }


def judge(tool: str, seen: Rendering) -> Verdict:
    """Whether a person would see the view."""
    if seen.failure:
        return Verdict(tool, seen.profile, False, shorten(seen.failure, 200))
    greeting = _misunderstood(seen)
    if greeting is not None:
        return Verdict(tool, seen.profile, False, f"it does not understand this host: {shorten(greeting, 150)}")
    if seen.is_blank:
        return Verdict(tool, seen.profile, False, "it stays blank with its input and result.")
    if seen.is_waiting and seen.record.all("result"):
        return Verdict(tool, seen.profile, False, f"it still says {shorten(seen.text, 60)!r}.")
    return Verdict(tool, seen.profile, True, _but(seen))


def _misunderstood(seen: Rendering) -> str | None:
    """What a view said of the host's greeting: thrown, shown or logged."""
    logged = [line.text for line in seen.record.all("console") if line.kind == "error"]
    said = [*(str(error) for error in seen.record.all("error")), seen.text, *logged]
    return next((one for one in said if GREETING.search(one)), None)


def _but(seen: Rendering) -> str:
    errors = seen.record.all("error")
    if errors:
        return f"but a script failed: {shorten(str(errors[0]), 120)}"
    blocked = [one for one in seen.record.all("violation") if one.blocked != "eval"]
    if blocked:
        return f"but its policy blocked {shorten(blocked[0].blocked, 80)} ({blocked[0].directive})."
    return ""


def lines_of(verdicts: Sequence[Verdict]) -> list[str]:
    """The table as text: a row for each view, a column for each host, and the reasons below."""
    if not verdicts:
        return []
    names = list(dict.fromkeys(one.profile for one in verdicts))
    tools = list(dict.fromkeys(one.tool for one in verdicts))
    by = {(one.tool, one.profile): one for one in verdicts}
    first = max(len(shorten(tool, 32)) for tool in (*tools, "view of"))
    widths = [max(len(name), 4) for name in names]
    rows = ["Will it render in … (strict is the specification, the others are emulations of hosts)"]
    rows.append("  ".join(["view of".ljust(first), *(n.ljust(w) for n, w in zip(names, widths, strict=True))]).rstrip())
    for tool in tools:
        words = [("yes*" if one.reason else "yes") if one.renders else "no" for one in (by[tool, n] for n in names)]
        cells = [word.ljust(width) for word, width in zip(words, widths, strict=True)]
        rows.append("  ".join([shorten(tool, 32).ljust(first), *cells]).rstrip())
    return rows + _reasons(verdicts, names)


def _reasons(verdicts: Sequence[Verdict], names: Sequence[str]) -> list[str]:
    """Each reason once, with the hosts that it is true of."""
    found: dict[tuple[str, str, bool], list[str]] = {}
    for one in verdicts:
        if one.reason:
            found.setdefault((one.tool, one.reason, one.renders), []).append(one.profile)
    lines = []
    for (tool, reason, renders), where in found.items():
        hosts = "everywhere" if len(where) == len(names) else f"in {', '.join(where)}"
        lines.append(f"    {'* ' if renders else ''}{shorten(tool, 32)} {hosts}: {reason}")
    return lines
