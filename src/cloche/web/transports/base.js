// @ts-check
/**
 * What every transport of the page is: messages out and in, checked, and requests on top. A transport of your own has
 * `post`, calls `deliver` with what arrives and `ended` when it is over; one whose messages travel in envelopes has `say`,
 * and calls `take`.
 *
 * @typedef {Record<string, any>} Message
 * @typedef {(message: Message) => void} MessageHandler
 * @typedef {{transfer?: Transferable[]}} SendOptions
 * @typedef {{limit?: number, messageType?: string, onOriginViolation?: (origin: string) => void}} TransportOptions
 *   `limit` is the longest message that is taken, in characters
 * @typedef {import("../rpc.js").RequestOptions} RequestOptions
 * @typedef {import("../rpc.js").Handler} Handler
 */
import { isJson, isObject } from "../json.js";
import { ANSWER_TIMEOUT, INVALID_REQUEST, MAX_DEPTH, MAX_LENGTH } from "../protocol.js";
import { generateRequestId, Rpc, RpcError } from "../rpc.js";
import * as say from "../sentences.js";

export { generateRequestId, RpcError };
/** The longest message, unless a transport is told otherwise. */
export const MESSAGE_LIMIT = MAX_LENGTH;
/** How deep a message may be nested. */
export const MESSAGE_DEPTH = MAX_DEPTH;
/** Milliseconds that a request waits for its answer, unless the call says otherwise. */
export const REQUEST_TIMEOUT = ANSWER_TIMEOUT;
/** Messages that wait for a handler; more are dropped. */
const EARLY_MESSAGES = 256;

/** What envelopes say they are, unless a transport has another `messageType`. */
export const MESSAGE_TYPES = { MESSAGE: "mcp", CONNECT: "mcp:connect", CONNECTED: "mcp:connected", CLOSE: "mcp:close" };

/** There is no answer: the connection is gone, the time is up, or the caller gave up. */
export class TransportError extends Error {
  /** @param {string} message @param {string} code */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

export class TransportClosedError extends TransportError {
  constructor() {
    super(say.transportClosed(), "TRANSPORT_CLOSED");
  }
}

export class RequestTimeoutError extends TransportError {
  /** @param {string | number} id */
  constructor(id) {
    super(say.timedOut(id), "REQUEST_TIMEOUT");
  }
}

export class RequestCancelledError extends TransportError {
  /** @param {string | number} id */
  constructor(id) {
    super(say.wasCancelled(id), "REQUEST_CANCELLED");
  }
}

/**
 * The length of a message in characters, whether it has buffers, and what keeps it from being a message, with the path to
 * it: an empty string when nothing does. Structured clone carries more than JSON, and refuses some of what looks like it:
 * both ends agree on JSON, and on buffers, which can be transferred.
 *
 * @param {any} message
 * @param {number} [limit]
 * @param {boolean} [buffers] whether they can be carried
 */
export function weigh(message, limit = MAX_LENGTH, buffers = true) {
  /** @type {string[]} */
  const path = [];
  let length = 0;
  let kind = "";
  let hasBuffers = false;
  const isFine = isJson(message, (value) => {
    kind = {}.toString.call(value).slice(8, -1);
    const isBuffer = kind == "ArrayBuffer";
    hasBuffers ||= isBuffer;
    length += (path.at(-1)?.length ?? 0) + (kind == "String" ? value.length : isBuffer ? value.byteLength : 2);
    if (kind == "Number" && !isFinite(value)) kind = "" + value;
    return length <= limit &&
      (isBuffer ? buffers : /^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(kind));
  }, path);
  const flaw = length > limit
    ? "longer than " + limit
    : path.length == MAX_DEPTH
    ? "deeper than " + MAX_DEPTH
    : path.join(".") + (path.at(-1) == "__proto__" ? " is not a name" : " is a " + kind);
  return { length, hasBuffers, flaw: isFine ? "" : flaw };
}

/** @param {Message} message @returns {Message} */
const copyOf = (message) => JSON.parse(JSON.stringify(message));

/** @param {unknown} id */
const isId = (id) => typeof id == "number" || typeof id == "string" && id.length < 1000;

/** @param {any} message */
export const isJSONRPCRequest = (message) => "method" in message && "id" in message;
/** @param {any} message */
export const isJSONRPCResponse = (message) => "id" in message && ("result" in message || "error" in message);
/** @param {any} message */
export const isJSONRPCNotification = (message) => "method" in message && !("id" in message);

/** Whether something has the structure of one JSON-RPC message. @param {any} message */
export const isValidMcpMessage = (message) =>
  isObject(message) && message.jsonrpc == "2.0" && isId(message.id ?? 0) &&
  ("method" in message
    ? typeof message.method == "string" && isObject(message.params ?? {})
    : "result" in message != isObject(message.error));

/** What asks and answers over a transport: with errors of its own kind, and with buffers. */
class TransportRpc extends Rpc {
  /** @param {Transport} transport */
  constructor(transport) {
    super();
    this.transport = transport;
  }

