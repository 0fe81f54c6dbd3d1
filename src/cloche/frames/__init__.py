"""Servers by URL: an MCP server that is a web page, in a frame or a popup of the page that uses it.

The two-phase protocol itself is JavaScript (`web/frames.js`), because it has to answer before Python has booted; its
tables and messages are Python's (`cloche.wire.frames`), and the JavaScript reads them. Here are the parts that a Python
program needs: the script, addresses and session ids, and the messages as types.
"""

from cloche.frames.addresses import generate_session_id, server_phase, setup_url, transport_url
from cloche.frames.script import frames_script
from cloche.wire.frames.messages import (
    SETUP_ERROR_CODES,
    SETUP_REASONS,
    FrameMessage,
    PermissionRequirement,
    SetupComplete,
    SetupErrorDetails,
    SetupRequired,
    TransportVisibility,
    read_message,
    write_message,
)

__all__ = [
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
