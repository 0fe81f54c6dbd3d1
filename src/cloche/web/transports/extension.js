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
 * @typedef {import("./base.js").TransportOptions & {onDisconnect?: () => void}} ExtensionOptions
 */

/** What ports for MCP are called, unless told otherwise. */
const PORT_NAME = "mcp-connection";

/** What the browser offers: nothing where no extension wants to hear from this page. @returns {any} */
const runtime = () => /** @type {any} */ (globalThis).chrome?.runtime;

/** One end of a port of the browser, the same on the page and in the extension. */
export class ExtensionServerTransport extends Transport {
  /** The port would make an empty object of a buffer, and say nothing. @override */
  carriesBuffers = false;

  /** @param {ExtensionOptions & {port: ExtensionPort}} options */
  constructor(options) {
    super(options);
    this.port = options.port;
    this.port.onMessage.addListener((data) => this.take(data));
    this.port.onDisconnect.addListener(() => {
      // The browser complains in the console unless somebody looks at the reason.
      void runtime()?.lastError;
      this.ended();
      attempt(() => options.onDisconnect?.());
    });
  }

  /** @override @param {unknown} data */
  say(data) {
    this.port.postMessage(data);
  }

  /** @override */
  release() {
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
    throw new TransportError("No extension has this page in its externally_connectable", "NO_EXTENSION");
  }
  return new ExtensionServerTransport({ ...options, port: connect(extensionId, { name }) });
}

/**
 * In an extension: a transport for each port that a page, a content script on such a page, or another extension opens.
 * Who is not on the list is disconnected. The extension's own pages are always let in.
 *
 * @param {ExtensionOptions & {
 *   origins?: string[], ids?: string[], name?: string,
 * }} options `origins` of pages and `ids` of extensions
 * @param {(transport: ExtensionServerTransport, sender: Sender) => void} onTransport
 */
export function listenInExtension({ origins = [], ids = [], name = PORT_NAME, ...options }, onTransport) {
  if (!origins.length && !ids.length) {
    throw new TypeError("origins, ids: name the pages and the extensions that may connect");
  }
  const { id, onConnect, onConnectExternal } = runtime();
  // Hears who connects, and is told of violations.
  const listener = new Transport(options);
  /** @param {ExtensionPort} port */
  const connected = (port) => {
    if (port.name !== name) return;
    const sender = port.sender ?? {};
    // A content script has the extension's id and its page's origin, and is not more to be trusted than the page.
    const isWelcome = (sender.id ?? id) == id
      ? [self.origin, ...origins].includes(sender.origin ?? "")
      : ids.includes(sender.id ?? "");
    if (isWelcome) return onTransport(new ExtensionServerTransport({ ...options, port }), sender);
    port.disconnect();
    listener.violated(sender.origin ?? sender.id ?? "");
  };
  for (const happening of [onConnect, onConnectExternal]) {
    happening.addListener(connected);
    listener.onClose(() => happening.removeListener(connected));
  }
  return listener;
}
