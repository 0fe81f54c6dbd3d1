"""What a shell completes: commands, files, and names of tools and prompts.

Names come from reading the file, not from running it: pressing Tab must not start anything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

MAX_FILE = 1 << 20


def complete_files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete a file."""
    return [CompletionItem(incomplete, type="file")]


def names_of(kind: str) -> Completer:
    """Complete `SERVER NAME`: first a file, then what is registered in it with `@server.KIND`."""

    def complete(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        words: Sequence[str] = context.params.get("words") or ()
        if not words:
            return [CompletionItem(incomplete, type="file")]
        if len(words) > 1:
            return []
        found = registered(Path(words[0].partition(".py:")[0] + ".py" if ".py:" in words[0] else words[0]), kind)
        return [CompletionItem(name, help=text) for name, text in found if name.startswith(incomplete)]

    return complete


def registered(file: Path, kind: str) -> Iterator[tuple[str, str | None]]:
    """Names and first lines of what a file registers, as far as reading tells."""
    try:
        if file.suffix != ".py" or file.stat().st_size > MAX_FILE:
            return
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                name = _name(decorator, kind, node.name)
                if name is not None:
                    text = (ast.get_docstring(node) or "").partition("\n")[0]
                    yield name, text or None


def _name(decorator: ast.expr, kind: str, function: str) -> str | None:
    """What `@server.tool`, or `@server.tool(name="…")`, calls a function; None for another decorator."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not isinstance(target, ast.Attribute) or target.attr != kind:
        return None
    for option in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if option.arg == "name":
            value = option.value.value if isinstance(option.value, ast.Constant) else None
            return value if isinstance(value, str) else None
    return function
