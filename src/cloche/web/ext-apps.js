// @ts-check
import { Adapter } from "./adapter.js";
import { isObject } from "./rpc.js";
import dialects from "./dialects.json" with { type: "json" };

/**
 * MCP Apps: JSON-RPC with the window that embeds this one. Who speaks is known by the window, which nobody can forge; an
 * origin is asked for only when trusted ones were named, because hosts have opaque ones.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class ExtAppsAdapter extends Adapter {
  /** @override */
  name = "ext-apps";
  /** @type {Params[]} */
  #waiting = [];
  #open = false;
  #late = false;
  #older = false;

  /** @override */
  canHandle() {
    return this.window.parent !== this.window;
  }

  /**
   * The handshake. What is sent before it ended waits.
   *
   * @override
   * @param {Params} app
   */
  async initialize(app = {}) {
    this.window.addEventListener("message", (event) => this.#hear(event));
    const timer = setTimeout(() => {
      this.#late = true;
      this.onerror(Error("The host has not answered ui/initialize for 3 seconds"));
      this.#flush();
    }, 3000);
    const appInfo = { name: "cloche-view", version: "1", ...app.appInfo };
    const appCapabilities = app.appCapabilities ?? {};
    try {
      const hello = { appInfo, appCapabilities, protocolVersion: "2026-01-26" };
      const host = await this.rpc.request("ui/initialize", hello, { timeout: 0 });
      const capabilities = { ...host.hostCapabilities };
      for (const [before, now] of Object.entries(dialects.capabilities)) {
        if (before in capabilities) this.#older = true;
        if (capabilities[before]) capabilities[now] ??= {};
      }
      await this.parsed();
      this.#open = true;
      this.rpc.notify("ui/notifications/initialized");
      this.#flush();
      return { ...host, hostCapabilities: capabilities };
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {MessageEvent} event */
  #hear({ source, origin, data }) {
    if (source !== this.window.parent) return;
    if (this.trusted.length) {
      if (!this.trusted.includes(origin)) return this.onerror(Error("Not a trusted origin: " + origin));
      this.trusted = [origin];
    }
    this.rpc.receive(data);
  }

  #flush() {
    for (const message of this.#waiting.splice(0)) this.post(message);
  }

  /**
   * @override
   * @param {Params} message
   */
  // deno-lint-ignore require-await
  async post(message) {
    const { method } = message;
    const early = method && method !== "ui/initialize" && !(this.#late && method === "notifications/message");
    if (early && !this.#open) return this.#waiting.push(message);
    const said = this.#older ? older(message) : message;
    for (const origin of this.trusted.length ? this.trusted : ["*"]) this.window.parent.postMessage(said, origin);
  }
}

/**
 * A message in the words of a host that speaks the older dialect, which has requests only.
 *
 * @param {Params} message
 */
function older(message) {
  for (const [method, row] of Object.entries(dialects.toHost)) {
    if (row.method !== message.method) continue;
    const params = { ...message.params };
    for (const [now, before] of Object.entries("rename" in row ? row.rename : {})) {
      if (!(now in params)) continue;
      const value = params[now];
      delete params[now];
      Object.assign(params, isObject(value) && before in value ? value : { [before]: value });
    }
    return { id: method, ...message, method, params };
  }
  return message;
}
