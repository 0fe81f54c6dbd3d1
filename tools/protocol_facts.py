"""Write what the page's JavaScript has to know of the protocol, from `cloche.wire`, `cloche.errors` and the limits.

`python -m tools.protocol_facts` writes `protocol.js` and `sentences.js` into `src/cloche/web`; `make web` runs it. A
sentence is what the error says whose class Python raises: its arguments are put in by name.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from cloche import errors
from cloche.client.base import MAX_ROUNDS
from cloche.server.client_requests import STATE_SECONDS
from cloche.server.handlers import MAX_COMPLETIONS
from cloche.server.limits import Limits
from cloche.server.server import DEFAULT_PAGE_SIZE
from cloche.transports.requests import REQUEST_TIMEOUT
from cloche.wire import json as wire_json
from cloche.wire import lifecycle, types, uri_template, versions
from cloche.wire.apps import methods
from cloche.wire.frames import lifecycle as frames
from cloche.wire.frames import messages as frame_messages
from cloche.wire.frames import versions as frame_versions

WEB = Path(__file__).parent.parent / "src" / "cloche" / "web"
MILLISECONDS = 1000
LINE = 120
LIMITS = Limits()

CONSTANTS: dict[str, tuple[str, object]] = {
    "VERSIONS": (
        "Versions that are spoken here, newest first. The first needs no handshake, others begin with `initialize`.",
        versions.SUPPORTED_VERSIONS[::-1],
    ),
    "STATELESS": ("The version whose requests say themselves who asks.", versions.LATEST_VERSION),
    "LATEST_HANDSHAKE": ("The newest version that begins with `initialize`.", versions.LATEST_HANDSHAKE_VERSION),
    "APPS_VERSION": ("The newest version of MCP Apps.", methods.PROTOCOL_VERSION),
    "APPS_VERSIONS": ("The versions of MCP Apps with the current names.", methods.SUPPORTED_VERSIONS),
    "MAY_ASK": ("Methods that may be answered with a question.", sorted(versions.INPUT_METHODS)),
    "META": (
        "What the protocol's own members of `_meta` begin with.",
        types.PROTOCOL_VERSION_KEY.removesuffix("protocolVersion"),
    ),
    "OWN": ("The extension by which a stream carries notifications of the server's own.", types.OWN_NOTIFICATIONS),
    "LOG_LEVELS": ("From the least to the most important.", types.LOG_LEVELS),
    "CANCELLED_METHODS": ("Both names of a cancellation.", sorted(lifecycle.CANCELLED_METHODS)),
    "INITIALIZED_METHODS": ("Both names of the end of the handshake.", sorted(lifecycle.INITIALIZED_METHODS)),
    "MAX_LENGTH": ("The longest message, in characters, unless a transport is told otherwise.", LIMITS.result_bytes),
    "MAX_DEPTH": ("How many lists and objects of a message may stand in each other.", wire_json.MAX_DEPTH),
    "MAX_URI": ("The longest URI, in characters.", uri_template.MAX_URI),
    "MAX_IN_FLIGHT": ("Requests of one peer that may be under way at the same time.", LIMITS.in_flight),
    "MAX_SUBSCRIPTIONS": ("Resources that one session or stream may subscribe to.", LIMITS.subscriptions),
    "MAX_COMPLETIONS": ("Suggestions that one completion may carry.", MAX_COMPLETIONS),
    "MAX_ROUNDS": ("How often one request may come back with a question.", MAX_ROUNDS),
    "PAGE_SIZE": ("Entries on one page of a list, unless a server is told otherwise.", DEFAULT_PAGE_SIZE),
    "ERROR_TEXT_LIMIT": ("The longest text of an error, in characters.", errors.ERROR_TEXT_LIMIT),
    "ANSWER_TIMEOUT": (
        "Milliseconds that a request waits for its answer, unless the call says otherwise.",
        int(REQUEST_TIMEOUT * MILLISECONDS),
    ),
    "ASK_TIMEOUT": (
        "Milliseconds that a client may take to answer a question of a server.",
        int(LIMITS.ask_seconds * MILLISECONDS),
    ),
    "STATE_TIMEOUT": (
        "Milliseconds for which a call that was answered with a question can be repeated.",
        STATE_SECONDS * MILLISECONDS,
    ),
}

SINCE = {
    name: next(version for version, features in versions.FEATURES.items() if getattr(features, name))
    for name in ("annotations", "audio", "completions", "icons", "item_meta", "links", "structured", "titles")
}

SENTENCES: dict[str, str] = {
    "alreadyInitialized": lifecycle.REFUSALS[lifecycle.Event.INITIALIZE],
    "unexpectedInitialized": lifecycle.REFUSALS[lifecycle.Event.INITIALIZED],
    "notInitialized": lifecycle.REFUSALS[lifecycle.Event.REQUEST],
    "methodNotFound": str(errors.MethodNotFoundError("{method}")),
    "unknownName": str(errors.UnknownNameError("{kind}", "{name}")),
    "resourceNotFound": str(errors.ResourceNotFoundError("{uri}")),
    "timedOut": str(errors.RequestTimeoutError("{id}")),
    "wasCancelled": str(errors.RequestCancelledError("{id}")),
    "transportClosed": str(errors.TransportClosedError()),
    "idInUse": errors.ID_IN_USE,
    "tooManyRequests": errors.TOO_MANY_REQUESTS,
    "missingCapability": str(errors.MissingCapabilityError("{capability}", "{method}")),
    "unsupportedVersion": str(errors.UnsupportedVersionError("{version}", [])),
}

HEAD = """\
// @ts-check
// Written by tools/protocol_facts.py from what Python knows: change that, then run `make web`.
"""


def protocol() -> str:
    """The module with versions, names, limits and error codes."""
    lines = [HEAD + "/** What client and server both know of the protocol. */"]
    # The bundler writes a number in place of its name only as long as no object has been made.
    for name, (meaning, value) in CONSTANTS.items():
        lines.append(f"/** {meaning} */\nexport const {name} = {json.dumps(value)};")
    lines.append("/** The notification of a changed list, and which. */")
    lines.append("export const LIST_CHANGED = /^notifications.(tools|prompts|resources).list_changed$/;")
    lines += [f"export const {name} = {code};" for name, code in errors.MCP_ERROR_CODES.items()]
    lines.append("/** The version that brought each of what not every version has. */")
    lines.append(f"export const SINCE = {_literal(SINCE)};")
    return "\n".join(lines) + "\n"


def sentences() -> str:
    """The module with what errors say, each as a function of what the sentence names."""
    lines = [HEAD + "/** What errors say, in the words of Python's. */"]
    for name, sentence in SENTENCES.items():
        given = re.findall(r"{(\w+)}", sentence)
        parts = (part if part in given else json.dumps(part) for part in re.split(r"{(\w+)}", sentence) if part)
        types_of = "".join(f" @param {{any}} {one}" for one in given)
        comment = f"/**{types_of} */\n" if given else ""
        start = f"export const {name} = ({', '.join(given)}) =>"
        text = f"{' + '.join(parts)};"
        lines.append(f"{comment}{start}{' ' if len(start) + len(text) < LINE else chr(10) + '  '}{text}")
    return "\n".join(lines) + "\n"


def _literal(value: object) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)
    return re.sub(r'"(\w+)": ', r"\1: ", json.dumps(value, indent=2).replace('"\n}', '",\n}'))


def dialect_rows() -> str:
    """The module with the table of the older dialects, of which each script takes the parts that it needs."""
    rows = methods.dialects()
    lines = [HEAD + "/** How views and hosts of older dialects of MCP Apps call what they mean. */"]
    for name, part in rows.items():
        lines.append(f"/** @type {{Record<string, string>}} */\nexport const {name} = {_literal(part)};")
    flags = ", ".join(json.dumps(name) for name in rows["capabilities"])
    lines.append(f"/** The capabilities that only hosts of an older dialect have. */\nexport const flags = [{flags}];")
    return "\n".join(lines) + "\n"


FRAMES: dict[str, tuple[str, str, object]] = {
    "PROTOCOL_VERSION": ("string", "The version of the transport phase.", frame_versions.PROTOCOL_VERSION),
    "SUPPORTED_VERSIONS": (
        "string[]",
        "What an outer page chooses from, unless it is told otherwise.",
        frame_versions.SUPPORTED_VERSIONS,
    ),
    "OUTER": ("Table", "Every step of the outer page: state, event, next state and effect.", frames.OUTER),
    "INNER": ("Table", "Every step of the inner page.", frames.INNER),
    "OUTER_DEADLINES": ("Record<string, string>", "Which time-out ends a state.", frames.OUTER_DEADLINES),
    "INNER_DEADLINES": ("Record<string, string>", "Which time-out ends a state.", frames.INNER_DEADLINES),
    "TIMEOUTS": ("Record<string, number>", "Milliseconds; 0 for a wait without end.", frames.TIMEOUTS),
    "ANNOUNCE_AFTER": ("number[]", "Milliseconds from one announcement to the next.", frames.ANNOUNCE_AFTER),
    "NAVIGATIONS": ("number", "How often one setup phase may load the inner page.", frames.NAVIGATIONS),
    "REFUSALS": ("Record<string, string>", "What a program is told that calls too early or too late.", frames.REFUSALS),
    "CLOSED": ("string", "What it is told when the transport is closed.", frames.CLOSED),
    "COMPLETED": ("string", "What it is told that completes a setup twice.", frames.COMPLETED),
    "SETUP_ERROR_CODES": ("string[]", "Why a setup can fail.", frame_messages.SETUP_ERROR_CODES),
    "SETUP_REASONS": ("string[]", "Why a setup can be required again.", frame_messages.SETUP_REASONS),
    "SCHEMAS": ("Record<string, any>", "What each message must look like, by its type.", frame_messages.schemas()),
}


PLAIN_LIST = re.compile(r"\[\n\s+([^\[\]{}]*?)\n\s*\]")


def _laid_out(value: object) -> str:
    """JSON with a line for each member, and each list of plain values on one line."""
    return PLAIN_LIST.sub(lambda found: "[" + re.sub(r"\n\s*", " ", found[1]) + "]", json.dumps(value, indent=2))


def frame_facts() -> str:
    """The module with the tables, limits and messages of the two-phase protocol."""
    lines = ["// deno-fmt-ignore-file", HEAD + "/** The two-phase protocol: who may say what when. */"]
    lines.append("/** @typedef {Record<string, Record<string, string[]>>} Table */")
    for name, (kind, meaning, value) in FRAMES.items():
        lines.append(f"/** {meaning} @type {{{kind}}} */\nexport const {name} = {_laid_out(value)};")
    return "\n".join(lines) + "\n"


def written() -> dict[Path, str]:
    """Each file, and what has to be in it."""
    return {
        WEB / "protocol.js": protocol(),
        WEB / "sentences.js": sentences(),
        WEB / "dialects.js": dialect_rows(),
        WEB / "frames" / "facts.js": frame_facts(),
    }


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
