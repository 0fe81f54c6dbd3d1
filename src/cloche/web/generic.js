// @ts-check
import { Rpc } from "./rpc.js";

/**
 * How a view reaches its host: an adapter takes MCP Apps messages of today and carries them in its own way. This one, for
 * a page that nobody embeds, carries none: it is ready, and what needs a host is refused. The others build on it.
 *
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {{trustedOrigins?: string[], appInfo?: {name: string, version: string}}} AdapterOptions
 */
export class GenericAdapter {
  name = "generic";
  /** @type {Record<string, import("./rpc.js").Handler>} what it can do, by method */
  table = { "notifications/message": ({ level, data }) => console.log(level, data) };
  /** @type {(method: string) => import("./rpc.js").Handler | undefined} how what the host says is handled */
  find = () => undefined;
  /** @type {(error: Error) => void} */
  onerror = console.error;
  rpc = new Rpc((message) => this.post(message), (method) => this.find(method), (error) => this.onerror(error));
  #self = new Rpc(
    (message) => this.rpc.receive(message),
    (method) => this.table[method],
    (error) => this.onerror(error),
  );

  /** @param {{options?: AdapterOptions}} [setup] */
  constructor({ options = {} } = {}) {
    this.options = options;
  }

  /** @returns {boolean} */
  canHandle() {
    return true;
  }

  /** @returns {Promise<Params>} what the host says of itself */
  async initialize() {
    await parsed();
    return {};
  }

  /**
   * @param {string} name
   * @param {Params} [args]
   * @param {import("./rpc.js").RequestOptions} [options]
   */
  callTool(name, args = {}, options) {
    return this.rpc.request("tools/call", { name, arguments: args }, options);
  }

  /** @param {Params} message */
  post(message) {
    this.#self.receive(message);
  }
}

/** Resolves when the page's own scripts have run, so that nothing arrives before they listen. */
export function parsed() {
  return new Promise((resolve) =>
    document.readyState === "loading" ? addEventListener("DOMContentLoaded", resolve) : resolve(0)
  );
}
