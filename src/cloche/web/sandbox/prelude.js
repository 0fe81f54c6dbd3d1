// @ts-check
import { endOfDoctype } from "./doctype.js";
import { installStorage } from "./storage.js";
import { followFragments, standInForParent, withoutRtc } from "./surroundings.js";

/** What the proxy and the view's first script say to each other; never passed on in either direction. */
export const OWN = "ui/notifications/sandbox-";

/**
 * Runs in the view before everything else: answers the watchdog, passes Escape on, and says what went wrong. A view can
 * forge all of it, and lies only about itself.
 *
 * @param {any} scope the view's window
 * @param {string} own the prefix of the messages
 * @param {number} added lines that this script put in front of the view's own
 * @param {boolean} hearsConsole whether somebody wants to read what the view writes to its console
 */
function report(scope, own, added, hearsConsole) {
  const host = scope.parent;
  let left = 50;
  /** @param {string} name @param {object} params */
  const say = (name, params) => host.postMessage({ jsonrpc: "2.0", method: own + name, params }, "*");
  /** @param {string} event @param {Record<string, unknown>} facts */
  const tell = (event, facts) => {
    // A view that fails in a loop must not be cut off for its reports.
    if (left-- > 0) say("report", { event, ...facts });
  };
  /** @param {unknown} text */
  const short = (text) => String(text).slice(0, 500);
  /** Where in the view's own page it was, when it was there. @param {string} file @param {number} line */
  const place = (file, line) => file === "about:srcdoc" && line > added ? { line: line - added } : {};
  /** What had the focus: a frame that loses it forgets. @type {any} */
  let focused;
  scope.addEventListener("focusin", (/** @type {FocusEvent} */ event) => focused = event.target);
  scope.addEventListener("message", (/** @type {MessageEvent} */ event) => {
    const { method, params } = event.data ?? {};
    if (event.source !== host || (method !== own + "ping" && method !== own + "focus")) return;
    event.stopImmediatePropagation();
    if (method === own + "ping") say("pong", params);
    else focused?.focus();
  });
  scope.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    // Later, because the view's own listeners come after this one.
    if (event.key === "Escape") scope.setTimeout(() => event.defaultPrevented || say("report", { event: "escape" }));
  });
  scope.addEventListener("error", (/** @type {any} */ event) => {
    const { message, target, filename, lineno } = event;
    const text = short(message ?? `Could not load ${target?.src ?? target?.href}`);
    tell("error", { message: text, ...place(filename, lineno) });
  }, true);
  scope.addEventListener("unhandledrejection", (/** @type {any} */ event) => {
    const line = /about:srcdoc:(\d+)/.exec(event.reason?.stack)?.[1];
    tell("error", { message: short(event.reason?.message ?? event.reason), ...place("about:srcdoc", Number(line)) });
  });
  scope.addEventListener("securitypolicyviolation", (/** @type {SecurityPolicyViolationEvent} */ event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event;
    const where = place(sourceFile === "about" ? "about:srcdoc" : sourceFile, lineNumber);
    tell("violation", { directive: short(effectiveDirective), blocked: short(blockedURI), ...where });
  });
  for (const level of hearsConsole ? ["error", "warn"] : []) {
    const write = scope.console[level];
    scope.console[level] = (/** @type {unknown[]} */ ...words) => {
      const line = /about:srcdoc:(\d+)/.exec(scope.Error().stack.split("\n").slice(2).join("\n"))?.[1];
      tell("console", { level, message: short(words.join(" ")), ...place("about:srcdoc", Number(line)) });
      write(...words);
    };
  }
}

/**
 * Tells the proxy what a view cannot forge: that this page is still the one in the frame, and every press of a pointer or
 * key in it. A frame of WebKit loads a second time when only its fragment changes, and so does a page that opens itself
 * for writing. The port is nobody else's: it is never read from or called by a name that a view could replace, ends with
 * this page, and does not answer when the page was opened for writing, which takes every listener away.
 *
 * A browser may tell the proxy of the person's gesture after the message that came of it. So each gesture is also told
 * the way that the view's messages go, where none overtakes another, with a password that the view does not know.
 *
 * @param {any} scope the view's window
 * @param {string} own the prefix of the messages
 */
function vouch(scope, own) {
  const { port1, port2 } = new scope.MessageChannel();
  const host = scope.parent, password = scope.crypto.getRandomValues(new scope.Uint32Array(4)).join();
  const used = () => host.postMessage({ jsonrpc: "2.0", method: own + "used", params: password }, "*");
  const answer = port1.postMessage.bind(port1);
  const look = scope.dispatchEvent.bind(scope, new scope.Event(own + "same"));
  const now = scope.performance.now.bind(scope.performance), { timeOrigin } = scope.performance;
  /** Reads what the browser says of an event, whatever the view has put in its place. @param {string} type @param {string} name */
  const getter = (type, name) =>
    scope.Function.prototype.call.bind(scope.Object.getOwnPropertyDescriptor(scope[type].prototype, name).get);
  const at = getter("Event", "timeStamp"), question = getter("MessageEvent", "data");
  const pointer = getter("PointerEvent", "pointerType");
  const [key, code, alt, ctrl, meta, composing] = ["key", "code", "altKey", "ctrlKey", "metaKey", "isComposing"]
    .map((name) => getter("KeyboardEvent", name));
  let isSame = false;
  scope.addEventListener(own + "same", () => isSame = true);
  /** What HTML counts as a gesture: a finger may also have come down to scroll. @type {Record<string, (event: Event) => void>} */
  const presses = {
    pointerdown: (event) => answer({ pointedAt: at(event) }),
    pointerup: (event) => pointer(event) !== "mouse" && used(),
    mousedown: (event) => (answer({ pointedAt: at(event) }), used()), // assistive technology clicks without a pointer
    keydown: (event) => {
      // Where both are held, they stand for AltGr, which types.
      const types = !meta(event) && !composing(event) && alt(event) === ctrl(event), name = key(event);
      answer({ typedAt: at(event), key: name, code: code(event), types });
      if (name !== "Escape" && name !== "Shift" && name !== "Control" && name !== "Alt" && name !== "Meta") used();
    },
  };
  for (const [type, tell] of scope.Object.entries(presses)) {
    scope.addEventListener(type, (/** @type {Event} */ event) => event.isTrusted && tell(event), true);
  }
  port1.onmessage = (/** @type {MessageEvent} */ event) => {
    isSame = false;
    look();
    if (isSame) answer({ question: question(event), now: now(), timeOrigin });
  };
  host.postMessage({ jsonrpc: "2.0", method: own + "witness", params: password }, "*", [port2]);
}

// This file stands in a page's script itself, which the plain text of a tag or of a comment would end.
const TAG = "script";
const FUNCTIONS = `(${vouch})(window,${
  JSON.stringify(OWN)
});(${standInForParent})(window);(${installStorage})(window);(${withoutRtc})(window);(${followFragments})(window);(${report})`;
const ADDED = FUNCTIONS.split("\n").length - 1;

/** @param {boolean} hearsConsole */
function script(hearsConsole) {
  return `<${TAG}>(()=>{${FUNCTIONS}(window,${JSON.stringify(OWN)},${ADDED},${hearsConsole})})()</${TAG}>`;
}

/**
 * The view's page with the script first. After the doctype, or the page would be laid out as in the nineties; the
 * browser itself puts it into the head.
 *
 * @param {string} html
 * @param {boolean} [hearsConsole]
 */
export function withPrelude(html, hearsConsole = false) {
  const place = endOfDoctype(html);
  return html.slice(0, place) + script(hearsConsole) + html.slice(place);
}
