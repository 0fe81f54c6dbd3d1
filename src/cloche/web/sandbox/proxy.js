// @ts-check
import { DEFAULT_LIMITS, Gate } from "./limits.js";
import { OWN, withPrelude } from "./prelude.js";

/**
 * The page between host and view, on a site of its own. Its response carries the policy, which the view inherits. It
 * shakes hands with the host's page once, and then speaks through a port that ends here: the view, inside, has plain
 * `window.parent.postMessage`.
 *
 * @typedef {{
 *   html: string,
 *   frame: {sandbox: string, allow: string, console?: boolean},
 *   limits: import("./limits.js").Limits,
 *   deep?: boolean,
 * }} Resource
 */

/** The origin that may embed this page: from the token that the host signed. */
const hostOrigin = document.querySelector("meta[name=cloche-host]")?.getAttribute("content") ?? "";
const nonce = location.hash.slice(1);
/** The host's page. A view with a permission has one more page between, which keeps this one where it is. */
const host = document.querySelector("meta[name=cloche-around]")?.getAttribute("content") ? parent.parent : parent;

/** What the inner frame may be given, whoever asks for more. */
const SANDBOX = ["allow-scripts", "allow-forms", "allow-same-origin"];

/** What a view may say of itself. */
const REPORTS = ["error", "violation", "console", "escape"];

/** @type {HTMLIFrameElement | null} */
let inner = null;
/** @type {Gate} */
let gate;
/** @type {MessagePort} */
let port;
/** The ping that the view has not answered. @type {unknown} */
let asked;
/** The view's first page answers here for as long as it is there. @type {MessagePort | undefined} */
let witness;
/** What only that page's first script knows. @type {unknown} */
let password;
/** How often the witness was asked and has not answered yet. */
let doubts = 0;
/** What waits until it is known whose page is in the frame. @type {(() => void)[]} */
let held = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;
/**
 * Milliseconds in which the keyboard gets here, also on a busy machine; in which it comes back where it was only about to
 * leave; and until when it is expected.
 */
const FOCUS_WITHIN = 10_000;
const BACK_WITHIN = 1000;
let focusUntil = 0;

/** Posts to the view, as its parent. @type {(to: Window, message: unknown) => void} */
let post = (to, message) => to.postMessage(message, "*");

/** Frames in frames that are tried, where the host's page has found out that the browser loads fewer. */
const DEEPEST = 20;

/** The question whether the first page is still there, and the milliseconds that it has to answer. */
const SAME = 0;
const SAME_WITHIN = 10_000;

/** Questions of the host's page during which the person was active in the view: a busy view answers later. @type {Set<unknown>} */
const activeAt = new Set();

/** Milliseconds for which a browser takes a click, tap or key for recent: HTML calls it transient activation. */
const RECENT = 5000;
/** Gestures of the person in the view, when the last one was counted, and when the view's first script told of one. */
let gestures = 0;
let countedAt = -RECENT;
let usedAt = -RECENT;

/**
 * The number of the person's gesture in the view just now, or 0. A gesture in a frame is one in the frames around it, and
 * never in its neighbours: so this page knows, the view cannot make one, and a click elsewhere on the host's page is
 * none. But it may know too late, so the view's first script tells of one too. One that lasts longer than a gesture does
 * is another.
 */
function gesture() {
  const now = performance.now();
  if (now - usedAt >= RECENT && !navigator.userActivation?.isActive) return countedAt = -RECENT, 0;
  if (now - countedAt >= RECENT) gestures += 1, countedAt = now;
  return gestures;
}

/** Whether the person did something in the view in the last seconds: a key counts, and so does one in a frame inside it. */
function isActive() {
  return navigator.userActivation?.isActive ?? true;
}

/** @param {string} event @param {object} [facts] */
function tell(event, facts) {
  port.postMessage({ event, ...facts });
}

/** @param {Resource} resource */
function show({ html, frame, limits, deep }) {
  gate = new Gate({ ...DEFAULT_LIMITS, ...limits });
  /** @type {Window} */
  const stage = deep ? deepest() : window;
  stage.addEventListener("message", hear);
  inner = stage.document.createElement("iframe");
  inner.setAttribute("sandbox", SANDBOX.filter((token) => frame.sandbox.split(" ").includes(token)).join(" "));
  inner.allow = frame.allow;
  let loads = 0;
  inner.addEventListener("load", () => {
    loads += 1;
    if (loads === 1) return tell("loaded");
    doubt();
  });
  inner.srcdoc = withPrelude(html, frame.console === true);
  stage.document.body.append(inner);
}

/**
 * The window in which one more frame is the last that the browser loads. What is posted from there comes from the view's
 * own parent, as views expect.
 */
function deepest() {
  /** @type {any} */
  let stage = window;
  /** @type {HTMLIFrameElement | undefined} */
  let last;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next = stage.document.createElement("iframe");
    stage.document.body.append(next);
    if (!next.contentDocument?.body) {
      next.remove();
      break;
    }
    last = next;
    stage = next.contentWindow;
    fill(stage.document, next);
  }
  if (!last) return window;
  stage = last.ownerDocument.defaultView;
  last.remove();
  if (stage === window) return window;
  stage.document.head.append(Object.assign(stage.document.createElement("style"), { textContent: `iframe{${WHOLE}}` }));
  const script = stage.document.createElement("script");
  script.textContent = 'window.post = (to, message) => to.postMessage(message, "*")';
  stage.document.body.append(script);
  post = stage.post;
  return stage;
}

