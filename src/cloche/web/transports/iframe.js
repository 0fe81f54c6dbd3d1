// @ts-check
/**
 * A page and a frame in it. The page hands over a port in the handshake, and from then on both use nothing else: nobody
 * else has it, and a document that comes into the frame later has not got it either.
 */
import { generateRequestId } from "../rpc.js";
import { TransportClosedError, TransportError } from "./base.js";
import { WindowTransport } from "./window.js";

/**
 * @typedef {{capabilities?: Record<string, unknown>, version?: string}} Peer what one side tells the other
 * @typedef {import("./window.js").WatchOptions & Peer} FrameOptions
 * @typedef {FrameOptions & {targetOrigin: string, connectionTimeout?: number}} ParentOptions
 *   `targetOrigin` is the frame's, or "null" for a sandbox without `allow-same-origin`; the time is in milliseconds
 * @typedef {FrameOptions & {parentOrigin: string, onConnected?: (peer: Peer) => void}} ChildOptions
 */

/** Milliseconds until a frame that has not answered is called again. */
const CALL_EVERY = 100;
/** Milliseconds for a frame that has loaded to say that it is the same document still. */
const SAME_WITHIN = 3000;
/** Milliseconds after which a document's `load` has arrived here, when it says that it has loaded. */
const LOADED_WITHIN = 1000;

/** @returns {PromiseWithResolvers<Peer>} */
function handshake() {
  const begun = Promise.withResolvers();
  // Who waits hears of it.
  begun.promise.catch(() => {});
  return begun;
}

/** What both ends have in common: they are connected after a handshake, by a port, or by windows if one knows no ports. */
class FrameTransport extends WindowTransport {
  /** What the other side told, once it is there. @type {Peer | undefined} */
  peer;
  /** Of the handshake. @type {string | undefined} */
  nonce;
  /** @type {MessagePort | undefined} */
  port;
  ready = handshake();
  /** @type {Set<MessagePort>} Those of calls without an answer, too. */
  #ports = new Set();

  /** @param {any} target @param {FrameOptions & {origin: string}} options */
  constructor(target, { capabilities = {}, version = "1", ...options }) {
    super(target, options);
    this.about = { capabilities, version };
  }

  /** @override */
  get isConnected() {
    return super.isConnected && !!this.peer;
  }

  /** Wait until the other side is there; anew when the connection was closed. @returns {Promise<Peer>} what it told */
  connect() {
    if (!super.isConnected) {
      this.over = new AbortController();
      this.ready = handshake();
      this.listen();
    }
    return this.ready.promise;
  }

  /** Its part of the handshake. @param {string} part @param {Transferable[]} [transfer] */
  shake(part, transfer) {
    const { about, nonce } = this;
    this.say(
      { type: this.messageType + part, ...about, nonce, isLoaded: document.readyState == "complete" },
      transfer,
    );
  }

  /** @param {Peer} peer @param {MessagePort} [port] */
  established({ capabilities, version }, port) {
    this.port = port;
    this.#leave(port);
    this.peer = { capabilities, version };
    this.ready.resolve(this.peer);
  }

  /** @param {MessagePort} port */
  hear(port) {
    this.#ports.add(port);
    port.onmessage = ({ data }) => this.talk(data, port);
    port.addEventListener("close", () => port == this.port && this.ended());
  }

  /** Close all ports but one. @param {MessagePort} [kept] */
  #leave(kept) {
    for (const port of this.#ports) {
      if (port == kept) continue;
      port.close();
      this.#ports.delete(port);
    }
  }

  /** What came by a port. @param {any} data @param {MessagePort} port */
  talk(data, port) {
    if (port == this.port) super.take(data);
  }

  /** Beside the port nothing counts any more. @override @param {any} data @param {readonly MessagePort[]} [_ports] */
  take(data, _ports) {
    if (!this.peer || this.port) this.dropped++;
    else super.take(data);
  }

  /** @override @param {unknown} data @param {Transferable[]} [transfer] */
  say(data, transfer = []) {
    if (this.port) this.port.postMessage(data, transfer);
    else super.say(data, transfer);
  }

  /** @override */
  farewell() {
    if (this.peer) super.farewell();
  }

  /** @override */
  release() {
    this.#leave();
    this.port = this.peer = this.nonce = undefined;
    this.ready.reject(new TransportClosedError());
  }
}

