// @ts-check
import { Adapter, parsed } from "./adapter.js";
import dialects from "./dialects.json" with { type: "json" };
import { isObject } from "./rpc.js";

/**
 * MCP Apps: JSON-RPC with the window that embeds this one. Who speaks is known by the window, which nobody can forge; an
 * origin is asked for only when trusted ones were named, because there are hosts with opaque ones.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class ExtAppsAdapter extends Adapter {
  /** @override */
  name = "ext-apps";
  /** @type {Params[]} */
  #waiting = [];
  #open = /^ui.initialize/;
  #older = false;

  /** @override */
  canHandle() {
    return window.parent !== window;
  }

  /**
   * The handshake. What is said before its end waits.
   *
   * @override
   * @param {Params} [app]
   */
  async initialize(app) {
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== window.parent) return;
      if (this.trusted[0]) {
        if (!this.trusted.includes(origin)) return this.onerror(Error("Not a trusted origin: " + origin));
        this.trusted = [origin];
      }
      this.rpc.receive(data);
    });
    const timer = setTimeout(() => {
      this.onerror(Error("No answer to ui/initialize in 3 seconds"));
      this.#admit(/^ui.initialize|message$/);
    }, 3000);
    const hello = {
      appInfo: { name: "cloche-view", version: "1" },
      appCapabilities: {},
      protocolVersion: "2026-01-26",
      ...app,
    };
    try {
      const host = await this.rpc.request("ui/initialize", hello, { timeout: 0 });
      const can = { ...host.hostCapabilities };
      for (const [before, now] of Object.entries(dialects.capabilities)) {
        if (before in can) this.#older = true;
        if (can[before]) can[now] ??= {};
      }
      await parsed();
      this.#open = /./;
      this.rpc.notify("ui/notifications/initialized");
      return { ...host, hostCapabilities: can };
    } finally {
      clearTimeout(timer);
      this.#admit(/./);
    }
  }

  /** @param {RegExp} open which methods may be sent from now on */
  #admit(open) {
    this.#open = open;
    for (const message of this.#waiting.splice(0)) this.post(message);
  }

  /**
   * @override
   * @param {Params} message
   */
  post(message) {
    if (message.method && !this.#open.test(message.method)) this.#waiting.push(message);
    else {
      const said = this.#older ? older(message) : message;
      for (const origin of this.trusted[0] ? this.trusted : ["*"]) window.parent.postMessage(said, origin);
    }
  }
}

/**
 * A message in the words of the older dialect, which has requests where today has notifications.
 *
 * @param {Params} message
 * @returns {Params}
 */
function older(message) {
  for (const [method, now] of Object.entries(dialects.toHost)) {
    if (now !== message.method) continue;
    const params = { ...message.params };
    for (const [before, key] of Object.entries(/** @type {Params} */ (dialects.params)[method] ?? {})) {
      const value = params[key] ?? params.content;
      Object.assign(params, isObject(value) && before in value ? value : { [before]: value });
    }
    return { id: method, ...message, method, params };
  }
  return message;
}
