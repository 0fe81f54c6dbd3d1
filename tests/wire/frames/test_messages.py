"""The eight messages: what is refused, and that Python and the page's schemas refuse the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import InvalidRequestError
from cloche.wire.frames.messages import MESSAGES, TO_INNER, TO_OUTER, read_message, schemas, write_message
from cloche.wire.frames.versions import highest_within
from tests.support.examples import examples

VISIBILITY = {"requirement": "hidden"}
COMPLETE = {
    "type": "MCP_SETUP_COMPLETE",
    "status": "success",
    "displayName": "Sums",
    "transportVisibility": VISIBILITY,
}
CAMERA = {"name": "camera", "phase": ["setup", "transport"], "required": True, "purpose": "Pictures"}
HANDSHAKE = {
    "type": "MCP_SETUP_HANDSHAKE",
    "minProtocolVersion": "1.0",
    "maxProtocolVersion": "1.2",
    "requiresVisibleSetup": True,
    "requestedPermissions": [CAMERA],
}
ERROR = {"code": "TIMEOUT", "message": "Nobody came"}

FINE: list[dict[str, Any]] = [
    HANDSHAKE,
    {"type": "MCP_SETUP_HANDSHAKE_REPLY", "protocolVersion": "1.0", "sessionId": "mcp-1"},
    {"type": "MCP_SETUP_HANDSHAKE_REPLY", "error": ERROR},
    COMPLETE,
    {**COMPLETE, "status": "error", "error": ERROR},
    {"type": "MCP_TRANSPORT_HANDSHAKE", "protocolVersion": "1.0"},
    {"type": "MCP_TRANSPORT_HANDSHAKE_REPLY", "protocolVersion": "1.0", "sessionId": "mcp-1"},
    {"type": "MCP_TRANSPORT_HANDSHAKE_REPLY", "error": ERROR},
    {"type": "MCP_TRANSPORT_ACCEPTED", "sessionId": "mcp-1"},
    {"type": "MCP_MESSAGE", "payload": {"jsonrpc": "2.0", "method": "ping"}},
    {"type": "MCP_SETUP_REQUIRED", "reason": "AUTH_EXPIRED", "message": "Sign in", "canContinue": False},
]

WRONG: dict[str, tuple[Any, str]] = {
    "no object": ("MCP_MESSAGE", "none of the eight"),
    "no message": ({"type": "MCP_ELSE"}, "none of the eight"),
    "a long name": ({**COMPLETE, "displayName": "x" * 201}, "displayName"),
    "an error that is none": ({**COMPLETE, "error": ERROR}, "status"),
    "a failure without a reason": ({**COMPLETE, "status": "error"}, "status"),
    "an unknown code": ({**COMPLETE, "status": "error", "error": {**ERROR, "code": "BORED"}}, "code"),
    "a version that is none": ({**HANDSHAKE, "maxProtocolVersion": "1.x"}, "maxProtocolVersion"),
    "too many permissions": ({**HANDSHAKE, "requestedPermissions": [CAMERA] * 33}, "requestedPermissions"),
    "no phase": ({**HANDSHAKE, "requestedPermissions": [{**CAMERA, "phase": []}]}, "phase"),
    "a policy in a name": ({**HANDSHAKE, "requestedPermissions": [{**CAMERA, "name": "a; b"}]}, "name"),
    "a reply without session": ({"type": "MCP_SETUP_HANDSHAKE_REPLY", "protocolVersion": "1"}, "sessionId"),
    "a session with spaces": ({"type": "MCP_TRANSPORT_ACCEPTED", "sessionId": "a b"}, "sessionId"),
    "no payload": ({"type": "MCP_MESSAGE", "payload": []}, "payload"),
}


@pytest.mark.parametrize("message", FINE, ids=map(str, range(len(FINE))))
def test_a_message_is_read_and_written_as_it_was(message: dict[str, Any]) -> None:
    assert write_message(read_message(message)) == message
    assert read_message({**message, "of": "a newer peer"}) == read_message(message)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(name: str) -> None:
    message, told = WRONG[name]
    with pytest.raises(InvalidRequestError, match=told):
        read_message(message)


def test_there_are_eight_and_each_has_its_direction() -> None:
    assert len(MESSAGES) == 8
    assert len(TO_OUTER) + len(TO_INNER) == 9  # MCP_MESSAGE goes both ways


ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just({}), st.just([]), st.just("1.0"))


@given(st.sampled_from(FINE), st.data())
@settings(max_examples=examples(400), deadline=None)
def test_python_and_the_pages_schemas_agree(message: dict[str, Any], data: st.DataObject) -> None:
    """Members are changed and left out at random: what one side takes, the other takes."""
    from jsonschema import Draft202012Validator

    changed = dict(message)
    for name in data.draw(st.lists(st.sampled_from([*message, "error", "sessionId"]), max_size=2)):
        if name == "type":
            continue
        if data.draw(st.booleans()):
            changed.pop(name, None)
        else:
            changed[name] = data.draw(ODD)
    document = schemas()
    schema = {"$ref": f"#/$defs/{message['type']}", "$defs": document["$defs"]}
    try:
        read_message(changed)
        is_taken = True
    except InvalidRequestError:
        is_taken = False
    assert Draft202012Validator(schema).is_valid(changed) == is_taken


@pytest.mark.parametrize(
    ("versions", "least", "most", "chosen"),
    [
        (["1.1.0", "1.3.0", "2.0.0"], "1.0.0", "1.2.0", "1.1.0"),
        (["1.9", "1.10"], "1.0", "1.10", "1.10"),
        (["1.9"], "1.10", "2", None),
        (["1.0.0"], "1.0", "1", "1.0.0"),
        (["1.5"], "2.0", "1.0", None),
    ],
)
def test_versions_are_compared_by_number(versions: list[str], least: str, most: str, chosen: str | None) -> None:
    assert highest_within(versions, least, most) == chosen
