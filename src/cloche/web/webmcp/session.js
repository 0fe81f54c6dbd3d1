// @ts-check
/**
 * `connect()`: a session with one client, as the documents have it that were written before WebMCP was a draft. No draft
 * has it: it is an extension beside the standard, on an MCP server of the page.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("../server.js").ToolOptions} ToolOptions
 * @typedef {import("../server.js").ResourceOptions} ResourceOptions
 * @typedef {import("../server.js").PromptOptions} PromptOptions
 * @typedef {import("../transports/base.js").Transport} Transport
 * @typedef {"tools" | "resources" | "prompts"} Kind
 * @typedef {{
 *   serverInfo?: import("../server.js").ServerOptions, transport?: Transport, capabilities?: Partial<Record<Kind, any>>,
 *   timeout?: number,
 * }} ConnectOptions `transport` leads to the client, and without one the client is whoever uses the page's
 *   `document.modelContext`; `capabilities` names the kinds that are offered, all without it; `timeout` is how many
 *   milliseconds the client at the other end may take to connect
 */
import { Listeners } from "../listeners.js";
import { McpServer } from "../server.js";
import { attempt } from "../transports/base.js";
import { hintsOf } from "./hints.js";
import { NAME } from "./names.js";

/** Milliseconds that a client may take to connect, unless `connect` is told otherwise. */
export const CONNECT_TIMEOUT = 30_000;

/** There is no connection: it could not be made, or it is over. */
export class ModelContextConnectionError extends Error {
  /** @override */
  name = "ModelContextConnectionError";
}

/** The client did not connect in time. */
export class ModelContextTimeoutError extends Error {
  /** @override */
  name = "ModelContextTimeoutError";
}

/** A tool cannot be registered, and why. */
export class ToolRegistrationError extends Error {
  /** @override */
  name = "ToolRegistrationError";
}

/** A server that offers some kinds of things only. */
class SessionServer extends McpServer {
  /** @param {import("../server.js").ServerOptions} info @param {Params} [kinds] */
  constructor(info, kinds) {
    super(info);
    this.kinds = kinds;
  }

  /** @param {string} kind */
  offers(kind) {
    return !this.kinds || !["tools", "resources", "prompts"].includes(kind) || !!this.kinds[kind];
  }

  /** @override @param {string} version @returns {any} */
  capabilities(version) {
    return Object.fromEntries(Object.entries(super.capabilities(version)).filter(([kind]) => this.offers(kind)));
  }
}

/**
 * Begin a session. With a `transport` it resolves when a client has connected over it.
 *
 * @param {ConnectOptions} options
 * @returns {Promise<ModelContextSession>}
 */
export async function connect({ serverInfo, transport, capabilities, timeout = CONNECT_TIMEOUT } = {}) {
  const context = /** @type {any} */ (globalThis.document)?.modelContext;
  if (!transport && !context) {
    throw new ModelContextConnectionError(
      "This page has no document.modelContext, because its address is not secure: open it by https, or pass a transport",
    );
  }
  const session = new ModelContextSession(new SessionServer(serverInfo ?? {}, capabilities), context, transport);
  if (transport) await greeted(session, transport, timeout);
  return session;
}

/** @param {ModelContextSession} session @param {Transport} transport @param {number} timeout */
function greeted(session, transport, timeout) {
  const connection = session.server.connect(transport);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ModelContextTimeoutError(`No client connected within ${timeout} ms`));
      session.disconnect();
    }, timeout);
    connection.onReady = () => {
      clearTimeout(timer);
      session.begin(connection);
      resolve(undefined);
    };
    transport.onClose(() => {
      clearTimeout(timer);
      reject(new ModelContextConnectionError("The transport was closed before a client connected"));
      session.end("The client closed the connection");
    });
    if (connection.isReady) connection.onReady();
  });
}

/** A page's tools, resources and prompts for one client; `connect()` makes it. */
export class ModelContextSession {
  /** @type {"connecting" | "connected" | "disconnected"} */
  state;
  #listeners = new Listeners();
  /** What takes each thing out again, by its kind and name. @type {Map<string, () => void>} */
  #removals = new Map();
  /** @type {import("../server/connection.js").Connection | undefined} */
  #connection;

  /** @param {SessionServer} server @param {any} context of the page @param {Transport} [transport] */
  constructor(server, context, transport) {
    this.server = server;
    this.context = transport ? undefined : context;
    this.state = transport ? "connecting" : "connected";
    server.use((message, next) => {
      if (message.method == "tools/call") this.#called(message.params.name, message.params.arguments ?? {});
      return next();
    });
  }

  /** Who is connected, as far as the client said. @returns {Params | undefined} */
  get clientInfo() {
    return this.#connection?.peer.info;
  }

  /** Whether its tools can be called. */
  isConnected() {
    return this.state == "connected";
  }

