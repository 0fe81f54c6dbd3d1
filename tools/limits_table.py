"""The table of docs/limits.md, made from `HostLimits`: `python -m tools.limits_table` writes it into the page."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from pathlib import Path

from cloche.host import HostLimits, limits

PAGE = Path(__file__).parent.parent / "docs" / "limits.md"
BEGIN = "<!-- made by `python -m tools.limits_table` -->\n"
END = "<!-- end of what is made -->\n"


def sentences() -> dict[str, str]:
    """Every limit, with what the code says of it."""
    tree = ast.parse(inspect.getsource(limits))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef))
    found = {}
    for field, text in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr), field.target.id
            assert isinstance(text.value, ast.Constant), field.target.id
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found


def parts() -> list[tuple[str, list[str]]]:
    """The limits by the comments that they stand under."""
    found: list[tuple[str, list[str]]] = []
    for heading, name in re.findall(
        r"^    (?:# (.+)|(\w+): (?:int|float) = .+)$", inspect.getsource(limits), re.MULTILINE
    ):
        if heading:
            found.append((heading, []))
        else:
            found[-1][1].append(name)
    return found


def shown(name: str) -> str:
    """A default, as people read it."""
    value = getattr(HostLimits(), name)
    if name.endswith("_bytes"):
        return f"{value >> 20} MB" if value >= 2**20 else f"{value >> 10} KB"
    return f"{value:,g} s" if name.endswith("_seconds") else f"{value:,g}"


def table() -> str:
    """Everything between the two marks."""
    said, lines = sentences(), []
    for heading, names in parts():
        lines += [f"## {heading}", "", "| limit | default | what it bounds |", "|---|--:|---|"]
        lines += [f"| `{name}` | {shown(name)} | {said[name]} |" for name in names]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write it."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
