// @ts-check
import { GenericAdapter, parsed } from "./generic.js";
import dialects from "./dialects.json" with { type: "json" };

/**
 * MCP Apps: JSON-RPC with the window that embeds this one. Who speaks is known by the window, which nobody can forge; an
 * origin is asked for only when trusted ones were named, because there are hosts with opaque ones.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class ExtAppsAdapter extends GenericAdapter {
  /** @override */
  name = "ext-apps";
  /** @type {Params[]} */
  #waiting = [];
  #open = /initialize$/;
  #older = false;
  #trusted = this.options.trustedOrigins ?? [];

  /** @override */
  canHandle() {
    return parent !== window;
  }

  /**
   * The handshake. What is said before its end waits.
   *
   * @override
   */
  async initialize() {
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== parent) return;
      if (this.#trusted[0]) {
        if (!this.#trusted.includes(origin)) return this.onerror(Error("Not a trusted origin: " + origin));
        this.#trusted = [origin];
      }
      this.rpc.receive(data);
    });
    const timer = setTimeout(() => {
      this.onerror(Error("No answer to ui/initialize"));
      this.#admit(/initialize$|ns.message$/);
    }, 3000);
    try {
      const host = await this.rpc.request("ui/initialize", {
        appInfo: this.options.appInfo ?? { name: "cloche-view", version: "1" },
        appCapabilities: { tools: { listChanged: true }, availableDisplayModes: ["inline", "fullscreen", "pip"] },
        protocolVersion: "2026-01-26",
      }, { timeout: 0 });
      this.#older = Object.keys(dialects.capabilities).some((name) => name in (host.hostCapabilities ?? {}));
      await parsed();
      this.#open = /./;
      this.rpc.notify("ui/notifications/initialized");
      return host;
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
      for (const origin of this.#trusted[0] ? this.#trusted : ["*"]) {
        parent.postMessage(this.#older ? older(message) : message, origin);
      }
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
  const method = /** @type {Params} */ (dialects.toHost)[message.method];
  if (!method) return message;
  const params = { ...message.params };
  for (const [now, before] of Object.entries(/** @type {Params} */ (dialects.params)[method] ?? {})) {
    const value = params[now];
    if (value) Object.assign(params, value[before] ? value : { [before]: value });
  }
  return { id: method, ...message, method, params };
}
