"""pydantic is neither needed nor imported when nothing asks for it. A fresh interpreter, because this one has it
loaded.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pydantic", "pydantic_core"):
            raise ImportError(name)

sys.meta_path.insert(0, Blocker())
"""

PRELUDE = """
import dataclasses, datetime, pathlib, sys
from typing import Annotated
import annotated_types
from cloche.errors import RegistrationError
from cloche.server.schema import arguments_of, output_of

class Context: pass

@dataclasses.dataclass
class A:
    x: int

@dataclasses.dataclass
class B:
    y: int

@dataclasses.dataclass
class Order:
    count: Annotated[int, annotated_types.Ge(1)]

def register(hint):
    def fn(x): ...
    fn.__annotations__ = {"x": hint}
    return arguments_of(fn, what='tool "t"', context_type=Context)

def sentence(hint):
    try:
        register(hint)
    except RegistrationError as error:
        return str(error)
"""


def run(code: str, *, blocked: bool) -> str:
    source = (BLOCKED if blocked else "") + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        ("pathlib.Path", "msgspec cannot do it (the class Path), install pydantic or annotate it as str"),
        ("A | B", "install pydantic or make the members msgspec.Struct classes with tag=True"),
        ("str | datetime.datetime", "install pydantic or use one type instead of the union"),
        ("Order", "the constraint on Order.count is one that msgspec would ignore, install pydantic or write"),
        ("Context", "None"),
    ],
)
def test_the_fix_is_named(hint: str, message: str) -> None:
    assert message in run(f"{PRELUDE}\nprint(sentence({hint}))", blocked=True)


def test_translated_constraints_need_no_pydantic() -> None:
    code = PRELUDE + "\nprint(register(Annotated[int | None, annotated_types.Ge(1)]).schema['properties']['x'])"
    assert run(code, blocked=True) == "{'anyOf': [{'type': 'integer', 'minimum': 1}, {'type': 'null'}]}"


def test_results_need_no_pydantic() -> None:
    code = (
        PRELUDE
        + """
def fn() -> A: ...
out = output_of(fn, what="t", content_types=())
print(out.encode(A(1)), out.encode({"x": 1}))
"""
    )
    assert run(code, blocked=True) == """b'{"x":1}' b'{"x":1}'"""


def test_importing_and_using_plain_types_loads_nothing_heavy() -> None:
    code = """
    import sys
    from cloche.server.schema import arguments_of, output_of

    class Context: ...

    def fn(a: int, b: list[str], c: dict[str, float] | None = None) -> dict[str, int]: ...

    arguments_of(fn, what="t", context_type=Context).bind(b'{"a":1.0,"b":[]}', None)
    output_of(fn, what="t", content_types=()).encode({"a": 1})
    heavy = ("asyncio", "pydantic", "pydantic_core", "annotated_types", "difflib")
    print([name for name in heavy if name in sys.modules])
    """
    assert run(code, blocked=False) == "[]"
