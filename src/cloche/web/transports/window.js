// @ts-check
/** Another window: a popup, the page that opened this one, a frame. Everybody can post to a window, so it matters who did. */
import { Transport } from "./base.js";
import { PortTransport } from "./port.js";

/**
 * @typedef {import("./base.js").TransportOptions} WatchOptions
 * @typedef {WatchOptions & {origin?: string}} WindowOptions `origin` is the other window's, or "null" where it has none
 */

/** Milliseconds between two looks at a window: nothing tells that it was closed. */
const LOOK_EVERY = 250;
/** Every window transport of this page: what is meant for one of them is not a violation at the others. */
const transports = /** @type {Set<WindowTransport>} */ (new Set());
let isWarned = false;

/**
 * A transport to one window with one origin. Both are looked at: every sandboxed frame has the origin "null", and every
 * page can be navigated elsewhere. For frames there is `IframeParentTransport`, which also notices that they reload.
 */
export class WindowTransport extends Transport {
  /** @param {any} target a Window @param {WindowOptions} [options] */
  constructor(target, { origin = "", ...options } = {}) {
    super(options);
    this.origin = origin;
    if (!origin) throw new TypeError("origin: name the one that the other window has");
    if (origin == "*" && !isWarned) {
      isWarned = true;
      console.warn("MCP: the origin * sends to any page");
    }
    this.target = target;
    this.listen();
  }

  /** Begin to hear the other window. */
  listen() {
    transports.add(this);
    addEventListener("message", (event) => this.#heard(event), this.over);
    addEventListener("pagehide", () => this.close(), this.over);
    const look = setInterval(() => this.target?.closed && this.ended(), LOOK_EVERY);
    this.over.signal.addEventListener("abort", () => {
      clearInterval(look);
      transports.delete(this);
    });
  }

  /** @param {MessageEvent} event */
  #heard(event) {
    const { data, origin, ports } = event;
    if (!(data?.type + ":").startsWith(this.messageType + ":")) return;
    if (this.isPeer(event)) this.take(data, ports);
    else if (!isFromPeer(event)) this.violated(origin);
  }

  /** A message that came from a window that is gone has no source. @param {MessageEvent} event */
  isPeer({ source, origin }) {
    return source && source === this.target && (this.origin == "*" || origin === this.origin);
  }

  /** @override @param {unknown} data @param {Transferable[]} [transfer] */
  say(data, transfer) {
    // "null" is not an address: whoever is in that window gets it.
    if (!this.target.closed) this.target.postMessage(data, this.origin == "null" ? "*" : this.origin, transfer);
  }
}

/** @param {MessageEvent} event */
const isFromPeer = (event) => [...transports].some((transport) => transport.isPeer(event));

/**
 * A transport for every window that begins to speak and has one of these origins; it answers that window, with that
 * origin.
 *
 * @param {WatchOptions & {origins: string[]}} options
 * @param {(transport: WindowTransport) => void} onTransport
 */
export function listenForWindows({ origins, onOriginViolation, ...options }, onTransport) {
  if (!origins?.length) throw new TypeError("origins: name the origins of the pages that may connect");
  // Hears what is said, and is told of violations.
  const listener = new Transport({ ...options, onOriginViolation });
  /** @param {MessageEvent} event */
  const heard = (event) => {
    const { data, source, origin } = event;
    const type = data?.type?.replace?.(/:request$/, "");
    if (type !== listener.messageType || !source || isFromPeer(event)) return;
    if (!origins.includes(origin)) return listener.violated(origin);
    // Another page is in that window now.
    for (const transport of transports) if (transport.target === source) transport.ended();
    const transport = new WindowTransport(source, { ...options, origin });
    onTransport(transport);
    // It began to listen too late for this one.
    transport.take(data);
  };
  addEventListener("message", heard, listener.over);
  return listener;
}

/** The transport that suits a target: a window is looked at closely, a worker or a port is not. */
export const PostMessageTransport = /** @type {new (target?: any, options?: WindowOptions) => Transport} */ (
  /** @type {unknown} */ (
    /** @param {any} target @param {WindowOptions} [options] */
    function PostMessageTransport(target = self, options) {
      return target.window === target ? new WindowTransport(target, options) : new PortTransport(target, options);
    }
  )
);
