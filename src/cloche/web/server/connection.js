// @ts-check
/**
 * One client of a server: its life, its requests under way, its subscriptions, in whichever era it speaks.
 *
 * A connection of the handshake era is `disconnected` until `initialize` arrives, `initializing` until the client says
 * `initialized`, then `ready`. `ping` is answered always, other requests from `initialize` on: there are clients whose
 * first request overtakes their `initialized`. It is in `error` when a message could not be put on its way. In the
 * newer era every request says itself who asks.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("./context.js").Peer} Peer
 */
import { isObject } from "../json.js";
import * as protocol from "../protocol.js";
import { RpcError } from "../rpc.js";
import * as say from "../sentences.js";
import { RequestCancelledError, TransportClosedError, TransportError } from "../transports/base.js";
import { Context } from "./context.js";
import { invalidParams, plain } from "./results.js";
import { Questions } from "./questions.js";

/** Streams that one client may have open. */
const MOST_STREAMS = 64;

export class Connection {
  /** @type {"disconnected" | "initializing" | "ready" | "error"} */
  state = "disconnected";
  /** @type {boolean | undefined} Whether it is of the newer era; unknown until a request says so. */
  stateless;
  /** Whether it has ended. */
  isOver = false;
  /** Notifications out of place, and cancellations of nothing. */
  stray = 0;
  /** @type {Peer} */
  peer = { version: protocol.LATEST_HANDSHAKE, capabilities: {}, stateless: false };
  /** Called when the client has been greeted. */
  onReady = () => {};
  /** @type {Set<string>} */
  #subscriptions = new Set();
  /** @type {Map<string | number, {wanted: Params, finish: () => void}>} */
  #streams = new Map();
  #questions = new Questions();

  /** @param {import("../server.js").McpServer} server @param {import("../transports/base.js").Transport} transport */
  constructor(server, transport) {
    this.server = server;
    this.transport = transport;
    const stops = [
      transport.onMessage((message) => message.method && this.#receive(message)),
      transport.onClose(() => this.#ended()),
    ];
    this.stop = () => stops.forEach((stop) => stop());
  }

  /** Whether there is a client that was greeted. */
  get isReady() {
    return this.transport.isConnected && (this.stateless || this.state == "ready");
  }

  /** End it; what is under way is given up. */
  close() {
    for (const { finish } of this.#streams.values()) finish();
    this.transport.close();
  }

  #ended() {
    this.isOver = true;
    this.stop?.();
    this.state = "disconnected";
    this.#subscriptions.clear();
    this.#streams.clear();
    this.server.forget(this);
  }

  // Telling and asking the client

  /** @param {string} method @param {Params} params */
  tell(method, params) {
    try {
      this.transport.rpc.notify(method, plain(params));
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * A question of a handler, in the handshake era.
   *
   * @param {string} method
   * @param {Params} params
   * @param {import("../rpc.js").RequestOptions} options
   */
  async ask(method, params, options) {
    try {
      return await this.transport.rpc.request(method, params, options);
    } catch (/** @type {any} */ error) {
      if (error instanceof RpcError) error.message = "The client refused: " + error.message;
      throw error;
    }
  }

  /**
   * Something that every client of the handshake era hears, and in the stateless era those that asked for it.
   *
   * @param {string} method
   * @param {Params} params
   */
  hear(method, params) {
    const list = protocol.LIST_CHANGED.exec(method)?.[1];
    if (this.stateless) {
      for (const [id, { wanted }] of this.#streams) {
        const wants = list
          ? wanted[list + "ListChanged"]
          : wanted[protocol.OWN]?.includes(method) || wanted.resourceSubscriptions?.includes(params.uri);
        if (wants) this.tell(method, { ...params, _meta: { [protocol.META + "subscriptionId"]: id } });
      }
    } else if (this.state == "ready") {
      if (method != "notifications/resources/updated" || this.#subscriptions.has(params.uri)) this.tell(method, params);
    }
  }

  /** A message could not be sent. @param {any} error */
  #failed(error) {
    if (error instanceof TransportClosedError) return;
    if (!(error instanceof TransportError) && this.transport.isConnected) this.state = "error";
    throw error;
  }

  // What arrives

  /** @param {Params} message */
  #receive(message) {
    const { id, method, params } = message;
    const { rpc } = this.transport;
    const { running } = rpc;
    if (running.has(id) || running.size >= protocol.MAX_IN_FLIGHT && id !== undefined) {
      const message = running.has(id) ? say.idInUse() : say.tooManyRequests(protocol.MAX_IN_FLIGHT);
      return rpc.post({ id, error: { code: protocol.INVALID_REQUEST, message } });
    }
    if (protocol.CANCELLED_METHODS.includes(method)) {
      const cancelled = params?.requestId ?? params?.id;
      if (!running.has(cancelled)) this.stray++;
      running.get(cancelled)?.abort(new RequestCancelledError(cancelled));
    }
    rpc.answer(message, this.#handler).catch((error) => this.#failed(error));
  }

  /** @type {import("../rpc.js").Find} */
  #handler = (method) => (params, signal, id) => {
    if (signal) return this.#answer({ id, method, params }, signal);
    if (protocol.INITIALIZED_METHODS.includes(method)) return this.#initialized();
    if (!protocol.CANCELLED_METHODS.includes(method)) this.server.heard(method, params, this);
  };

  #initialized() {
    if (this.state == "initializing") {
      this.state = "ready";
      this.onReady();
    } else {
      this.stray++;
      console.warn(say.unexpectedInitialized());
    }
  }

  /**
   * The result of a request, within the server's time.
   *
   * @param {{id: string | number, method: string, params: Params}} request
   * @param {AbortSignal} signal
   */
  async #answer(request, signal) {
    const { timeout } = this.server;
    const late = new AbortController();
    const timer = timeout && request.method != "subscriptions/listen" &&
      setTimeout(() => late.abort(new RpcError(protocol.REQUEST_TIMEOUT, say.timedOut(request.id))), timeout);
    try {
      return plain(
        await Promise.race([
          this.#result(request, AbortSignal.any([signal, late.signal])),
          new Promise((_, reject) => late.signal.addEventListener("abort", () => reject(late.signal.reason))),
        ]),
      );
    } catch (error) {
      throw signal.aborted ? error : this.#fault(error, request.method);
    } finally {
      clearTimeout(timer || undefined);
    }
  }

  /** @param {any} fault @param {string} method */
  #fault(fault, method) {
    if (!(fault instanceof RpcError)) {
      console.error(method, fault);
      return new RpcError(protocol.INTERNAL_ERROR, "Internal error");
    }
    const isMissing = fault.code == protocol.RESOURCE_NOT_FOUND && this.stateless;
    return isMissing ? new RpcError(protocol.INVALID_PARAMS, fault.message, fault.data) : fault;
  }

