// @ts-check
/**
 * What every transport of the page is: messages out and in, checked, and requests on top. A transport of your own has
 * `post`, calls `deliver` with what arrives and `ended` when it is over.
 *
 * @typedef {Record<string, any>} Message
 * @typedef {(message: Message) => void} MessageHandler
 * @typedef {{transfer?: Transferable[]}} SendOptions
 * @typedef {{limit?: number}} TransportOptions `limit` is the longest message that is taken, in characters
 */
import { isObject, Rpc, RpcError } from "../rpc.js";

/** The longest message, unless a transport is told otherwise. */
export const MESSAGE_LIMIT = 2 ** 24;
/** How deep a message may be nested. */
export const MESSAGE_DEPTH = 200;
/** Milliseconds that a request waits for its answer, unless the call says otherwise. */
export const REQUEST_TIMEOUT = 30_000;
/** Messages that wait for the first handler; more are dropped. */
const EARLY_MESSAGES = 256;

/** There is no answer: the connection is gone, the time is up, or the caller gave up. */
export class TransportError extends Error {
  /**
   * @param {string} message
   * @param {string} code
   */
  constructor(message, code) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

export class TransportClosedError extends TransportError {
  constructor(message = "Transport is closed") {
    super(message, "TRANSPORT_CLOSED");
  }
}

export class RequestTimeoutError extends TransportError {
  /** @param {string | number} id */
  constructor(id) {
    super("Request " + id + " timed out", "REQUEST_TIMEOUT");
  }
}

export class RequestCancelledError extends TransportError {
  /** @param {string | number} id */
  constructor(id) {
    super("Request " + id + " was cancelled", "REQUEST_CANCELLED");
  }
}

/** @param {any} message */
export const isRequest = (message) => "method" in message && "id" in message;
/** @param {any} message */
export const isResponse = (message) => "id" in message && ("result" in message || "error" in message);
/** @param {any} message */
export const isNotification = (message) => "method" in message && !("id" in message);

/**
 * Whether something has the structure of one JSON-RPC message.
 *
 * @param {any} message
 */
export const isValidMcpMessage = (message) =>
  isObject(message) && message.jsonrpc == "2.0" &&
  ("method" in message
    ? typeof message.method == "string" && isObject(message.params ?? {}) && (!("id" in message) || isId(message.id))
    : "result" in message
    ? isId(message.id) && !("error" in message)
    : isId(message.id ?? 0) && isObject(message.error));

/** @param {unknown} id */
const isId = (id) => typeof id == "number" || typeof id == "string" && id.length < 1000;

/**
 * What keeps a value from being a message, with the path to it; an empty string when nothing does. Structured clone
 * carries more than JSON, and refuses some of what looks like it: both ends agree on JSON, and on buffers, which can be
 * transferred.
 *
 * @param {any} value
 * @param {number} [limit]
 * @returns {string}
 */
export function flawOf(value, limit = MESSAGE_LIMIT) {
  let left = limit;
  const tooLong = "it is longer than " + limit;
  /** @param {any} value @param {string} path @param {number} depth @returns {string} */
  const walk = (value, path, depth) => {
    const kind = typeof value;
    left -= kind == "string" ? value.length : 2;
    if (left < 0) return tooLong;
    if (depth > MESSAGE_DEPTH) return "it is nested deeper than " + MESSAGE_DEPTH;
    if (kind == "number" && !isFinite(value)) return path + " is " + value;
    if (value == null || kind == "string" || kind == "number" || kind == "boolean") return "";
    const tag = {}.toString.call(value).slice(8, -1);
    if (tag == "ArrayBuffer") return (left -= value.byteLength) < 0 ? tooLong : "";
    if (tag != "Object" && tag != "Array") return path + " is a " + tag;
    for (const key of Object.keys(value)) {
      if (key == "__proto__") return path + " has the key __proto__";
      left -= key.length;
      const flaw = walk(value[key], path + (tag == "Array" ? "[" + key + "]" : (path && ".") + key), depth + 1);
      if (flaw) return flaw;
    }
    return Object.getOwnPropertySymbols(value).length ? path + " has a symbol for a key" : "";
  };
  return walk(value, "", 0);
}

/** Base of every transport. */
export class Transport {
  /** @type {Set<MessageHandler>} */
  #handlers = new Set();
  /** @type {Set<() => void>} */
  #closers = new Set();
  /** @type {Message[] | null} */
  #early = [];
  /** @type {Rpc | undefined} */
  #rpc;
  /** @type {((method: string) => import("../rpc.js").Handler | undefined) | undefined} */
  #find;
  #connected = true;
  /** What arrived and was not delivered. */
  dropped = 0;
  /** What came from somewhere that it may not come from. */
  violations = 0;

  /** @param {TransportOptions} [options] */
  constructor({ limit = MESSAGE_LIMIT } = {}) {
    this.limit = limit;
  }

  /** Whether messages can be sent. */
  get isConnected() {
    return this.#connected;
  }

