"""Why a view stayed blank, in words: read off what it did and did not do."""

from __future__ import annotations

from collections.abc import Sequence

from cloche.errors import shorten
from cloche.testing.protocol import ViewConversation
from cloche.testing.records import Record, Violation
from cloche.wire.apps.lifecycle import ViewPhase

SCRIPT_DIRECTIVES = ("script-src", "script-src-elem", "script-src-attr", "default-src")
LINES = 20


def explain(what: str, why: str, talk: ViewConversation, record: Record) -> str:
    """What went wrong, the likely reason where one is known, and everything the browser said."""
    parts = [what]
    if why:
        parts.append(f"Why: {why}")
    parts += _section("Errors of its scripts", record.all("error"))
    parts += _section("Forbidden by its policy", record.all("violation"))
    parts += _section("Console", record.all("console"))
    parts += _section("Problems with the protocol", record.all("problem"))
    parts += _section("Messages it sent", [_method(message) for message in talk.received])
    if len(parts) == 1:
        parts.append("The console is empty, nothing was forbidden, and no script failed.")
    return "\n".join(parts)


def reason(html: str, talk: ViewConversation, record: Record) -> str:
    """The likeliest reason why a view is not initialized."""
    violations: list[Violation] = record.all("violation")
    scripts = [violation for violation in violations if violation.directive in SCRIPT_DIRECTIVES]
    # Libraries try eval and go on without it, so by itself it says nothing.
    blocked = [violation for violation in scripts if violation.blocked != "eval"]
    errors = record.all("error")
    if not html.strip():
        return "its HTML is empty."
    if talk.refusal is not None:
        return f"its ui/initialize was refused: {talk.refusal}"
    if talk.phase is ViewPhase.INITIALIZING:
        said = "it said ui/initialize and got the answer, but never said ui/notifications/initialized after it"
        return f"{said}: its script failed: {shorten(errors[0], 300)}" if errors else f"{said}."
    if blocked:
        return _blocked(blocked[0])
    if len(blocked) < len(scripts) and any("Content Security Policy" in error for error in errors):
        return "its script uses eval or new Function, which hosts forbid."
    if errors:
        return f"its script failed: {shorten(errors[0], 300)}"
    if "<script" not in html.lower():
        return "its HTML has no script, so nothing in it speaks to the host; @server.tool(view=…) puts one in."
    if len(record.all("loaded")) > 1 or any(violation.directive == "frame-src" for violation in violations):
        return "it went to another page: a view must stay where it is, and open links with ui/open-link."
    if talk.received:
        return "it sent messages, but ui/initialize was not the first of them."
    if record.all("stray"):
        return 'what it posted is not JSON-RPC 2.0: every message has "jsonrpc": "2.0".'
    if record.all("problem"):
        return f"{record.last('problem')}."
    if not record.all("loaded"):
        return "the page did not finish loading: a script in it runs on and on, or something it loads does not arrive."
    return "its scripts ran without an error, but posted nothing to `parent`."


def _blocked(violation: Violation) -> str:
    return (
        f"the policy blocked the script {violation.blocked}: put it into the page, or allow its origin with "
        "View(…, csp=Csp(resources=[…]))."
    )


def _method(message: dict[str, object]) -> str:
    return shorten(str(message.get("method", "an answer")))


def _section(title: str, lines: Sequence[object]) -> list[str]:
    if not lines:
        return []
    shown = [f"  {shorten(str(line), 500)}" for line in lines[:LINES]]
    more = [f"  … and {len(lines) - LINES} more"] if len(lines) > LINES else []
    return [f"{title}:", *shown, *more]