  /**
   * @param {{id: string | number, method: string, params: Params}} request
   * @param {AbortSignal} signal
   * @returns {Promise<Params>}
   */
  async #result(request, signal) {
    const { method, params } = request;
    if (method == "initialize" && !this.stateless) return this.#initialize(params);
    const peer = this.#peer(method, params._meta);
    const mayAsk = peer.stateless && protocol.MAY_ASK.includes(method);
    const call = mayAsk ? JSON.stringify([method, params.name, params.uri, params.arguments]) : "";
    const memory = mayAsk ? this.#questions.memory(params, call) : undefined;
    const context = new Context(this, peer, request, signal, memory);
    /** @type {any} */
    let result;
    try {
      result = await this.server.handle({ ...request, context }, (passed) => this.#perform(passed, context));
      if (!isObject(result)) {
        throw new RpcError(protocol.INTERNAL_ERROR, `${method} was answered with what is not an object`);
      }
    } catch (error) {
      if (!Object.keys(context.questions).length) throw error;
    }
    if (memory && Object.keys(context.questions).length) result = this.#questions.ask(context.questions, call, memory);
    if (!peer.stateless) return result;
    const { _meta } = result;
    return { resultType: "complete", ...result, _meta: { [protocol.META + "serverInfo"]: this.server.info, ..._meta } };
  }

