// @ts-check
import { applyAppearance } from "./appearance.js";
import { blocksOf, resultOf } from "./content.js";
import { toView } from "./dialects.js";
import { ExtAppsAdapter } from "./ext-apps.js";
import { GenericAdapter } from "./generic.js";
import { OpenAiAdapter } from "./openai.js";
import { watchSize } from "./resize.js";
import { isObject } from "./json.js";
import { RpcError } from "./rpc.js";
export { ExtAppsAdapter, GenericAdapter, OpenAiAdapter };

/**
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {import("./rpc.js").RequestOptions} RequestOptions
 * @typedef {(args: Params, signal?: AbortSignal) => unknown} ToolHandler
 * @typedef {import("./generic.js").AdapterOptions} AppOptions
 */

/** A view's side of the conversation with its host. `window.cloche` is one. */
export class App {
  /** @type {Params | undefined} the tool's arguments */
  toolInput;
  /** @type {Params | undefined} as much of them as there is while the model still writes */
  toolInputPartial;
  /** @type {Params | undefined} */
  toolResult;
  /** @type {Params} */
  hostContext = {};
  /** @type {Params} */
  hostCapabilities = {};
  /** @type {Params} by name, as they are listed: what is sent as JSON loses the handler */
  #tools = { __proto__: null };
  /** @type {Params} what was last told under each name */
  #past = { __proto__: null };
  /** @type {(() => void) | undefined} */
  #resize;
  #reports = 0;
  /** @type {GenericAdapter} */
  #host;
  /** @type {Promise<unknown>} resolves when the host has answered, or will hardly do so any more */
  #soon;

