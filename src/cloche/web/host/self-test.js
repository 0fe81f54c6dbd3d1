// @ts-check
import { icon, make } from "../elements.js";
import { SandboxFrame } from "./frame.js";
import { isLeaky } from "./leaks.js";

/**
 * The page that a developer opens to see whether the sandbox works here: behind this proxy, with this certificate, in
 * this browser. A view of its own tries what a hostile one would.
 *
 * @typedef {"waiting" | "ok" | "failed" | "note" | "skipped"} State
 * @typedef {{title: string, state: State, text: string}} Check
 */

const config = JSON.parse(document.querySelector("meta[name=cloche-config]")?.getAttribute("content") || "{}");

const SOCKET_WAIT = 5000;

/** The inside of the sign of each state. @type {Record<State, string>} */
const SIGNS = {
  waiting: "M8 2.5a5.5 5.5 0 1 1-5.5 5.5",
  ok: "M3 8.5l3.5 3.5L13 4.5",
  failed: "M4 4l8 8M12 4l-8 8",
  note: "M8 3v6M8 12v.5",
  skipped: "M4 8h8",
};
/** @type {Record<State, string>} */
const WORDS = { waiting: "running", ok: "passed", failed: "failed", note: "note", skipped: "not tried" };

const TITLES = {
  origin: "The sandbox has an origin on another site",
  loads: "The sandbox's page loads",
  opaque: "A view has no origin and no storage of its own",
  proxy: "A view cannot reach the pages around it",
  network: "A view cannot connect to anything it did not declare",
  rtc: "A view cannot leak through WebRTC",
  preconnect: "A view cannot open connections in advance (preconnect)",
  busy: "A busy view cannot stop the page",
  socket: "The page's WebSocket connects",
  clipboard: "A view cannot replace the clipboard",
};
const CLIPBOARD =
  "Not in any browser: after a click in it, a view can copy a text, as every web page can, and no header stops it.";

/** @type {Record<string, Check>} */
const checks = Object.fromEntries(
  Object.entries(TITLES).map(([name, title]) => [name, { title, state: "waiting", text: "" }]),
);

/** Runs inside the view; must be whole in itself. @param {string} target an address that answers everybody else */
function probe(target) {
  const say = (/** @type {string} */ name, /** @type {boolean} */ ok, text = "") =>
    parent.postMessage({ jsonrpc: "2.0", method: "self-test/report", params: { name, ok, text } }, "*");
  const reach = (/** @type {() => unknown} */ attempt) => {
    try {
      return Boolean(attempt());
    } catch {
      return false;
    }
  };
  // Not whether it throws: WebKit has an empty cookie that keeps nothing.
  const keepsCookies = reach(() => {
    document.cookie = "self-test=1";
    return document.cookie.includes("self-test");
  });
  const opened = new Promise((resolve) => {
    const opening = indexedDB.open("self-test");
    opening.onsuccess = () => resolve(true);
    opening.onerror = () => resolve(false);
  });
  opened.catch(() => false).then((keeps) =>
    say("opaque", self.origin === "null" && !keepsCookies && !keeps, self.origin)
  );
  say("proxy", !reach(() => parent.document) && !reach(() => parent.frameElement) && !reach(() => top?.document));
  // Two headers stop the request, and only one of them stops code made of text: with it the other one is not tried.
  const isStrict = !reach(() => Function("return 1")());
  fetch(target, { mode: "no-cors" }).then(() => say("network", false), () => say("network", isStrict));
  say("begins", true);
  setTimeout(() => {
    for (const end = performance.now() + 500; performance.now() < end;);
    say("ends", true);
  }, 200);
}

const ONE_PROCESS =
  "This browser runs a page and its frames in one process: a view that never pauses stops the page, and nothing that " +
  "a page or a server says prevents it.";

/** When the page last had a moment, and the longest time since without one. @type {[number, number]} */
let idle = [0, 0];

function notice() {
  const now = performance.now();
  idle = [now, Math.max(idle[1], now - idle[0])];
}

/** What failed, and what to do. @type {Record<string, string>} */
const FIXES = {
  opaque: "The view got an origin: the sandbox attribute of its frame was lost.",
  proxy: "The view read a document that is not its own.",
  network: "The sandbox's Content-Security-Policy header did not arrive: " +
    "a proxy between here and your app removes or replaces it. Let it pass for the sandbox's names.",
};

/** What only the Connection-Allowlist header stops. */
const LEAKS = ["rtc", "preconnect"];

const ENFORCED = "This browser enforces the Connection-Allowlist header.";

const LEAKY =
  "This browser does not enforce the Connection-Allowlist header: a malicious view can send small amounts of " +
  'data out through name lookups and, where a view can reach it, WebRTC. Policy(leaky_browsers="refuse") shows no ' +
  "views in such a browser.";

const CONNECTS =
  "This browser does not enforce the Connection-Allowlist header, and nothing else stops it: with <link " +
  'rel="preconnect"> a view opens a connection to any address. It sends nothing over it, but the name of the address ' +
  "can spell out data.";

