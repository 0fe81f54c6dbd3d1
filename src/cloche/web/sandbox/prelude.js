// @ts-check
import { installStorage } from "./storage.js";

/** What the proxy and the view's first script say to each other; never passed on in either direction. */
export const OWN = "ui/notifications/sandbox-";

/**
 * Runs in the view before everything else: answers the watchdog, passes Escape on, and says what went wrong. A view can
 * forge all of it, and lies only about itself.
 *
 * @param {any} scope the view's window
 * @param {string} own the prefix of the messages
 */
function report(scope, own) {
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
    const { message, target } = event;
    tell("error", { message: short(message ?? `Could not load ${target?.src ?? target?.href}`) });
  }, true);
  scope.addEventListener("unhandledrejection", (/** @type {any} */ event) => {
    tell("error", { message: short(event.reason?.message ?? event.reason) });
  });
  scope.addEventListener("securitypolicyviolation", (/** @type {SecurityPolicyViolationEvent} */ event) => {
    tell("violation", { directive: short(event.effectiveDirective), blocked: short(event.blockedURI) });
  });
}

// This file stands in a page's script itself, which the plain text of a tag or of a comment would end.
const TAG = "script";
const CALLS = `(${installStorage})(window);(${report})(window,${JSON.stringify(OWN)})`;
const SCRIPT = `<${TAG}>(()=>{${CALLS}})()</${TAG}>`;

/** What may stand before the doctype, and the doctype. */
const START = /^(?:\s|<!-{2}[^]*?-{2}>)*<!doctype[^>]*>/i;

/**
 * The view's page with the script first. After the doctype, or the page would be laid out as in the nineties; the
 * browser itself puts it into the head.
 *
 * @param {string} html
 */
export function withPrelude(html) {
  const place = START.exec(html)?.[0].length ?? 0;
  return html.slice(0, place) + SCRIPT + html.slice(place);
}
