"""Who answers for each of the 193 numbered requirements of the source documents.

A number is owned by the issue whose tests prove it, by a capability that has no issue yet, or by nobody, and then the
design's reason stands here. A number may have several owners,
and each proves it for itself (`FOLDERS`). Tests name what they prove with
`@pytest.mark.requirement(n)`, and `test_requirements.py` holds the marks and this table against each other, both ways.
"""

from __future__ import annotations

from dataclasses import dataclass

SERVE, CONNECT, SHOW, HOST, DEV, BROWSER, COMPONENTS = 2, 3, 4, 5, 6, 7, 16
"""The issues, by what they build."""

STATE, FRAMES, WEBMCP, REPLICAS = "state", "frames", "webmcp", "replicas"
"""Capabilities whose issues come later."""

FINISHED: set[int | str] = {SERVE, CONNECT, SHOW, HOST, DEV, BROWSER, STATE, COMPONENTS, FRAMES, WEBMCP}
"""Issues and capabilities whose requirements must all be proven by a test."""

FOLDERS: dict[str, tuple[int | str, ...]] = {
    # A mark proves something for the issues whose code these tests run; where a requirement has several owners, each
    # needs a mark of its own.
    "": (SERVE,),
    "attacks": (HOST,),
    "auth": (SERVE,),
    "browser/core": (CONNECT, BROWSER),
    "browser/demos": (FRAMES,),
    "browser/page": (BROWSER,),
    "browser/published": (FRAMES,),
    "chat": (DEV,),
    "check": (DEV,),
    "cli": (SERVE, DEV),
    "client": (CONNECT,),
    "components": (COMPONENTS,),
    "conformance": (SERVE, CONNECT),
    "dev": (DEV,),
    "docs": (SERVE, CONNECT, SHOW, HOST, DEV, BROWSER),
    "frames": (FRAMES,),
    "fuzz": (SERVE,),
    "host": (HOST,),
    "host/upstreams/in_browser": (HOST, BROWSER),
    "interop": (SERVE,),
    "interop/apps": (HOST,),
    "interop/page": (BROWSER,),
    "repository": (SERVE,),
    "repository/patterns": (SERVE, HOST),
    "serve": (SERVE,),
    "serve/websocket": (SERVE, CONNECT),
    "server": (SERVE,),
    "soak/host": (HOST,),
    "soak/page": (BROWSER,),
    "soak/transports": (CONNECT,),
    "soak/upstream": (HOST,),
    "soak/view": (HOST,),
    "store": (STATE,),
    "testing": (SHOW, DEV),
    "testing/behaviour": (CONNECT,),
    "testing/cassettes": (DEV,),
    "testing/faults": (CONNECT,),
    "testing/profiles": (DEV,),
    "transports": (CONNECT,),
    "transports/stdio": (SERVE, CONNECT),
    "transports/websocket": (SERVE, CONNECT),
    "views": (SHOW,),
    "web": (SHOW, BROWSER),
    "web/frames": (FRAMES,),
    "web/host": (HOST,),
    "web/interact": (SHOW,),
    "web/store": (STATE, COMPONENTS),
    "web/transports": (BROWSER,),
    "webmcp": (WEBMCP,),
    "web/webmcp": (WEBMCP,),
    "wire": (SERVE,),
}
"""Folders of tests, and the issues for which a mark in them counts: the longest name that fits decides, and the empty
one stands for the files that lie beside this one."""

UNDERWAY: set[int | str] = set()
"""Issues and capabilities of which some requirements are proven already."""


@dataclass(frozen=True)
class Requirement:
    """One numbered requirement: what it is about, and who owns it."""

    title: str
    owners: tuple[int | str, ...]
    reason: str | None = None
    """Why nobody owns it."""


def owned(title: str, *owners: int | str) -> Requirement:
    return Requirement(title, owners)


def void(title: str, reason: str) -> Requirement:
    return Requirement(title, (), reason)