  /**
   * Send one message; what it transfers is gone here.
   *
   * @param {Message} message
   * @param {SendOptions} [options]
   */
  send(message, { transfer = [] } = {}) {
    if (!this.isConnected) throw new TransportClosedError();
    const flaw = flawOf(message, this.limit);
    if (flaw) throw new TransportError("A message is plain JSON: " + flaw, "INVALID_MESSAGE");
    this.post(message, transfer);
  }

  /**
   * Call `handler` with every message that arrives, until the function that is returned is called.
   *
   * @param {MessageHandler} handler
   */
  onMessage(handler) {
    this.#handlers.add(handler);
    const early = this.#early ?? [];
    this.#early = null;
    for (const message of early) this.#hand(message);
    return () => void this.#handlers.delete(handler);
  }

  /**
   * Call `handler` when the connection ends; at once when it has ended already.
   *
   * @param {() => void} handler
   */
  onClose(handler) {
    if (this.#connected) this.#closers.add(handler);
    else handler();
    return () => void this.#closers.delete(handler);
  }

  /**
   * Send a request and wait for its answer: a message with `result` or `error`. Rejects when none comes.
   *
   * @param {Message} request `method` and `params`; it gets an id by itself
   * @param {import("../rpc.js").RequestOptions} [options]
   * @returns {Promise<Message>}
   */
  async request({ method, params, id }, { timeout = REQUEST_TIMEOUT, signal, onProgress } = {}) {
    if (!this.isConnected) throw new TransportClosedError();
    const flaw = flawOf(params, this.limit);
    if (flaw) throw new TransportError("Parameters are plain JSON: " + flaw, "INVALID_MESSAGE");
    const rpc = this.#line();
    const progressToken = rpc.count + 1;
    id ??= progressToken;
    // Beside what else `_meta` carries.
    if (onProgress) params = { ...params, _meta: { ...params?._meta, progressToken } };
    const answer = { jsonrpc: "2.0", id };
    try {
      return { ...answer, result: await rpc.request(method, params, { timeout, signal, onProgress }) };
    } catch (/** @type {any} */ error) {
      if (signal?.aborted) throw new RequestCancelledError(id);
      const { code, message, data } = error;
      // As rpc.js says it, whose time it is.
      if (message == method + ": no answer") throw new RequestTimeoutError(id);
      if (!(error instanceof RpcError)) throw error;
      return { ...answer, error: { code, message, data } };
    }
  }

  /**
   * Answer what the other side asks.
   *
   * @param {(method: string) => import("../rpc.js").Handler | undefined} find the handler of a method
   */
  serve(find) {
    this.#find = find;
    this.#line();
  }

  /** End the connection. */
  close() {
    if (!this.#connected) return;
    this.farewell();
    this.ended();
  }

  // For transports

  /**
   * Put a message on its way.
   *
   * @param {Message} _message
   * @param {Transferable[]} _transfer
   */
  post(_message, _transfer) {
    throw new TypeError("A transport has a method post()");
  }

  /** Tell the other side that this one closes. */
  farewell() {}

  /** Leave nothing behind: listeners, ports, timers. */
  release() {}

  /**
   * A message arrived, from where it may come from.
   *
   * @param {any} message
   */
  deliver(message) {
    if (!this.isConnected) return;
    const flaw = isValidMcpMessage(message) ? flawOf(message, this.limit) : "no JSON-RPC";
    if (flaw) return this.#refuse(message, flaw);
    if (!this.#early) this.#hand(message);
    else if (this.#early.length < EARLY_MESSAGES) this.#early.push(message);
    else this.dropped++;
  }

  /** It begins again, after it was over. */
  reopened() {
    this.#connected = true;
    this.#early = this.#handlers.size ? null : [];
  }

  /** It is over, from whichever side. */
  ended() {
    if (!this.#connected) return;
    this.#connected = false;
    this.release();
    for (const pending of this.#rpc?.pending.values() ?? []) pending.reject(new TransportClosedError());
    for (const handler of this.#closers) attempt(handler);
  }

  /** @param {Message} message */
  #hand(message) {
    for (const handler of [...this.#handlers]) attempt(() => handler(message));
  }

  #line() {
    if (!this.#rpc) {
      const rpc = this.#rpc = new Rpc(
        (message) => this.isConnected && this.post(message, []),
        (method) => this.#find?.(method),
        () => this.dropped++,
      );
      // Somebody who only asks leaves what is asked of this side to the other handlers.
      this.onMessage((message) => {
        if (this.#find || !message.method || message.method == "notifications/progress") return rpc.receive(message);
      });
    }
    return this.#rpc;
  }

  /**
   * Nobody waits in vain for what cannot be used.
   *
   * @param {any} message
   * @param {string} flaw
   */
  #refuse(message, flaw) {
    this.dropped++;
    const id = isObject(message) && isId(message.id) ? message.id : null;
    if (id == null) return;
    const answer = { jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid message: " + flaw } };
    if (message.method) this.post(answer, []);
    else this.#hand(answer);
  }
}

/**
 * Call somebody else's function: what it throws is reported, and disturbs nobody.
 *
 * @param {() => any} call
 */
export async function attempt(call) {
  try {
    await call();
  } catch (error) {
    console.error(error);
  }
}
