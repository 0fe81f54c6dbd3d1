"""Getting data out of the view: by request, by navigation, by WebRTC."""

from __future__ import annotations

import re
from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.scene import VIEWS
from tests.support.controls import Control, Edit, Patch


def names_in(script: str) -> list[str]:
    """The attacks of a file in views/."""
    text = (VIEWS / f"{script}.js").read_text(encoding="utf-8")
    return [one or other for one, other in re.findall(r'^attacks(?:\.(\w+)|\["([^"]+)"\]) =', text, re.MULTILINE)]


def without_headers(*names: bytes) -> Patch:
    """Serve the sandbox's page without these headers."""

    def fewer(original: Any, *args: Any) -> Any:
        return [(name, value) for name, value in original(*args) if name not in names]

    return Patch("cloche.host.web.routes:sandbox_headers", fewer)


OPEN_NETWORK = Control(
    "open-network",
    "the policy headers of the sandbox: Content-Security-Policy and Connection-Allowlist",
    (without_headers(b"content-security-policy", b"connection-allowlist"),),
)
SECOND_LIFE = Control(
    "second-life",
    "the policy headers of the sandbox, and the removal of a view that loads a second time",
    OPEN_NETWORK.patches,
    (Edit("sandbox/proxy.js", 'return tell("loaded");\n    doubt();', 'return tell("loaded");'),),
)
NO_ALLOWLIST = Control(
    "no-connection-allowlist",
    "the header Connection-Allowlist; the content policy stands",
    (without_headers(b"connection-allowlist"),),
)
SHALLOW = Edit("host/frame.js", "!frame.framed && hasFrameLimit()", "false")
"""Where a browser loads no frame below a certain depth, views are shown there; these are not, and can have children."""

WITH_CHILDREN = Control(
    "open-network-with-children",
    "the policy headers of the sandbox, and a depth at which there are no child frames",
    OPEN_NETWORK.patches,
    (SHALLOW,),
)
OPEN_RTC = Control(
    "open-webrtc",
    "the header Connection-Allowlist, the removal of WebRTC from views, and a depth at which there are no child frames",
    NO_ALLOWLIST.patches,
    (
        Edit("sandbox/prelude.js", "(${withoutRtc})(window);", ""),
        SHALLOW,
    ),
)

DORMANT = {
    "svg-use": "Chromium fetches no use element of another origin",
    "document-write": "a child frame of an opaque frame is closed to it",
    "report-uri": "Chromium sends no reports for a policy in a meta element",
    "speculation-rules": "Chromium prefetches for top-level pages only",
    "icon": "Chromium loads icons of top-level pages only",
    "manifest": "Chromium loads manifests of top-level pages only",
    "fetch-later": "an opaque frame has no quota for it",
    "same-host": "the sandbox's name serves nothing",
    "javascript-frame-stun": "a javascript: address does not run in a frame of another origin",
    "proxy-location": "a sandboxed frame may not navigate its parent",
}

CASES = {"requests": "W26", "navigation": "W10", "webrtc": "W26"}
KINDS = {
    "requests": "exfiltration by request",
    "navigation": "exfiltration by navigation",
    "webrtc": "exfiltration by WebRTC",
}

IN_CHILDREN = (
    *("nested-srcdoc", "blob-frame", "data-frame"),
    *("form-multipart-in-child", "child-frame", "child-frame-location", "child-refresh"),
)
CONTROLS = dict.fromkeys(("blob-then-away", "data-then-away"), SECOND_LIFE) | dict.fromkeys(IN_CHILDREN, WITH_CHILDREN)
"""Those that are stopped by more than the headers."""

ATTACKS = [
    Attack(
        name=name,
        kind=KINDS[script],
        case=CASES[script],
        control=CONTROLS.get(name, OPEN_RTC if script == "webrtc" else OPEN_NETWORK),
        script=script,
        silent=script == "navigation",
        stores=name == "preconnect",
        dormant=DORMANT.get(name),
    )
    for script in ("requests", "navigation", "webrtc")
    for name in names_in(script)
]