  /** @override @param {Message} message @param {Transferable[]} [transfer] */
  post(message, transfer = []) {
    message = { jsonrpc: "2.0", ...message };
    // As JSON would have it: a proxy, or a member without a value, never leaves.
    if (!this.transport.verify(message)) message = copyOf(message);
    this.transport.post(message, transfer);
  }

  /** @override @param {string} _method @param {string | number} id @param {AbortSignal} [signal] */
  unanswered(_method, id, signal) {
    return signal ? new RequestCancelledError(id) : new RequestTimeoutError(id);
  }

  /** It is over: what waits for an answer is rejected, and what is under way is given up. @param {Error} reason */
  close(reason) {
    for (const { reject } of this.pending.values()) reject(reason);
    for (const controller of this.running.values()) controller.abort(reason);
    this.running.clear();
  }
}

/** Base of every transport. */
export class Transport {
  limit = MAX_LENGTH;
  messageType = "mcp";
  /** @type {((origin: string) => void) | undefined} */
  onOriginViolation;
  /** Whether `ArrayBuffer`s can be sent, and are taken. */
  carriesBuffers = true;
  /** What arrived and was not delivered. */
  dropped = 0;
  /** What came from somewhere that it may not come from. */
  violations = 0;
  /** Aborted when it is over. */
  over = new AbortController();
  /** @type {Set<MessageHandler>} */
  #handlers = new Set();
  /** @type {Set<() => void>} */
  #closers = new Set();
  /** @type {Message[]} What waits for a handler. */
  #early = [];
  #hasWords = false;
  /** What asks and answers. */
  rpc = new TransportRpc(this);

  /** @param {TransportOptions} [options] */
  constructor(options) {
    Object.assign(this, options);
  }

  /** Whether messages can be sent. */
  get isConnected() {
    return !this.over.signal.aborted;
  }

  /** Send one message; what it transfers is gone here. @param {Message} message @param {SendOptions} [options] */
  send(message, { transfer = [] } = {}) {
    this.verify(message);
    this.post(message, transfer);
  }

  /**
   * Call `handler` with every message that arrives, until the function that is returned is called.
   *
   * @param {MessageHandler} handler
   */
  onMessage(handler) {
    this.#handlers.add(handler);
    this.#early.splice(0).forEach(this.#hand);
    return () => void this.#handlers.delete(handler);
  }

  /** Call `handler` when the connection ends; at once when it has ended already. @param {() => void} handler */
  onClose(handler) {
    if (this.over.signal.aborted) handler();
    else this.#closers.add(handler);
    return () => void this.#closers.delete(handler);
  }

  /**
   * Send a request and wait for its answer: a message with `result` or `error`. Rejects when none comes.
   *
   * @param {Message} request `method` and `params`; it gets an id by itself
   * @param {RequestOptions} [options]
   * @returns {Promise<Message>}
   */
  request({ method, params, id = generateRequestId() }, options) {
    const asked = this.rpc.request(method, params, { timeout: REQUEST_TIMEOUT, ...options, id });
    return asked.then((result) => ({ jsonrpc: "2.0", id, result }), (error) => {
      if (error instanceof RpcError) return copyOf({ jsonrpc: "2.0", id, error: { ...error } });
      throw error;
    });
  }

