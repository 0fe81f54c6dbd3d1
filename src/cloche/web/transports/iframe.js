// @ts-check
/**
 * A page and a frame in it. The page hands over a port in the handshake, and from then on both use nothing else: nobody
 * else has it, and a document that comes into the frame later has not got it either.
 */
import { TransportClosedError, TransportError } from "./base.js";
import { WindowTransport } from "./window.js";

/**
 * @typedef {{capabilities?: Record<string, unknown>, version?: string}} Peer what one side tells the other
 * @typedef {import("./window.js").WatchOptions & Peer} FrameOptions
 * @typedef {FrameOptions & {targetOrigin: string, connectionTimeout?: number}} ParentOptions
 *   `targetOrigin` is the frame's, or "null" for a sandbox without `allow-same-origin`; the time is in milliseconds
 * @typedef {FrameOptions & {parentOrigin: string, onConnected?: (peer: Peer) => void}} ChildOptions
 */

/** Milliseconds until a frame that has not answered is called again; twice as many each time, up to the second. */
const CALL_AFTER = 50;
const CALL_EVERY = 1000;
/** Milliseconds for a frame that has loaded to say that it is the same document still. */
const SAME_WITHIN = 3000;

/** What both ends have in common: they are connected after a handshake, by a port, or by windows if one knows no ports. */
class FrameTransport extends WindowTransport {
  /** What the other side told, once it is there. @type {Peer | undefined} */
  peer;
  /** Of the handshake. @type {string | undefined} */
  nonce;
  /** @type {MessagePort | undefined} */
  port;
  /** Whether the other side calls its messages requests and responses. */
  #isWordy = false;
  /** @type {PromiseWithResolvers<Peer> | undefined} */
  #ready;

  /**
   * @param {any} target
   * @param {FrameOptions & {origin: string}} options
   */
  constructor(target, { capabilities = {}, version = "1", ...options }) {
    super(target, options);
    this.about = { capabilities, version };
  }

  /** @override */
  get isConnected() {
    return super.isConnected && !!this.peer;
  }

  /**
   * Wait until the other side is there; anew when the connection was closed.
   *
   * @returns {Promise<Peer>} what it told
   */
  connect() {
    if (!super.isConnected) {
      this.reopened();
      this.listen();
    }
    return this.#pending().promise;
  }

  #pending() {
    if (!this.#ready) {
      this.#ready = Promise.withResolvers();
      // Who waits hears of it.
      this.#ready.promise.catch(() => {});
    }
    return this.#ready;
  }

  /** @param {Peer} peer */
  join({ capabilities, version }) {
    this.peer = { capabilities, version };
    this.#pending().resolve(this.peer);
  }

  /** @param {MessagePort} port @param {(data: any) => void} take */
  hear(port, take) {
    port.onmessage = ({ data }) => take(data ?? {});
    port.onmessageerror = () => void this.dropped++;
    port.addEventListener("close", () => port == this.port && this.ended());
  }

  /** Beside the port nothing counts any more. @override @param {any} data */
  take(data) {
    if (!this.peer || this.port) this.dropped++;
    else this.talk(data);
  }

  /** @param {any} data from the other side of the connection */
  talk(data) {
    const { type, payload, ...rest } = data;
    if (type === this.messageType + ":request" || type === this.messageType + ":response") {
      this.#isWordy = true;
      this.deliver({ jsonrpc: "2.0", ...(payload ?? rest) });
    } else super.take(data);
  }

  /** @override @param {import("./base.js").Message} payload @param {Transferable[]} [transfer] */
  post(payload, transfer) {
    if (!this.#isWordy) return super.post(payload, transfer);
    const type = this.messageType + (payload.method ? ":request" : ":response");
    this.say({ ...payload, type, payload }, transfer);
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
    super.release();
    this.port?.close();
    this.port = this.peer = this.nonce = undefined;
    this.#isWordy = false;
    this.fail(new TransportClosedError());
    this.#ready = undefined;
  }

  /** @param {Error} error */
  fail(error) {
    this.#pending().reject(error);
  }
}

/** The page's end. When the frame is removed, reloads or goes elsewhere, the connection is closed. */
export class IframeParentTransport extends FrameTransport {
  /** @type {any} */
  #caller;
  /** @type {any} */
  #deadline;
  /** Whether what comes is the first document of the frame, and not another one. */
  #isAwaited = false;
  #hasLoaded = false;
  /** Of calls without an answer yet. @type {MessagePort[]} */
  #ports = [];

  /**
   * @param {HTMLIFrameElement | (ParentOptions & {iframe: HTMLIFrameElement})} iframe
   * @param {ParentOptions} [options]
   */
  constructor(iframe, options) {
    const given =
      /** @type {ParentOptions & {iframe: HTMLIFrameElement}} */ (options ? { ...options, iframe } : iframe);
    const { iframe: element, targetOrigin, connectionTimeout = 10_000, ...rest } = given;
    super(element.contentWindow, { ...rest, origin: targetOrigin });
    this.iframe = element;
    this.targetOrigin = targetOrigin;
    this.connectionTimeout = connectionTimeout;
    this.#watch();
  }

