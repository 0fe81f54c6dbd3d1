// @ts-check
/**
 * Documents of other origins in the same tab: they are asked by message, and each tells only what it exposes to the asker.
 *
 * A document says that it is there to every other one, so that nobody waits for a page without this script. What it is
 * asked comes with a port, sent to one origin and no other; who asks is what the browser says (`event.origin`).
 *
 * @typedef {import("./tools.js").Tool} Tool
 * @typedef {(tool: Tool, window: Window, origin: string) => Record<string, any>} Listed
 */
import { failure, fire, gone, inside, mayUse, tools } from "./tools.js";

const KEY = "cloche.webmcp.1";
/** Milliseconds for the answer of a document that said it is there, and of the page around this frame. */
const ANSWER_LIMIT = 1000, POLICY_LIMIT = 3000;

/** @type {WeakMap<Window, string>} Documents of other origins that have this script, and their origins. */
const peers = new WeakMap();
/** @type {(may: boolean) => void} */
let decide;
/** @type {boolean | Promise<boolean> | undefined} */
let decision;

/** Every window of this tab's tree, from the top. @returns {Window[]} */
export function windows() {
  /** @type {Window[]} */
  const all = [/** @type {Window} */ (top)];
  for (const window of all) for (let at = 0; at < window.length; at++) all.push(window[at]);
  return all;
}

/** @param {Window} window @param {any} said @param {string} origin @param {Transferable[]} [ports] */
const say = (window, said, origin, ports) => window.postMessage({ [KEY]: said }, origin, ports);

/** Whether permissions policy lets this document have tools, as far as a page can see it. */
export function allowed() {
  return decision ??= findPolicy();
}

/** @returns {boolean | Promise<boolean>} */
function findPolicy() {
  const { featurePolicy } = /** @type {any} */ (document);
  if (featurePolicy?.features().includes("tools")) return featurePolicy.allowsFeature("tools");
  if (parent == self) return true;
  if (frameElement) return allows(/** @type {HTMLIFrameElement} */ (frameElement), origin);
  // Only the page around this frame knows what it allows.
  return new Promise((resolve) => {
    decide = resolve;
    setTimeout(resolve, POLICY_LIMIT, false);
    say(parent, "here", "*");
  });
}

/** Whether `allow` of a frame has `tools` for a document. @param {HTMLIFrameElement} frame @param {string} origin */
function allows({ allow, src }, origin) {
  const found = allow.split(";").map((one) => one.trim().split(/\s+/)).find(([name]) => name == "tools");
  if (!found) return origin == self.origin;
  const names = found.length > 1 ? found.slice(1) : ["'src'"];
  return names.some((name) =>
    name == "*" || name == origin || name == "'self'" && origin == self.origin ||
    name == "'src'" && (origin == "null" || !src || origin == new URL(src).origin)
  );
}

/** Begin to listen. */
export function joinFrames() {
  addEventListener("message", hear);
  for (const window of windows()) if (window != self) say(window, "here", "*");
}

/** @param {MessageEvent} event */
async function hear({ data, source: sender, origin, ports: [port] }) {
  const said = data?.[KEY];
  const source = /** @type {Window} */ (sender);
  if (!said || !windows().includes(source) || source == self) return;
  if (said == "here" || said == "present") {
    // Each time: a frame that was loaded again knows nobody.
    if (said == "here") say(source, "present", "*");
    peers.set(source, origin);
    const frame = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow == source);
    if (frame) say(source, await allowed() && allows(frame, origin) ? "allowed" : "denied", "*");
  } else if (said == "changed") fire(new Event("toolchange"));
  else if (port) serve(said, origin, port);
  else if (source == parent) decide?.(said == "allowed");
}

/** @param {any} said @param {string} origin @param {MessagePort} port */
function serve(said, origin, port) {
  if (said == "list") {
    const exposed = tools().filter((tool) => mayUse(tool, origin));
    return port.postMessage(exposed.map(({ execute: _, check: _check, ...shown }) => shown));
  }
  const own = new AbortController();
  /** @param {DOMException} error */
  const fail = ({ name, message }) => port.postMessage({ error: [name, message] });
  const away = () => fail(gone());
  addEventListener("pagehide", away);
  port.onmessage = () => own.abort();
  inside(window)?.run({ ...said, origin, signal: own.signal })
    .then((result) => port.postMessage({ result }), fail)
    .finally(() => removeEventListener("pagehide", away));
}

/** Ask other origins for what they expose to this one. @param {string[]} wanted @param {Listed} listed */
export async function listFar(wanted, listed) {
  const asked = windows().flatMap((window) => {
    const origin = peers.get(window);
    return origin && wanted.includes(origin) && !inside(window) ? [{ window, origin }] : [];
  });
  const answers = await Promise.all(asked.map(({ window, origin }) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data.map((/** @type {Tool} */ tool) => listed(tool, window, origin)));
      setTimeout(resolve, ANSWER_LIMIT, []);
      say(window, "list", origin, [port2]);
    })
  ));
  return answers.flat();
}

/**
 * @param {Window} target
 * @param {{name: string, input: string, where: string}} call
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}
 */
export function callFar(target, { name, input, where }, signal) {
  return new Promise((resolve, reject) => {
    if (peers.get(target) != where) throw gone();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: { result, error } }) => error ? reject(failure(error[0], error[1])) : resolve(result);
    signal.addEventListener("abort", () => port1.postMessage("abort"));
    say(target, { name, input }, where, [port2]);
  });
}

/** Tell documents of other origins that there is a new tool for them, or one less. @param {string[]} exposedTo */
export function exposeChange(exposedTo) {
  for (const window of windows()) {
    const origin = peers.get(window);
    if (origin && exposedTo.includes(origin)) say(window, "changed", origin);
  }
}
