"""Files that start to serve as soon as they are imported.

Our own Server refuses `run()` by itself while a file is loaded. Those of others would begin to serve, or wait for input
that never comes, so their files are read before they are run.
"""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from cloche.browser.sources import assigned, certain
from cloche.errors import LoadError

SERVER_CLASSES = ("Server", "MCPServer", "FastMCP")


def refuse_unguarded_run(file: Path) -> None:
    """Raise when `server.run()` certainly runs on import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they come when the file is run
        tree = ast.parse(file.read_bytes(), str(file))
    servers: set[str] = set()
    for node in certain(tree.body):
        servers.update(assigned(node, *SERVER_CLASSES))
        name = _run_of(node)
        if name in servers:
            raise LoadError(
                f"{file.name} calls {name}.run() when it is imported (line {node.lineno}): "
                'put the call under if __name__ == "__main__":'
            )


def _run_of(node: ast.stmt) -> str | None:
    """`s` of `s.run(...)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "run":
        return None
    return call.func.value.id if isinstance(call.func.value, ast.Name) else None
