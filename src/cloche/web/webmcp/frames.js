// @ts-check
/**
 * Documents of other origins in the same tab: they are asked by message, and each tells only what it exposes to the asker.
 *
 * A document says that it is there to every other one, so that nobody waits for a page without this script. What it is
 * asked comes with a port, sent to one origin and no other; who asks is what the browser says (`event.origin`).
 *
 * Whether a document may have tools, and use those of others, is never its own word: the document around it says so, and
 * counts only if it may have tools itself, up to the top of the tab. A frame that does as it likes is not listened to.
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
/** What waits for somebody to be there. @type {Set<() => void>} */
const waiting = new Set();
/** @type {boolean | Promise<boolean> | undefined} */
let decision;

/** Every window of this tab's tree, from the top; frames in shadow trees are in no list. @returns {Window[]} */
export function windows() {
  /** @type {Window[]} */
  const all = [/** @type {Window} */ (top)];
  for (const window of all) for (let at = 0; at < window.length; at++) all.push(window[at]);
  return all;
}

/** @param {Window} window @param {any} said @param {string} origin of who may read it @param {Transferable[]} [ports] */
const say = (window, said, origin, ports) => window.postMessage({ [KEY]: said }, origin, ports);

/**
 * What a document answers; undefined when it says nothing for a second.
 *
 * @param {Window} window @param {any} said @param {string} origin of who may read it
 */
function ask(window, said, origin) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, ANSWER_LIMIT);
    say(window, said, origin, [port2]);
  });
}

/** Whether permissions policy lets this document have tools, as far as a page can see it. */
export function allowed() {
  return decision ??= findPolicy();
}

/** @returns {boolean | Promise<boolean>} */
function findPolicy() {
  const { featurePolicy } = /** @type {any} */ (document);
  if (featurePolicy?.features().includes("tools")) return featurePolicy.allowsFeature("tools");
  /** @type {Window[]} */
  const inner = [];
  for (let at = /** @type {Window} */ (self); at != top; at = at.parent) inner.push(at);
  const elements = inner.map(elementOf);
  // With pages of this origin up to the top, nobody has to be asked.
  if (elements.every(Boolean)) return elements.every((one) => allows(/** @type {any} */ (one), origin));
  return Promise.all(inner.map((one) => isThere(one.parent))).then(() => permitted(self)).then((may) => decision = may);
}

/** The element around a document, where this one may see it. @param {Window} window */
function elementOf(window) {
  try {
    return window.frameElement;
  } catch {
    return null;
  }
}

/** Wait until a document says that it is there, but not for ever. @param {Window} window */
const isThere = (window) =>
  new Promise((resolve) => {
    const look = () => void (peers.has(window) && resolve(waiting.delete(look)));
    waiting.add(look);
    setTimeout(resolve, POLICY_LIMIT);
    look();
  });

/** Whether a document may have tools: the ones around it are asked, the top one first. @param {Window} window @returns {Promise<boolean>} */
async function permitted(window) {
  const where = window == self ? origin : peers.get(window);
  if (!where || window == top) return !!where;
  const { parent } = window;
  if (!await permitted(parent)) return false;
  let frame = 0;
  while (frame < parent.length && parent[frame] != window) frame++;
  if (parent == self) return grants(frame, where);
  const around = /** @type {string} */ (peers.get(parent));
  // An opaque origin cannot be named, and stays one whatever is loaded there.
  return await ask(parent, { frame, where }, around == "null" ? "*" : around) === true;
}

/** Whether this document lets one of its frames have tools while it shows a document of that origin. @param {any} frame @param {any} where */
function grants(frame, where) {
  const found = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow == self[+frame]);
  return !!found && allows(found, where);
}

/** Whether `allow` of a frame has `tools` for a document. @param {HTMLIFrameElement} frame @param {string} where its origin */
function allows({ allow, src, sandbox }, where) {
  const found = allow.split(";").map((one) => one.trim().split(/\s+/)).find(([name]) => name == "tools");
  if (!found) return where == origin && where != "null";
  const isOpaque = sandbox.length && !sandbox.contains("allow-same-origin");
  const source = isOpaque ? "null" : src ? new URL(src).origin : origin;
  const names = found.length > 1 ? found.slice(1) : ["'src'"];
  return names.some((name) =>
    name == "*" || name == where || name == "'self'" && where == origin || name == "'src'" && where == source
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
    for (const look of waiting) look();
  } else if (said.where) port?.postMessage(await allowed() && grants(said.frame, said.where));
  // Opaque origins look the same and are not.
  else if (origin != "null" && peers.get(source) == origin && await permitted(source)) {
    if (said == "changed") fire(new Event("toolchange"));
    else if (port) serve(said, origin, port);
  }
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
  const answers = await Promise.all(
    windows().map(async (window) => {
      const origin = peers.get(window);
      if (!origin || !wanted.includes(origin) || inside(window) || !await permitted(window)) return [];
      const told = await ask(window, "list", origin) ?? [];
      return told.map((/** @type {Tool} */ tool) => listed(tool, window, origin));
    }),
  );
  return answers.flat();
}

/**
 * @param {Window} target
 * @param {{name: string, input: string, where: string}} call
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}
 */
export async function callFar(target, { name, input, where }, signal) {
  const may = await permitted(target);
  return new Promise((resolve, reject) => {
    if (!may || peers.get(target) != where) throw gone();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: { result, error } }) => error ? reject(failure(error[0], error[1])) : resolve(result);
    const abort = () => port1.postMessage("abort");
    signal.addEventListener("abort", abort);
    say(target, { name, input }, where, [port2]);
    if (signal.aborted) abort();
  });
}

/** Tell documents of other origins that there is a new tool for them, or one less. @param {string[]} exposedTo */
export function exposeChange(exposedTo) {
  for (const window of windows()) {
    const origin = peers.get(window);
    if (origin && exposedTo.includes(origin)) say(window, "changed", origin);
  }
}
