// @ts-check
import { GenericAdapter, parsed } from "./generic.js";
import { Rpc } from "./rpc.js";
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
  #older = false;
  #origins = this.options.trustedOrigins ?? [];
  #rpc = new Rpc(
    (message) => {
      for (const origin of this.#origins[0] ? this.#origins : ["*"]) {
        parent.postMessage(this.#older ? older(message) : message, origin);
      }
    },
    this.find,
    this.onerror,
  );

  /** @override */
  canHandle() {
    return parent !== window;
  }

  /** @override */
  async initialize() {
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== parent) return;
      if (this.#origins[0]) {
        if (!this.#origins.includes(origin)) return this.onerror(Error("Not a trusted origin: " + origin));
        this.#origins = [origin];
      }
      this.#rpc.receive(data);
    });
    const host = await this.request("ui/initialize", {
      appInfo: this.options.appInfo ?? { name: "cloche-view", version: "1" },
      appCapabilities: { tools: { listChanged: true }, availableDisplayModes: ["inline", "fullscreen", "pip"] },
      protocolVersion: "2026-01-26",
    }, { timeout: 0 });
    this.#older = Object.keys(dialects.capabilities).some((name) => name in (host.hostCapabilities ?? {}));
    await parsed();
    this.notify("ui/notifications/initialized");
    return host;
  }

  /**
   * @override
   * @param {string} method
   * @param {Params} params
   * @param {import("./rpc.js").RequestOptions} [options]
   */
  request(method, params, options) {
    return this.#rpc.request(method, params, options);
  }

  /**
   * @override
   * @param {string} method
   * @param {Params} [params]
   */
  notify(method, params) {
    this.#rpc.notify(method, params);
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
