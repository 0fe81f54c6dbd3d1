// @ts-check
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
 * @typedef {(args: Params, signal?: AbortSignal) => unknown} ToolHandler
 * @typedef {{
 *   adapters?: (typeof GenericAdapter)[],
 *   trustedOrigins?: string[],
 *   appInfo?: {name: string, version: string},
 *   autoResize?: boolean,
 * }} AppOptions
 */

// Tried in this order: where `window.openai` is, it is the host's own. The one-file script has those that were chosen.
const adapters = [OpenAiAdapter, ExtAppsAdapter, GenericAdapter];

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
  /** @type {Map<string, {tool: Params, handler?: ToolHandler}>} */
  #tools = new Map();
  /** @type {GenericAdapter} */
  #host;
  #resize = () => {};
  #reports = 0;
  /** @type {Promise<unknown>} settled when the host has answered, or will hardly do so any more */
  #soon;
  /** @type {Map<string, unknown>} */
  #past = new Map();

  /** @param {AppOptions} [options] */
  constructor(options = {}) {
    const setup = {
      options,
      find: (/** @type {string} */ method) => this.#handlers[/** @type {Params} */ (dialects.toView)[method] ?? method],
      onerror: (/** @type {Error} */ error) => this.#report(error.message),
    };
    const host = [...(options.adapters ?? adapters), GenericAdapter].map((Kind) => new Kind(setup)).find((one) =>
      one.canHandle()
    ) ?? new GenericAdapter(setup);
    this.#host = host;
    this.adapter = host.name;
    for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
      // Capturing, because a script or an image that does not load tells only those who listen so.
      addEventListener(type, (event) => this.#report(describe(event)), true);
    }
    /** Resolves when the host has answered; rejects when it refused. */
    this.ready = this.#start(host, options);
    this.#soon = Promise.race([
      this.ready,
      new Promise((_, reject) => setTimeout(reject, 3000, Error("No answer to ui/initialize"))),
    ]);
    this.#soon.catch(setup.onerror);
  }

  /**
   * @param {GenericAdapter} adapter
   * @param {AppOptions} options
   */
  async #start(adapter, { autoResize = true }) {
    const host = await adapter.initialize();
    this.hostCapabilities = host.hostCapabilities ?? {};
    this.#merge(host.hostContext ?? {});
    if (autoResize) {
      const send = (/** @type {Params} */ size) => this.#notify("ui/notifications/size-changed", size);
      this.#resize = watchSize(send, () => this.hostContext.displayMode !== "fullscreen");
    }
    this.#emit("bridge:ready", host);
    return host;
  }

  /** @type {any} what the host may say and ask for */
  #handlers = {
    // Nothing is inherited: the host names what is looked up.
    __proto__: null,
    "ping": () => {},
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
      this.#resize();
    },
    "ui/resource-teardown": (/** @type {Params} */ params) => this.#emit("bridge:teardown", params),
    "tools/list": () => ({ tools: [...this.#tools.values()].map(({ tool }) => tool) }),
    "tools/call": (/** @type {Params} */ params, /** @type {AbortSignal} */ signal) => this.#run(params, signal),
  };

  /**
   * @param {Params} call
   * @param {AbortSignal} [signal]
   */
  async #run({ name, arguments: given = {} }, signal) {
    const handler = this.#tools.get(name)?.handler;
    if (!handler) throw new RpcError(-32602, "No such tool");
    try {
      const value = /** @type {any} */ (await handler(given, signal));
      return value?.content ? value : { content: blocksOf(isObject(value) ? JSON.stringify(value) : String(value)) };
    } catch (error) {
      return { content: blocksOf(String(error)), isError: true };
    }
  }

  /** @param {Params} change */
  #merge(change) {
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
    this.#past.set(name, detail);
    dispatchEvent(new CustomEvent(name, { detail }));
    await /** @type {any} */ (this)["on" + name.replace(/bridge|\W/g, "")]?.(detail);
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
    await this.#soon.catch(() => {});
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
    const listener = (/** @type {any} */ { detail }) => handler(detail);
    addEventListener(name, listener);
    if (this.#past.has(name)) setTimeout(handler, 0, this.#past.get(name));
    return () => removeEventListener(name, listener);
  }

  /**
   * @param {string} name
   * @param {Params} [args]
   * @param {RequestOptions} [options]
   */
  callTool(name, args, options) {
    return this.request("tools/call", { name, arguments: args ?? {} }, options);
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
   * @param {any} context text, an object, or `{content, structuredContent}`
   * @param {RequestOptions} [options]
   */
  updateModelContext(context, options) {
    const params = typeof context === "string"
      ? { content: blocksOf(context) }
      : context.content || context.structuredContent
      ? context
      : { structuredContent: context };
    return this.request("ui/update-model-context", params, options);
  }

  /**
   * @param {string} url
   * @param {RequestOptions} [options]
   */
  async openLink(url, options) {
    if (!/^https?:$/.test(new URL(url).protocol)) throw TypeError("Not an http or https link");
    return await this.request("ui/open-link", { url }, options);
  }

  /**
   * @param {any} file `{name, mimeType, text}`, `{name, mimeType, blob}` (base64), or resource blocks
   * @param {RequestOptions} [options]
   */
  downloadFile(file, options) {
    const { name, ...rest } = file;
    const contents = name
      ? [{ type: "resource", resource: { uri: "file:///" + encodeURIComponent(name), ...rest } }]
      : blocksOf(file);
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
    this.#notify("ui/notifications/request-teardown", {});
  }

  /**
   * @param {string} level one of MCP's
   * @param {unknown} message
   * @param {unknown} [data]
   */
  log(level, message, data) {
    this.#notify("notifications/message", {
      level,
      logger: "view",
      data: data === undefined ? message : { message, data },
    });
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
    const tool = { name, inputSchema, ...(isObject(about) ? about : { description: about }) };
    this.#tools.set(name, { tool, handler });
    this.#retold("ui/registerTool", tool);
  }

  /** @param {string} name */
  unregisterTool(name) {
    this.#tools.delete(name);
    this.#retold("ui/unregisterTool", { name });
  }

  /**
   * @param {string} method how an older host, which asks for no list, hears of a change
   * @param {Params} params
   */
  async #retold(method, params) {
    await this.ready;
    if (this.hostCapabilities.widgetTools) await this.request(method, params);
    else this.#notify("notifications/tools/list_changed");
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
    else if (model) await this.updateModelContext({ structuredContent: { state: value } });
    return kept;
  }
}

/**
 * @param {any} content
 * @returns {Params[]}
 */
function blocksOf(content) {
  return typeof content === "string" ? [{ type: "text", text: content }] : [content].flat();
}

/** @param {any} event one of the ways in which a page fails */
function describe({ target, blockedURI, effectiveDirective, message, reason = message }) {
  if (blockedURI) return "Blocked by CSP: " + effectiveDirective + " " + blockedURI;
  return target === window ? String(reason) : "Could not load " + (target.src ?? target.href);
}

/**
 * Make the view's `window.cloche`.
 *
 * @param {AppOptions} [options]
 */
export function connect(options) {
  const cloche = new App(options);
  return Object.assign(window, { cloche, FrontMcpBridge: cloche }).cloche;
}
