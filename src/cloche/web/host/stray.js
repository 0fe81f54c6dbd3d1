// @ts-check
import { Bucket } from "../sandbox/limits.js";

/**
 * Messages that a view posts past its sandbox, to the page's own window. They mean nothing here, but each is work for the
 * page, and a view can post twenty thousand at once. They are kept from the page's own listeners and counted, and a view
 * that goes on is removed: what it has sent until then goes with it.
 */

/** @typedef {{bucket: Bucket, count: number, proxy: () => Window | null, flooded: (count: number) => void}} Counted */

/** So many at once, and so many per second: a library that looks for a host in every window needs a few. */
const BURST = 20;
const RATE = 5;

/** By the window of the frame that is on this page. @type {Map<MessageEventSource, Counted>} */
const frames = new Map();

/**
 * @param {Window | null} sandbox the window of a sandbox's frame on this page
 * @param {() => Window | null} proxy the window of the sandbox's own page, which is that one or a frame in it
 * @param {(count: number) => void} flooded
 * @returns {() => void} stops counting
 */
export function countStray(sandbox, proxy, flooded) {
  if (!sandbox) return () => {};
  addEventListener("message", hear, { capture: true }); // once, however often it is said
  frames.set(sandbox, { bucket: new Bucket(RATE, BURST), count: 0, proxy, flooded });
  return () => void frames.delete(sandbox);
}

/** @param {MessageEvent} event */
function hear(event) {
  // What a view sent that is gone meanwhile: it has no window any more, and never had an origin.
  if (event.isTrusted && event.source === null && event.origin === "null") return event.stopImmediatePropagation();
  const outermost = frameOf(event.source);
  const counted = outermost && frames.get(outermost);
  if (!counted) return;
  // The sandbox's own page speaks to us once, when it is there.
  if (event.source !== counted.proxy()) event.stopImmediatePropagation();
  counted.count += 1;
  if (!counted.bucket.take()) counted.flooded(counted.count);
}

/**
 * The frame on this page that a message comes from, however deep inside it.
 *
 * @param {MessageEventSource | null} source
 */
function frameOf(source) {
  // Who may see nothing else of a window may see its parent.
  let at = /** @type {Window | null} */ (source && "parent" in source ? source : null);
  while (at && at.parent !== globalThis.window) at = at.parent === at ? null : at.parent;
  return at;
}
