// @ts-check
/**
 * An MCP client over any transport of the page, for both eras of the protocol: with a handshake up to 2025-11-25, and
 * from 2026-07-28 on with requests that say themselves who asks.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("./rpc.js").RequestOptions} RequestOptions
 * @typedef {(params: Params) => unknown} NotificationHandler
 * @typedef {{
 *   name?: string, version?: string, timeout?: number, versions?: string[], capabilities?: Params,
 *   sampling?: (request: Params, signal?: AbortSignal) => any, elicitation?: (request: Params, signal?: AbortSignal) => any,
 *   roots?: (string | Params)[] | (() => any),
 * }} ClientOptions `versions` are those that may be spoken. `sampling` returns the model's text or a whole result,
 *   `elicitation` what the user filled in or null for no, `roots` are URIs.
 */
import { RpcError } from "./rpc.js";
import { attempt, REQUEST_TIMEOUT, RequestTimeoutError, TransportClosedError } from "./transports/base.js";
import { PortTransport } from "./transports/port.js";

/** Versions that are spoken here, newest first. The first needs no handshake. */
export const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
const STATELESS = VERSIONS[0];
/** What the protocol's own members of `_meta` begin with. */
const META = "io.modelcontextprotocol/";
const UPDATED = "notifications/resources/updated";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const LIST_CHANGED = /^notifications\/(tools|prompts|resources)\/list_changed$/;
/** Milliseconds that an unknown server may take for `server/discover`, before it is greeted with a handshake. */
const PROBE = 5_000;
/** The filter of a stream that nobody needs. */
const NOTHING = "{}";
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
  /** @type {Map<string, (params: Params, signal?: AbortSignal) => any>} */
  #answers = new Map([["ping", () => ({})]]);
  /** @type {Map<string, Set<{onChange?: NotificationHandler, onError?: (error: any) => void}>>} */
  #subscribers = new Map();
  /** @type {string | undefined} */
  #logLevel;
  /** @type {Promise<McpClient> | undefined} */
  #greeted;
  /** @type {Promise<any>} */
  #changing = Promise.resolve();
  /** @type {AbortController | undefined} what ends the stream of the newer era */
  #stream;
  #wanted = NOTHING;
  /** @type {((client: McpClient) => void) | undefined} what lets requests go on that wait for a new connection */
  #restored;

  /**
   * @param {import("./transports/base.js").Transport} transport
   * @param {ClientOptions} [options]
   */
  constructor(transport, options = {}) {
    const { name = "cloche", version = "0.1.0", sampling, elicitation, roots } = options;
    this.transport = transport;
    this.timeout = options.timeout ?? REQUEST_TIMEOUT;
    this.info = { name, version };
    this.versions = options.versions ?? VERSIONS;
    /** @type {Params} */
    this.capabilities = {
      roots: roots && { listChanged: true },
      sampling: sampling && {},
      elicitation: elicitation && { form: {}, url: {} },
      ...options.capabilities,
    };
    if (roots) {
      this.handle("roots/list", async () => ({
        roots: (typeof roots == "function" ? await roots() : roots).map((/** @type {any} */ root) =>
          root.uri ? root : { uri: root }
        ),
      }));
    }
    if (sampling) {
      this.handle("sampling/createMessage", async (request, signal) => {
        const text = await sampling(request, signal);
        const content = { type: "text", text };
        return typeof text == "string" ? { role: "assistant", content, model: "unknown", stopReason: "endTurn" } : text;
      });
    }
    if (elicitation) {
      this.handle("elicitation/create", async (request, signal) => {
        const content = await elicitation(request, signal);
        return content ? { action: "accept", content } : { action: "decline" };
      });
    }
    this.onNotification(UPDATED, (params) => this.#tell(params));
  }

  /**
   * Find out what the server is. The first request does it too, and everything waits for it.
   *
   * @returns {Promise<McpClient>}
   */
  connect() {
    if (!this.#greeted) {
      const { transport } = this;
      transport.serve((method) => this.#answers.get(method) ?? this.#heard(method));
      this.#greeted = this.#greet().then(() => this);
      /** @type {any} */ (transport).onLost?.(() => this.#lost());
      /** @type {any} */ (transport).onRestored?.(() => this.#restore());
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
    this.#stream?.abort();
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
   * @param {{prompt: string} | {uri: string}} of the prompt, or the template of resources
   * @param {string} name
   * @param {string} value
   * @param {Record<string, string>} [known] arguments that are filled in already
   * @returns {Promise<string[]>}
   */
  async complete(of, name, value, known) {
    const ref = "prompt" in of ? { type: "ref/prompt", name: of.prompt } : { type: "ref/resource", uri: of.uri };
    const context = known && { arguments: known };
    const { completion } = await this.request("completion/complete", { ref, argument: { name, value }, context });
    return completion.values;
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
   * @param {{onChange?: NotificationHandler, onError?: (error: any) => void}} [listener] `onError` hears when the
   *   server does not renew the subscription on a new connection
   */
  async subscribe(uri, listener = {}) {
    await this.connect();
    const known = this.#subscribers.get(uri);
    const subscribers = known ?? new Set();
    this.#subscribers.set(uri, subscribers.add(listener));
    const remove = () => {
      subscribers.delete(listener);
      if (subscribers.size || this.#subscribers.get(uri) != subscribers) return false;
      return this.#subscribers.delete(uri);
    };
    try {
      await this.#change(async () => {
        if (this.isStateless) await this.#listen();
        else if (!known) await this.#ask("resources/subscribe", { uri });
      });
    } catch (error) {
      remove();
      throw error;
    }
    return async () => {
      if (!remove() || !this.isConnected) return;
      await this.#change(async () => {
        if (this.isStateless) await this.#listen();
        else if (!this.#subscribers.has(uri)) await this.#ask("resources/unsubscribe", { uri });
      });
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
    for (let round = 0; round <= ROUNDS; round++) {
      await this.connect();
      const result = await this.#ask(method, sent, options);
      if (result.resultType != "input_required") return result;
      /** @type {Params} */
      const inputResponses = {};
      for (const [key, question] of Object.entries(result.inputRequests ?? {})) {
        const answer = this.#answers.get(question.method);
        if (!answer) throw new RpcError(-32601, "Not available: " + question.method);
        inputResponses[key] = await answer(question.params ?? {}, options?.signal);
      }
      sent = { ...params, inputResponses, requestState: result.requestState };
    }
    throw new RpcError(-32600, "The server came back with questions too often: " + method);
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
    const changed = () => {
      // In the newer era a server tells of changed lists only when it is asked to.
      if (this.isStateless && LIST_CHANGED.test(method)) attempt(() => this.#change(() => this.#listen()));
    };
    changed();
    return () => {
      handlers.delete(handler);
      changed();
    };
  }

  /**
   * Answer a request of the server's.
   *
   * @param {string} method
   * @param {(params: Params, signal?: AbortSignal) => any} handler
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
    const answer = await this.transport.request({ method, params: { ...params, _meta } }, {
      timeout: this.timeout,
      ...options,
    });
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    return answer.result ?? {};
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
    const handshake = this.versions.filter((version) => version != STATELESS);
    if (handshake.length == this.versions.length) return this.#initialize(handshake[0]);
    if (!handshake[0]) return this.#discover(this.timeout);
    try {
      await this.#discover(Math.min(PROBE, this.timeout));
    } catch (error) {
      if (error instanceof RpcError) return this.#initialize(handshake[0]);
      if (!(error instanceof RequestTimeoutError)) throw error;
      // One that said nothing: of the older era, or still starting, and then it settles on our first word.
      await this.#initialize(handshake[0]).catch((error) => {
        if (!(error instanceof RpcError)) throw error;
        return this.#discover(this.timeout);
      });
    }
  }

  /** @param {number} timeout */
  async #discover(timeout) {
    const found = await this.#ask("server/discover", {}, { timeout }, true);
    if (!found.supportedVersions?.includes(STATELESS)) {
      throw new RpcError(-32022, "The server speaks only " + found.supportedVersions);
    }
    this.#known(STATELESS, found, found._meta?.[META + "serverInfo"]);
  }

  /** @param {string} protocolVersion */
  async #initialize(protocolVersion) {
    const params = { protocolVersion, capabilities: this.capabilities, clientInfo: this.info };
    const found = await this.#ask("initialize", params, {}, false);
    if (!this.versions.includes(found.protocolVersion)) {
      throw new RpcError(-32600, "The server wants a version that is not spoken here: " + found.protocolVersion);
    }
    this.#known(found.protocolVersion, found, found.serverInfo);
    this.notify("notifications/initialized");
  }

  /**
   * @param {string} version
   * @param {Params} found
   * @param {Params} [info]
   */
  #known(version, found, info = {}) {
    this.protocolVersion = version;
    this.serverInfo = info;
    this.serverCapabilities = found.capabilities ?? {};
    this.instructions = found.instructions;
  }

  // Hearing

  /** @param {string} method */
  #heard(method) {
    const handlers = this.#listeners.get(method);
    if (!handlers) return;
    return (/** @type {Params} */ params) => [...handlers].forEach((handler) => attempt(() => handler(params)));
  }

  /** @param {Params} params */
  #tell(params) {
    for (const { onChange } of this.#subscribers.get(params.uri) ?? []) attempt(() => onChange?.(params));
  }

  /**
   * One change of what is subscribed to after the other.
   *
   * @param {() => Promise<void>} change
   */
  #change(change) {
    const done = this.#changing.then(change);
    this.#changing = done.catch(() => {});
    return done;
  }

  /** In the newer era one stream carries all that is wanted; a new one stands before the old one ends. */
  async #listen() {
    /** @type {Params} */
    const notifications = {};
    for (const [method, handlers] of this.#listeners) {
      const list = handlers.size && LIST_CHANGED.exec(method);
      if (list) notifications[list[1] + "ListChanged"] = true;
    }
    if (this.#subscribers.size) notifications.resourceSubscriptions = [...this.#subscribers.keys()];
    const wanted = JSON.stringify(notifications);
    if (wanted == this.#wanted) return;
    const old = this.#stream;
    const stream = this.#stream = new AbortController();
    try {
      if (wanted != NOTHING) await this.#open(notifications, stream);
    } catch (error) {
      this.#stream = old;
      throw error;
    }
    this.#wanted = wanted;
    old?.abort();
  }

  /**
   * @param {Params} notifications
   * @param {AbortController} stream
   */
  async #open(notifications, stream) {
    const { signal } = stream;
    /** @type {any} */
    let stop;
    // Before it is asked for, because some transports deliver at once.
    const acknowledged = new Promise((resolve) => (stop = this.onNotification(ACKNOWLEDGED, resolve)));
    const ended = this.#ask("subscriptions/listen", { notifications }, { timeout: 0, signal }).then(() => {
      throw new TransportClosedError();
    });
    const timer = setTimeout(() => stream.abort(), this.timeout);
    try {
      await Promise.race([ended, acknowledged]);
    } finally {
      stop();
      clearTimeout(timer);
    }
    ended.catch(() => {
      // When it broke off by itself, it is opened again, as often as it takes.
      if (stream != this.#stream || signal.aborted) return;
      this.#wanted = NOTHING;
      this.#again(1);
    });
  }

  /** @param {number} times */
  #again(times) {
    setTimeout(() => {
      if (this.isConnected) this.#change(() => this.#listen()).catch(() => this.#again(times + 1));
    }, Math.min(100 * 2 ** times, 30_000));
  }

  // A transport that reconnects

  /** The connection is gone and another one is looked for: requests wait. */
  #lost() {
    this.#stream = undefined;
    this.#wanted = NOTHING;
    if (this.#restored) return;
    this.#greeted = new Promise((resolve, reject) => {
      this.#restored = resolve;
      this.transport.onClose(() => reject(new TransportClosedError()));
    });
    this.#greeted.catch(() => {});
  }

  /** There is a new one: the server is greeted again, and what was subscribed to is subscribed to again. */
  async #restore() {
    try {
      await this.#greet();
      await this.#renew();
    } catch (error) {
      // One that is lost again meanwhile is followed by another; a server that cannot be greeted is not.
      if (!(error instanceof TransportClosedError)) this.transport.close();
      return;
    }
    this.#restored?.(this);
    this.#restored = undefined;
  }

  async #renew() {
    if (this.isStateless) return this.#change(() => this.#listen());
    if (this.#logLevel) await this.#ask("logging/setLevel", { level: this.#logLevel });
    for (const [uri, listeners] of [...this.#subscribers]) {
      try {
        await this.#ask("resources/subscribe", { uri });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        this.#subscribers.delete(uri);
        for (const { onError } of listeners) attempt(() => onError?.(error));
      }
    }
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
