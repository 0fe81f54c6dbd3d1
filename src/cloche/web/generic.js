// @ts-check
import { RpcError } from "./rpc.js";

/**
 * How a view reaches its host: an adapter takes MCP Apps messages of today and carries them in its own way. This one, for
 * a page that nobody embeds, carries none: it is ready, and what needs a host is refused. The others build on it.
 *
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {import("./rpc.js").Handler} Handler
 * @typedef {{trustedOrigins?: string[], appInfo?: {name: string, version: string}}} AdapterOptions
 * @typedef {{
 *   options?: AdapterOptions,
 *   find?: (method: string) => Handler | undefined,
 *   onerror?: (error: Error) => void,
 * }} Setup `find` gives the handler of what the host says or asks.
 */
export class GenericAdapter {
  name = "generic";
  /** @type {Record<string, Handler>} what it can do, by method */
  table = { "notifications/message": ({ level, data }) => console.log(level, data) };

  /** @param {Setup} [setup] */
  constructor({ options = {}, find = () => undefined, onerror = console.error } = {}) {
    this.options = options;
    this.find = find;
    this.onerror = onerror;
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
   * @param {string} method
   * @param {Params} params
   * @param {import("./rpc.js").RequestOptions} [_options]
   * @returns {Promise<any>}
   */
  async request(method, params, _options) {
    const act = this.table[method];
    if (!act) throw new RpcError(-32601, "Not available: " + method);
    return await act(params) ?? {};
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   */
  notify(method, params = {}) {
    this.table[method]?.(params);
  }

  /**
   * @param {string} name
   * @param {Params} [args]
   * @param {import("./rpc.js").RequestOptions} [options]
   */
  callTool(name, args = {}, options) {
    return this.request("tools/call", { name, arguments: args }, options);
  }
}

/** Resolves when the page's own scripts have run, so that nothing arrives before they listen. */
export function parsed() {
  return new Promise((resolve) =>
    document.readyState === "loading" ? addEventListener("DOMContentLoaded", resolve) : resolve(0)
  );
}