/** @param {string} name @param {State} state @param {string} text */
function settle(name, state, text) {
  if (checks[name].state !== "waiting") return;
  Object.assign(checks[name], { state, text });
  draw();
}

/** The sandbox failed: what could not be tried stays open. @param {string} name @param {string} text */
function stop(name, text) {
  settle(name, "failed", text);
  for (const other of ["loads", "opaque", "proxy", "network", "busy", ...LEAKS]) settle(other, "skipped", "");
}

function testSandbox() {
  if (!config.sandbox) return stop("origin", config.problem);
  settle("origin", "ok", "");
  const source = `(${probe})(${JSON.stringify(location.href)})`;
  const sandbox = new SandboxFrame({
    sandbox: config.sandbox,
    frame: { sandbox: "allow-scripts allow-forms", allow: "" },
    limits: { bytes: 10_000, depth: 10, rate: 50, burst: 50, pending: 5 },
    title: "Self-test",
    html: Promise.resolve(`<!doctype html><title>Self-test</title><script>${source}</script>`),
    theme: "light",
  }, {
    message: ({ params }) => report(params),
    event: ({ event }) => event === "loaded" && settle("loads", "ok", "The frame, the handshake and the port work."),
    ended: (why) => stop("loads", why === "silent" ? silence() : `The sandbox was removed: ${why}.`),
  });
  sandbox.start(byId("stage"));
}

function silence() {
  return `${config.sandbox.origin} does not answer. Its name must lead to this server (a wildcard DNS record), and ` +
    "its certificate must cover it; nothing of yours may stand in front of host.wrap(…), such as a check of host names; " +
    "names under localhost need a browser that resolves them.";
}

/** @param {{name: string, ok: boolean, text: string}} found */
function report({ name, ok, text }) {
  if (name === "begins") {
    idle = [performance.now(), 0];
    setInterval(notice, 10);
  } else if (name === "ends") {
    notice();
    if (idle[1] > 400) settle("busy", "note", ONE_PROCESS);
    else settle("busy", "ok", "");
  }
  if (!(name in FIXES)) return;
  if (ok) settle(name, "ok", text === "null" ? "" : text);
  else settle(name, "failed", FIXES[name]);
}

/** Not by WebRTC itself: trying that crashes the sandbox's process in today's Chromium, which is one way to be safe. */
async function testLeaks() {
  const isKnown = Boolean(config.probe), leaks = isKnown && await isLeaky(config.probe);
  const [state, ...texts] = /** @type {[State, string, string]} */ (
    !isKnown ? ["skipped", "", ""] : leaks ? ["note", LEAKY, CONNECTS] : ["ok", ENFORCED, ENFORCED]
  );
  LEAKS.forEach((name, index) => settle(name, state, texts[index]));
}

function testSocket() {
  const socket = new WebSocket(new URL("socket", location.href).href.replace(/^http/, "ws"), "cloche.1");
  const late = setTimeout(() => socket.close(), SOCKET_WAIT);
  let opened = false;
  socket.onopen = () => {
    opened = true;
    socket.send('{"hello":1}');
    settle("socket", "ok", "");
    socket.close();
  };
  socket.onclose = () => {
    clearTimeout(late);
    if (opened) return;
    const fix = "The connection was refused. A proxy must pass Upgrade and Connection on, and the web server needs " +
      "WebSocket support (for uvicorn: pip install 'cloche[host]').";
    settle("socket", "failed", fix);
  };
}

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

function draw() {
  byId("checks").replaceChildren(
    ...Object.entries(checks).map(([name, { title, state, text }]) =>
      make(
        "li",
        { "data-state": state, "data-check": name },
        icon(SIGNS[state]),
        make("div", {}, title, make("span", "state", `: ${WORDS[state]}`)),
        text && make("p", {}, text),
      )
    ),
  );
  summarize();
}

function summarize() {
  const states = Object.values(checks).map(({ state }) => state);
  if (states.includes("waiting")) return;
  const failed = states.filter((state) => state === "failed").length;
  const summary = byId("summary");
  summary.dataset.state = failed ? "failed" : "ok";
  const notes = states.filter((state) => state === "note").length;
  summary.textContent = failed
    ? `${failed} of ${states.length - notes} checks failed: views are not safe here, or do not show at all.`
    : `Everything works: views are shown, and cannot get out. ${notes > 1 ? "Remarks are" : "One remark is"} below.`;
  byId("copy").disabled = false;
}

function asText() {
  const lines = Object.values(checks).map(({ title, state, text }) => `[${WORDS[state]}] ${title}. ${text}`.trim());
  return [`Page ${location.origin}, sandbox ${config.sandbox?.origin ?? "none"}`, navigator.userAgent, ...lines].join(
    "\n",
  );
}

byId("copy").onclick = async () => {
  await navigator.clipboard.writeText(asText());
  byId("copy").textContent = "Copied";
};

const facts = { Page: location.origin, Sandbox: config.sandbox?.origin ?? "none", Setting: config.setting };
for (const [name, value] of Object.entries(facts)) byId("facts").append(make("dt", {}, name), make("dd", {}, value));
settle("clipboard", "note", CLIPBOARD);
testSandbox();
testLeaks();
testSocket();
