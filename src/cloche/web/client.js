// @ts-check
/**
 * An MCP client over any transport of the page, for both eras of the protocol: with a handshake up to 2025-11-25, and
 * from 2026-07-28 on with requests that say themselves who asks.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("./transports/base.js").RequestOptions} RequestOptions
 * @typedef {import("./transports/base.js").Handler} Handler
 * @typedef {(params: Params) => unknown} NotificationHandler
 * @typedef {{onChange?: NotificationHandler, onError?: (error: any) => void}} Subscriber `onError` hears when the
 *   connection has ended, or the server tells of changes no more
 * @typedef {{
 *   name?: string, version?: string, timeout?: number, versions?: string[], capabilities?: Params,
 *   handlers?: Record<string, Handler>, isGreeted?: boolean,
 * }} ClientOptions `versions` are those that may be spoken. `handlers` answer what the server asks, by method, such as
 *   `sampling/createMessage`; it is told of them, unless `capabilities` says otherwise. `isGreeted` is for a second client
 *   on one transport: another one shakes hands with the server, where it wants that, and answers it.
 */
import { LIST_CHANGED, META, OWN, STATELESS, VERSIONS } from "./protocol.js";
import { attempt, generateRequestId, TransportClosedError, TransportError } from "./transports/base.js";
import { PortTransport } from "./transports/port.js";
import { isOf, openStream } from "./transports/stream.js";

/** Milliseconds that an unknown server may take for `server/discover`, before it is greeted with a handshake. */
const PROBE = 5_000;
/** How often one request may come back with a question. */
const ROUNDS = 20;

export class McpClient {
  /** @type {Params} */
  serverInfo = {};
  /** @type {Params} */
  serverCapabilities = {};
  /** @type {string | undefined} */
  instructions;
  protocolVersion = "";
  timeout = 30_000;
  versions = VERSIONS;
  isGreeted = false;
  /** @type {Params} */
  capabilities = {};
  /** @type {Map<string, Set<NotificationHandler>>} */
  #listeners = new Map();
  /** Streams that tell of changed lists, by method. @type {Map<string, AbortController>} */
  #watching = new Map();
  /** @type {Map<string, Handler>} */
  #answers;
  /** URIs by subscriber. @type {Map<string, string>} */
  #subscribed = new Map();
  /** @type {Promise<McpClient> | undefined} */
  #greeted;

  /**
   * @param {import("./transports/base.js").Transport} transport
   * @param {ClientOptions} [options]
   */
  constructor(transport, { name = "cloche", version = "0.1.0", handlers = {}, ...options } = {}) {
    for (const method of Object.keys(handlers)) this.capabilities[method.split("/")[0]] = {};
    Object.assign(this, options);
    this.#answers = new Map(Object.entries({ ping: () => ({}), ...handlers }));
    this.transport = transport;
    this.info = { name, version };
  }

  /**
   * Find out what the server is. The first request does it too, and every request waits for it.
   *
   * @returns {Promise<McpClient>}
   */
  connect() {
    if (!this.#greeted) {
      if (!this.isGreeted) this.transport.serve((method) => this.#answers.get(method));
      this.transport.onMessage(({ method, params = {} }) => {
        this.#listeners.get(method)?.forEach((handler) => attempt(() => handler(params)));
      });
      this.#greeted = this.#greet().then(() => {
        for (const method of this.#listeners.keys()) this.#watch(method);
        return this;
      });
    }
    return this.#greeted;
  }

  get isConnected() {
    return this.transport.isConnected;
  }

  /** Whether it is the era without a handshake. */
  get isStateless() {
    return this.protocolVersion == STATELESS;
  }

  close() {
    this.transport.close();
  }

  // What the server has

  /** @param {RequestOptions} [options] */
  listTools(options) {
    return this.#all("tools", options);
  }

  /** @param {RequestOptions} [options] */
  listResources(options) {
    return this.#all("resources", options);
  }

  /** @param {RequestOptions} [options] */
  listResourceTemplates(options) {
    return this.#all("resourceTemplates", options, "resources/templates");
  }

