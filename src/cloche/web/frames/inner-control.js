// @ts-check
/**
 * The way from an inner page to the page around it.
 *
 * @typedef {{data: any, origin: string, ports?: readonly MessagePort[]}} WindowMessage
 * @typedef {{
 *   postMessage: (message: any, origin?: string, transfer?: Transferable[]) => void,
 *   onMessage: (handler: (event: WindowMessage) => void) => () => void,
 *   onGone?: (handler: () => void) => () => void, onHide?: (handler: () => void) => () => void,
 *   allows: (origin: string) => boolean, allowedOrigins: string[],
 *   pinnedOrigin: string | undefined, pin: (origin: string) => void, unpin: () => void, destroy: () => void,
 * }} InnerWindowControl
 */
import { plainOrigins } from "./addresses.js";
import { FrameError } from "./errors.js";

/** Milliseconds between two looks at a window: nothing tells that it was closed. */
const LOOK_EVERY = 250;

/** The window that this one is controlled by: of a popup the one that opened it, of a frame the page around it. */
export const getMessageTarget = () => window.opener ?? (window.parent === window ? null : window.parent);

/** Whether another window controls this one. */
export const isInWindowContext = () => typeof window != "undefined" && !!getMessageTarget();

/** @type {InnerWindowControl} */
export class PostMessageInnerControl {
  /** @type {string | undefined} */
  pinnedOrigin;
  #over = new AbortController();

  /**
   * @param {string[]} allowedOrigins of pages that may use this one
   * @param {any} [target] the window that controls this one
   */
  constructor(allowedOrigins, target = getMessageTarget()) {
    if (!allowedOrigins?.length) {
      throw new TypeError(
        'allowedOrigins: name the origins of the pages that may use this one, as in ["https://app.example"]',
      );
    }
    this.allowedOrigins = plainOrigins(allowedOrigins);
    if (this.allowedOrigins.includes("*")) console.warn("MCP: the origin * lets any page use this one");
    this.target = target;
  }

  /** @param {string} origin */
  allows(origin) {
    return this.allowedOrigins.includes("*") || this.allowedOrigins.includes(origin);
  }

  /** Speak to this origin only. @param {string} origin */
  pin(origin) {
    this.pinnedOrigin = origin;
  }

  unpin() {
    this.pinnedOrigin = undefined;
  }

  /** @param {any} message @param {string} [origin] else the pinned one, else any @param {Transferable[]} [transfer] */
  postMessage(message, origin = this.pinnedOrigin ?? "*", transfer = []) {
    // "null" is not an address.
    this.#window().postMessage(message, origin == "null" ? "*" : origin, transfer);
  }

  /** Hear the window that controls this one, and no other. @param {(event: WindowMessage) => void} handler */
  onMessage(handler) {
    const target = this.#window();
    const stop = new AbortController();
    addEventListener("message", (event) => {
      if (event.source && event.source === target) handler(event);
    }, { signal: AbortSignal.any([stop.signal, this.#over.signal]) });
    return () => stop.abort();
  }

  /** @param {() => void} handler */
  onGone(handler) {
    const look = setInterval(() => this.target?.closed && handler(), LOOK_EVERY);
    this.#over.signal.addEventListener("abort", () => clearInterval(look));
    return () => clearInterval(look);
  }

  /** This page goes. @param {() => void} handler */
  onHide(handler) {
    const stop = new AbortController();
    addEventListener("pagehide", handler, { signal: AbortSignal.any([stop.signal, this.#over.signal]) });
    return () => stop.abort();
  }

  destroy() {
    this.#over.abort();
  }

  #window() {
    if (this.#over.signal.aborted) throw new FrameError("WindowControl has been destroyed", "NOT_NOW");
    if (this.target) return this.target;
    throw new FrameError(
      "No page controls this one: open it in a frame or a popup of an MCP client (a popup whose server sends " +
        "Cross-Origin-Opener-Policy has no opener)",
      "WINDOW_GONE",
    );
  }
}
