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
 * @typedef {{subscribers: Set<Subscriber>, ready: Promise<void>, end: () => Promise<void>}} Followed
 * @typedef {{
 *   name?: string, version?: string, timeout?: number, versions?: string[], capabilities?: Params,
 *   handlers?: Record<string, Handler>, isGreeted?: boolean,
 * }} ClientOptions `versions` are those that may be spoken. `handlers` answer what the server asks, by method, such as
 *   `sampling/createMessage`; it is told of them, unless `capabilities` says otherwise. `isGreeted` is for a second client
 *   on one transport: another one shakes hands with the server, where it wants that, and answers it.
 */
import * as protocol from "./protocol.js";
import { generateRequestId, RpcError } from "./rpc.js";
import * as say from "./sentences.js";
import { attempt, REQUEST_TIMEOUT, TransportClosedError } from "./transports/base.js";
import { PortTransport } from "./transports/port.js";
import { isOf, openStream } from "./transports/stream.js";

/** Milliseconds that an unknown server may take for `server/discover`, before it is greeted with a handshake. */
const PROBE = 5_000;

export class McpClient {
  /** @type {Params} */
  serverInfo = {};
  /** @type {Params} */
  serverCapabilities = {};
  /** @type {string | undefined} */
  instructions;
  protocolVersion = "";
  timeout = REQUEST_TIMEOUT;
  versions = protocol.VERSIONS;
  isGreeted = false;
  /** @type {Params} */
  capabilities = {};
  /** @type {Map<string, Set<NotificationHandler>>} */
  #listeners = new Map();
  /** Streams that tell of changed lists, by method. @type {Map<string, AbortController>} */
  #watching = new Map();
  /** @type {Map<string, Handler>} */
  #answers;
  /** Resources that are subscribed to, by URI. @type {Map<string, Followed>} */
  #followed = new Map();
  /** @type {Promise<McpClient> | undefined} */
  #greeted;

  /** @param {import("./transports/base.js").Transport} transport @param {ClientOptions} [options] */
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
    return this.protocolVersion == protocol.STATELESS;
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

  /** @param {string} name @param {Params} [args] @param {RequestOptions} [options] */
  callTool(name, args = {}, options) {
    return this.request("tools/call", { name, arguments: args }, options);
  }

  /** @param {string} uri @param {RequestOptions} [options] */
  readResource(uri, options) {
    return this.request("resources/read", { uri }, options);
  }

  /** @param {string} name @param {Record<string, string>} [args] @param {RequestOptions} [options] */
  getPrompt(name, args = {}, options) {
    return this.request("prompts/get", { name, arguments: args }, options);
  }

  /** A sign of life. @param {RequestOptions} [options] */
  async ping(options) {
    await this.connect();
    return this.request(this.isStateless ? "server/discover" : "ping", {}, options);
  }

  /**
   * Hear of every change of a resource, until the function that is returned is called. Many subscribers of one resource
   * have one subscription at the server.
   *
   * @param {string} uri
   * @param {Subscriber} [subscriber]
   */
  async subscribe(uri, subscriber = {}) {
    await this.connect();
    const followed = this.#followed.get(uri) ?? this.#follow(uri);
    const { subscribers } = followed;
    // A subscriber of its own, also where one object is given twice.
    const own = { ...subscriber };
    // Before the server has answered: the first update may be right behind its answer.
    subscribers.add(own);
    await followed.ready;
    return async () => {
      if (subscribers.delete(own) && !subscribers.size) await followed.end();
    };
  }

  /** @param {string} uri @returns {Followed} */
  #follow(uri) {
    const id = generateRequestId();
    const stream = new AbortController();
    /** @type {Set<Subscriber>} */
    const subscribers = new Set();
    /** @param {any} error */
    const failed = (error) => {
      end();
      subscribers.forEach(({ onError }) => attempt(() => onError?.(error)));
    };
    const unheard = this.onNotification("notifications/resources/updated", (told) => {
      if (told.uri == uri && isOf(id, told)) subscribers.forEach(({ onChange }) => attempt(() => onChange?.(told)));
    });
    const unclosed = this.transport.onClose(() => failed(new TransportClosedError()));
    const end = async () => {
      if (this.#followed.get(uri) != followed) return;
      this.#followed.delete(uri);
      unheard();
      unclosed();
      if (!this.isConnected) return;
      stream.abort();
      if (!this.isStateless) await this.#ask("resources/unsubscribe", { uri });
    };
    const ready = this.isStateless
      ? this.#listen({ resourceSubscriptions: [uri] }, id, stream.signal, failed)
      : this.#ask("resources/subscribe", { uri });
    const followed = { subscribers, ready, end };
    this.#followed.set(uri, followed);
    ready.catch(() => end().catch(() => {}));
    return followed;
  }