  /** @param {RequestOptions} [options] */
  listPrompts(options) {
    return this.#all("prompts", options);
  }

  /**
   * @param {string} name
   * @param {Params} [args]
   * @param {RequestOptions} [options]
   */
  callTool(name, args = {}, options) {
    return this.request("tools/call", { name, arguments: args }, options);
  }

  /** @param {string} uri @param {RequestOptions} [options] */
  readResource(uri, options) {
    return this.request("resources/read", { uri }, options);
  }

  /**
   * @param {string} name
   * @param {Record<string, string>} [args]
   * @param {RequestOptions} [options]
   */
  getPrompt(name, args = {}, options) {
    return this.request("prompts/get", { name, arguments: args }, options);
  }

  /** A sign of life. @param {RequestOptions} [options] */
  async ping(options) {
    await this.connect();
    return this.request(this.isStateless ? "server/discover" : "ping", {}, options);
  }

  /**
   * Hear of every change of a resource, until the function that is returned is called.
   *
   * @param {string} uri
   * @param {Subscriber} [subscriber]
   */
  async subscribe(uri, { onChange, onError } = {}) {
    await this.connect();
    const id = generateRequestId();
    const stream = new AbortController();
    const unheard = this.onNotification("notifications/resources/updated", (told) => {
      if (told.uri == uri && isOf(id, told)) onChange?.(told);
    });
    const unclosed = this.transport.onClose(() => onError?.(new TransportClosedError()));
    const stop = async () => {
      if (!this.#subscribed.delete(id)) return;
      unheard();
      unclosed();
      stream.abort();
      if (this.isStateless || !this.isConnected || [...this.#subscribed.values()].includes(uri)) return;
      await this.#ask("resources/unsubscribe", { uri });
    };
    this.#subscribed.set(id, uri);
    try {
      if (this.isStateless) await this.#listen({ resourceSubscriptions: [uri] }, id, stream.signal, onError);
      else await this.#ask("resources/subscribe", { uri });
    } catch (error) {
      stop().catch(() => {});
      throw error;
    }
    return stop;
  }

  // Anything else

  /**
   * @param {string} method
   * @param {Params} [params]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  async request(method, params = {}, options) {
    await this.connect();
    let result = await this.#ask(method, params, options);
    for (let round = 1; result.resultType == "input_required"; round++) {
      if (round == ROUNDS) throw new TransportError("Too many questions: " + method, -32600);
      /** @type {Params} */
      const inputResponses = {};
      for (const [key, question] of Object.entries(result.inputRequests)) {
        const answer = this.#answers.get(question.method);
        if (!answer) throw new TransportError("Not available: " + question.method, -32601);
        inputResponses[key] = await answer(question.params ?? {}, options?.signal);
      }
      result = await this.#ask(method, { ...params, inputResponses, requestState: result.requestState }, options);
    }
    return result;
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   */
  notify(method, params = {}) {
    this.transport.send({ jsonrpc: "2.0", method, params });
  }

  /**
   * Call `handler` with every notification of a method, until the function that is returned is called.
   *
   * @param {string} method
   * @param {NotificationHandler} handler
   */
  onNotification(method, handler) {
    const handlers = this.#listeners.get(method) ?? new Set();
    if (!this.#listeners.has(method)) this.#watch(method);
    this.#listeners.set(method, handlers.add(handler));
    return () => {
      handlers.delete(handler);
      if (handlers.size || this.#listeners.get(method) != handlers) return;
      this.#listeners.delete(method);
      this.#watching.get(method)?.abort();
    };
  }

  // Asking

  /**
   * One request with what it needs in this era.
   *
   * @param {string} method
   * @param {Params} params
   * @param {RequestOptions & {id?: string}} [options]
   * @param {boolean} [stateless]
   * @returns {Promise<any>}
   */
  async #ask(method, params, options, stateless = this.isStateless) {
    const _meta = stateless ? { ...this.#about(), ...params._meta } : params._meta;
    const request = { id: options?.id, method, params: { ...params, _meta } };
    const { result, error } = await this.transport.request(request, { timeout: this.timeout, ...options });
    if (error) throw Object.assign(new TransportError(error.message, error.code), error);
    return result ?? {};
  }

  /** Who asks, as every request says it in the newer era. */
  #about() {
    return {
      [META + "protocolVersion"]: STATELESS,
      [META + "clientInfo"]: this.info,
      [META + "clientCapabilities"]: this.capabilities,
    };
  }

  /**
   * Every page of a list.
   *
   * @param {string} key
   * @param {RequestOptions} [options]
   * @param {string} [what]
   * @returns {Promise<Params[]>}
   */
  async #all(key, options, what = key) {
    /** @type {Params[]} */
    const found = [];
    const seen = new Set();
    let cursor;
    do {
      seen.add(cursor);
      const page = await this.request(what + "/list", { cursor }, options);
      found.push(...page[key] ?? []);
      cursor = page.nextCursor ?? undefined;
    } while (!seen.has(cursor));
    return found;
  }

  // Greeting

  async #greet() {
    const version = this.versions.find((version) => version != STATELESS);
    if (!version) return this.#discover();
    if (!this.versions.includes(STATELESS)) return this.#initialize(version);
    try {
      await this.#discover(Math.min(PROBE, this.timeout));
    } catch (/** @type {any} */ refused) {
      if (this.isGreeted) return void (this.protocolVersion = version);
      // One that said nothing is of the handshake era, or still starting, and then it settles on our first word.
      await this.#initialize(version).catch((error) => {
        if (isFinite(refused.code)) throw error;
        return this.#discover();
      });
    }
  }

  /** @param {number} [timeout] */
  async #discover(timeout = this.timeout) {
    const found = await this.#ask("server/discover", {}, { timeout }, true);
    const version = found.supportedVersions?.find((/** @type {string} */ one) => one == STATELESS);
    this.#meet(version, found, found._meta?.[META + "serverInfo"]);
  }

  /** @param {string} protocolVersion */
  async #initialize(protocolVersion) {
    const params = { protocolVersion, capabilities: this.capabilities, clientInfo: this.info };
    const found = await this.#ask("initialize", params, {}, false);
    this.#meet(found.protocolVersion, found, found.serverInfo);
    this.notify("notifications/initialized");
  }

  /**
   * @param {string} version
   * @param {Params} found
   * @param {Params} [info]
   */
  #meet(version, { capabilities, instructions }, info = {}) {
    if (!this.versions.includes(version)) throw new TransportError("Unsupported protocol version: " + version, -32022);
    this.protocolVersion = version;
    this.serverCapabilities = capabilities;
    this.instructions = instructions;
    this.serverInfo = info;
  }

  // Hearing

  /**
   * In the newer era a server tells of changed lists, and of events of its own, only when it is asked to.
   *
   * @param {string} method
   */
  #watch(method) {
    const list = LIST_CHANGED.exec(method);
    const own = !/^notif/.test(method) && this.serverCapabilities?.extensions?.[OWN];
    if (!this.isStateless || !(list || own)) return;
    const watching = new AbortController();
    this.#watching.set(method, watching);
    const wanted = list ? { [list[1] + "ListChanged"]: true } : { [OWN]: [method] };
    // A server that refuses has lists that never change, or tells of them unasked.
    this.#listen(wanted, generateRequestId(), watching.signal).catch(() => watching.abort());
  }

  /**
   * @param {Params} notifications what the stream shall carry
   * @param {string} id
   * @param {AbortSignal} signal
   * @param {(error: any) => void} [onLost]
   */
  #listen(notifications, id, signal, onLost) {
    const { timeout } = this;
    return openStream(this.transport, { notifications, _meta: this.#about() }, { id, signal, timeout, onLost });
  }
}

/** A client of a server that runs in a worker. */
export class McpBrowserClient extends McpClient {
  /**
   * @param {Worker | SharedWorker | MessagePort} worker
   * @param {ClientOptions} [options]
   */
  constructor(worker, options) {
    super(new PortTransport(worker), options);
  }
}
