// @ts-check
/**
 * An MCP client over any transport of the page, for both eras of the protocol: with a handshake up to 2025-11-25, and
 * from 2026-07-28 on with requests that say themselves who asks.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("./rpc.js").RequestOptions} RequestOptions
 * @typedef {import("./rpc.js").Handler} Handler
 * @typedef {(params: Params) => unknown} NotificationHandler
 * @typedef {{onChange?: NotificationHandler, onError?: (error: any) => void}} Subscriber `onError` hears when the
 *   connection has ended
 * @typedef {{
 *   name?: string, version?: string, timeout?: number, versions?: string[], capabilities?: Params,
 *   sampling?: (request: Params, signal?: AbortSignal) => any,
 *   elicitation?: (request: Params, signal?: AbortSignal) => any,
 *   roots?: (string | Params)[] | (() => any),
 * }} ClientOptions `versions` are those that may be spoken. `sampling` returns the model's text or a whole result,
 *   `elicitation` what the user filled in or null for no, `roots` are URIs.
 */
import { LIST_CHANGED, META, STATELESS, VERSIONS } from "./protocol.js";
import { RpcError } from "./rpc.js";
import { attempt, REQUEST_TIMEOUT, TransportClosedError } from "./transports/base.js";
import { PortTransport } from "./transports/port.js";

