// @ts-check
import { generateRequestId } from "../rpc.js";

/**
 * Whether this browser lets views send data out past the content policy. Only the header Connection-Allowlist stops
 * WebRTC and name lookups, and a browser says nowhere whether it knows the header: so a page that has it tries.
 */

/** Milliseconds after which a probe that says nothing counts as a leak. */
const ANSWER_WITHIN = 10_000;

/** What was found: the browser is the same for the whole page. @type {Promise<boolean> | undefined} */
let found;

/** Frames in frames that are tried; Firefox loads nine in a page. */
const DEEPEST = 10;

/** @type {boolean | undefined} */
let limited;

/**
 * Whether this browser loads no frames below some depth. Where it does, a view at that depth has no child frames, in
 * which it would find again what its first script took away: WebRTC.
 */
export const hasFrameLimit = () => limited ??= isLimited();

function isLimited() {
  // Only Gecko, which has this property, is known to have such a limit. Elsewhere it is not tried: ten frames that come
  // and go cost every page something.
  if (!("RTCPeerConnection" in globalThis && "mozInnerScreenX" in globalThis)) return false;
  const first = document.createElement("iframe");
  first.style.display = "none";
  document.body.append(first);
  let inner = first.contentDocument;
  for (let depth = 1; inner?.body && depth < DEEPEST; depth++) {
    const next = inner.createElement("iframe");
    inner.body.append(next);
    inner = next.contentDocument;
  }
  first.remove();
  return !inner?.body;
}

/**
 * @param {{url: string, origin: string}} probe the address of a page that tries
 * @param {Element} [place] where its frame stands meanwhile
 * @returns {Promise<boolean>}
 */
export const isLeaky = (probe, place = document.body) => found ??= tried(probe, place);

let isTold = false;

/**
 * The same when the page has nothing better to do, and no more than once: whoever only wants to know is told of a page,
 * not of each view on it.
 *
 * @param {{url: string, origin: string}} probe
 * @param {Element} place
 * @returns {Promise<boolean>}
 */
export async function isNewlyLeaky(probe, place) {
  if (isTold) return false;
  isTold = true;
  await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
  return isLeaky(probe, place);
}

/** @param {{url: string, origin: string}} probe @param {Element} place @returns {Promise<boolean>} */
function tried({ url, origin }, place) {
  const nonce = generateRequestId();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  frame.style.display = "none";
  frame.src = `${url}#${nonce}`;
  return new Promise((resolve) => {
    const stop = (/** @type {boolean} */ leaky) => {
      clearTimeout(late);
      removeEventListener("message", hear);
      frame.remove();
      resolve(leaky);
    };
    const hear = (/** @type {MessageEvent} */ { source, origin: from, data }) => {
      const isOurs = source !== null && source === frame.contentWindow && from === origin && data?.nonce === nonce;
      if (isOurs) stop(data.leaky !== false);
    };
    const late = setTimeout(() => stop(true), ANSWER_WITHIN);
    addEventListener("message", hear);
    place.append(frame);
  });
}
