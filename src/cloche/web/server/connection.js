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
import { LIST_CHANGED, META, OWN, STATELESS, VERSIONS } from "../protocol.js";
import { isObject, RpcError } from "../rpc.js";
import { plain, RequestCancelledError, TransportClosedError, TransportError } from "../transports/base.js";
import { MCP_ERROR_CODES } from "./codes.js";
import { Context } from "./context.js";
import { Questions } from "./questions.js";

const LATEST_HANDSHAKE = VERSIONS[1];

/** Requests that may be under way, and resources and streams that may be subscribed to. */
const MOST_REQUESTS = 256;
const MOST_SUBSCRIPTIONS = 1000;
const MOST_STREAMS = 64;
const LONGEST_URI = 8192;

/** Methods that may be answered with a question. */
const MAY_ASK = ["tools/call", "prompts/get", "resources/read"];

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
  peer = { version: LATEST_HANDSHAKE, capabilities: {}, stateless: false };
  /** @type {Map<string | number, AbortController>} */
  #running = new Map();
  /** @type {Set<string>} */
  #subscriptions = new Set();
  /** @type {Map<string | number, {wanted: Params, finish: () => void}>} */
  #streams = new Map();
  #questions = new Questions();

  /**
   * @param {import("../server.js").McpServer} server
   * @param {import("../transports/base.js").Transport} transport
   */
  constructor(server, transport) {
    this.server = server;
    this.transport = transport;
    const stops = [
      transport.onMessage((message) => this.#receive(message)),
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
    for (const controller of this.#running.values()) controller.abort(new TransportClosedError());
    this.#running.clear();
    this.#subscriptions.clear();
    this.#streams.clear();
    this.server.forget(this);
  }

  // Telling and asking the client

  /**
   * @param {string} method
   * @param {Params} params
   */
  tell(method, params) {
    if (this.transport.isConnected) this.#send({ method, params });
  }

  /**
   * A question of a handler, in the handshake era.
   *
   * @param {string} method
   * @param {Params} params
   * @param {import("../rpc.js").RequestOptions} options
   */
  async ask(method, params, options) {
    const { result, error } = await this.transport.request({ method, params }, options);
    if (error) throw new RpcError(error.code, "The client refused: " + error.message, error.data);
    return result;
  }

  /**
   * Something that every client of the handshake era hears, and in the stateless era those that asked for it.
   *
   * @param {string} method
   * @param {Params} params
   */
  hear(method, params) {
    const list = LIST_CHANGED.exec(method)?.[1];
    if (this.stateless) {
      for (const [id, { wanted }] of this.#streams) {
        const wants = list
          ? wanted[list + "ListChanged"]
          : wanted[OWN]?.includes(method) || wanted.resourceSubscriptions?.includes(params.uri);
        if (wants) this.tell(method, { ...params, _meta: { [META + "subscriptionId"]: id } });
      }
    } else if (this.state == "ready") {
      if (method != "notifications/resources/updated" || this.#subscriptions.has(params.uri)) this.tell(method, params);
    }
  }

  /** @param {Params} message */
  #send(message) {
    try {
      this.transport.send(plain({ jsonrpc: "2.0", ...message }));
    } catch (error) {
      if (error instanceof TransportClosedError) return;
      if (!(error instanceof TransportError) && this.transport.isConnected) this.state = "error";
      throw error;
    }
  }

  // What arrives

  /** @param {Params} message */
  #receive({ id, method, params }) {
    if (!method) return;
    params ??= {};
    if (id !== undefined) return this.#answer({ id, method, params });
    if (method == "notifications/cancelled" || method == "$/cancelRequest") {
      const running = this.#running.get(params.requestId ?? params.id);
      if (!running) this.stray++;
      running?.abort(new RequestCancelledError(params.requestId ?? params.id));
    } else if (method == "notifications/initialized" || method == "initialized") {
      this.#initialized();
    } else {
      this.server.heard(method, params, this);
    }
  }

  #initialized() {
    if (this.state == "initializing") this.state = "ready";
    else {
      this.stray++;
      console.warn("Unexpected initialized notification");
    }
  }

  /** @param {Params} message */
  async #answer({ id, method, params }) {
    const controller = new AbortController();
    const { signal } = controller;
    /** @type {any} */
    let timer;
    let tracked = false;
    /** @type {Params} */
    let answer;
    try {
      if (this.#running.has(id)) {
        throw new RpcError(
          MCP_ERROR_CODES.INVALID_REQUEST,
          "Invalid Request: this id belongs to a request that is under way",
        );
      }
      if (this.#running.size >= MOST_REQUESTS) {
        throw new RpcError(
          MCP_ERROR_CODES.INVALID_REQUEST,
          `Invalid Request: more than ${MOST_REQUESTS} requests are under way`,
        );
      }
      this.#running.set(id, controller);
      tracked = true;
      const late = new Promise((_, reject) => {
        const { timeout } = this.server;
        if (!timeout || method == "subscriptions/listen") return;
        timer = setTimeout(() => {
          const error = new RpcError(MCP_ERROR_CODES.REQUEST_TIMEOUT, `Request ${id} timed out`);
          reject(error);
          controller.abort(error);
        }, timeout);
      });
      answer = { id, result: await Promise.race([late, this.#result({ id, method, params }, signal)]) };
      if (signal.aborted) return;
      return this.#send(answer);
    } catch (error) {
      if (signal.aborted && signal.reason !== error) return;
      answer = { id, error: this.#fault(error, method) };
    } finally {
      clearTimeout(timer);
      if (tracked) this.#running.delete(id);
    }
    if (this.transport.isConnected) this.#send(answer);
  }

  /**
   * @param {any} fault
   * @param {string} method
   */
  #fault(fault, method) {
    if (fault instanceof RpcError) {
      const missing = fault.code == MCP_ERROR_CODES.RESOURCE_NOT_FOUND && this.stateless;
      return {
        code: missing ? MCP_ERROR_CODES.INVALID_PARAMS : fault.code ?? MCP_ERROR_CODES.INTERNAL_ERROR,
        message: fault.message,
        data: fault.data,
      };
    }
    if (fault?.code == "INVALID_MESSAGE") return { code: MCP_ERROR_CODES.INTERNAL_ERROR, message: fault.message };
    console.error(method, fault);
    return { code: MCP_ERROR_CODES.INTERNAL_ERROR, message: "Internal error" };
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
    const mayAsk = peer.stateless && MAY_ASK.includes(method);
    const call = mayAsk ? JSON.stringify([method, params.name, params.uri, params.arguments]) : "";
    const memory = mayAsk ? this.#questions.memory(params, call) : undefined;
    const context = new Context(this, peer, request, signal, memory);
    /** @type {any} */
    let result;
    try {
      result = await this.server.handle({ ...request, context }, (passed) => this.#perform(passed, context));
      if (!isObject(result)) {
        throw new RpcError(MCP_ERROR_CODES.INTERNAL_ERROR, `${method} was answered with what is no object`);
      }
    } catch (error) {
      if (!Object.keys(context.questions).length) throw error;
    }
    if (memory && Object.keys(context.questions).length) result = this.#questions.ask(context.questions, call, memory);
    if (!peer.stateless) return result;
    const { _meta } = result;
    return { resultType: "complete", ...result, _meta: { [META + "serverInfo"]: this.server.info, ..._meta } };
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
    if (!handler) throw new RpcError(MCP_ERROR_CODES.METHOD_NOT_FOUND, "Method not found: " + method.slice(0, 100));
    return handler(params, context);
  }

  // Who asks

  /** @param {Params} params */
  #initialize({ protocolVersion, capabilities, clientInfo }) {
    if (this.state != "disconnected") throw new RpcError(MCP_ERROR_CODES.INVALID_REQUEST, "Already initialized");
    if (typeof protocolVersion != "string" || !isObject(capabilities)) {
      throw new RpcError(
        MCP_ERROR_CODES.INVALID_PARAMS,
        "Invalid params: initialize needs protocolVersion and capabilities",
      );
    }
    const spoken = protocolVersion != STATELESS && VERSIONS.includes(protocolVersion);
    const version = spoken ? protocolVersion : LATEST_HANDSHAKE;
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
      serverInfo: version < "2025-06-18" ? { name: info.name, version: info.version } : info,
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
    const version = meta?.[META + "protocolVersion"];
    const capabilities = meta?.[META + "clientCapabilities"];
    if (this.stateless === false || !this.stateless && version === undefined) {
      if (method != "ping" && this.state != "ready" && this.state != "initializing") {
        throw new RpcError(MCP_ERROR_CODES.INVALID_REQUEST, "Connection not initialized");
      }
      return this.peer;
    }
    if (version === undefined || !isObject(capabilities)) {
      const missing = META + (version === undefined ? "protocolVersion" : "clientCapabilities");
      throw new RpcError(MCP_ERROR_CODES.INVALID_PARAMS, `Invalid params: _meta needs '${missing}'`);
    }
    if (version != STATELESS) {
      const requested = String(version).slice(0, 40);
      const supported = [STATELESS];
      throw new RpcError(MCP_ERROR_CODES.UNSUPPORTED_VERSION, "Unsupported protocol version: " + requested, {
        supported,
        requested,
      });
    }
    this.stateless = true;
    return { version, capabilities, info: meta?.[META + "clientInfo"], stateless: true };
  }

  /** @param {Peer} peer */
  #discover({ version }) {
    const capabilities = this.server.capabilities(version);
    const { instructions } = this.server;
    return { supportedVersions: [STATELESS], capabilities, instructions, ttlMs: 0, cacheScope: "public" };
  }

  // Subscriptions

  /**
   * @param {string} method
   * @param {string} uri
   */
  #subscribe(method, uri) {
    checkUri(uri);
    if (method.endsWith("unsubscribe")) this.#subscriptions.delete(uri);
    else if (this.#subscriptions.size < MOST_SUBSCRIPTIONS) this.#subscriptions.add(uri);
    else {throw new RpcError(
        MCP_ERROR_CODES.INVALID_PARAMS,
        `A session subscribes to at most ${MOST_SUBSCRIPTIONS} resources`,
      );}
    return {};
  }

  /**
   * @param {string | number} id
   * @param {Params} params
   * @param {AbortSignal} signal
   */
  async #listen(id, { notifications: wanted }, signal) {
    if (!isObject(wanted)) {
      throw new RpcError(MCP_ERROR_CODES.INVALID_PARAMS, "Invalid params: notifications is missing");
    }
    const uris = wanted.resourceSubscriptions ?? [], own = wanted[OWN] ?? [];
    for (const names of [uris, own]) {
      if (!Array.isArray(names) || names.length > MOST_SUBSCRIPTIONS) {
        throw new RpcError(
          MCP_ERROR_CODES.INVALID_PARAMS,
          `A stream subscribes to at most ${MOST_SUBSCRIPTIONS} resources`,
        );
      }
      names.forEach(checkUri);
    }
    if (this.#streams.size >= MOST_STREAMS) {
      throw new RpcError(MCP_ERROR_CODES.CONNECTION_CLOSED, "Too many streams are open: end one first");
    }
    /** @type {Params} */
    const granted = { resourceSubscriptions: uris.length ? uris : undefined, [OWN]: own.length ? own : undefined };
    for (const key of ["tools", "prompts", "resources"]) {
      if (wanted[key + "ListChanged"] === true) granted[key + "ListChanged"] = true;
    }
    const _meta = { [META + "subscriptionId"]: id };
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
  if (typeof uri != "string" || uri.length > LONGEST_URI) {
    throw new RpcError(MCP_ERROR_CODES.INVALID_PARAMS, `A URI is a text of at most ${LONGEST_URI} characters`);
  }
}
