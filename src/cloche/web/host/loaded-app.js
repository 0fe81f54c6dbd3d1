// @ts-check
import { AppConnectionError, AppTimeoutError } from "./app-errors.js";
import { isObject, Rpc, RpcError } from "../rpc.js";
import { calm } from "./calm.js";
import { DEFAULT_LIMITS, Gate } from "../sandbox/limits.js";

/**
 * One app in its frame, and the conversation with it. An app is a view, which asks (`ui/initialize`, `tools/call`), or a
 * server, which says `app:ready` and is asked (`mcp:request`); either may say something of its own.
 *
 * @typedef {import("./app-host.js").LoadOptions & {id: string, url: URL, sandbox: string[]}} AppOptions
 * @typedef {"loading" | "ready" | "connected" | "error" | "disconnected"} AppState
 */

const PROTOCOL_VERSION = "2026-01-26";
const SERVER_VERSION = "2025-11-25";
const INFO = { name: "cloche", version: "1" };

export class LoadedApp {
  /** @type {AppState} */
  state = "loading";
  /** What a server said of itself. @type {any} */
  serverInfo = null;
  /** @type {Map<string, Set<(detail: any) => void>>} */
  #listeners = new Map();
  #gate = new Gate(DEFAULT_LIMITS);
  #isServer = false;
  #loads = 0;
  /** @type {PromiseWithResolvers<void>} */
  #greeted = Promise.withResolvers();

  /** @param {import("./app-host.js").AppHost} host @param {AppOptions} options */
  constructor(host, options) {
    this.host = host;
    this.id = options.id;
    this.name = options.name ?? options.id;
    this.options = options;
    // A frame without allow-same-origin has no origin that could be named: there only the window itself tells.
    this.origin = options.sandbox.includes("allow-same-origin") ? options.url.origin : "null";
    this.iframe = makeFrame(host.options, options);
    this.transport = new Rpc(
      (message) => this.#isServer ? this.postMessage("mcp:request", message) : this.send(message),
      (method) => this.#handler(method),
      (error) => host.failed(error),
    );
    this.#greeted.promise.catch(() => {});
  }