/** The page's end. When the frame is removed, reloads or goes elsewhere, the connection is closed. */
export class IframeParentTransport extends FrameTransport {
  /** @type {any} */
  iframe;
  targetOrigin = "";
  connectionTimeout = 10_000;
  /** @type {any} */
  #doubt;
  /** From when on a `load` is another document's. */
  #loaded = Infinity;

  /**
   * @param {HTMLIFrameElement | (ParentOptions & {iframe: HTMLIFrameElement})} iframe
   * @param {ParentOptions} [options]
   */
  constructor(iframe, options) {
    const given =
      /** @type {ParentOptions & {iframe: HTMLIFrameElement}} */ (options ? { ...options, iframe } : iframe);
    super(given.iframe.contentWindow, { ...given, origin: given.targetOrigin });
    Object.assign(this, given);
  }

  /** @override */
  connect() {
    const ready = super.connect();
    if (!this.nonce) this.#begin();
    return ready;
  }

  /** Call until the frame answers: nothing tells when it begins to listen. */
  #begin() {
    this.nonce = generateRequestId();
    this.target = this.iframe.contentWindow;
    this.#loaded = Infinity;
    const { over } = this;
    const deadline = performance.now() + this.connectionTimeout;
    const caller = setInterval(() => {
      if (this.peer || over.signal.aborted) clearInterval(caller);
      else if (performance.now() < deadline) this.#call();
      else this.#fail("No frame answers at " + this.origin);
    }, CALL_EVERY);
    this.iframe.addEventListener("load", () => {
      if (this.port && performance.now() < this.#loaded) {
        // The document that has answered may have been at it still. Only that one has the port, so it is asked there.
        this.#doubt = setTimeout(() => over == this.over && this.ended(), SAME_WITHIN);
        this.shake(":connect");
      } else if (this.peer) this.ended();
    }, over);
    this.#call();
  }

  /** Each call has a port of its own; the frame takes the first that it hears of. */
  #call() {
    // What a frame shows before it shows anything belongs to this page; browsers complain of messages to it.
    if (!this.target || this.iframe.contentDocument?.URL == "about:blank") return;
    const { port1, port2 } = new MessageChannel();
    this.hear(port1);
    this.shake(":connect", [port2]);
  }

  /** @param {string} complaint */
  #fail(complaint) {
    this.ready.reject(new TransportError(complaint, "CONNECTION_TIMEOUT"));
    this.ended();
  }

  /** @param {any} data */
  #isAnswer(data) {
    return this.nonce && data?.type === this.messageType + ":connected";
  }

  /** @override @param {any} data @param {MessagePort} port */
  talk(data, port) {
    if (!this.#isAnswer(data) || data.nonce !== this.nonce) return super.talk(data, port);
    if (data.isLoaded) this.#loaded = performance.now() + (this.peer ? 0 : LOADED_WITHIN);
    if (this.peer) clearTimeout(this.#doubt);
    else this.established(data, port);
  }

  /** @override @param {any} data */
  take(data) {
    if (this.peer || !this.#isAnswer(data)) super.take(data);
    // What would be sent to "null" goes to whatever comes into the frame next: only a port is safe from that.
    else if (this.origin == "null") this.#fail("A frame without origin has to take the port");
    else this.established(data);
  }
}

/** The frame's end: it waits for the page around it, from the moment that it is made. */
export class IframeChildTransport extends FrameTransport {
  /** @param {ChildOptions} options */
  constructor({ parentOrigin, onConnected, ...options }) {
    super(parent, { ...options, origin: parentOrigin });
    this.parentOrigin = parentOrigin;
    this.onConnected = onConnected;
  }

  waitForConnection() {
    return this.connect();
  }

  /** @override @param {any} data @param {MessagePort} port */
  talk(data, port) {
    if (data?.type === this.messageType + ":connect") this.shake(":connected");
    else super.talk(data, port);
  }

  /** @override @param {any} data @param {readonly MessagePort[]} [ports] */
  take(data, [port] = []) {
    if (data.type !== this.messageType + ":connect") super.take(data);
    else if (!this.peer) {
      this.nonce = data.nonce;
      if (port) this.hear(port);
      this.established(data, port);
      this.shake(":connected");
      this.onConnected?.(data);
    } else if (data.nonce !== this.nonce) {
      // The page calls until it is answered, always with the same number. This is another one, who wants to take over.
      this.violated(this.origin);
      this.close();
    }
  }
}
