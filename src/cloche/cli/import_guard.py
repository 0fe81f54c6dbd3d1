"""Files that start to serve as soon as they are imported.

Our own Server refuses `run()` by itself while a file is loaded. Those of others would begin to serve, or wait for input
that never comes, so their files are read before they are run.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path

from cloche.errors import LoadError

SERVER_CLASSES = ("Server", "MCPServer", "FastMCP")


def refuse_unguarded_run(file: Path) -> None:
    """Raise when `server.run()` certainly runs on import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they come when the file is run
        tree = ast.parse(file.read_bytes(), str(file))
    servers: set[str] = set()
    for node in _certain(tree.body):
        servers.update(_assigned_servers(node))
        name = _run_of(node)
        if name in servers:
            raise LoadError(
                f"{file.name} calls {name}.run() when it is imported (line {node.lineno}): "
                'put the call under if __name__ == "__main__":'
            )


def _certain(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import whatever happens: not those under an `if`, in a function or in a class."""
    for node in body:
        yield node
        if isinstance(node, ast.Try | ast.With):
            yield from _certain(node.body)


def _assigned_servers(node: ast.stmt) -> Iterator[str]:
    """`s` of `s = Server(...)`."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if _last_name(node.value.func) in SERVER_CLASSES:
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _run_of(node: ast.stmt) -> str | None:
    """`s` of `s.run(...)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "run":
        return None
    return call.func.value.id if isinstance(call.func.value, ast.Name) else None


def _last_name(node: ast.expr) -> str | None:
    """`c` of `a.b.c`, and of `c[...]`."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None
