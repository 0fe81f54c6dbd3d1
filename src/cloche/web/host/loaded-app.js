// @ts-check
import { AppConnectionError, AppTimeoutError, OriginNotAllowedError } from "./app-errors.js";
import { AppHolder } from "./app-holder.js";
import { isObject } from "../json.js";
import { Listeners } from "../listeners.js";
import { APPS_VERSION, LATEST_HANDSHAKE } from "../protocol.js";
import { RpcError, WindowRpc } from "../rpc.js";
import { calm } from "./calm.js";
import { DEFAULT_LIMITS, Gate, isMessage } from "../sandbox/limits.js";

/**
 * One app in its frame, and the conversation with it. An app is a view, which asks (`ui/initialize`, `tools/call`), or a
 * server, which says `app:ready` and is asked (`mcp:request`); either may say something of its own.
 *
 * @typedef {import("./app-host.js").LoadOptions & {id: string, url: URL, sandbox: string[]}} AppOptions
 * @typedef {"loading" | "ready" | "connected" | "error" | "disconnected"} AppState
 */

const INFO = { name: "cloche", version: "1" };
/** What a permission may be called. */
const PERMISSION = /^[a-z][a-z0-9-]{0,49}$/;

/** `on` hears what the app says under a name of its own. */
export class LoadedApp extends Listeners {
  /** @type {AppState} */
  state = "loading";
  /** What a server said of itself. @type {any} */
  serverInfo = null;
  #gate = new Gate(DEFAULT_LIMITS);
  /** How a server is spoken to: in envelopes, or over a transport. @type {"envelopes" | "transport" | undefined} */
  #server;
  /** @type {import("../transports/iframe.js").IframeParentTransport | undefined} */
  #line;
  /** What a person said to each permission that the app asked for. @type {Map<string, Promise<boolean>>} */
  #permissions = new Map();
  #isTold = false;
  #hasFocus = false;
  /** @type {PromiseWithResolvers<void>} */
  #greeted = Promise.withResolvers();

  /** @param {import("./app-host.js").AppHost} host @param {AppOptions} options */
  constructor(host, options) {
    super();
    this.host = host;
    this.id = options.id;
    this.name = options.name ?? options.id;
    this.options = options;
    // A frame without allow-same-origin has no origin that could be named: there the window tells, and the holder's
    // policy which origin the document in it is from.
    this.origin = options.sandbox.includes("allow-same-origin") ? options.url.origin : "null";
    /** The app's own frame. */
    this.frame = makeFrame(host.options, options);
    this.holder = new AppHolder(this.frame, options.url, {
      received: (event) => this.#receive(event),
      left: () =>
        this.#fail(new OriginNotAllowedError(`${this.name}: the app, or a redirect, left ${options.url.origin}`)),
      moved: () => this.#fail(new AppConnectionError(`${this.name}: The app went to another page`)),
    });
    /** What stands on the page: a frame of this page's own with the app's frame in it. */
    this.iframe = dressed(this.holder.element, host.options, options);
    this.transport = new WindowRpc(
      (message) => this.#say(message),
      (method) => this.#handler(method),
      (error) => host.failed(error),
    );
    this.#greeted.promise.catch(() => {});
  }

