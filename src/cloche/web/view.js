// @ts-check
import { Adapter } from "./adapter.js";
import { applyAppearance } from "./appearance.js";
import dialects from "./dialects.json" with { type: "json" };
import { ExtAppsAdapter } from "./ext-apps.js";
import { GenericAdapter } from "./generic.js";
import { OpenAiAdapter } from "./openai.js";
import { watchSize } from "./resize.js";
import { isObject, RpcError } from "./rpc.js";
export { ExtAppsAdapter, GenericAdapter, OpenAiAdapter };

/**
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {import("./rpc.js").RequestOptions} RequestOptions
 * @typedef {(args: Params, signal: AbortSignal) => unknown} ToolHandler
 * @typedef {{
 *   adapters?: (typeof Adapter)[],
 *   trustedOrigins?: string[],
 *   appInfo?: {name: string, version: string},
 *   autoResize?: boolean,
 *   window?: import("./adapter.js").ViewWindow,
 * }} AppOptions
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
  /** @type {string | undefined} */
  adapter;
  /** @type {Map<string, {tool: Params, handler?: ToolHandler}>} */
  #tools = new Map();
  /** @type {Adapter} */
  #host;
  /** @type {() => void} */
  #resize = () => {};
  #reports = 0;

  /** @param {AppOptions} [options] */
  constructor({
    adapters = [OpenAiAdapter, ExtAppsAdapter, GenericAdapter],
    trustedOrigins,
    appInfo,
    autoResize = true,
    window = globalThis.window,
  } = {}) {
    this.window = window;
    const setup = {
      options: { trustedOrigins },
      window,
      find: (/** @type {string} */ method) =>
        this.#handlers.get(/** @type {any} */ (dialects.toView)[method] ?? method),
      onerror: (/** @type {Error} */ error) => this.#report(error.message),
    };
    const fitting = adapters.map((Kind) => new Kind(setup)).find((one) => one.canHandle());
    this.#host = fitting ?? new Adapter(setup);
    this.adapter = this.#host.name;
    for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
      // Capturing, because a script or an image that does not load tells only those who listen so.
      window.addEventListener(type, (event) => this.#report(describe(event)), true);
    }
    /** Resolves when the host has answered; rejects when it refused. */
    this.ready = this.#start(appInfo, autoResize);
    this.ready.catch((error) => {
      this.#report(error.message);
      this.#host.rpc.close(error);
    });
  }

  /**
   * @param {Params | undefined} appInfo
   * @param {boolean} autoResize
   */
  async #start(appInfo, autoResize) {
    const availableDisplayModes = ["inline", "fullscreen", "pip"];
    const host = await this.#host.initialize({
      appInfo,
      appCapabilities: { tools: { listChanged: true }, availableDisplayModes },
    });
    if (this.adapter === "none") throw new RpcError(-32601, "There is no host that these adapters could reach");
    this.hostCapabilities = host.hostCapabilities ?? {};
    this.#merge(host.hostContext ?? {});
    if (autoResize && this.adapter !== "generic") {
      const send = (/** @type {Params} */ size) => this.#host.rpc.notify("ui/notifications/size-changed", size);
      this.#resize = watchSize(this.window, send, () => this.hostContext.displayMode !== "fullscreen");
    }
    this.#emit("bridge:ready", host);
    return host;
  }

  /** @type {Map<string, import("./rpc.js").Handler>} what the host may say */
  #handlers = new Map(Object.entries({
    "ping": () => ({}),
    "ui/notifications/tool-input-partial": (/** @type {Params} */ { arguments: given = {} }) => {
      this.toolInputPartial = given;
      this.#emit("tool:input-partial", given);
    },
    "ui/notifications/tool-input": (/** @type {Params} */ { arguments: given = {} }) => {
      this.toolInput = given;
      this.#emit("tool:input", given);
    },
    "ui/notifications/tool-result": (/** @type {Params} */ result) => {
      this.toolResult = result;
      this.#emit("tool:result", result);
    },
    "ui/notifications/tool-cancelled": (/** @type {Params} */ params) => this.#emit("tool:cancelled", params),
    "ui/notifications/host-context-changed": (/** @type {Params} */ change) => {
      this.#merge(change);
      this.#emit("host:context", this.hostContext);
      this.#resize();
    },
    "ui/resource-teardown": async (/** @type {Params} */ params) => {
      await this.#emit("bridge:teardown", params);
    },
    "tools/list": () => ({ tools: [...this.#tools.values()].map(({ tool }) => tool) }),
    "tools/call": (/** @type {Params} */ { name, arguments: given = {} }, /** @type {AbortSignal} */ signal) =>
      this.#run(name, given, signal),
  }));

  /** @param {Params} change */
  #merge(change) {
    this.hostContext = { ...this.hostContext, ...change };
    applyAppearance(this.window.document, change);
  }

  /**
   * Tell the page: its `on…` property, then everybody who listens on the window.
   *
   * @param {string} name
   * @param {unknown} detail
   */
  #emit(name, detail) {
    const own = /** @type {any} */ (this)["on" + name.replace(/bridge|\W/g, "")]?.(detail);
    this.window.dispatchEvent(new CustomEvent(name, { detail }));
    return own;
  }

  /** @param {string} message */
  #report(message) {
    // A page that fails in a loop must not flood its host.
    if (this.#reports++ > 49) return;
    this.log("error", message);
    this.#emit("bridge:error", Error(message));
  }

  /**
   * @param {string} method
   * @param {Params} params
   * @param {RequestOptions} [options]
   */
  request(method, params, options) {
    return this.#host.rpc.request(method, params, options);
  }

  /**
   * Call `handler` with the value of an event, also when it has already happened.
   *
   * @param {string} name
   * @param {(detail: any) => void} handler
   * @returns {() => void} stop listening
   */
  on(name, handler) {
    const listener = (/** @type {any} */ event) => handler(event.detail);
    this.window.addEventListener(name, listener);
    const past = name === "tool:input" ? this.toolInput : name === "tool:result" && this.toolResult;
    if (past) queueMicrotask(() => handler(past));
    return () => this.window.removeEventListener(name, listener);
  }

  /**
   * @param {string} name
   * @param {Params} [args]
   * @param {RequestOptions} [options]
   */
  callTool(name, args, options) {
    return this.#host.callTool(name, args, options);
  }

  /**
   * @param {string} uri
   * @param {RequestOptions} [options]
   */
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
   * @param {string | Params} context text, an object, or `{content, structuredContent}`
   * @param {RequestOptions} [options]
   */
  updateModelContext(context, options) {
    const params = typeof context === "string"
      ? { content: blocksOf(context) }
      : Array.isArray(context.content) || isObject(context.structuredContent)
      ? context
      : { structuredContent: context };
    return this.request("ui/update-model-context", params, options);
  }

  /**
   * @param {string} url
   * @param {RequestOptions} [options]
   */
  async openLink(url, options) {
    if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError("Only http and https links can be opened");
    return await this.request("ui/open-link", { url }, options);
  }

  /**
   * @param {Params | Params[]} file `{name, mimeType, text}`, `{name, mimeType, blob}` (base64), or resource blocks
   * @param {RequestOptions} [options]
   */
  downloadFile(file, options) {
    let contents = file;
    if (!Array.isArray(file)) {
      const { name, ...resource } = file;
      contents = [{ type: "resource", resource: { uri: "file:///" + encodeURIComponent(name), ...resource } }];
    }
    return this.request("ui/download-file", { contents }, options);
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
    this.#host.rpc.notify("ui/notifications/request-teardown", {});
  }

  /**
   * @param {string} level one of MCP's
   * @param {unknown} message
   * @param {unknown} [data]
   */
  log(level, message, data) {
    const logged = data === undefined ? message : { message, data };
    this.#host.rpc.notify("notifications/message", { level, logger: "cloche-view", data: logged });
  }

  /**
   * Offer a tool to the model while this view is shown.
   *
   * @param {string} name
   * @param {string | Params} about its description, or `{description, title, inputSchema, outputSchema, annotations}`
   * @param {Params} [schema] of its arguments
   * @param {ToolHandler} [handler]
   */
  registerTool(name, about, schema, handler) {
    const tool = {
      name,
      inputSchema: schema ?? { type: "object" },
      ...(typeof about === "string" ? { description: about } : about),
    };
    this.#tools.set(name, { tool, handler });
    this.#toolsChanged("ui/registerTool", tool);
  }

  /** @param {string} name */
  unregisterTool(name) {
    this.#tools.delete(name);
    this.#toolsChanged("ui/unregisterTool", { name });
  }

  /**
   * @param {string} before how older hosts, which do not ask for the list, are told
   * @param {Params} params
   */
  #toolsChanged(before, params) {
    this.ready.then(() => {
      if (this.hostCapabilities.widgetTools) return this.request(before, params);
      this.#host.rpc.notify("notifications/tools/list_changed", {});
    }).catch((error) => this.#report(error.message));
  }

  /**
   * @param {string} name
   * @param {Params} given
   * @param {AbortSignal} signal
   */
  async #run(name, given, signal) {
    const handler = this.#tools.get(name)?.handler;
    if (!handler) throw new RpcError(-32602, "This view has no such tool");
    try {
      const value = /** @type {any} */ (await handler(given, signal));
      if (isObject(value) && Array.isArray(value.content)) return value;
      if (isObject(value)) return { content: blocksOf(JSON.stringify(value)), structuredContent: value };
      return { content: blocksOf(typeof value === "string" ? value : JSON.stringify(value ?? null)) };
    } catch (/** @type {any} */ error) {
      return { content: blocksOf(String(error?.message ?? error)), isError: true };
    }
  }

  /** @returns {any} what the last `setState` was given, before a reload too where the host keeps it */
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
    else if (model) await this.updateModelContext({ structuredContent: { state: value } });
    return kept;
  }
}

/**
 * @param {string | Params | Params[]} content
 * @returns {Params[]}
 */
function blocksOf(content) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [content];
}

/** @param {any} event one of the three ways in which a page fails */
function describe({ target, message, filename, lineno, reason, effectiveDirective, blockedURI }) {
  if (effectiveDirective) return `Blocked by the content security policy: ${effectiveDirective} ${blockedURI}`;
  if (message) return `${message} (${filename || "inline"}:${lineno})`;
  const address = target?.src ?? target?.href;
  return address ? "Could not load " + address : "Unhandled rejection: " + (reason?.message ?? reason);
}

/**
 * Make the view's `window.cloche`.
 *
 * @param {AppOptions} [options]
 */
export function connect(options) {
  const app = new App(options);
  Object.assign(app.window, { cloche: app, FrontMcpBridge: app });
  return app;
}