/** Milliseconds that an unknown server may take for `server/discover`, before it is greeted with a handshake. */
const PROBE = 5_000;
/** Milliseconds until a stream that broke off is opened again. */
const PAUSE = 1_000;
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
  /** @type {Map<string, Set<NotificationHandler>>} */
  #listeners = new Map();
  /** @type {Map<string, Handler>} */
  #answers = new Map([["ping", () => ({})]]);
  /** @type {Map<Subscriber, string>} Who wants to hear of which URI. */
  #subscribers = new Map();
  /** @type {Set<string>} What the server was told of it, in the older era. */
  #subscribed = new Set();
  /** @type {string | undefined} */
  #logLevel;
  /** @type {Promise<McpClient> | undefined} */
  #greeted;
  /** @type {Promise<any>} */
  #changing = Promise.resolve();
  /** @type {AbortController | undefined} What ends the stream of the newer era. */
  #stream;
  /** What that stream carries. */
  #carried = "{}";

  /**
   * @param {import("./transports/base.js").Transport} transport
   * @param {ClientOptions} [options]
   */
  constructor(transport, { name = "cloche", version = "0.1.0", sampling, elicitation, roots, ...options } = {}) {
    this.transport = transport;
    this.timeout = options.timeout ?? REQUEST_TIMEOUT;
    this.versions = options.versions ?? VERSIONS;
    this.info = { name, version };
    this.capabilities = {
      roots: roots && { listChanged: true },
      sampling: sampling && {},
      elicitation: elicitation && { form: {}, url: {} },
      ...options.capabilities,
    };
    if (roots) {
      this.handle("roots/list", async () => {
        const found = Array.isArray(roots) ? roots : await roots();
        return { roots: found.map((/** @type {any} */ root) => root.uri ? root : { uri: root }) };
      });
    }
    if (sampling) {
      this.handle("sampling/createMessage", async (request, signal) => {
        const text = await sampling(request, signal);
        if (text.content) return text;
        return { role: "assistant", content: { type: "text", text }, model: "unknown", stopReason: "endTurn" };
      });
    }
    if (elicitation) {
      this.handle("elicitation/create", async (request, signal) => {
        const content = await elicitation(request, signal);
        return content ? { action: "accept", content } : { action: "decline" };
      });
    }
    this.onNotification("notifications/resources/updated", (params) => {
      for (const [{ onChange }, uri] of this.#subscribers) if (uri == params.uri) attempt(() => onChange?.(params));
    });
  }

  /**
   * Find out what the server is. The first request does it too, and every request waits for it.
   *
   * @returns {Promise<McpClient>}
   */
  connect() {
    if (!this.#greeted) {
      this.transport.serve((method) => this.#answers.get(method) ?? this.#heard(method));
      this.transport.onClose(() => {
        for (const { onError } of this.#subscribers.keys()) attempt(() => onError?.(new TransportClosedError()));
      });
      this.#greeted = this.#greet().then(() => {
        for (const method of this.#listeners.keys()) this.#refresh(method);
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

  /** @param {RequestOptions} [options] @returns {Promise<Params[]>} */
  listTools(options) {
    return this.#all("tools/list", "tools", options);
  }

  /** @param {RequestOptions} [options] @returns {Promise<Params[]>} */
  listResources(options) {
    return this.#all("resources/list", "resources", options);
  }

  /** @param {RequestOptions} [options] @returns {Promise<Params[]>} */
  listResourceTemplates(options) {
    return this.#all("resources/templates/list", "resourceTemplates", options);
  }

  /** @param {RequestOptions} [options] @returns {Promise<Params[]>} */
  listPrompts(options) {
    return this.#all("prompts/list", "prompts", options);
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

  /**
   * What may be meant by the beginning of an argument.
   *
   * @param {{prompt?: string, uri?: string}} of the prompt, or the template of resources
   * @param {string} name
   * @param {string} value
   * @param {Record<string, string>} [known] arguments that are filled in already
   * @returns {Promise<string[]>}
   */
  async complete({ prompt, uri }, name, value, known = {}) {
    const ref = prompt ? { type: "ref/prompt", name: prompt } : { type: "ref/resource", uri };
    const params = { ref, argument: { name, value }, context: { arguments: known } };
    return (await this.request("completion/complete", params)).completion.values;
  }

  /** A sign of life. @param {RequestOptions} [options] */
  async ping(options) {
    await this.connect();
    return this.request(this.isStateless ? "server/discover" : "ping", {}, options);
  }

  /** From this level on the server tells what it logs, as `notifications/message`. @param {string} level */
  async setLogLevel(level) {
    this.#logLevel = level;
    await this.connect();
    if (!this.isStateless) await this.request("logging/setLevel", { level });
  }

  /**
   * Hear of every change of a resource, until the function that is returned is called.
   *
   * @param {string} uri
   * @param {Subscriber} [subscriber]
   */
  async subscribe(uri, { ...subscriber } = {}) {
    await this.connect();
    this.#subscribers.set(subscriber, uri);
    const stop = () => this.#subscribers.delete(subscriber);
    await this.#change(stop);
    return async () => {
      if (stop() && this.isConnected) await this.#change();
    };
  }

  // Anything else

  /**
   * @param {string} method
   * @param {Params} [params]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  async request(method, params = {}, options) {
    let sent = params;
    for (let round = 0; round < ROUNDS; round++) {
      await this.connect();
      const result = await this.#ask(method, sent, options);
      if (result.resultType != "input_required") return result;
      /** @type {Params} */
      const inputResponses = {};
      for (const [key, question] of Object.entries(result.inputRequests)) {
        const answer = this.#answers.get(question.method);
        if (!answer) throw new RpcError(-32601, "Not available: " + question.method);
        inputResponses[key] = await answer(question.params ?? {}, options?.signal);
      }
      sent = { ...params, inputResponses, requestState: result.requestState };
    }
    throw new RpcError(-32600, "Too many questions: " + method);
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
    this.#listeners.set(method, handlers.add(handler));
    this.#refresh(method);
    return () => {
      handlers.delete(handler);
      this.#refresh(method);
    };
  }

  /**
   * Answer a request of the server's.
   *
   * @param {string} method
   * @param {Handler} handler
   */
  handle(method, handler) {
    this.#answers.set(method, handler);
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
  async #ask(method, params, options, stateless = this.isStateless) {
    const _meta = stateless
      ? {
        [META + "protocolVersion"]: STATELESS,
        [META + "clientInfo"]: this.info,
        [META + "clientCapabilities"]: this.capabilities,
        [META + "logLevel"]: this.#logLevel,
        ...params._meta,
      }
      : params._meta;
    const request = { method, params: { ...params, _meta } };
    const { result, error } = await this.transport.request(request, { timeout: this.timeout, ...options });
    if (error) throw new RpcError(error.code, error.message, error.data);
    return result ?? {};
  }

  /**
   * Every page of a list.
   *
   * @param {string} method
   * @param {string} key
   * @param {RequestOptions} [options]
   */
  async #all(method, key, options) {
    /** @type {Params[]} */
    const found = [];
    const seen = new Set();
    let cursor;
    do {
      seen.add(cursor);
      const page = await this.request(method, { cursor }, options);
      found.push(...page[key] ?? []);
      cursor = page.nextCursor ?? undefined;
    } while (!seen.has(cursor));
    return found;
  }

  // Greeting

  async #greet() {
    const [version] = this.versions.filter((version) => version != STATELESS);
    if (!version) return this.#discover();
    if (!this.versions.includes(STATELESS)) return this.#initialize(version);
    try {
      await this.#discover(Math.min(PROBE, this.timeout));
    } catch (refused) {
      // One that said nothing is of the older era, or still starting, and then it settles on our first word.
      await this.#initialize(version).catch((error) => {
        if (refused instanceof RpcError) throw error;
        return this.#discover();
      });
    }
  }

  /** @param {number} [timeout] */
  async #discover(timeout = this.timeout) {
    const found = await this.#ask("server/discover", {}, { timeout }, true);
    this.#meet(found.supportedVersions?.find((/** @type {string} */ one) => one == STATELESS), found);
    this.serverInfo = found._meta?.[META + "serverInfo"] ?? {};
  }

  /** @param {string} protocolVersion */
  async #initialize(protocolVersion) {
    const params = { protocolVersion, capabilities: this.capabilities, clientInfo: this.info };
    const found = await this.#ask("initialize", params, {}, false);
    this.#meet(found.protocolVersion, found);
    this.serverInfo = found.serverInfo;
    this.notify("notifications/initialized");
  }

  /**
   * @param {string} version
   * @param {Params} found
   */
  #meet(version, { capabilities, instructions }) {
    if (!this.versions.includes(version)) throw new RpcError(-32022, "Unsupported protocol version: " + version);
    this.protocolVersion = version;
    this.serverCapabilities = capabilities;
    this.instructions = instructions;
  }

  // Hearing

  /** @param {string} method */
  #heard(method) {
    const handlers = this.#listeners.get(method);
    return handlers && ((/** @type {Params} */ params) => {
      for (const handler of [...handlers]) attempt(() => handler(params));
    });
  }

  /**
   * What is subscribed to has changed: tell the server, one change after the other.
   *
   * @param {() => void} [undo] for when it refuses
   */
  #change(undo) {
    const done = this.#changing.then(() => this.isStateless ? this.#listen() : this.#tell()).catch((error) => {
      undo?.();
      throw error;
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  /** In the newer era a server tells of changed lists only when it is asked to. @param {string} method */
  #refresh(method) {
    if (this.isStateless && LIST_CHANGED.test(method)) attempt(() => this.#change());
  }

  async #tell() {
    const wanted = new Set(this.#subscribers.values());
    for (const uri of wanted) {
      if (!this.#subscribed.has(uri)) await this.#ask("resources/subscribe", { uri });
      this.#subscribed.add(uri);
    }
    for (const uri of this.#subscribed) {
      if (!wanted.has(uri) && this.#subscribed.delete(uri)) await this.#ask("resources/unsubscribe", { uri });
    }
  }

  /** In the newer era one stream carries all that is wanted; a new one stands before the old one ends. */
  async #listen() {
    const uris = new Set(this.#subscribers.values());
    /** @type {Params} */
    const notifications = { resourceSubscriptions: uris.size ? [...uris] : undefined };
    for (const [method, { size }] of this.#listeners) {
      const list = size && LIST_CHANGED.exec(method);
      if (list) notifications[list[1] + "ListChanged"] = true;
    }
    const carried = JSON.stringify(notifications);
    if (carried == this.#carried) return;
    const stream = new AbortController();
    if (carried != "{}") await this.#open(notifications, stream);
    this.#stream?.abort();
    this.#stream = stream;
    this.#carried = carried;
  }

  /**
   * @param {Params} notifications
   * @param {AbortController} stream
   */
  #open(notifications, stream) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => stream.abort(), this.timeout);
      const stop = this.onNotification("notifications/subscriptions/acknowledged", () => {
        resolve(clearTimeout(timer));
        stop();
      });
      this.#ask("subscriptions/listen", { notifications }, { timeout: 0, signal: stream.signal }).catch((error) =>
        error
      )
        .then((error) => {
          clearTimeout(timer);
          stop();
          reject(error);
          if (stream == this.#stream) this.#again();
        });
    });
  }

  /** The stream broke off by itself. */
  #again() {
    this.#carried = "";
    setTimeout(() => this.isConnected && this.#change().catch(() => this.#again()), PAUSE);
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
