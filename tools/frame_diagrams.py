"""The state diagrams of docs/frames.md, drawn from the tables of `cloche.wire.frames`.

`python -m tools.frame_diagrams` writes them into the page, in the notation that GitHub draws.
"""

from __future__ import annotations

from pathlib import Path

from cloche.wire.frames.lifecycle import INNER, INNER_DEADLINES, OUTER, OUTER_DEADLINES, TIMEOUTS, Table

PAGE = Path(__file__).parent.parent / "docs" / "frames.md"
BEGIN = "<!-- made by `python -m tools.frame_diagrams`: {name} -->\n"
END = "<!-- end of what is made -->\n"
SIDES = {"outer": (OUTER, OUTER_DEADLINES), "inner": (INNER, INNER_DEADLINES)}

ALWAYS = {"close"}
"""What every state but the last has: it would only fill the picture."""


def diagram(table: Table) -> str:
    """A table as a picture: each arrow says what happens, and after a slash what the side does."""
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> idle"]
    lines += [f'    state "{state}" as {_name(state)}' for state in table if " " in state]
    for state, row in table.items():
        arrows: dict[str, list[str]] = {}
        for event, step in row.items():
            if event not in ALWAYS:
                label = f"{event} / {step.effect}" if step.effect else str(event)
                arrows.setdefault(step.state, []).append(label)
        lines += [f"    {_name(state)} --> {_name(after)}: {'<br>'.join(labels)}" for after, labels in arrows.items()]
    lines += ["    closed --> [*]", "```"]
    return "\n".join(lines) + "\n"


def steps(table: Table, deadlines: dict[str, str]) -> str:
    """The same as a table of text."""
    lines = ["| state | waits at most | what may happen |", "|---|---|---|"]
    for state, row in table.items():
        happens = "; ".join(f"`{event}` → {step.state}" for event, step in row.items()) or "nothing"
        wait = TIMEOUTS[deadlines[state]] if state in deadlines else None
        limit = "" if wait is None else f"{wait // 1000} s" if wait else "as long as it takes"
        lines.append(f"| {state} | {limit} | {happens} |")
    return "\n".join(lines) + "\n"


def made(name: str) -> str:
    """Everything between the two marks of one side."""
    table, deadlines = SIDES[name]
    return f"\n{diagram(table)}\n{steps(table, deadlines)}\n"


def _name(state: str) -> str:
    return state.replace(" ", "_")


def main() -> None:
    """Write both."""
    for name in SIDES:
        begin = BEGIN.format(name=name)
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
        PAGE.write_text(before + begin + made(name) + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