  #watch() {
    this.iframe.addEventListener("load", this.#loaded);
    this.#isAwaited = isAwaited(this.iframe);
    this.#hasLoaded = false;
  }

  /** @override */
  connect() {
    const isNew = !this.nonce;
    if (isNew) this.target = this.iframe.contentWindow;
    const ready = super.connect();
    if (isNew) this.#begin();
    return ready;
  }

  /** @override */
  listen() {
    super.listen();
    if (this.iframe) this.#watch();
  }

  #begin() {
    this.nonce = crypto.getRandomValues(new Uint32Array(4)).join("-");
    this.#expect(
      `The frame has not answered: is it from ${this.origin}, and does it wait for a connection?`,
      this.connectionTimeout,
    );
    this.#call(CALL_AFTER);
  }

  /** @param {string} complaint when nothing comes in time @param {number} milliseconds */
  #expect(complaint, milliseconds) {
    this.#deadline = setTimeout(() => this.#give(complaint), milliseconds);
  }

  /** @param {string} complaint */
  #give(complaint) {
    this.fail(new TransportError(complaint, "CONNECTION_TIMEOUT"));
    this.ended();
  }

  /** Each call has a port of its own; the frame takes the first that it hears of. @param {number} wait */
  #call(wait) {
    this.#caller = setTimeout(() => this.#call(Math.min(2 * wait, CALL_EVERY)), wait);
    if (this.#isAwaited || !this.target) return;
    const { port1, port2 } = new MessageChannel();
    this.#ports.push(port1);
    this.hear(port1, (data) => {
      if (port1 == this.port) this.talk(data);
      else if (!this.peer && this.#isAnswer(data) && data.nonce === this.nonce) this.#join(data, port1);
    });
    this.say({ type: this.messageType + ":connect", ...this.about, nonce: this.nonce }, [port2]);
  }

  /** @param {any} data */
  #isAnswer({ type }) {
    return type === this.messageType + ":connected";
  }

  /** @param {any} data @param {MessagePort} [port] */
  #join(data, port) {
    this.#rest(port);
    this.port = port;
    this.join(data);
  }

  /** @param {MessagePort} [chosen] */
  #rest(chosen) {
    clearTimeout(this.#caller);
    clearTimeout(this.#deadline);
    for (const port of this.#ports.splice(0)) port == chosen || port.close();
  }

  /** @override @param {any} data */
  take(data) {
    if (this.peer || !this.nonce || !this.#isAnswer(data)) super.take(data);
    // What would be sent to "null" goes to whatever comes into the frame next: only a port is safe from that.
    else if (this.origin == "null") this.#give("The frame did not take the port, which a frame without origin must");
    else this.#join(data);
  }

  /** @override @param {any} data */
  talk(data) {
    if (this.#isAnswer(data)) clearTimeout(this.#deadline);
    else super.talk(data);
  }

  #loaded = () => {
    const isFirst = !this.#hasLoaded;
    this.#hasLoaded = true;
    this.#isAwaited = false;
    if (!this.peer) {
      if (this.nonce) {
        clearTimeout(this.#caller);
        this.#call(CALL_AFTER);
      }
    } else if (isFirst && this.port) {
      // The document that has answered may have been at it still. Only that one has the port, so it is asked there.
      this.#expect("", SAME_WITHIN);
      this.say({ type: this.messageType + ":connect", nonce: this.nonce });
    } else this.ended();
  };

  /** @override */
  release() {
    super.release();
    this.#rest();
    this.iframe.removeEventListener("load", this.#loaded);
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

  /** @override @param {any} data @param {readonly MessagePort[]} [ports] */
  take(data, [port] = []) {
    if (data.type !== this.messageType + ":connect") return super.take(data);
    const { nonce } = data;
    if (!this.peer) {
      if (port && typeof nonce == "string") {
        this.nonce = nonce;
        this.port = port;
        this.hear(port, (data) => this.talk(data));
      }
      this.#answer();
      this.join(data);
      this.onConnected?.(data);
    } else if (nonce !== this.nonce) {
      // The page calls until it is answered, always with the same number. This is another one, who wants to take over.
      this.violated(this.origin);
      this.close();
    } else if (!port) this.#answer();
  }

  /** @override @param {any} data */
  talk(data) {
    if (data.type === this.messageType + ":connect") this.#answer();
    else super.talk(data);
  }

  #answer() {
    this.say({ type: this.messageType + ":connected", ...this.about, nonce: this.nonce });
  }
}

/**
 * Whether the document that a frame is made for is surely still to come. Of other origins one sees nothing.
 *
 * @param {HTMLIFrameElement} iframe
 */
function isAwaited({ contentDocument, src, srcdoc }) {
  if (!contentDocument) return false;
  const isMade = srcdoc || src && src != "about:blank";
  return contentDocument.readyState != "complete" || contentDocument.URL == "about:blank" && !!isMade;
}
