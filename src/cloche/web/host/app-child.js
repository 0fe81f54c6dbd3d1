// @ts-check
import { isObject } from "../rpc.js";
import { objection } from "../sandbox/limits.js";

/**
 * The other end of `createAppHost`, for an app that is a server or says things of its own.
 *
 * @typedef {{
 *   allowedOrigins: string[],
 *   onInitialData?: (data: any) => void,
 *   onRequest?: (method: string, params: any) => unknown,
 *   onError?: (error: Error) => void,
 * }} AppChildOptions
 */

const LIMITS = { bytes: 16_000_000, depth: 99 };

/** @param {AppChildOptions} options `allowedOrigins` are those of pages that may embed this app */
export function createAppChild(options) {
  return new AppChild(options);
}

export class AppChild {
  /** @type {any} */
  #initialData;
  /** @type {Map<string, Set<(payload: any) => void>>} */
  #listeners = new Map();
  /** The page around us, once it has spoken. @type {string | null} */
  #origin = null;

  /** @param {AppChildOptions} options */
  constructor(options) {
    if (!Array.isArray(options.allowedOrigins) || options.allowedOrigins.length === 0) {
      throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");
    }
    this.options = options;
    addEventListener("message", (event) => this.#receive(event));
  }

  /** Say that the app is there. @param {{serverInfo?: {name: string, version: string}}} [about] */
  ready(about = {}) {
    // To every page that may embed us: only the one that does is listening.
    for (const origin of this.options.allowedOrigins) parent.postMessage({ type: "app:ready", payload: about }, origin);
  }

  /** What the page gave the app to begin with. */
  getInitialData() {
    return this.#initialData;
  }

  /** @param {string} type @param {unknown} payload */
  postMessage(type, payload) {
    if (this.#origin === null) throw new Error("The page has not spoken yet: wait for onInitialData");
    parent.postMessage({ type, payload }, this.#origin);
  }

  /**
   * @param {string} type
   * @param {(payload: any) => void} handler
   * @returns {() => void} stop listening
   */
  onMessage(type, handler) {
    const handlers = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, handlers.add(handler));
    return () => void handlers.delete(handler);
  }

  /**
   * Whether the app has a permission of the browser, such as "camera"; the browser asks the person where it must.
   *
   * @param {string} name
   */
  async requestPermission(name) {
    const permissions = await this.getPermissions();
    return permissions.includes(name);
  }

  /** The permissions that the page lets this app ask for. */
  getPermissions() {
    const policy = Reflect.get(document, "featurePolicy");
    return Promise.resolve(/** @type {string[]} */ (policy?.allowedFeatures() ?? []));
  }

  /** @param {MessageEvent} event */
  #receive({ source, origin, data }) {
    if (source !== parent || !this.options.allowedOrigins.includes(origin)) return;
    this.#origin ??= origin;
    if (origin !== this.#origin || !isObject(data) || objection(data, LIMITS)) return;
    const { type, payload } = data;
    if (type === "app:init") {
      this.#initialData = payload?.data;
      this.options.onInitialData?.(this.#initialData);
    } else if (type === "mcp:request") {
      this.#answer(payload ?? {});
    } else if (typeof type === "string") {
      for (const handler of this.#listeners.get(type) ?? []) handler(payload);
    }
  }

  /** @param {Record<string, any>} request */
  async #answer({ id, method, params }) {
    try {
      const result = await this.options.onRequest?.(method, params) ?? {};
      if (id !== undefined) this.postMessage("mcp:response", { id, result });
    } catch (/** @type {any} */ error) {
      this.options.onError?.(error);
      const answer = { code: error.code ?? -32603, message: String(error.message ?? error) };
      if (id !== undefined) this.postMessage("mcp:response", { id, error: answer });
    }
  }
}