const WHOLE = "margin:0;border:0;width:100%;height:100%;display:block;overflow:hidden";

/** A frame that is not seen, and what is in it fills it. @param {Document} inside @param {HTMLElement} frame */
function fill(inside, frame) {
  for (const element of [frame, inside.documentElement, inside.body]) element.style.cssText = WHOLE;
}

/** Without a frame, nothing more comes from the view. */
function remove() {
  inner?.remove();
  inner = null;
  held = [];
}

/** The frame loaded again: it has become another page, or only its fragment has changed, as WebKit tells it. */
function doubt() {
  doubts += 1;
  clearTimeout(patience);
  patience = setTimeout(() => {
    remove();
    tell("navigated");
  }, SAME_WITHIN);
  witness?.postMessage(SAME);
}

/**
 * The witness tells of a press in the view, or answers: a question of the host's page, or whether it is the same page.
 *
 * @param {any} data
 */
function testify({ question, ...facts }) {
  if (question === undefined) tell("pressed", facts);
  else if (question === SAME) trust();
  else tell("told", { question, ...facts, isActive: activeAt.delete(question) || isActive() });
}

/** What waited goes on once every question has an answer. */
function trust() {
  doubts -= 1;
  if (doubts > 0) return;
  clearTimeout(patience);
  for (const go of held.splice(0)) go();
}

/** Nothing passes in either direction while it is in doubt whose page is in the frame. @param {() => void} go */
function whenSure(go) {
  if (doubts === 0) go();
  else if (held.length < gate.limits.burst) held.push(go);
}

/**
 * The host's page gives the view the keyboard, which may get here after the message that says so. It is not taken: the
 * message may get here after the person has gone on to something else.
 */
function takeFocus() {
  const isHere = document.hasFocus();
  focusUntil = performance.now() + (isHere ? BACK_WITHIN : FOCUS_WITHIN);
  if (isHere) focusSoon();
}

/** The keyboard has got here. */
function focused() {
  if (performance.now() >= focusUntil) return;
  focusUntil = 0;
  focusSoon();
}

/**
 * Not at once: a browser that is still about to focus this page puts the focus back on it, and one that is busy may not
 * have told yet that the person has gone on.
 */
function focusSoon() {
  setTimeout(() => document.hasFocus() && focusView());
}

/** The keyboard goes on where it was in the view. */
function focusView() {
  inner?.focus();
  inner?.contentWindow?.focus();
  toView({ jsonrpc: "2.0", method: OWN + "focus" });
}

/** @param {unknown} message */
function toView(message) {
  // Before its first script has spoken there is nobody to hear it, and a look at its window would cost the browser an
  // environment for scripts in an empty page. An opaque origin cannot be named.
  whenSure(() => witness && inner?.contentWindow && post(inner.contentWindow, message));
}

/** @param {any} data from the view */
function fromView(data) {
  const method = typeof data?.method === "string" ? data.method : "";
  if (method === OWN + "pong" && asked !== undefined && data.params === asked) {
    asked = undefined;
    return port.postMessage({ pong: data.params });
  }
  if (method === OWN + "used" && data.params === password) return void (usedAt = performance.now());
  const verdict = gate.judge(data);
  if (verdict === "cut") {
    remove();
    return tell("flood", { count: gate.count });
  }
  if (verdict === "drop") return;
  if (verdict !== "pass") return toView({ jsonrpc: "2.0", id: data.id, error: verdict });
  if (method === OWN + "report" && REPORTS.includes(data.params?.event)) return port.postMessage(data.params);
  if (method.startsWith(OWN)) return;
  // A page that is busy may not know yet that the view has taken the focus, and with it a key.
  port.postMessage({ message: data, gesture: gesture(), hasFocus: document.hasFocus() });
}

/** @param {any} data from the host's page */
function fromHost(data) {
  if ("html" in data) return inner ?? show(data);
  if ("theme" in data) return void (document.documentElement.style.colorScheme = data.theme);
  if ("focus" in data) return takeFocus();
  // Answered behind every press that the view has got so far. Where nothing is in the frame yet, no script is either.
  if ("question" in data) {
    if (!witness) return tell("told", { ...data, isActive: isActive() });
    if (isActive()) activeAt.add(data.question);
    return witness.postMessage(data.question);
  }
  if ("ping" in data) return toView({ jsonrpc: "2.0", method: OWN + "ping", params: asked = data.ping });
  // What is large comes as it came from the network: reading it is the sandbox's work, not the host page's.
  const message = "bytes" in data ? JSON.parse(new TextDecoder().decode(data.bytes)) : data.message;
  gate?.answered(message);
  toView(message);
}

/** @param {MessageEvent} event the host's page gives the port, once */
function takePort(event) {
  if (event.source !== host || event.origin !== hostOrigin || event.data?.params?.nonce !== nonce) return;
  removeEventListener("message", takePort);
  history.replaceState(null, "", location.pathname + location.search);
  port = event.ports[0];
  port.onmessage = ({ data }) => fromHost(data);
}

/** @param {MessageEvent} event */
function hear(event) {
  if (inner === null || event.source !== inner.contentWindow) return;
  // The prelude speaks before any script of the view does.
  if (witness) return whenSure(() => fromView(event.data));
  witness = event.ports[0];
  password = event.data.params;
  witness.onmessage = ({ data }) => testify(data);
}

addEventListener("message", takePort);
addEventListener("focus", focused);
host.postMessage({ jsonrpc: "2.0", method: OWN + "proxy-ready", params: { nonce } }, hostOrigin);
