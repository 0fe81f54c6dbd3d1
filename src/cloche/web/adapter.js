// @ts-check
import { Rpc, RpcError } from "./rpc.js";

/**
 * How a view reaches its host. Every adapter takes MCP Apps messages of today and carries them in its own way; this
 * one has nobody to carry them to.
 *
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {Window & typeof globalThis} ViewWindow
 * @typedef {{
 *   options?: {trustedOrigins?: string[]},
 *   window?: ViewWindow,
 *   find?: (method: string) => import("./rpc.js").Handler | undefined,
 *   onerror?: (error: Error) => void,
 * }} AdapterSetup
 */
export class Adapter {
  name = "none";

  /** @param {AdapterSetup} setup */
  constructor({ options, window = globalThis.window, find = () => undefined, onerror = console.error } = {}) {
    this.window = window;
    this.trusted = options?.trustedOrigins ?? [];
    this.find = find;
    this.onerror = onerror;
    this.rpc = new Rpc((message) => this.post(message), find, onerror);
  }

  /** @returns {boolean} */
  canHandle() {
    return true;
  }

  /**
   * @param {Params} [_app]
   * @returns {Promise<Params>} what the host says of itself
   */
  async initialize(_app) {
    await this.parsed();
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

  /** Resolves when the page's own scripts have run, so that nothing arrives before they listen. */
  parsed() {
    const { document } = this.window;
    return new Promise((resolve) =>
      document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", resolve) : resolve(0)
    );
  }

  /**
   * Carry a message by doing here what it asks for.
   *
   * @param {Params} message
   * @returns {Promise<unknown>}
   */
  async post({ id, method, params = {} }) {
    let answer;
    try {
      answer = { result: (await this.perform(method, params)) ?? {} };
    } catch (/** @type {any} */ error) {
      answer = { error: { code: error?.code ?? -32000, message: String(error?.message ?? error) } };
    }
    if (id) this.rpc.receive({ jsonrpc: "2.0", id, ...answer });
  }

  /**
   * @param {string} method
   * @param {Params} params
   * @returns {any}
   */
  perform(method, params) {
    if (method !== "notifications/message") {
      throw new RpcError(-32601, `${method}: there is no host that could do this`);
    }
    console.log(params.level, params.data);
  }
}
