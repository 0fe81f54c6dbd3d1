"""The error tree: the drawing in the docstring is the tree, codes and texts are pinned."""

from __future__ import annotations

import inspect
import re

import pytest

from cloche import errors
from cloche.errors import ClocheError, InvalidParamsError, McpError, ResourceNotFoundError, UnknownNameError


def classes() -> dict[str, type[ClocheError]]:
    members = vars(errors).items()
    return {name: thing for name, thing in members if inspect.isclass(thing) and issubclass(thing, ClocheError)}


def drawn_tree() -> dict[str, str | None]:
    """Name -> parent, read off the drawing in the module's docstring."""
    parents: dict[str, str | None] = {}
    path: list[tuple[int, str]] = []
    for found in re.finditer(r"^ {4}([│ ├└─]*)(\w+Error)\b", errors.__doc__ or "", re.MULTILINE):
        depth, name = len(found[1]), found[2]
        while path and path[-1][0] >= depth:
            path.pop()
        parents[name] = path[-1][1] if path else None
        path.append((depth, name))
    return parents


def test_the_docstring_draws_the_tree() -> None:
    real = {name: cls.__bases__[0].__name__ if cls is not ClocheError else None for name, cls in classes().items()}
    assert drawn_tree() == real


def test_every_class_says_what_it_means() -> None:
    assert [name for name, cls in classes().items() if not cls.__dict__.get("__doc__")] == []


@pytest.mark.requirement(20, 188)
def test_the_codes_are_pinned() -> None:
    assert errors.MCP_ERROR_CODES == {
        "PARSE_ERROR": -32700,
        "INVALID_REQUEST": -32600,
        "METHOD_NOT_FOUND": -32601,
        "INVALID_PARAMS": -32602,
        "INTERNAL_ERROR": -32603,
        "CONNECTION_CLOSED": -32000,
        "REQUEST_TIMEOUT": -32001,
        "RESOURCE_NOT_FOUND": -32002,
        "FORBIDDEN": -32003,
        "HEADER_MISMATCH": -32020,
        "MISSING_CAPABILITY": -32021,
        "UNSUPPORTED_VERSION": -32022,
        "URL_ELICITATION_REQUIRED": -32042,
    }


@pytest.mark.requirement(20, 189)
def test_the_classes_of_the_source_documents_carry_their_codes() -> None:
    assert issubclass(ResourceNotFoundError, McpError)
    assert issubclass(InvalidParamsError, McpError)
    assert (ResourceNotFoundError.code, InvalidParamsError.code, UnknownNameError.code) == (-32002, -32602, -32602)


@pytest.mark.requirement(189)
def test_an_error_becomes_the_error_member_of_a_response() -> None:
    assert McpError("no").to_json_rpc_error() == {"code": -32603, "message": "no"}
    own = McpError("busy", code=-31999, data={"retry": 3})
    assert own.to_json_rpc_error() == {"code": -31999, "message": "busy", "data": {"retry": 3}}
    assert UnknownNameError("tool", "forecats").to_json_rpc_error() == {
        "code": -32602,
        "message": "Unknown tool: forecats",
    }


def test_no_error_text_is_longer_than_the_limit() -> None:
    assert len(McpError("x" * 5000).message) == errors.ERROR_TEXT_LIMIT == 700
    assert len(UnknownNameError("tool", "x" * 5000).message) < 150