  /**
   * @param {(new (setup: import("./generic.js").Setup) => GenericAdapter)[]} adapters tried in this order
   * @param {AppOptions} [options]
   */
  constructor(adapters, options) {
    const find = (/** @type {string} */ method) => this.#handlers[toView[method] ?? method];
    this.#host = /** @type {GenericAdapter} */ (
      adapters.map((Adapter) => new Adapter({ options, find, onerror: this.#report })).find((one) => one.canHandle())
    );
    this.adapter = this.#host.name;
    for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
      // Capturing, because a script or an image that does not load tells only those who listen so.
      addEventListener(type, this.#report, true);
    }
    /** Resolves when the host has answered; rejects when it refused. */
    this.ready = this.#start();
    this.#soon = Promise.race([
      new Promise((_, reject) => setTimeout(reject, 3000, Error("ui/initialize: no answer"))),
      this.ready,
    ]).catch(this.#report);
  }

  /** Wait for the handshake, which has begun by itself: what the host said of itself. */
  connect() {
    return this.ready;
  }

  async #start() {
    const host = await this.#host.initialize();
    this.hostCapabilities = host.hostCapabilities ?? {};
    this.#merge(host.hostContext);
    this.#resize = watchSize((size) => {
      if (this.hostContext.displayMode != "fullscreen") this.#notify("ui/notifications/size-changed", size);
    });
    this.#emit("bridge:ready", host);
    return host;
  }

  /** @param {any} event an error, or the event of any way in which a page fails */
  #report = (event) => {
    // A page that fails in a loop must not flood its host.
    if (this.#reports++ > 49) return;
    const thrown = event.reason ?? event.message;
    const text = String(
      thrown ??
        (event.blockedURI
          ? "Blocked by CSP: " + event.effectiveDirective + " " + event.blockedURI
          : "Not loaded: " + (event.target.src ?? event.target.href)),
    );
    // A host whose sandbox watches the page knows what the browser blocked, with the line.
    this.log("error", text, undefined, thrown == null ? "browser" : "view");
    this.#emit("bridge:error", Error(text));
  };

  /** @type {any} what the host may say and ask for */
  #handlers = {
    // Nothing is inherited: the host names what is looked up.
    __proto__: null,
    ping() {},
    "ui/notifications/tool-input-partial": (/** @type {Params} */ { arguments: given = {} }) =>
      this.#emit("tool:input-partial", this.toolInputPartial = given),
    "ui/notifications/tool-input": (/** @type {Params} */ { arguments: given = {} }) =>
      this.#emit("tool:input", this.toolInput = given),
    "ui/notifications/tool-result": (/** @type {Params} */ result) =>
      this.#emit("tool:result", this.toolResult = result),
    "ui/notifications/tool-cancelled": (/** @type {Params} */ params) => this.#emit("tool:cancelled", params),
    "ui/notifications/host-context-changed": (/** @type {Params} */ params) => {
      this.#merge(params);
      this.#emit("host:context", this.hostContext);
      this.#resize?.();
    },
    "ui/resource-teardown": (/** @type {Params} */ params) => this.#emit("bridge:teardown", params),
    "tools/list": () => ({ tools: Object.values(this.#tools) }),
    "tools/call": async (/** @type {Params} */ { name, arguments: given = {} }, /** @type {AbortSignal} */ signal) => {
      const handler = this.#tools[name]?.handler;
      if (!handler) throw new RpcError(-32602, "Not available: " + name);
      try {
        return resultOf(await handler(given, signal));
      } catch (error) {
        return { content: blocksOf(String(error)), isError: true };
      }
    },
  };

  /** @param {Params} change */
  #merge(change = {}) {
    this.hostContext = { ...this.hostContext, ...change };
    applyAppearance(change);
  }

  /**
   * Tell the page: its `on…` property, then everybody who listens on the window.
   *
   * @param {string} name
   * @param {unknown} detail
   */
  async #emit(name, detail) {
    this.#past[name] = detail;
    dispatchEvent(new CustomEvent(name, { detail }));
    await /** @type {any} */ (this)["on" + name.replace(/\W|bridge/g, "")]?.(detail);
  }

  /** @param {string} method @param {Params} params @param {RequestOptions} [options] */
  async request(method, params, options) {
    await this.ready;
    return await this.#host.request(method, params, options);
  }

  /**
   * Also without an answer to the handshake: the host's log is then the one place where somebody may see why.
   *
   * @param {string} method
   * @param {Params} [params]
   */
  async #notify(method, params) {
    await this.#soon;
    this.#host.notify(method, params);
  }

  /**
   * Call `handler` with the value of every such event, and of the last one that has already been.
   *
   * @param {string} name
   * @param {(detail: any) => void} handler
   * @returns {() => void} stop listening
   */
  on(name, handler) {
    const listener = (/** @type {any} */ event) => handler(event.detail);
    addEventListener(name, listener);
    if (name in this.#past) setTimeout(handler, 0, this.#past[name]);
    return () => removeEventListener(name, listener);
  }

  /** @param {string} name @param {Params} [args] @param {RequestOptions} [options] */
  callTool(name, args = {}, options) {
    return this.request("tools/call", { name, arguments: args }, options);
  }

  /**
   * The same, as the official `App` has it.
   *
   * @param {{name: string, arguments?: Params}} call
   * @param {RequestOptions} [options]
   */
  callServerTool({ name, arguments: given }, options) {
    return this.callTool(name, given, options);
  }

  /** @param {string} uri @param {RequestOptions} [options] */
  readResource(uri, options) {
    return this.request("resources/read", { uri }, options);
  }

  /**
   * Say something in the user's name.
   *
   * @param {string | Params | Params[]} content text, or one or more content blocks
   * @param {RequestOptions} [options]
   */
  sendMessage(content, options) {
    return this.request("ui/message", { role: "user", content: blocksOf(content) }, options);
  }

  /**
   * What the model knows of this view, instead of what it knew before.
   *
   * @param {any} context text, an object, or `{content, structuredContent}`
   * @param {RequestOptions} [options]
   */
  updateModelContext(context, options) {
    return this.request(
      "ui/update-model-context",
      typeof context == "string"
        ? { content: blocksOf(context) }
        : context.content || context.structuredContent
        ? context
        : { structuredContent: context },
      options,
    );
  }

  /** @param {string} url @param {RequestOptions} [options] */
  async openLink(url, options) {
    if (!/^https?:/i.test(url)) throw TypeError("Not http");
    return await this.request("ui/open-link", { url }, options);
  }

  /**
   * @param {any} file `{name, mimeType, text}`, `{name, mimeType, blob}` (base64), or resource blocks
   * @param {RequestOptions} [options]
   */
  downloadFile(file, options) {
    const { name, ...rest } = file;
    return this.request("ui/download-file", {
      contents: name
        ? [{ type: "resource", resource: { uri: "file:///" + encodeURIComponent(name), ...rest } }]
        : blocksOf(file),
    }, options);
  }

  /**
   * @param {"inline" | "fullscreen" | "pip"} mode
   * @param {RequestOptions} [options]
   * @returns {Promise<string>} the mode that it is now
   */
  async requestDisplayMode(mode, options) {
    return (await this.request("ui/request-display-mode", { mode }, options)).mode ?? mode;
  }

  /** Ask the host to close this view. */
  close() {
    this.#notify("ui/notifications/request-teardown", {});
  }

  /**
   * @param {string} level one of MCP's
   * @param {unknown} message
   * @param {unknown} [data]
   * @param {string} [logger] whose word it is: the view's or the browser's
   */
  log(level, message, data, logger = "view") {
    this.#notify("notifications/message", { level, data: data == null ? message : { message, data }, logger });
  }

  /**
   * Offer a tool to the model while this view is shown.
   *
   * @param {string} name
   * @param {string | Params} about its description, or `{description, title, inputSchema, outputSchema, annotations}`
   * @param {Params} [inputSchema] of its arguments
   * @param {ToolHandler} [handler]
   */
  registerTool(name, about, inputSchema = { type: "object" }, handler) {
    this.#retold(
      "ui/registerTool",
      this.#tools[name] = { name, inputSchema, handler, ...(isObject(about) ? about : { description: about }) },
    );
  }

  /** @param {string} name */
  unregisterTool(name) {
    delete this.#tools[name];
    this.#retold("ui/unregisterTool", { name });
  }

  /** @param {string} method how an older host, which asks for no list, hears of a change @param {Params} params */
  async #retold(method, params) {
    await this.ready;
    this.hostCapabilities.widgetTools ? this.request(method, params) : this.#notify("notifications/tools/list_changed");
  }

  /** @returns {any} what `setState` was last given, before a reload too where the host keeps it */
  getState() {
    return this.hostContext["cloche/state"];
  }

  /**
   * @param {unknown} value plain JSON
   * @param {{model?: boolean}} [options] whether the model may see it
   * @returns {Promise<boolean>} whether the host keeps it
   */
  async setState(value, { model = false } = {}) {
    await this.ready;
    this.hostContext["cloche/state"] = value;
    const kept = !!this.hostCapabilities.experimental?.["cloche/state"];
    if (kept) await this.request("cloche/set-state", { value, model });
    // A host that tells the model nothing has the view go on all the same: `onerror` hears of it.
    else if (model) await this.updateModelContext({ state: value }).catch(this.#report);
    return kept;
  }
}

/** Make this the view's `window.cloche`. @param {App} app @returns {App} */
export const install = (app) => /** @type {any} */ (window).cloche = /** @type {any} */ (window).FrontMcpBridge = app;

/**
 * Make the view's `window.cloche`, for every kind of host. Where `window.openai` is, it is the host's own.
 *
 * @param {AppOptions} [options]
 * @returns {App}
 */
export const connect = (options) => install(new App([OpenAiAdapter, ExtAppsAdapter, GenericAdapter], options));