  /** @param {Element} place */
  async open(place) {
    addEventListener("message", this.#receive);
    const loaded = new Promise((resolve) => this.iframe.addEventListener("load", resolve, { once: true }));
    this.iframe.addEventListener("load", () => ++this.#loads > 1 && this.#fail("The app went to another page"));
    this.iframe.src = this.options.url.href;
    place.append(this.iframe);
    const wait = this.host.options.connectionTimeout ?? 30_000;
    const timer = setTimeout(
      () => this.#greeted.reject(new AppTimeoutError(`${this.name}: no answer in ${wait} ms${this.#mayBeBlocked()}`)),
      wait,
    );
    try {
      await Promise.race([loaded, this.#greeted.promise]);
      this.postMessage("app:init", { data: this.options.initialData, authContext: this.host.authContext });
      if (this.options.autoConnect !== false) await this.connect();
    } finally {
      clearTimeout(timer);
    }
  }

  /** A frame that a browser keeps from loading says nothing of it to the page. */
  #mayBeBlocked() {
    return this.host.options.csp ? "; with csp, an app is served with Allow-CSP-From, or with that policy itself" : "";
  }

  /** Wait until the app has said hello, and ask a server who it is. */
  async connect() {
    await this.#greeted.promise;
    if (this.#isServer) {
      const params = { protocolVersion: SERVER_VERSION, capabilities: {}, clientInfo: INFO };
      const result = await this.request("initialize", params);
      this.serverInfo = result.serverInfo ?? this.serverInfo;
      this.transport.notify("notifications/initialized");
    }
    this.state = "connected";
  }

  /** Take it off the page. */
  disconnect() {
    removeEventListener("message", this.#receive);
    this.#greeted.reject(new AppConnectionError(`${this.name} was unloaded`));
    if (this.state !== "error") this.state = "disconnected";
    this.iframe.remove();
  }

  /** Send anything, as it is. @param {unknown} message */
  send(message) {
    this.#gate.answered(message);
    const target = this.origin === "null" ? "*" : this.origin;
    this.iframe.contentWindow?.postMessage(message, target);
  }

  /** @param {string} type @param {unknown} payload */
  postMessage(type, payload) {
    this.send({ type, payload });
  }

  /**
   * Ask the app.
   *
   * @param {string} method
   * @param {Record<string, unknown>} [params]
   * @param {import("../rpc.js").RequestOptions} [options]
   */
  request(method, params, options) {
    return this.transport.request(method, params, options);
  }

  /** @param {string} name @param {Record<string, unknown>} [args] */
  callTool(name, args = {}) {
    return this.request("tools/call", { name, arguments: args });
  }

  /** @param {string} uri */
  readResource(uri) {
    return this.request("resources/read", { uri });
  }

  /** @param {string} name @param {Record<string, string>} [args] */
  getPrompt(name, args = {}) {
    return this.request("prompts/get", { name, arguments: args });
  }

  /**
   * Hear of what the app says under a name of its own.
   *
   * @param {string} event
   * @param {(detail: any) => void} handler
   * @returns {() => void} stop listening
   */
  on(event, handler) {
    const handlers = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, handlers.add(handler));
    return () => void handlers.delete(handler);
  }

  /** @param {(message: any) => void} handler hears everything that is not a request */
  onMessage(handler) {
    return this.on("message", handler);
  }

  /** @param {MessageEvent} event */
  #receive = (event) => {
    if (event.source === null || event.source !== this.iframe.contentWindow || event.origin !== this.origin) return;
    const { data } = event;
    const isRpc = isObject(data) && data.jsonrpc === "2.0";
    const verdict = this.#gate.judge(isRpc ? data : { jsonrpc: "2.0", method: "x", params: { data } });
    if (verdict === "cut") this.#fail("The app sent too many messages");
    else if (isObject(verdict)) this.send({ jsonrpc: "2.0", id: data.id, error: verdict });
    else if (verdict === "pass") isRpc ? this.transport.receive(data) : this.#hear(data);
  };

  /** @param {any} data */
  #hear(data) {
    const { type, payload } = isObject(data) ? data : {};
    if (type === "app:ready") {
      this.#isServer = true;
      this.serverInfo = payload?.serverInfo ?? null;
      this.#greet();
    } else if (type === "mcp:response" || type === "mcp:notification") {
      this.transport.receive({ ...payload, jsonrpc: "2.0" });
    } else if (type === "app:resize") {
      this.#resize(payload);
    } else {
      this.#tell(typeof type === "string" ? type : "message", payload ?? data, data);
    }
  }

  /** @param {string} event @param {unknown} detail @param {unknown} message */
  #tell(event, detail, message) {
    for (const handler of this.#listeners.get(event) ?? []) handler(detail);
    if (event !== "message") { for (const handler of this.#listeners.get("message") ?? []) handler(message); }
    this.host.options.onAppMessage?.(message);
    this.host.emit("message", { app: this, message });
  }

  #greet() {
    if (this.state === "loading") this.state = "ready";
    this.#greeted.resolve();
  }

  /** @param {string} method @returns {import("../rpc.js").Handler | undefined} */
  #handler(method) {
    const { onToolCall, onResourceRequest } = this.host.options;
    if (method === "ui/initialize") return () => this.#welcome();
    if (method === "ping") return () => ({});
    if (method === "tools/call" && onToolCall) return (params) => this.#call(params);
    if (method === "resources/read" && onResourceRequest) return ({ uri }) => onResourceRequest(String(uri));
    if (method === "ui/notifications/size-changed") return (size) => this.#resize(size);
    if (method.includes("notifications/")) return (params) => this.#tell(method, params, { method, params });
    return undefined;
  }

  #welcome() {
    this.#greet();
    const { onToolCall, onResourceRequest } = this.host.options;
    return {
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: INFO,
      hostCapabilities: { ...(onToolCall && { serverTools: {} }), ...(onResourceRequest && { serverResources: {} }) },
      hostContext: { platform: "web", displayMode: "inline", availableDisplayModes: ["inline"] },
    };
  }

  /** @param {Record<string, any>} params */
  async #call({ name, arguments: given = {} }) {
    if (typeof name !== "string" || !isObject(given)) throw new RpcError(-32602, "A tool is called by its name");
    if (!await this.host.mayCall(name, given, this.id)) throw new RpcError(-32000, "The user declined");
    return await this.host.options.onToolCall?.(name, given);
  }

  /** @param {any} size */
  #resize(size) {
    for (const side of /** @type {const} */ (["width", "height"])) {
      const value = size?.[side];
      if (typeof value !== "number" || !(value >= 0)) continue;
      calm.when(this, side, () => this.iframe.style[side] = `${Math.min(value, DEFAULT_LIMITS.maxHeight ?? 0)}px`);
    }
  }

  /** @param {string} reason */
  #fail(reason) {
    if (this.state === "error" || this.state === "disconnected") return;
    this.state = "error";
    const error = new AppConnectionError(`${this.name}: ${reason}`);
    this.#greeted.reject(error);
    this.host.unload(this.id);
    this.host.failed(error);
  }
}

/**
 * @param {import("./app-host.js").AppHostOptions} host
 * @param {AppOptions} options
 */
function makeFrame(host, options) {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    if (/^(title|class|id|lang|loading|allow|aria-[a-z]+|data-[\w-]+)$/.test(name)) frame.setAttribute(name, value);
  }
  frame.setAttribute("sandbox", options.sandbox.join(" "));
  if (host.csp) frame.setAttribute("csp", host.csp);
  frame.title ||= options.name ?? options.id;
  frame.referrerPolicy = "no-referrer";
  const { width, height } = options;
  Object.assign(frame.style, host.style, width !== undefined && { width: pixels(width) }, {
    ...(height !== undefined && { height: pixels(height) }),
  });
  return frame;
}

/** @param {string | number} length */
function pixels(length) {
  return typeof length === "number" ? `${length}px` : length;
}