  /**
   * Answer what the other side asks, until the function that is returned is called.
   *
   * @param {import("../rpc.js").Find} find the handler of a method
   */
  serve(find) {
    return this.onMessage((message) => message.method && this.rpc.answer(message, find));
  }

  /** End the connection. */
  close() {
    if (this.over.signal.aborted) return;
    this.farewell();
    this.ended();
  }

  // For transports

  /** Put a message on its way. @param {Message} payload @param {Transferable[]} transfer */
  post(payload, transfer) {
    const { messageType: type } = this;
    const words = { ...payload, type: type + (payload.method ? ":request" : ":response") };
    this.say(this.#hasWords ? words : { type, payload }, transfer);
  }

  /** Tell the other side that this one closes. */
  farewell() {
    this.say({ type: this.messageType + ":close" });
  }

  /** Put an envelope on its way. @param {Message} _envelope @param {Transferable[]} [_transfer] */
  say(_envelope, _transfer) {}

  /**
   * An envelope arrived, from where it may come from: `{type: "mcp", payload}`, or in the words of the protocol's diagrams
   * `{type: "mcp:request", id, method, params}` and `{type: "mcp:response", id, result}`.
   *
   * @param {any} envelope
   * @param {readonly MessagePort[]} [_ports] that came with it
   */
  take(envelope, _ports) {
    const { type, payload, ...rest } = envelope ?? {};
    const { messageType } = this;
    if (type === messageType) this.deliver(payload);
    if (type === messageType + ":close") this.ended();
    if (type === messageType + ":request" || type === messageType + ":response") {
      // Who uses the words of the diagrams is answered in them.
      this.#hasWords = true;
      this.deliver({ ...rest, jsonrpc: "2.0" });
    }
  }

  /** A message arrived, from where it may come from. @param {any} message */
  deliver(message) {
    if (!this.isConnected) return;
    const flaw = isValidMcpMessage(message) ? weigh(message, this.limit, this.carriesBuffers).flaw : "no JSON-RPC";
    if (flaw) {
      this.dropped++;
      if (!isObject(message) || !isId(message.id)) return;
      // Nobody waits in vain for what cannot be used.
      const error = { code: INVALID_REQUEST, message: "Invalid message: " + flaw };
      if (message.method) return this.rpc.post({ id: message.id, error });
      message = { jsonrpc: "2.0", id: message.id, error };
    }
    if (this.rpc.settle(message) || this.#handlers.size) this.#hand(message);
    else if (this.#early.length < EARLY_MESSAGES) this.#early.push(message);
    else this.dropped++;
  }

  /** @param {string} origin of somebody who is not the other side */
  violated(origin) {
    this.violations++;
    attempt(() => this.onOriginViolation?.(origin));
  }

  /** It is over, from whichever side. */
  ended() {
    if (this.over.signal.aborted) return;
    this.over.abort();
    this.release();
    this.rpc.close(new TransportClosedError());
    // As they were: one of them may open it again, and have others told of the next end.
    [...this.#closers].forEach(attempt);
  }

  /** Leave nothing behind that `over` does not end. */
  release() {}

  /** @param {Message} message */
  #hand = (message) => {
    for (const handler of [...this.#handlers]) attempt(() => handler(message));
  };

  /** Refuse what cannot be sent. @param {Message} message @returns {boolean} whether it has buffers */
  verify(message) {
    if (!this.isConnected) throw new TransportClosedError();
    const { flaw, hasBuffers } = weigh(message, this.limit, this.carriesBuffers);
    if (flaw) throw new TransportError("A message is plain JSON: " + flaw, "INVALID_MESSAGE");
    return hasBuffers;
  }
}

/** Call somebody else's function: what it throws is reported, and disturbs nobody. @param {() => any} call */
export async function attempt(call) {
  try {
    await call();
  } catch (error) {
    console.error(error);
  }
}