  /**
   * Offer a function. What it returns may be any JSON, a text, or a whole result with `content`.
   *
   * @param {string} name
   * @param {ToolOptions} options with `handler`
   * @returns {() => void} take it out again
   */
  registerTool(name, options) {
    this.#check("tools", (text) => new ToolRegistrationError(text));
    /** @type {(() => void)[]} */
    const stops = [];
    try {
      if (!NAME.test(name)) throw new TypeError("A tool's name has 1 to 128 letters, digits and the signs _ . -");
      if (typeof options?.handler != "function") {
        throw new TypeError(`The tool ${name} needs a function as its handler`);
      }
      if (this.context && !options.description) {
        throw new TypeError(`The tool ${name} needs a description: browser agents choose by it`);
      }
      stops.push(this.server.registerTool(name, options));
    } catch (/** @type {any} */ error) {
      throw new ToolRegistrationError(error.message, { cause: error });
    }
    if (this.context) stops.push(this.#show(name, options));
    return this.#keep("tool", name, () => stops.forEach((stop) => stop()));
  }

  /**
   * @param {string} name a URI, a template of URIs such as `notes://{name}`, or a name, which becomes `resource://name`
   * @param {ResourceOptions} options with `handler`
   */
  registerResource(name, options) {
    this.#check("resources", (text) => new TypeError(text));
    return this.#keep("resource", name, this.server.registerResource(addressOf(name), { name, ...options }));
  }

  /** @param {string} name @param {PromptOptions} options with `handler` */
  registerPrompt(name, options) {
    this.#check("prompts", (text) => new TypeError(text));
    return this.#keep("prompt", name, this.server.registerPrompt(name, options));
  }

  /** @param {string} name */
  unregisterTool(name) {
    this.#remove("tool", name);
  }

  /** @param {string} name as it was registered */
  unregisterResource(name) {
    this.#remove("resource", name);
  }

  /** @param {string} name */
  unregisterPrompt(name) {
    this.#remove("prompt", name);
  }

  /** Tell the client something. @param {string} method @param {Params} [params] */
  notify(method, params) {
    this.#check();
    this.server.notify(method, params);
  }

  /**
   * Hear of `disconnect`, with the reason as `{reason}`; of `error`; and of `toolCall`, with `{name, arguments}`, before
   * the tool runs.
   *
   * @param {"disconnect" | "error" | "toolCall"} event
   * @param {(detail: any) => void} handler
   * @returns {() => void} stop listening
   */
  on(event, handler) {
    return this.#listeners.on(event, handler);
  }

  /** End the session: everything that it registered is gone, and what is under way is given up. */
  disconnect() {
    this.end("The page ended the session");
  }

  /** The same as `disconnect()`. */
  close() {
    this.disconnect();
  }

  // For connect()

  /** @param {import("../server/connection.js").Connection} connection */
  begin(connection) {
    this.#connection = connection;
    this.state = "connected";
  }

  /** @param {string} reason */
  end(reason) {
    if (this.state == "disconnected") return;
    this.state = "disconnected";
    for (const remove of [...this.#removals.values()]) remove();
    this.server.close();
    this.#tell("disconnect", { reason });
    this.#listeners.clear();
  }

  /** Let browser agents see a tool, until the function that is returned is called. @param {string} name @param {ToolOptions} options */
  #show(name, options) {
    const { title, description, inputSchema = { type: "object" }, annotations, _meta } = options;
    const handler = /** @type {import("../server.js").Handler} */ (options.handler);
    const over = new AbortController();
    const tool = {
      name,
      ...title && { title },
      description,
      inputSchema,
      annotations: hintsOf({ openWorldHint: false, ...annotations }, _meta),
      execute: (/** @type {any} */ input, /** @type {any} */ given) => {
        this.#called(name, input);
        return handler(input, given);
      },
    };
    this.context.registerTool(tool, { signal: over.signal }).catch((/** @type {Error} */ error) => {
      if (over.signal.aborted) return;
      const why = `Browser agents do not see the tool ${name}: ${error.message}`;
      this.#tell("error", new ToolRegistrationError(why, { cause: error }));
    });
    return () => over.abort();
  }

  /** @param {string} name @param {any} args */
  #called(name, args) {
    this.#tell("toolCall", { name, arguments: args });
  }

  /** @param {string} event @param {any} detail */
  #tell(event, detail) {
    for (const handler of this.#listeners.of(event)) attempt(() => handler(detail));
  }

  /** @param {string} [kind] @param {(text: string) => Error} [refusal] */
  #check(kind = "", refusal = (text) => new Error(text)) {
    if (this.state == "disconnected") {
      throw new ModelContextConnectionError("The session is over: call connect() again");
    }
    if (!this.server.offers(kind)) {
      throw refusal(`This session offers no ${kind}: name them in connect({capabilities})`);
    }
  }

  /** @param {string} kind @param {string} name @param {() => void} remove */
  #keep(kind, name, remove) {
    const key = `${kind} ${name}`;
    const once = () => {
      if (this.#removals.get(key) === once && this.#removals.delete(key)) remove();
    };
    this.#removals.set(key, once);
    return once;
  }

  /** @param {string} kind @param {string} name */
  #remove(kind, name) {
    this.#removals.get(`${kind} ${name}`)?.();
  }
}

/** @param {string} name */
const addressOf = (name) => /^[a-z][a-z0-9+.-]*:/i.test(name) ? name : `resource://${name}`;
