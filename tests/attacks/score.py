"""The score: how many attacks were tried, succeed without the protection, and fail against our host."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.attacks.attack import Attack, Outcome
from tests.attacks.catalogue import ATTACKS
from tests.attacks.in_engines import Run
from tests.attacks.known import OPEN

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "security.md"
BEGIN, END = "<!-- the score: written by `make security` -->\n", "<!-- end of the score -->\n"


def summary(outcomes: Iterable[Outcome], browser: str) -> str:
    """One line."""
    all_of_them = list(outcomes)
    live = [outcome for outcome in all_of_them if outcome.is_live]
    blocked = [outcome for outcome in live if outcome.is_blocked]
    return f"{browser}: {len(blocked)} blocked / {len(live)} live / {len(all_of_them)} tried"


def kinds() -> list[str]:
    """The classes, in the order of the catalogue."""
    return list(dict.fromkeys(attack.kind for attack in ATTACKS))


def of_kind(kind: str) -> list[Attack]:
    """The attacks of a class."""
    return [attack for attack in ATTACKS if attack.kind == kind]


def section(outcomes: dict[str, Outcome], browser: str) -> str:
    """What stands between the marks in docs/security.md."""
    lines = [
        f"**{summary(outcomes.values(), browser)}**",
        "",
        "| class | cases | tried | live | blocked |",
        "|---|---|--:|--:|--:|",
    ]
    for kind in kinds():
        found = [outcomes[attack.id] for attack in of_kind(kind)]
        live = [outcome for outcome in found if outcome.is_live]
        cases = ", ".join(sorted({outcome.attack.case for outcome in found}))
        blocked = len([outcome for outcome in live if outcome.is_blocked])
        lines.append(f"| {kind} | {cases} | {len(found)} | {len(live)} | {blocked} |")
    lines += ["", *named(), "", *measured(outcomes), "", *sleeping()]
    return "\n".join(lines) + "\n"


def named() -> list[str]:
    """Each control with the attacks that succeed against it."""
    lines = ["| a host without … | lets these succeed |", "|---|---|"]
    for control in dict.fromkeys(attack.control for attack in ATTACKS):
        names = [attack.name for attack in ATTACKS if attack.control == control and attack.dormant is None]
        lines.append(f"| {control.without} | {', '.join(names)} |")
    return lines


def measured(outcomes: dict[str, Outcome]) -> list[str]:
    """What busy views cost the page and a view of another server."""
    lines = ["| a busy view | at our host |", "|---|---|"]
    return lines + [
        f"| {outcome.attack.name} | {outcome.note} |"
        for outcome in outcomes.values()
        if outcome.note and outcome.is_live
    ]


def sleeping() -> list[str]:
    """Attacks that this browser stops by itself."""
    lines = ["| tried, and dead in this browser whatever the host does | because |", "|---|---|"]
    return lines + [f"| {attack.name} | {attack.dormant} |" for attack in ATTACKS if attack.dormant]


def of_engine(run: Run) -> list[str]:
    """What came of the attacks in another browser: the score, what is open there, and what could not be tried."""
    lines = ["", f"**{summary(run.tried, run.browser)}**", ""]
    lines += ["| class | tried | live | blocked |", "|---|--:|--:|--:|"]
    for kind in dict.fromkeys(outcome.attack.kind for outcome in run.tried):
        found = [outcome for outcome in run.tried if outcome.attack.kind == kind]
        live = [outcome for outcome in found if outcome.is_live]
        lines.append(f"| {kind} | {len(found)} | {len(live)} | {len([one for one in live if one.is_blocked])} |")
    if run.breaches:
        lines += ["", "| open in this browser | because |", "|---|---|"]
        lines += [f"| {name} | {OPEN[run.engine].get(name, 'not known')} |" for name in run.breaches]
    if run.silent:
        lines += ["", "| tried, and dead in this browser whatever the host does | because |", "|---|---|"]
        lines += [f"| {', '.join(names)} | {why} |" for why, names in run.silent.items()]
    if run.undriven:
        lines += ["", "| not tried in this browser | because |", "|---|---|"]
        lines += [f"| {', '.join(names)} | {why} |" for why, names in run.undriven.items()]
    return lines


def write(outcomes: dict[str, Outcome], browser: str) -> None:
    """Put the score of Chromium into docs/security.md."""
    _replace(BEGIN, END, section(outcomes, browser))


def write_engine(run: Run) -> None:
    """Put the score of another browser there; the others' stay as they were."""
    begin, end = (
        BEGIN.replace("the score", f"the score of {run.engine}"),
        END.replace("score", f"score of {run.engine}"),
    )
    _replace(begin, end, "".join(line + "\n" for line in of_engine(run)[1:]))


def _replace(begin: str, end: str, text: str) -> None:
    before, mark, rest = DOCUMENT.read_text(encoding="utf-8").partition(begin)
    _, end_mark, after = rest.partition(end)
    if not mark or not end_mark:
        raise SystemExit(f"{DOCUMENT.name} has no place for the score: {begin.strip()}")
    DOCUMENT.write_text(before + begin + text + end + after, encoding="utf-8")
