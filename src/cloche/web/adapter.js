// @ts-check
import { Rpc } from "./rpc.js";

/**
 * How a view reaches its host. Every adapter takes MCP Apps messages of today and carries them in its own way; this
 * one does what it can by itself, which without a host is next to nothing.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class Adapter {
  name = "none";
  /** @type {Record<string, import("./rpc.js").Handler>} what it can do, by method */
  table = { "notifications/message": ({ level, data }) => console.log(level, data) };
  /** @type {(method: string) => import("./rpc.js").Handler | undefined} how what the host says is handled */
  find = () => undefined;
  /** @type {(error: Error) => void} */
  onerror = console.error;

  /** @param {{options?: {trustedOrigins?: string[], appInfo?: {name: string, version: string}}}} [setup] */
  constructor({ options: { trustedOrigins = [], appInfo = { name: "cloche-view", version: "1" } } = {} } = {}) {
    this.trusted = trustedOrigins;
    this.appInfo = appInfo;
    this.rpc = new Rpc((message) => this.post(message), (method) => this.find(method), (error) => this.onerror(error));
    this.self = new Rpc((message) => this.rpc.receive(message), (method) => this.table[method], this.onerror);
  }

  /** @returns {boolean} */
  canHandle() {
    return true;
  }

  /**
   * @returns {Promise<Params>} what the host says of itself
   */
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
    this.self.receive(message);
  }
}

/** Resolves when the page's own scripts have run, so that nothing arrives before they listen. */
export function parsed() {
  return new Promise((resolve) =>
    document.readyState === "loading" ? addEventListener("DOMContentLoaded", resolve) : resolve(0)
  );
}
