// @ts-check
/**
 * An MCP server in the page, in a worker, or wherever there is JavaScript: tools, resources, prompts and methods of its
 * own, for any number of clients, each over a transport of its own and in whichever era of the protocol it speaks.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("./server/context.js").Context} Context
 * @typedef {(args: any, context: Context) => any} Handler
 * @typedef {{
 *   title?: string, description?: string, inputSchema?: Params, outputSchema?: Params, annotations?: Params,
 *   icons?: Params[], _meta?: Params, handler?: Handler,
 * }} ToolOptions
 * @typedef {{
 *   name?: string, title?: string, description?: string, mimeType?: string, size?: number, annotations?: Params,
 *   icons?: Params[], _meta?: Params, handler?: ResourceHandler,
 * }} ResourceOptions
 * @typedef {(uri: string, variables: Record<string, string>, context: Context) => any} ResourceHandler
 * @typedef {{
 *   title?: string, description?: string, arguments?: {name: string, description?: string, required?: boolean}[],
 *   icons?: Params[], _meta?: Params, handler?: Handler,
 * }} PromptOptions
 * @typedef {{method: string, params: Params, id: string | number, context: Context}} Incoming
 * @typedef {(message: Incoming, next: (passed?: Incoming) => Promise<any>) => any} Middleware
 * @typedef {{
 *   name?: string, version?: string, title?: string, instructions?: string, pageSize?: number, timeout?: number,
 * }} ServerOptions `timeout` in milliseconds is how long a request may take; 0, the default, for any time
 */
import { ERROR_TEXT_LIMIT, MAX_COMPLETIONS, OWN, PAGE_SIZE, RESOURCE_NOT_FOUND, SINCE, STATELESS } from "./protocol.js";
import { isObject } from "./json.js";
import { Listeners } from "./listeners.js";
import { RpcError } from "./rpc.js";
import * as say from "./sentences.js";
import { Connection } from "./server/connection.js";
import { invalidParams, listed, promptResult, resourceResult, text, toolResult } from "./server/results.js";
import { schemaFlaw } from "./server/schema-check.js";
import { misfit } from "./server/schema.js";
import { uriMatcher } from "./server/template.js";
import { attempt } from "./transports/base.js";

