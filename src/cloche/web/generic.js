// @ts-check
import { WindowRpc } from "./rpc.js";

/**
 * How a view reaches its host: an adapter takes current MCP Apps messages and carries them in its own way. This one, for
 * a page that nobody embeds, answers them itself from a table, so that what needs a host is refused. The others build on
 * it.
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
export class GenericAdapter extends WindowRpc {
  name = "generic";
  /** @type {Record<string, Handler>} what it can do, by method */
  methods = { "notifications/message": console.log };

  /** @param {Setup} [setup] */
  constructor({ options = {}, find = /** @type {() => any} */ (() => {}), onerror = console.error } = {}) {
    super((message) => this.receive(message), (method) => this.methods[method], onerror);
    this.options = options;
    this.handlerOf = find;
  }

  /** @returns {boolean} */
  canHandle() {
    return true;
  }

  /**
   * The handshake. It ends when the page's own scripts have run, so that nothing arrives before they listen.
   *
   * @returns {Promise<Params>} what the host says of itself
   */
  async initialize() {
    const host = await this.host();
    if (document.readyState == "loading") await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));
    this.notify("ui/notifications/initialized");
    return host;
  }

  /** @returns {Params | Promise<Params>} */
  host() {
    return {};
  }

  /** @param {string} name @param {Params} [args] @param {import("./rpc.js").RequestOptions} [options] */
  callTool(name, args = {}, options) {
    return this.request("tools/call", { name, arguments: args }, options);
  }
}
