// @ts-check
/** Another window: a popup, the page that opened this one, a frame. Everybody can post to a window, so it matters who did. */
import { attempt, Transport } from "./base.js";
import { PortTransport } from "./port.js";

/**
 * @typedef {import("./port.js").PortOptions & {onOriginViolation?: (origin: string) => void}} WatchOptions
 * @typedef {WatchOptions & {origin?: string}} WindowOptions `origin` is the other window's, or "null" where it has none
 */

/** Milliseconds between two looks at a window: nothing tells that it was closed. */
const LOOK_EVERY = 250;
/** Every window transport of this page: what is meant for one of them is no violation at the others. */
const transports = /** @type {Set<WindowTransport>} */ (new Set());
let isWarned = false;

/**
 * A transport to one window with one origin. Both are looked at: every sandboxed frame has the origin "null", and every
 * page can be navigated elsewhere. For frames there is `IframeParentTransport`, which also notices that they reload.
 */
export class WindowTransport extends Transport {
  /** @type {any} */
  #timer;

  /**
   * @param {any} target a Window
   * @param {WindowOptions} [options]
   */
  constructor(target, { origin, messageType = "mcp", onOriginViolation, ...options } = {}) {
    super(options);
    if (!origin) throw new TypeError(`Which origin has the other window? Write it out, such as "https://example.com"`);
    if (origin == "*" && !isWarned) console.warn(`MCP: with the origin "*" messages go to whatever page is there`);
    isWarned ||= origin == "*";
    this.origin = origin;
    this.messageType = messageType;
    this.onOriginViolation = onOriginViolation;
    this.target = target;
    this.listen();
  }

  /** Begin to hear the other window. */
  listen() {
    transports.add(this);
    addEventListener("message", this.#heard);
    addEventListener("pagehide", this.#leave);
    this.#timer = setInterval(() => this.target?.closed && this.ended(), LOOK_EVERY);
  }

  /** @param {MessageEvent} event */
  #heard = (event) => {
    const { data, origin, ports } = event;
    if (typeof data?.type != "string" || !(data.type + ":").startsWith(this.messageType + ":")) return;
    if (this.#isPeer(event)) this.take(data, ports);
    else if (![...transports].some((other) => other.#isPeer(event))) this.violated(origin);
  };

  #leave = () => this.close();

  /** A message that came from a window that is gone has no source. @param {MessageEvent} event */
  #isPeer({ source, origin }) {
    return source && source === this.target && (this.origin == "*" || origin === this.origin);
  }

  /** @param {string} origin of somebody who is not the other side */
  violated(origin) {
    this.violations++;
    attempt(() => this.onOriginViolation?.(origin));
  }

  /**
   * The other side said something.
   *
   * @param {any} data
   * @param {readonly MessagePort[]} [_ports]
   */
  take({ type, payload }, _ports) {
    if (type === this.messageType) this.deliver(payload);
    else if (type === this.messageType + ":close") this.ended();
  }

  /** @param {unknown} data @param {Transferable[]} [transfer] */
  say(data, transfer) {
    // "null" is no address: whoever is in that window gets it.
    if (!this.target.closed) this.target.postMessage(data, this.origin == "null" ? "*" : this.origin, transfer);
  }

  /** @override @param {import("./base.js").Message} payload @param {Transferable[]} [transfer] */
  post(payload, transfer) {
    this.say({ type: this.messageType, payload }, transfer);
  }

  /** @override */
  farewell() {
    this.say({ type: this.messageType + ":close" });
  }

  /** @override */
  release() {
    transports.delete(this);
    removeEventListener("message", this.#heard);
    removeEventListener("pagehide", this.#leave);
    clearInterval(this.#timer);
  }
}

/**
 * A transport for every window that begins to speak and has one of these origins; it answers that window, with that
 * origin.
 *
 * @param {WatchOptions & {origins: string[]}} options
 * @param {(transport: WindowTransport) => void} onTransport
 */
export function listenForWindows({ origins, onOriginViolation, ...options }, onTransport) {
  if (!origins?.length) throw new TypeError("origins: name the origins of the pages that may connect");
  const { messageType = "mcp" } = options;
  /** @type {WeakMap<any, WindowTransport>} */
  const known = new WeakMap();
  /** @param {MessageEvent} event */
  const heard = ({ data, source, origin }) => {
    if (data?.type !== messageType || !source) return;
    const before = known.get(source);
    if (before?.isConnected && before.origin === origin) return;
    if (!origins.includes(origin)) {
      listener.violations++;
      return attempt(() => onOriginViolation?.(origin));
    }
    before?.ended();
    const transport = new WindowTransport(source, { ...options, origin });
    known.set(source, transport);
    onTransport(transport);
    // It began to listen too late for this one.
    transport.deliver(data.payload);
  };
  addEventListener("message", heard);
  const listener = { violations: 0, close: () => removeEventListener("message", heard) };
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
