// @ts-check
import { GenericAdapter } from "./generic.js";
import { APPS_VERSION } from "./protocol.js";
import { flags, params as olderParams, toHost } from "./dialects.js";

/** @typedef {import("./rpc.js").Params} Params */

/**
 * MCP Apps: JSON-RPC with the window that embeds this one. Who speaks is known by the window, which nobody can forge; an
 * origin is asked for only when trusted ones were named, because there are hosts with opaque ones.
 */
export class ExtAppsAdapter extends GenericAdapter {
  /** @override */
  name = "ext-apps";
  /** @override */
  find = this.handlerOf;
  #worded = (/** @type {Params} */ message) => message;
  #origins = this.options.trustedOrigins ?? ["*"];

  /** @override @param {Params} message */
  send = (message) => {
    const worded = this.#worded(message);
    for (const origin of this.#origins) parent.postMessage(worded, origin);
  };

  /** @override */
  canHandle() {
    return parent != window;
  }

  /** @override */
  async host() {
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== parent) return;
      if (this.#origins.includes(origin)) this.#origins = [origin];
      this.#origins[0] == "*" || this.#origins[0] == origin
        ? this.receive(data)
        : this.onerror(Error("Not trusted: " + origin));
    });
    const host = await this.request("ui/initialize", {
      appInfo: this.options.appInfo ?? { name: "cloche-view", version: "1" },
      appCapabilities: { tools: { listChanged: true }, availableDisplayModes: ["inline", "fullscreen", "pip"] },
      protocolVersion: APPS_VERSION,
    }, { timeout: 0 });
    for (const name in host.hostCapabilities) if (flags.includes(name)) this.#worded = legacy;
    return host;
  }
}

/**
 * A message in the words of the legacy dialect, which has requests instead of some notifications.
 *
 * @param {Params} message
 * @returns {Params}
 */
const legacy = (message) => {
  const { params } = message;
  const method = toHost[message.method];
  if (!method) return message;
  for (const now in olderParams) {
    const value = params[now];
    if (value) Object.assign(params, value[olderParams[now]] ? value : { [olderParams[now]]: value });
  }
  return { id: method, ...message, method };
};