  /** @param {Element} place */
  async open(place) {
    const wait = this.host.options.connectionTimeout ?? 30_000;
    // A frame that a browser keeps from loading says nothing of it to the page.
    const blocked = "; with csp, an app is served with Allow-CSP-From, or with that policy itself";
    const late = `${this.name}: no answer in ${wait} ms${this.host.options.csp ? blocked : ""}`;
    const timer = setTimeout(() => this.#greeted.reject(new AppTimeoutError(late)), wait);
    const shown = this.holder.open(place);
    shown.catch(() => {});
    try {
      await Promise.race([shown, this.#greeted.promise]);
      this.#tellInit();
      this.#knock(wait);
      for (const type of ["focus", "blur", "focusin", "focusout"]) addEventListener(type, this.#noticeFocus);
      if (this.options.autoConnect !== false) await this.connect();
    } finally {
      clearTimeout(timer);
    }
  }

  /** What the app begins with. Only an app of the origin that was loaded can be in the frame: see app-holder.js. */
  #tellInit() {
    this.#isTold = true;
    this.postMessage("app:init", { data: this.options.initialData, authContext: this.host.authContext });
  }

  /** Tell the app who the user is now. @param {unknown} context */
  refreshAuth(context) {
    // One that has not been told yet is told when it has loaded.
    if (this.#isTold) this.postMessage("auth:refresh", context);
  }

  /** Call the app as `IframeParentTransport` does, until it has said hello in one way or another. @param {number} wait */
  #knock(wait) {
    const line = this.holder.transport(this.origin, wait);
    if (!line) return;
    this.#greeted.promise.catch(() => {}).then(() => this.#line || line.close());
    line.connect().then(() => {
      if (this.state !== "loading") return;
      this.#line = line;
      this.#server = "transport";
      line.onMessage((message) => this.#admit(message, () => void this.transport.receive(message)));
      line.onClose(() => this.#fail(new AppConnectionError(`${this.name}: the app closed the connection`)));
      this.#greet();
    }, () => {});
  }

  /** Wait until the app has said hello, and ask a server who it is. */
  async connect() {
    await this.#greeted.promise;
    if (this.#server) {
      const params = { protocolVersion: LATEST_HANDSHAKE, capabilities: {}, clientInfo: INFO };
      const result = await this.request("initialize", params);
      this.serverInfo = result.serverInfo ?? this.serverInfo;
      this.transport.notify("notifications/initialized");
    }
    this.state = "connected";
  }

  /** Take it off the page. */
  disconnect() {
    this.#greeted.reject(new AppConnectionError(`${this.name} was unloaded`));
    if (this.state !== "error") this.state = "disconnected";
    for (const type of ["focus", "blur", "focusin", "focusout"]) removeEventListener(type, this.#noticeFocus);
    this.#line?.close();
    this.holder.close();
  }

  /** Give the app the keyboard. */
  focus() {
    this.frame.focus();
    this.#noticeFocus();
  }

  /** Tell the app when it gets the keyboard and when it loses it. */
  #noticeFocus = () => {
    const root = /** @type {Document | ShadowRoot} */ (this.iframe.getRootNode());
    // A page that has lost it to a frame says so a moment before it knows to which.
    setTimeout(() => {
      const hasFocus = root.activeElement === this.iframe;
      if (hasFocus === this.#hasFocus || this.state === "disconnected") return;
      this.#hasFocus = hasFocus;
      this.postMessage(hasFocus ? "app:focus" : "app:blur");
    });
  };

  /** Send the app's window anything, as it is. @param {unknown} message */
  send(message) {
    this.holder.post(message, this.origin === "null" ? "*" : this.origin);
  }

  /** @param {string} type @param {unknown} [payload] */
  postMessage(type, payload) {
    this.send({ type, payload });
  }

  /** JSON-RPC, in the way that this app understands. @param {Record<string, any>} message */
  #say(message) {
    this.#gate.answered(message);
    if (this.#line) this.#line.send(message);
    else if (this.#server && message.method) this.postMessage("mcp:request", message);
    else this.send(message);
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

  /** @param {(message: any) => void} handler hears everything that is not a request */
  onMessage(handler) {
    return this.on("message", handler);
  }

  /** @param {MessageEvent} event */
  #receive({ source, origin, data }) {
    if (source === null || source !== this.frame.contentWindow || origin !== this.origin) return;
    this.#admit(data, () => isMessage(data) ? void this.transport.receive(data) : this.#hear(data));
  }

  /** An app may say only so much, so often. @param {any} data @param {() => void} pass */
  #admit(data, pass) {
    const verdict = this.#gate.judge(isMessage(data) ? data : { jsonrpc: "2.0", method: "x", params: { data } });
    if (verdict === "cut") this.#fail(new AppConnectionError(`${this.name}: The app sent too many messages`));
    else if (isObject(verdict)) this.#say({ jsonrpc: "2.0", id: data.id, error: verdict });
    else if (verdict === "pass") pass();
  }

  /** @param {any} data */
  #hear(data) {
    const { type, payload } = isObject(data) ? data : {};
    if (type === "app:ready") {
      this.#server ??= "envelopes";
      this.serverInfo = payload?.serverInfo ?? null;
      // It may not have been listening yet when it was told.
      if (this.#isTold) this.#tellInit();
      this.#greet();
    } else if (type === "mcp:response" || type === "mcp:notification") {
      this.transport.receive({ ...payload, jsonrpc: "2.0" });
    } else if (type === "app:resize") {
      this.#resize(payload);
    } else {
      this.#said(typeof type === "string" ? type : "message", payload ?? data, data);
    }
  }

  /** @param {string} event @param {unknown} detail @param {unknown} message */
  #said(event, detail, message) {
    this.tell(event, detail);
    if (event !== "message") this.tell("message", message);
    this.host.options.onAppMessage?.(message);
    this.host.tell("message", { app: this, message });
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
    if (method === "app/request-permission") return ({ name }) => this.#permit(name);
    if (method === "tools/call" && onToolCall) return (params) => this.#call(params);
    if (method === "resources/read" && onResourceRequest) return ({ uri }) => onResourceRequest(String(uri));
    if (method === "ui/notifications/size-changed") return (size) => this.#resize(size);
    if (method.includes("notifications/")) return (params) => this.#said(method, params, { method, params });
    return undefined;
  }

  #welcome() {
    this.#greet();
    const { onToolCall, onResourceRequest } = this.host.options;
    return {
      protocolVersion: APPS_VERSION,
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

  /** Ask the person, once for each permission. @param {unknown} name */
  async #permit(name) {
    if (typeof name !== "string" || !PERMISSION.test(name)) throw new RpcError(-32602, "A permission has a short name");
    const asked = this.#permissions.get(name) ?? this.host.mayUse(name, this.id);
    this.#permissions.set(name, asked);
    return { granted: await asked };
  }

  /** @param {any} size */
  #resize(size) {
    for (const side of /** @type {const} */ (["width", "height"])) {
      const value = size?.[side];
      if (typeof value !== "number" || !(value >= 0)) continue;
      calm.when(this, side, () => this.iframe.style[side] = `${Math.min(value, DEFAULT_LIMITS.maxHeight ?? 0)}px`);
    }
  }

  /** @param {Error} error */
  #fail(error) {
    if (this.state === "error" || this.state === "disconnected") return;
    this.state = "error";
    this.#greeted.reject(error);
    this.host.unload(this.id);
    this.host.failed(error);
  }
}

const IGNORED = "createAppHost: this browser ignores csp. The app's own response headers have to limit it.";

/** The app's own frame. @param {import("./app-host.js").AppHostOptions} host @param {AppOptions} options */
function makeFrame(host, options) {
  const frame = document.createElement("iframe");
  copyAttributes(options, frame, /^(lang|loading|allow)$/);
  frame.setAttribute("sandbox", options.sandbox.join(" "));
  if (host.csp) frame.setAttribute("csp", host.csp);
  if (host.csp && !("csp" in frame)) console.warn(IGNORED);
  frame.title = options.attributes?.title ?? options.name ?? options.id;
  frame.referrerPolicy = "no-referrer";
  return frame;
}

/**
 * What stands on the page, as the page wants it.
 *
 * @param {HTMLIFrameElement} element
 * @param {import("./app-host.js").AppHostOptions} host
 * @param {AppOptions} options
 */
function dressed(element, host, options) {
  copyAttributes(options, element, /^(title|class|id|aria-[a-z]+|data-[\w-]+)$/);
  element.title ||= options.name ?? options.id;
  Object.assign(element.style, host.style);
  for (const side of /** @type {const} */ (["width", "height"])) {
    const length = options[side];
    if (length !== undefined) element.style[side] = typeof length === "number" ? `${length}px` : length;
  }
  return element;
}

/** @param {AppOptions} options @param {Element} element @param {RegExp} names of attributes that it may have */
function copyAttributes({ attributes = {} }, element, names) {
  for (const name in attributes) if (names.test(name)) element.setAttribute(name, attributes[name]);
}
