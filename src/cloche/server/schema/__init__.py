"""Types: a function's signature becomes a JSON Schema and a typed decoder, once, at registration.

msgspec reads and writes. What it would refuse or silently ignore goes to pydantic when that is installed, and
otherwise fails at registration with the fix: nothing that a signature says is ever dropped.
"""

from __future__ import annotations

from cloche.server.schema.arguments import Arguments, arguments_of
from cloche.server.schema.docstrings import describe
from cloche.server.schema.engine_choice import schema_of
from cloche.server.schema.output import Output, output_of
from cloche.server.schema.value_problems import ArgumentsError, OutputError

__all__ = [
    "Arguments",
    "ArgumentsError",
    "Output",
    "OutputError",
    "arguments_of",
    "describe",
    "output_of",
    "schema_of",
]