REQUIREMENTS: dict[int, Requirement] = {
    # Server core and platform
    1: owned("one package, in and out of the browser", CONNECT, BROWSER),
    2: owned("one build command per platform", BROWSER),
    3: void("module replacement at build time", "Python needs none: one wheel runs on both sides"),
    4: void("compile-time platform constant", "one adapter asks sys.platform; there is nothing to eliminate"),
    5: owned("configuration object instead of the environment", BROWSER),
    6: owned("ids from the platform's cryptography", BROWSER),
    7: owned("a server inside the page", BROWSER),
    8: owned("factory for the page's server", BROWSER),
    9: owned("the server's methods", SERVE, BROWSER),
    10: owned("in the page: no HTTP, no files, token from the parent", BROWSER),
    11: owned("the core request methods", SERVE, BROWSER),
    12: owned("the core notifications", SERVE, BROWSER),
    13: owned("prompts, logging, sampling, roots (declared out of scope there, supported here)", SERVE),
    14: owned("contents of initialize and its result", SERVE),
    15: owned("version negotiation", SERVE),
    16: owned("server capabilities", SERVE),
    17: owned("client capabilities kept and used", SERVE),
    18: owned("connection states and their refusals", SERVE, BROWSER),
    19: owned("inputs validated by schema before the tool runs", SERVE),
    20: owned("error classes and code constants", SERVE),
    21: owned("stages before, around and after the handler", SERVE),
    22: owned("constant-time registries; one transport base", SERVE, CONNECT),
    23: owned("notifications over an emitter", CONNECT),
    24: owned("request flow and notification flow", SERVE),
    25: owned("server on the page's main thread", BROWSER),
    26: owned("server in a worker, client in the page", BROWSER),
    # Transport interfaces
    27: owned("transport interface", CONNECT),
    28: owned("requests on top of a transport", CONNECT),
    29: owned("request time-out", CONNECT),
    30: owned("close rejects what is pending", CONNECT),
    31: owned("simple emitter", CONNECT),
    32: owned("message type guards", CONNECT),
    33: owned("structure check before dispatch", CONNECT),
    34: owned("transport errors, codes and texts", CONNECT),
    35: owned("transport module layout", CONNECT),
    36: owned("event transport: options and event names", CONNECT, BROWSER),
    37: owned("event transport: both sides", CONNECT, BROWSER),
    38: owned("event transport: the named test cases", CONNECT),
    # Page transports
    39: owned("postMessage: targets", BROWSER),
    40: owned("postMessage: options", BROWSER),
    41: owned("postMessage: envelope", BROWSER),
    42: owned("postMessage: origin check for windows", BROWSER),
    43: owned("postMessage: the four uses", BROWSER),
    44: owned("postMessage: the named test cases", BROWSER),
    45: owned("broadcast: options", BROWSER),
    46: owned("broadcast: envelope without echo", BROWSER),
    47: owned("broadcast: reach and limits", BROWSER),
    48: owned("iframe parent: options", BROWSER),
    49: owned("iframe handshake", BROWSER),
    50: owned("iframe message names", BROWSER),
    51: owned("iframe child: options", BROWSER),
    52: owned("iframe child: refuses foreign origins", BROWSER),
    53: owned("tab: survives navigation", BROWSER),
    54: owned("tab: options", BROWSER),
    55: owned("tab: reconnect and save", BROWSER),
    56: owned("tab: storage key", BROWSER),
    57: owned("tab: session state", BROWSER),
    58: owned("extension: options", BROWSER),
    59: owned("extension: page and background", BROWSER),
    60: owned("extension: envelope", BROWSER),
    61: owned("extension: manifest sample", BROWSER),
    # Connection care
    62: owned("reconnection schedule", CONNECT, BROWSER),
    63: owned("reconnection callbacks", CONNECT, BROWSER),
    64: owned("heartbeat", CONNECT, BROWSER),
    65: owned("cancellation tokens", CONNECT, BROWSER),
    66: owned("shared resource subscriptions", CONNECT, BROWSER),
    67: owned("SharedWorker (excluded there, supported here)", BROWSER),
    68: owned("structured-clone rules", BROWSER),
    69: owned("integration test cases", CONNECT, BROWSER),
    # State and components
    70: owned("reactive store", STATE),
    71: owned("a mutation notifies", STATE),
    72: owned("store values as resources", STATE),
    73: owned("store persistence", STATE),
    74: owned("one mutation updates page and agent", STATE),
    75: owned("components as resources", COMPONENTS),
    76: owned("renderers as tools", COMPONENTS),
    77: owned("component and renderer registries", COMPONENTS),
    # Views
    78: owned("tools return UI resources", SHOW),
    79: owned("helper that makes a UI resource", SHOW),
    80: owned("linking keys in _meta", SHOW),
    81: owned("frame sandbox for UI resources", SHOW, HOST),
    82: owned("tool and view registered as two parts", SHOW),
    83: owned("ui:// scheme", SHOW),
    84: owned("MIME type of views", SHOW),
    85: owned("registration helpers", SHOW),
    86: owned("content policy metadata", SHOW),
    87: owned("discovery metadata on tools", SHOW),
    88: owned("view configuration on a tool", SHOW),
    89: owned("MIME type helpers", SHOW),
    # Message handler
    90: owned("message handler factory", HOST),
    91: owned("its request methods and capability gates", HOST),
    92: owned("its notifications", HOST),
    93: owned("host capabilities", HOST),
    94: owned("widget capabilities", HOST),
    95: owned("its error codes", HOST),
    96: owned("its error classes and texts", HOST),
    97: owned("its context callbacks", HOST),
    98: owned("parameters checked before routing", HOST),
    # Bridge runtime
    99: owned("self-contained bridge script", SHOW),
    100: owned("bridge object in the view", SHOW),
    101: owned("bridge handshake and events", SHOW),
    102: owned("typed adapter", SHOW),
    103: owned("bridge origin policy", SHOW),
    104: owned("what widgets may do", SHOW),
    # Apps, host, sandbox proxy
    105: owned("app class and React hook", SHOW, HOST, COMPONENTS),
    106: owned("app events", SHOW, HOST),
    107: owned("host bridge and its events", HOST),
    108: owned("view lifecycle", HOST),
    109: owned("the nine steps of a call with a view", HOST),
    110: owned("double frame", HOST),
    111: owned("proxy handshake order", HOST),
    112: owned("origin of srcdoc frames", HOST),
    113: owned("tool calls of apps are tools/call", HOST),
    114: owned("default content policy", HOST),
    115: owned("host's initialize reply", HOST),
    116: owned("app host factory for pages", HOST),
    117: owned("loading and unloading apps", HOST),
    118: owned("host import path", HOST),
    # Two-phase protocol between windows
    119: owned("a server is a URL", FRAMES),
    120: owned("window roles apart from MCP roles", FRAMES),
    121: owned("standard and inverted architecture", FRAMES),
    122: owned("phase by URL hash", FRAMES),
    123: owned("listen before navigating", FRAMES),
    124: owned("the eight messages", FRAMES),
    125: owned("setup handshake", FRAMES),
    126: owned("origin allow-list and pinning", FRAMES),
    127: owned("setup result", FRAMES),
    128: owned("transport phase", FRAMES),
    129: owned("setup required again", FRAMES),
    130: owned("visibility of the inner frame", FRAMES),
    131: owned("transport and window-control classes", FRAMES),
    132: owned("inner frame interface", FRAMES),
    133: owned("session id scopes storage", FRAMES),
    134: owned("structured logger", FRAMES),
    135: owned("popups need a gesture", FRAMES),
    136: owned("demo client with prefilled forms", DEV, FRAMES),
    137: owned("demo servers", FRAMES),
    138: owned("sender identity rules", FRAMES),
    139: owned("missing configuration", FRAMES),
    # WebMCP
    140: owned("model context installed by import", WEBMCP),
    141: owned("connect and register in the page", WEBMCP),
    142: owned("registration after connect", WEBMCP),
    # Extension points
    143: owned("own methods", SERVE, BROWSER),
    144: owned("own notifications", SERVE, BROWSER),
    145: owned("middleware", SERVE, BROWSER),
    # React
    146: owned("provider and hooks", COMPONENTS),
    147: owned("what the hooks return", COMPONENTS),
    # Security rules
    148: owned("no wildcard origin", HOST, BROWSER),
    149: owned("same origin by default", HOST, BROWSER),
    150: owned("origin allow-list and pinning", HOST, BROWSER, FRAMES),
    151: owned("restrictive sandbox attributes", HOST),
    152: owned("content policy per widget", HOST),
    153: owned("structure checked on receive", HOST, BROWSER),
    154: owned("rate limits", CONNECT, HOST),
    155: owned("an empty allow-list is refused", HOST, BROWSER),
    156: void("signed messages", "a MessagePort after a nonce leaves nothing to sign; only broadcast carries an HMAC"),
    157: void("replay tracking", "a MessagePort after a nonce cannot be replayed into"),
    158: owned("cross-site requests are refused", SERVE),
    159: owned("payload limits (bytes and depth)", SERVE),
    160: owned("HTML escaping", SHOW),
    161: owned("link schemes", SHOW, HOST),
    162: void("personal-data filter chain", "not built: the timeline shows what is sent"),
    163: owned("principal, per-tool permission, token expiry", SERVE, HOST),
    164: owned("constant-time comparison", SERVE),
    165: owned("sliding-window rate limiter", CONNECT, HOST),
    166: owned("store authorisation", STATE),
    167: owned("policy headers for applications (documented)", HOST),
    168: owned("frame presets (documented)", HOST),
    169: owned("consent and audit", HOST),
    170: owned("threat model (documented)", HOST),
    # App bridge
    171: owned("app host options", HOST),
    172: owned("loaded app", HOST),
    173: owned("app child", HOST),
    174: owned("host and child messages", HOST),
    175: owned("authentication context of an app", HOST),
    176: void("app-to-app and React host components", "not built: one element embeds an app in every framework"),
    # Store in detail
    177: owned("store interface", STATE),
    178: owned("store addresses and the set tool", STATE),
    179: owned("persistence options", STATE),
    180: owned("derived state, undo, async start", STATE),
    181: owned("store definition with actions", STATE),
    # Components in detail
    182: owned("component definition", COMPONENTS),
    183: owned("component resources and render tool", COMPONENTS),
    184: owned("instances, theme, layout", COMPONENTS),
    # Remaining linked documents
    185: owned("UI resource options", SHOW),
    186: owned("model context session", WEBMCP),
    187: void("telemetry collector", "not built: the timeline records what happened"),
    188: owned("public constants", SERVE, CONNECT, BROWSER, STATE),
    189: owned("error codes and their JSON-RPC form", SERVE, CONNECT),
    190: owned("mock transport", SHOW),
    191: owned("health routes", REPLICAS),
    192: void("debug object in the page", "not built: the timeline records what happened"),
    193: owned("import without a window; transport status hook", BROWSER, COMPONENTS),
}
