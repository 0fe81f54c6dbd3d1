// @ts-check
/** A page and an extension of the browser. A port of the browser carries JSON and nothing else. */
import { attempt, Transport, TransportError } from "./base.js";

/**
 * @typedef {{addListener: (listener: (value: any) => void) => void, removeListener: (listener: (value: any) => void) => void}}
 *   Happening what the browser tells extensions
 * @typedef {{id?: string, origin?: string}} Sender
 * @typedef {{
 *   name: string, sender?: Sender, onMessage: Happening, onDisconnect: Happening,
 *   postMessage: (message: any) => void, disconnect: () => void,
 * }} ExtensionPort
 * @typedef {import("./base.js").TransportOptions & {messageType?: string, onDisconnect?: () => void}} ExtensionOptions
 */

/** What ports for MCP are called, unless told otherwise. */
const PORT_NAME = "mcp-connection";

/** What the browser offers: nothing where no extension wants to hear from this page. @returns {any} */
const runtime = () => Reflect.get(globalThis, "chrome")?.runtime;

/** One end of a port of the browser, the same on the page and in the extension. */
export class ExtensionServerTransport extends Transport {
  /** @param {ExtensionOptions & {port: ExtensionPort}} options */
  constructor({ port, messageType = "mcp", onDisconnect, ...options }) {
    super(options);
    this.port = port;
    this.messageType = messageType;
    this.onDisconnect = onDisconnect;
    port.onMessage.addListener(this.#heard);
    port.onDisconnect.addListener(this.#gone);
  }

  /** @param {any} data */
  #heard = (data) => {
    if (data?.type === this.messageType) this.deliver(data.payload);
    else if (data?.type === this.messageType + ":close") this.ended();
  };

  #gone = () => {
    // The browser complains in the console unless somebody looks at the reason.
    void runtime()?.lastError;
    this.ended();
    attempt(() => this.onDisconnect?.());
  };

  /** @override @param {import("./base.js").Message} payload */
  post(payload) {
    // The port would make an empty object of a buffer, and say nothing.
    const text = JSON.stringify(payload, (key, value) => {
      if (!(value instanceof ArrayBuffer)) return value;
      throw new TransportError(`An extension gets JSON only: ${key} is an ArrayBuffer`, "INVALID_MESSAGE");
    });
    this.port.postMessage({ type: this.messageType, payload: JSON.parse(text) });
  }

  /** @override */
  farewell() {
    this.port.postMessage({ type: this.messageType + ":close" });
  }

  /** @override */
  release() {
    this.port.onMessage.removeListener(this.#heard);
    this.port.onDisconnect.removeListener(this.#gone);
    this.port.disconnect();
  }
}

/**
 * Connect a page to an extension, or a part of an extension to its service worker, whose id is then left out.
 *
 * @param {string | undefined} extensionId
 * @param {ExtensionOptions & {name?: string}} [options]
 */
export function connectToExtension(extensionId, { name = PORT_NAME, ...options } = {}) {
  const connect = runtime()?.connect;
  if (!connect) {
    const why =
      "No extension listens to this page: externally_connectable in its manifest must name the page's address";
    throw new TransportError(why, "NO_EXTENSION");
  }
  const port = extensionId ? connect(extensionId, { name }) : connect({ name });
  return new ExtensionServerTransport({ ...options, port });
}

/**
 * In an extension: a transport for each port that a page, a content script on such a page, or another extension opens.
 * Who is not on the list is disconnected. The extension's own pages are always let in.
 *
 * @param {ExtensionOptions & {
 *   origins?: string[], ids?: string[], name?: string, onOriginViolation?: (origin: string) => void,
 * }} options `origins` of pages and `ids` of extensions
 * @param {(transport: ExtensionServerTransport, sender: Sender) => void} onTransport
 */
export function listenInExtension(
  { origins = [], ids = [], name = PORT_NAME, onOriginViolation, ...options },
  onTransport,
) {
  if (!origins.length && !ids.length) {
    throw new TypeError("origins, ids: name the pages and the extensions that may connect");
  }
  const { id, onConnect, onConnectExternal } = runtime();
  const own = new URL(runtime().getURL("")).origin;
  /** @param {Sender} sender */
  const isWelcome = (sender) =>
    // A content script has the extension's id and its page's origin, and is not more to be trusted than the page.
    !sender.id || sender.id == id ? [own, ...origins].includes(sender.origin ?? "") : ids.includes(sender.id);
  /** @param {ExtensionPort} port */
  const connected = (port) => {
    if (port.name !== name) return;
    const sender = port.sender ?? {};
    if (isWelcome(sender)) return onTransport(new ExtensionServerTransport({ ...options, port }), sender);
    listener.violations++;
    port.disconnect();
    attempt(() => onOriginViolation?.(sender.origin ?? sender.id ?? ""));
  };
  onConnect.addListener(connected);
  onConnectExternal.addListener(connected);
  const listener = {
    violations: 0,
    close() {
      onConnect.removeListener(connected);
      onConnectExternal.removeListener(connected);
    },
  };
  return listener;
}