  // Anything else

  /** @param {string} method @param {Params} [params] @param {RequestOptions} [options] @returns {Promise<any>} */
  async request(method, params = {}, options) {
    await this.connect();
    let result = await this.#ask(method, params, options);
    for (let round = 1; result.resultType == "input_required"; round++) {
      if (round == protocol.MAX_ROUNDS) throw new RpcError(protocol.INVALID_REQUEST, "Too many questions: " + method);
      /** @type {Params} */
      const inputResponses = {};
      for (const [key, question] of Object.entries(result.inputRequests)) {
        const answer = this.#answers.get(question.method);
        if (!answer) throw new RpcError(protocol.METHOD_NOT_FOUND, "Not available: " + question.method);
        inputResponses[key] = await answer(question.params ?? {}, options?.signal);
      }
      result = await this.#ask(method, { ...params, inputResponses, requestState: result.requestState }, options);
    }
    return result;
  }

  /** @param {string} method @param {Params} [params] */
  notify(method, params = {}) {
    this.transport.rpc.notify(method, params);
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
   * @param {RequestOptions} [options]
   * @param {boolean} [stateless]
   * @returns {Promise<any>}
   */
  #ask(method, params, options, stateless = this.isStateless) {
    const _meta = stateless ? { ...this.#about(), ...params._meta } : params._meta;
    return this.transport.rpc.request(method, { ...params, _meta }, { timeout: this.timeout, ...options });
  }

  /** Who asks, as every request says it in the newer era. */
  #about() {
    return {
      [protocol.META + "protocolVersion"]: protocol.STATELESS,
      [protocol.META + "clientInfo"]: this.info,
      [protocol.META + "clientCapabilities"]: this.capabilities,
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
    const version = this.versions.find((version) => version != protocol.STATELESS);
    if (!version) return this.#discover();
    if (!this.versions.includes(protocol.STATELESS)) return this.#initialize(version);
    try {
      await this.#discover(Math.min(PROBE, this.timeout));
    } catch (/** @type {any} */ refused) {
      if (this.isGreeted) return void (this.protocolVersion = version);
      // The probe timed out: the server is of the handshake era, or still starting; `initialize` works for both.
      await this.#initialize(version).catch((error) => {
        if (isFinite(refused.code)) throw error;
        return this.#discover();
      });
    }
  }

  /** @param {number} [timeout] */
  async #discover(timeout = this.timeout) {
    const found = await this.#ask("server/discover", {}, { timeout }, true);
    const version = found.supportedVersions?.find((/** @type {string} */ one) => one == protocol.STATELESS);
    this.#meet(version, found, found._meta?.[protocol.META + "serverInfo"]);
  }

  /** @param {string} protocolVersion */
  async #initialize(protocolVersion) {
    const params = { protocolVersion, capabilities: this.capabilities, clientInfo: this.info };
    const found = await this.#ask("initialize", params, {}, false);
    this.#meet(found.protocolVersion, found, found.serverInfo);
    this.notify("notifications/initialized");
  }

  /** @param {string} version @param {Params} found @param {Params} [info] */
  #meet(version, { capabilities, instructions }, info = {}) {
    if (!this.versions.includes(version)) {
      throw new RpcError(protocol.UNSUPPORTED_VERSION, say.unsupportedVersion(version));
    }
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
    const list = protocol.LIST_CHANGED.exec(method);
    const own = !/^notif/.test(method) && this.serverCapabilities?.extensions?.[protocol.OWN];
    if (!this.isStateless || !(list || own)) return;
    const watching = new AbortController();
    this.#watching.set(method, watching);
    const wanted = list ? { [list[1] + "ListChanged"]: true } : { [protocol.OWN]: [method] };
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
  /** @param {Worker | SharedWorker | MessagePort} worker @param {ClientOptions} [options] */
  constructor(worker, options) {
    super(new PortTransport(worker), options);
  }
}