  /**
   * What the protocol's methods do, after the middleware.
   *
   * @param {{method: string, params: Params, id: string | number}} request
   * @param {Context} context
   * @returns {any}
   */
  #perform({ method, params, id }, context) {
    if (this.stateless) {
      if (method == "server/discover") return this.#discover(context.peer);
      if (method == "subscriptions/listen") return this.#listen(id, params, context.signal);
    } else if (method == "ping") {
      return {};
    } else if (method == "logging/setLevel") {
      this.peer.logLevel = params.level;
      return {};
    } else if (method == "resources/subscribe" || method == "resources/unsubscribe") {
      return this.#subscribe(method, params.uri);
    }
    const handler = this.server.find(method);
    if (!handler) throw new RpcError(protocol.METHOD_NOT_FOUND, say.methodNotFound(method.slice(0, 100)));
    return handler(params, context);
  }

  // Who asks

  /** @param {Params} params */
  #initialize({ protocolVersion, capabilities, clientInfo }) {
    if (this.state != "disconnected") throw new RpcError(protocol.INVALID_REQUEST, say.alreadyInitialized());
    if (typeof protocolVersion != "string" || !isObject(capabilities)) {
      throw invalidParams("Invalid params: initialize needs protocolVersion and capabilities");
    }
    const spoken = protocolVersion != protocol.STATELESS && protocol.VERSIONS.includes(protocolVersion);
    const version = spoken ? protocolVersion : protocol.LATEST_HANDSHAKE;
    if (version != protocolVersion) {
      console.warn(`A client asked for protocol version ${protocolVersion.slice(0, 40)}: answered ${version}`);
    }
    this.state = "initializing";
    this.stateless = false;
    this.peer = { version, capabilities, info: clientInfo, stateless: false };
    const { info, instructions } = this.server;
    return {
      protocolVersion: version,
      capabilities: this.server.capabilities(version),
      serverInfo: version < protocol.SINCE.titles ? { name: info.name, version: info.version } : info,
      instructions,
    };
  }

  /**
   * The connection's client, or in the newer era whoever the request says.
   *
   * @param {string} method
   * @param {Params} [meta]
   * @returns {Peer}
   */
  #peer(method, meta) {
    const version = meta?.[protocol.META + "protocolVersion"];
    const capabilities = meta?.[protocol.META + "clientCapabilities"];
    if (this.stateless === false || !this.stateless && version === undefined) {
      if (method != "ping" && this.state != "ready" && this.state != "initializing") {
        throw new RpcError(protocol.INVALID_REQUEST, say.notInitialized());
      }
      return this.peer;
    }
    if (version === undefined || !isObject(capabilities)) {
      const missing = protocol.META + (version === undefined ? "protocolVersion" : "clientCapabilities");
      throw invalidParams(`Invalid params: _meta needs '${missing}'`);
    }
    if (version != protocol.STATELESS) {
      const facts = { supported: [protocol.STATELESS], requested: String(version).slice(0, 40) };
      throw new RpcError(protocol.UNSUPPORTED_VERSION, say.unsupportedVersion(facts.requested), facts);
    }
    const peer = { version, capabilities, info: meta?.[protocol.META + "clientInfo"], stateless: true };
    if (!this.stateless) {
      this.stateless = true;
      this.peer = peer;
      this.onReady();
    }
    return peer;
  }

  /** @param {Peer} peer */
  #discover({ version }) {
    const capabilities = this.server.capabilities(version);
    const { instructions } = this.server;
    return { supportedVersions: [protocol.STATELESS], capabilities, instructions, ttlMs: 0, cacheScope: "public" };
  }

  // Subscriptions

  /** @param {string} method @param {string} uri */
  #subscribe(method, uri) {
    checkUri(uri);
    if (method.endsWith("unsubscribe")) this.#subscriptions.delete(uri);
    else if (this.#subscriptions.size < protocol.MAX_SUBSCRIPTIONS) this.#subscriptions.add(uri);
    else throw invalidParams(`A session subscribes to at most ${protocol.MAX_SUBSCRIPTIONS} resources`);
    return {};
  }

  /** @param {string | number} id @param {Params} params @param {AbortSignal} signal */
  async #listen(id, { notifications: wanted }, signal) {
    if (!isObject(wanted)) throw invalidParams("Invalid params: notifications is missing");
    const uris = wanted.resourceSubscriptions ?? [], own = wanted[protocol.OWN] ?? [];
    for (const names of [uris, own]) {
      if (!Array.isArray(names) || names.length > protocol.MAX_SUBSCRIPTIONS) {
        throw invalidParams(`A stream subscribes to at most ${protocol.MAX_SUBSCRIPTIONS} resources`);
      }
      names.forEach(checkUri);
    }
    if (this.#streams.size >= MOST_STREAMS) {
      throw new RpcError(protocol.CONNECTION_CLOSED, "Too many streams are open: end one first");
    }
    /** @type {Params} */
    const granted = {};
    if (uris.length) granted.resourceSubscriptions = uris;
    if (own.length) granted[protocol.OWN] = own;
    for (const key of ["toolsListChanged", "promptsListChanged", "resourcesListChanged"]) {
      if (wanted[key] === true) granted[key] = true;
    }
    const _meta = { [protocol.META + "subscriptionId"]: id };
    await new Promise((resolve, reject) => {
      // At once: what changes right after the client gave it up is no longer told.
      signal.addEventListener("abort", () => reject(this.#streams.delete(id)));
      this.#streams.set(id, { wanted: granted, finish: () => resolve(this.#streams.delete(id)) });
      this.tell("notifications/subscriptions/acknowledged", { notifications: granted, _meta });
    });
    return { _meta };
  }
}

/** What is subscribed to is kept, so it must not be a way to fill the memory. @param {any} uri */
function checkUri(uri) {
  if (typeof uri != "string" || uri.length > protocol.MAX_URI) {
    throw invalidParams(`A URI is a text of at most ${protocol.MAX_URI} characters`);
  }
}
