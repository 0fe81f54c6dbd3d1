"""What a Python program needs of servers by URL: the script, addresses, and messages as types."""

from __future__ import annotations

import gzip
import re

import msgspec
import pytest

import cloche.frames
from cloche.frames import (
    SETUP_ERROR_CODES,
    SetupComplete,
    TransportVisibility,
    frames_script,
    generate_session_id,
    read_message,
    server_phase,
    setup_url,
    transport_url,
    write_message,
)
from cloche.web import read_web

NAMES = [
    "SETUP_ERROR_CODES",
    "SETUP_REASONS",
    "FrameMessage",
    "PermissionRequirement",
    "SetupComplete",
    "SetupErrorDetails",
    "SetupRequired",
    "TransportVisibility",
    "frames_script",
    "generate_session_id",
    "read_message",
    "server_phase",
    "setup_url",
    "transport_url",
    "write_message",
]


def test_the_exported_names_are_pinned_and_documented() -> None:
    assert cloche.frames.__all__ == NAMES
    for name in NAMES:
        thing = getattr(cloche.frames, name)
        if callable(thing):
            assert thing.__doc__
            assert not thing.__doc__.startswith(f"{name}(")


@pytest.mark.requirement(122)
def test_the_hash_says_the_phase() -> None:
    assert server_phase("https://a.example/x#setup") == "setup"
    assert server_phase("https://a.example/x#visible,setup") == "setup"
    assert server_phase("https://a.example/setup#set-up") == "transport"
    assert setup_url("https://a.example/x?y=1") == "https://a.example/x?y=1#setup"
    assert transport_url("https://a.example/x?y=1#setup") == "https://a.example/x?y=1"


@pytest.mark.requirement(133)
def test_session_ids_are_new_each_time() -> None:
    first, second = generate_session_id(), generate_session_id()
    assert first != second
    assert re.fullmatch(r"mcp-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", first)


def test_the_script_has_both_sides_and_is_small() -> None:
    script = frames_script()
    exported = set(re.findall(r"\bas (\w+)", script.rpartition("export{")[2]))
    lists = re.findall(r"^export \{([^}]+)\} from", read_web("frames.js"), re.MULTILINE)
    assert exported == {name.strip() for names in lists for name in names.split(",") if name.strip()}
    assert len(gzip.compress(script.encode(), 9)) <= 16_000
    assert "eval(" not in script


def test_a_setup_result_is_written_and_read() -> None:
    visibility = TransportVisibility(requirement="optional")
    result = SetupComplete(status="success", display_name="Sums", transport_visibility=visibility)
    written = write_message(result)
    assert written == {
        "type": "MCP_SETUP_COMPLETE",
        "status": "success",
        "displayName": "Sums",
        "transportVisibility": {"requirement": "optional"},
    }
    assert read_message(written) == result
    assert msgspec.json.decode(msgspec.json.encode(result)) == written
    assert len(SETUP_ERROR_CODES) == 6
