// @ts-check
import { watchPointer } from "./gestures.js";
import { serialise } from "./serialise.js";
import { watchTime } from "./time.js";
import { watchTyping } from "./typing.js";

/**
 * Runs in front of a view that is being recorded, and nowhere else: says in which order the view got its messages, what
 * the person did, and what the document looked like whenever it came to rest.
 *
 * @param {any} scope the view's window
 * @param {{method: string, document: number, message: number, batch: number}} options the method of its own messages,
 *   and how many characters may be in a document, a message and a batch
 */
export function record(scope, options) {
  const { parent, document } = scope;
  const setTimeout = scope.setTimeout.bind(scope);
  const clearTimeout = scope.clearTimeout.bind(scope);
  const now = scope.performance.now.bind(scope.performance);
  const began = now();
  const startedAt = Date.now();
  /** Milliseconds without a change until the document counts as at rest, and until entries are sent. */
  const REST = 200;
  const SOON = 50;
  let left = 20_000;
  let timesLeft = 20_000;
  /** Milliseconds since the start, each time that the view looked at the clock. @type {number[]} */
  let times = [];
  /** @type {object[]} */
  let entries = [];
  let size = 0;
  let sending = 0;
  let resting = 0;
  let seen = "";

  function flush() {
    clearTimeout(sending);
    sending = 0;
    if (!entries.length) return;
    if (times.length) entries.push({ kind: "clock", at: 0, times });
    times = [];
    parent.postMessage({ jsonrpc: "2.0", method: options.method, params: { entries } }, "*");
    entries = [];
    size = 0;
  }

  /** @param {string} kind @param {object} facts @param {number} weight characters in it */
  function put(kind, facts, weight = 100) {
    if (left-- <= 0) return;
    if (size + weight > options.batch) flush();
    entries.push({ kind, at: Math.round((now() - began) * 10) / 10, ...facts });
    size += weight;
    sending ||= setTimeout(flush, SOON);
  }

  function look() {
    const text = serialise(document.documentElement, options.document);
    if (text !== seen) put("dom", { text }, text.length);
    seen = text;
  }

  function stir() {
    clearTimeout(resting);
    resting = setTimeout(look, REST);
  }

  /** @param {string} event @param {object} facts */
  function tell(event, facts) {
    put("user", { event, ...facts });
    flush(); // before what the view says because of it
    stir();
  }

  scope.addEventListener("message", (/** @type {MessageEvent} */ { source, data }) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    const { id, method } = data;
    const text = JSON.stringify(data);
    // The host knows what is large; only the order is unknown to it.
    put("got", text.length > options.message ? { id, method } : { id, method, message: data }, text.length);
    stir();
  });
  watchPointer(scope, tell);
  watchTyping(scope, tell);
  scope.addEventListener("resize", () => tell("resize", { x: scope.innerWidth, y: scope.innerHeight }));
  const dark = scope.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => tell("scheme", { value: dark.matches ? "dark" : "light" }));
  new MutationObserver(stir).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  put("start", {
    time: startedAt,
    width: scope.innerWidth,
    height: scope.innerHeight,
    scale: scope.devicePixelRatio,
    theme: dark.matches ? "dark" : "light",
    locale: scope.navigator.language || locale,
    timeZone,
  });
  flush();
  watchTime(scope, (time) => {
    if (timesLeft-- > 0) times.push(time - startedAt);
    return time;
  });
}
