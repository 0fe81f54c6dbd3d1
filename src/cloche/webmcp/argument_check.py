"""Arguments checked against a page's schema, which may have been written to never come to an end.

Patterns can take longer than anybody waits, and alternatives that refer to each other double with every step. A schema
that has either is checked in a process of its own, which is ended when its time is over.
"""

from __future__ import annotations

import asyncio
import re
import sys
from contextlib import suppress

import msgspec

from cloche.errors import ToolError
from cloche.server.schema.validator import JsonSchema
from cloche.wire.types import Json

_COSTLY = re.compile(rb'"(?:pattern|patternProperties)":')
_BRANCHING = re.compile(rb'"(?:\$ref|anyOf|oneOf|allOf|not|if|contains|dependentSchemas|dependencies)":')
MANY_BRANCHES = 12
PROGRAM = "from cloche.webmcp.argument_check import main; main()"


def is_costly(schema: Json) -> bool:
    """Whether the check of a value may take long."""
    text = msgspec.json.encode(schema)
    return _COSTLY.search(text) is not None or len(_BRANCHING.findall(text)) > MANY_BRANCHES


async def check_arguments(name: str, schema: Json, arguments: Json, seconds: float) -> None:
    """Raise `ToolError` when the arguments of the tool `name` do not fit, or cannot be checked."""
    if not is_costly(schema):
        problem = find_problem(schema, arguments)
    else:
        problem = await _find_elsewhere(schema, arguments, seconds)
    if problem:
        raise ToolError(f"Wrong arguments for {name!r}, and the page was not asked: {problem}")


def find_problem(schema: Json, arguments: Json) -> str:
    """What is wrong with the arguments, or with the schema; empty when nothing is."""
    try:
        misfit = JsonSchema(schema).misfit(arguments)
    except ValueError as error:
        return f"the tool's inputSchema cannot be checked ({error})"
    return str(misfit) if misfit is not None else ""


async def _find_elsewhere(schema: Json, arguments: Json, seconds: float) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(seconds):
            said, _ = await process.communicate(msgspec.json.encode([schema, arguments]))
    except TimeoutError:
        return f"the check against the tool's inputSchema took longer than {seconds:g} s"
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        return "the tool's inputSchema cannot be checked"
    return said.decode()


def main() -> None:
    """Read a schema and arguments from stdin, and write what is wrong."""
    schema, arguments = msgspec.json.decode(sys.stdin.buffer.read())
    sys.stdout.buffer.write(find_problem(schema, arguments).encode())