export class McpServer {
  /** @type {Map<string, {shown: Params, handler: Handler}>} */
  #tools = new Map();
  /** @type {Map<string, {shown: Params, handler: ResourceHandler}>} */
  #resources = new Map();
  /** @type {Map<string, {shown: Params, handler: ResourceHandler, match: ReturnType<typeof uriMatcher>}>} */
  #templates = new Map();
  /** @type {Map<string, {shown: Params, handler: Handler}>} */
  #prompts = new Map();
  /** @type {Map<string, (typed: string, known: Params) => any>} */
  #completions = new Map();
  #listeners = new Listeners();
  /** @type {Middleware[]} */
  #middleware = [];
  /** @type {Set<Connection>} */
  #connections = new Set();
  /** @type {Map<string, Handler>} */
  #methods = new Map(Object.entries({
    "tools/list": (params, context) => this.#page(this.#tools, "tools", params, context),
    "tools/call": (params, context) => this.#call(params, context),
    "resources/list": (params, context) => this.#page(this.#resources, "resources", params, context),
    "resources/templates/list": (params, context) => this.#page(this.#templates, "resourceTemplates", params, context),
    "resources/read": (params, context) => this.#read(params, context),
    "prompts/list": (params, context) => this.#page(this.#prompts, "prompts", params, context),
    "prompts/get": (params, context) => this.#prompt(params, context),
    "completion/complete": (params) => this.#complete(params),
  }));
  /** Methods of the protocol, which nobody can register. */
  #reserved = new Set([
    ...this.#methods.keys(),
    "initialize",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
  ]);

  /** @param {ServerOptions} [options] */
  constructor({ name = "cloche", version = "0.1.0", title, instructions, pageSize = PAGE_SIZE, timeout = 0 } = {}) {
    this.info = { name, version, title };
    this.instructions = instructions;
    this.pageSize = pageSize;
    this.timeout = timeout;
  }

  // What it has. Each gives back a function that takes it out again.

  /**
   * @param {string} name
   * @param {ToolOptions} options
   * @param {Handler} [handler] called with the arguments and a context; what it returns is text, or any JSON, or a
   *   whole result with `content`; what it throws is the result's error
   */
  registerTool(name, { handler: own, inputSchema = { type: "object" }, ...options }, handler = own) {
    checkRegistration("tool", name, this.#tools, handler);
    if (!isObject(inputSchema) || inputSchema.type != "object") {
      throw new TypeError(`The inputSchema of the tool ${name} is a JSON Schema with type: "object"`);
    }
    const flaw = schemaFlaw(inputSchema);
    if (flaw) throw new TypeError(`The inputSchema of the tool ${name} cannot be checked: ${flaw}`);
    return this.#add(this.#tools, name, { shown: { name, ...options, inputSchema }, handler }, "tools");
  }

  /**
   * @param {string} uri of one resource, or of a family of them: `notes://{name}`
   * @param {ResourceOptions} options
   * @param {ResourceHandler} [handler] called with the URI, the values of its variables and a context; returns text,
   *   bytes, any JSON, or a whole result with `contents`
   */
  registerResource(uri, { handler: own, name = uri, ...options }, handler = own) {
    const isTemplate = uri.includes("{");
    checkRegistration("resource", uri, isTemplate ? this.#templates : this.#resources, handler);
    if (!isTemplate) return this.#add(this.#resources, uri, { shown: { uri, name, ...options }, handler }, "resources");
    const entry = { shown: { uriTemplate: uri, name, ...options }, handler, match: uriMatcher(uri) };
    return this.#add(this.#templates, uri, entry, "resources");
  }

  /**
   * @param {string} name
   * @param {PromptOptions} options
   * @param {Handler} [handler] called with the arguments and a context; returns the user's text, or messages
   */
  registerPrompt(name, { handler: own, ...options }, handler = own) {
    checkRegistration("prompt", name, this.#prompts, handler);
    return this.#add(this.#prompts, name, { shown: { name, ...options }, handler }, "prompts");
  }

  /**
   * What may be meant by the beginning of an argument of a prompt, or of a variable of a resource template.
   *
   * @param {string} target the prompt's name, or the template's URI
   * @param {string} argument
   * @param {(typed: string, known: Params) => any} handler returns texts
   */
  registerCompletion(target, argument, handler) {
    this.#completions.set(JSON.stringify([target, argument]), handler);
  }

  /** A JSON-RPC method of your own. @param {string} method @param {Handler} handler returns an object */
  registerMethod(method, handler) {
    if (this.#reserved.has(method)) throw new TypeError(`${method} is the protocol's own: choose another name`);
    checkRegistration("method", method, this.#methods, handler);
    this.#methods.set(method, handler);
    return () => void this.#methods.delete(method);
  }

  /** Hear what clients tell. @param {string} method @param {(params: Params, connection: Connection) => any} handler */
  onNotification(method, handler) {
    return this.#listeners.on(method, handler);
  }

  /**
   * Put a function around every request, outermost first: `async (message, next) => next()`.
   *
   * @param {Middleware} middleware
   */
  use(middleware) {
    this.#middleware.push(middleware);
    return this;
  }

  // Telling clients

  /**
   * Tell every client. Of changed resources and lists those hear who want to.
   *
   * @param {string} method
   * @param {Params} [params]
   */
  notify(method, params = {}) {
    const plain = JSON.parse(JSON.stringify(params));
    // One whose transport fails keeps none from hearing it.
    for (const connection of [...this.#connections]) attempt(() => connection.hear(method, plain));
  }

  /** Tell subscribers that a resource changed. @param {string} uri */
  resourceUpdated(uri) {
    this.notify("notifications/resources/updated", { uri });
  }

  // Connections

  /**
   * Serve a client at the other end of a transport, beside those that are served already.
   *
   * @param {import("./transports/base.js").Transport} transport
   */
  connect(transport) {
    const connection = new Connection(this, transport);
    // Also one whose client has yet to come: a frame waits for the page around it.
    if (!connection.isOver) this.#connections.add(connection);
    return connection;
  }

  /** Whether there is a client that was greeted. */
  isConnected() {
    return [...this.#connections].some((connection) => connection.isReady);
  }

  /** Every connection there is. */
  get connections() {
    return [...this.#connections];
  }

  /** End every connection. */
  close() {
    for (const connection of [...this.#connections]) connection.close();
  }

  // For connections

  /** @param {Connection} connection */
  forget(connection) {
    this.#connections.delete(connection);
  }

  /** @param {string} version */
  capabilities(version) {
    return {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: version < SINCE.completions ? undefined : {},
      extensions: version == STATELESS ? { [OWN]: {} } : undefined,
    };
  }

  /** @param {string} method */
  find(method) {
    return this.#methods.get(method);
  }

  /** @param {string} method @param {Params} params @param {Connection} connection */
  heard(method, params, connection) {
    for (const handler of this.#listeners.of(method)) attempt(() => handler(params, connection));
  }

  /** A request through the middleware. @param {Incoming} message @param {(message: Incoming) => any} perform */
  async handle(message, perform) {
    /** @param {number} index @param {Incoming} message @returns {Promise<any>} */
    const call = async (index, message) =>
      index < this.#middleware.length
        ? await this.#middleware[index](message, (passed = message) => call(index + 1, passed))
        : await perform(message);
    return await call(0, message);
  }

  // What the protocol's methods do

  /**
   * @template {{shown: Params}} T
   * @param {Map<string, T>} entries
   * @param {string} name
   * @param {T} entry
   * @param {string} list
   */
  #add(entries, name, entry, list) {
    const changed = () => this.notify(`notifications/${list}/list_changed`);
    entries.set(name, entry);
    changed();
    return () => {
      if (entries.get(name) === entry && entries.delete(name)) changed();
    };
  }

  /**
   * @param {Map<string, {shown: Params}>} entries
   * @param {string} key
   * @param {Params} params
   * @param {Context} context
   */
  #page(entries, key, { cursor = "0" }, { protocolVersion }) {
    const start = Number(cursor);
    if (!Number.isInteger(start) || start < 0 || start > entries.size) {
      throw invalidParams("The cursor is not one of this server's");
    }
    const end = start + this.pageSize;
    const shown = [...entries.values()].slice(start, end).map((entry) => listed(entry.shown, protocolVersion));
    return {
      [key]: shown,
      nextCursor: end < entries.size ? String(end) : undefined,
      ...cacheable(protocolVersion, "public"),
    };
  }

  /** @param {Params} params @param {Context} context */
  async #call({ name, arguments: args = {} }, context) {
    const tool = this.#tools.get(name);
    if (!tool) throw invalidParams(say.unknownName("tool", shorten(name)));
    const { inputSchema, outputSchema } = tool.shown;
    const flaw = misfit(inputSchema, args);
    if (flaw) return { content: [text(`Invalid arguments for ${name}: ${flaw}`)], isError: true };
    try {
      return toolResult(await tool.handler(args, context), context.protocolVersion, outputSchema);
    } catch (error) {
      if (error instanceof RpcError || context.signal.aborted) throw error;
      const told = error instanceof Error ? error.message : error;
      return { content: [text(`The tool ${name} failed: ${String(told).slice(0, ERROR_TEXT_LIMIT)}`)], isError: true };
    }
  }

  /** @param {Params} params @param {Context} context */
  async #read({ uri }, context) {
    if (typeof uri != "string") throw invalidParams("Invalid params: uri is missing");
    const { entry, variables } = this.#resource(uri);
    const value = await entry.handler(uri, variables, context);
    return { ...resourceResult(value, uri, entry.shown.mimeType), ...cacheable(context.protocolVersion, "private") };
  }

  /**
   * @param {string} uri
   * @returns {{entry: {shown: Params, handler: ResourceHandler}, variables: Record<string, string>}}
   */
  #resource(uri) {
    const entry = this.#resources.get(uri);
    if (entry) return { entry, variables: {} };
    for (const entry of this.#templates.values()) {
      const found = entry.match(uri);
      if (found) return { entry, variables: decoded(found) };
    }
    throw new RpcError(RESOURCE_NOT_FOUND, say.resourceNotFound(), { uri: shorten(uri, 500) });
  }

  /** @param {Params} params @param {Context} context */
  async #prompt({ name, arguments: args = {} }, context) {
    const prompt = this.#prompts.get(name);
    if (!prompt) throw invalidParams(say.unknownName("prompt", shorten(name)));
    /** @type {Params[]} */
    const declared = prompt.shown.arguments ?? [];
    const properties = Object.fromEntries(declared.map((one) => [one.name, { type: "string" }]));
    const required = declared.filter((one) => one.required).map((one) => one.name);
    const flaw = misfit({ type: "object", properties, required }, args);
    if (flaw) throw invalidParams(`Invalid arguments for the prompt ${name}: ${flaw}`);
    return promptResult(await prompt.handler(args, context), context.protocolVersion, prompt.shown.description);
  }

  /** @param {Params} params */
  async #complete({ ref, argument, context }) {
    const target = ref?.type == "ref/prompt" ? ref.name : ref?.uri;
    const known = ref?.type == "ref/prompt" ? this.#prompts : this.#templates;
    if (!known.has(target) && !this.#resources.has(target)) {
      throw invalidParams("Nothing to complete: " + shorten(target));
    }
    const handler = this.#completions.get(JSON.stringify([target, argument?.name]));
    const values = (await handler?.(String(argument?.value ?? ""), context?.arguments ?? {}) ?? []).map(String);
    const hasMore = values.length > MAX_COMPLETIONS;
    return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
  }
}

/** A server to register things at and to connect. @param {ServerOptions} [options] */
export const createServer = (options) => new McpServer(options);

/**
 * A server that is connected already.
 *
 * @param {{
 *   transport: import("./transports/base.js").Transport, info?: ServerOptions, serverInfo?: ServerOptions,
 * }} options
 */
export async function createBrowserMcpServer({ transport, info, serverInfo, ...options }) {
  const server = createServer({ ...serverInfo, ...info, ...options });
  await server.connect(transport);
  return server;
}

/** @param {string} version @param {string} cacheScope */
const cacheable = (version, cacheScope) => version == STATELESS ? { ttlMs: 0, cacheScope } : {};

/** @param {any} name @param {number} [limit] */
const shorten = (name, limit = 100) => String(name).slice(0, limit);

/**
 * Mistakes fail when something is registered, not when it is first used.
 *
 * @param {string} kind
 * @param {string} name
 * @param {Map<string, any>} known
 * @param {any} handler
 * @returns {asserts handler is Function}
 */
function checkRegistration(kind, name, known, handler) {
  if (typeof name != "string" || !name) throw new TypeError(`A ${kind} has a name`);
  if (typeof handler != "function") throw new TypeError(`The ${kind} ${name} needs a function: pass it last`);
  if (known.has(name)) throw new TypeError(`There is a ${kind} ${name} already: take it out first`);
}

/** @param {Record<string, string>} values */
function decoded(values) {
  try {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw invalidParams("The URI has escapes that are none");
  }
}
