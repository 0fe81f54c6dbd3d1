// @ts-check
import { Listeners } from "../listeners.js";
import { isJSONRPCRequest, REQUEST_TIMEOUT, Transport } from "../transports/base.js";

/**
 * The other end of `createAppHost`, for an app that is a server or says things of its own.
 *
 * @typedef {{
 *   allowedOrigins: string[],
 *   onInitialData?: (data: any) => void,
 *   onAuthContext?: (context: any) => void,
 *   onRequest?: (method: string, params: any) => unknown,
 *   onError?: (error: Error) => void,
 * }} AppChildOptions `onAuthContext` is called with what the page says of the user, at first and whenever it changes
 * @typedef {import("../transports/base.js").Message} Message
 */

/** @param {AppChildOptions} options `allowedOrigins` are those of pages that may embed this app */
export const createAppChild = (options) => new AppChild(options);

export class AppChild {
  /** @type {any} */
  #initialData;
  /** @type {any} */
  #authContext;
  #isTold = false;
  /** @type {Set<string>} */
  #granted = new Set();
  #listeners = new Listeners();
  /** The page around us, once it has spoken. @type {string | null} */
  #origin = null;

  /** @param {AppChildOptions} options */
  constructor(options) {
    const { allowedOrigins, onRequest, onError } = options;
    if (!Array.isArray(allowedOrigins) || allowedOrigins.length === 0) {
      throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");
    }
    this.options = options;
    /** What a server, or a client, of this app is connected to: answers and notifications in envelopes, requests as they are. */
    this.transport = Object.assign(new Transport(), {
      post: (/** @type {Message} */ message) => {
        const type = message.method ? "mcp:notification" : "mcp:response";
        this.#say(isJSONRPCRequest(message) ? message : { type, payload: message });
      },
      farewell() {},
    });
    if (onRequest) {
      this.transport.serve((method) => async (params) => {
        try {
          return await onRequest(method, params);
        } catch (/** @type {any} */ error) {
          onError?.(error);
          throw error;
        }
      });
    }
    addEventListener("message", (event) => this.#receive(event));
  }

  /** Say that the app is there. @param {{serverInfo?: {name: string, version: string}}} [about] */
  ready(about = {}) {
    this.postMessage("app:ready", about);
  }

  /** Let the page use a server, such as `createServer()` of server.js, and say that it is there. @param {any} server */
  serve(server) {
    server.connect(this.transport);
    this.ready({ serverInfo: server.info });
  }

  /** What the page gave the app to begin with. */
  getInitialData() {
    return this.#initialData;
  }

  /** What the page last said of the user. */
  getAuthContext() {
    return this.#authContext;
  }

  /** @param {string} type @param {unknown} [payload] */
  postMessage(type, payload) {
    this.#say({ type, payload });
  }

  /**
   * Hear messages of one type: `payload`, or the whole message when it has none.
   *
   * @param {string} type such as "app:focus", "app:blur", "auth:refresh" or one of your own
   * @param {(payload: any) => void} handler
   * @returns {() => void} stop listening
   */
  onMessage(type, handler) {
    return this.#listeners.on(type, handler);
  }

  /**
   * Ask the page, such as for a tool of its own: `request("tools/call", {name, arguments})`.
   *
   * @param {string} method
   * @param {Message} [params]
   * @param {import("../transports/base.js").RequestOptions} [options]
   */
  async request(method, params, options) {
    return await this.transport.rpc.request(method, params, { timeout: REQUEST_TIMEOUT, ...options });
  }

  /**
   * Ask the page for a permission; it asks the person. One of the browser's, such as "camera", has to be in the `allow`
   * of the app's frame too.
   *
   * @param {string} name
   * @returns {Promise<boolean>}
   */
  async requestPermission(name) {
    const { granted } = await this.request("app/request-permission", { name }, { timeout: 0 });
    const policy = Reflect.get(document, "featurePolicy");
    const isBlocked = policy?.features().includes(name) && !policy.allowsFeature(name);
    if (granted !== true || isBlocked) return false;
    this.#granted.add(name);
    return true;
  }

  /** The permissions that were asked for and given. */
  getPermissions() {
    return [...this.#granted];
  }

  /** @param {unknown} data */
  #say(data) {
    // Until the page has spoken, to every page that may embed us: only the one that does gets it.
    for (const origin of this.#origin === null ? this.options.allowedOrigins : [this.#origin]) {
      parent.postMessage(data, origin);
    }
  }

  /** @param {MessageEvent} event */
  #receive({ source, origin, data }) {
    if (source !== parent || !this.options.allowedOrigins.includes(origin)) return;
    this.#origin ??= origin;
    if (origin !== this.#origin || typeof data !== "object" || data === null) return;
    const { type, payload, jsonrpc } = data;
    if (jsonrpc === "2.0") this.transport.deliver(data);
    else if (type === "mcp:request") this.transport.deliver({ ...payload, jsonrpc: "2.0" });
    else if (type === "app:init") this.#begin(payload ?? {});
    else if (typeof type === "string") {
      if (type === "auth:refresh") this.#know(payload);
      this.#listeners.tell(type, "payload" in data ? payload : data);
    }
  }

  /** @param {{data?: any, authContext?: any}} told */
  #begin({ data, authContext }) {
    // It is said again to an app that may have missed it.
    if (this.#isTold) return;
    this.#isTold = true;
    this.#know(authContext);
    this.#initialData = data;
    this.options.onInitialData?.(data);
  }

  /** @param {any} context */
  #know(context) {
    this.#authContext = context;
    if (context !== undefined) this.options.onAuthContext?.(context);
  }
}
