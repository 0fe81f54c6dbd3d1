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
 * @typedef {{timeout?: number, signal?: AbortSignal, onProgress?: (progress: Message) => void}} RequestOptions
 *   `timeout` in milliseconds, 0 for none; progress starts it anew
 * @typedef {(params: Message, signal?: AbortSignal) => unknown} Handler
 */
/** The longest message, unless a transport is told otherwise. */
export const MESSAGE_LIMIT = 2 ** 24;
/** How deep a message may be nested. */
export const MESSAGE_DEPTH = 200;
/** Milliseconds that a request waits for its answer, unless the call says otherwise. */
export const REQUEST_TIMEOUT = 30_000;
/** Messages that wait for a handler; more are dropped. */
const EARLY_MESSAGES = 256;

/** What envelopes say they are, unless a transport has another `messageType`. */
export const MESSAGE_TYPES = { MESSAGE: "mcp", CONNECT: "mcp:connect", CONNECTED: "mcp:connected", CLOSE: "mcp:close" };

/** There is no answer: the connection is gone, the time is up, or the caller gave up. */
export class TransportError extends Error {
  /**
   * @param {string} message
   * @param {string | number} code
   */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

export class TransportClosedError extends TransportError {
  constructor() {
    super("Transport is closed", "TRANSPORT_CLOSED");
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

/** Kinds of values that are JSON, whatever the value. */
const PLAIN = /^(String|Boolean|Null|Undefined)$/;

/** @param {any} value @returns {string} "Object", "Array", "Date" … */
const kindOf = (value) => ({}).toString.call(value).slice(8, -1);

/** @param {any} value @returns {value is Message} */
const isRecord = (value) => kindOf(value) == "Object";

/**
 * A copy as JSON would have it, so that a proxy or a member without a value never leaves; buffers stay what they are.
 *
 * @param {any} value
 * @returns {any}
 */
export const plain = (value) => {
  value = value?.toJSON?.() ?? value;
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null);
  if (!isRecord(value)) return typeof value == "function" ? undefined : value;
  return Object.fromEntries(
    Object.keys(value).map((key) => [key, plain(value[key])]).filter(([, one]) => one !== undefined),
  );
};

/** @param {unknown} id */
const isId = (id) => typeof id == "number" || typeof id == "string" && id.length < 1000;

/**
 * An id that nobody gives twice and nobody can guess: on an emitter or a channel everybody hears every answer.
 *
 * @returns {string}
 */
export const generateRequestId = () =>
  // Pages that are not served securely have only the second.
  crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");

/** @param {any} message */
export const isJSONRPCRequest = (message) => "method" in message && "id" in message;
/** @param {any} message */
export const isJSONRPCResponse = (message) => "id" in message && ("result" in message || "error" in message);
/** @param {any} message */
export const isJSONRPCNotification = (message) => "method" in message && !("id" in message);

/**
 * Whether something has the structure of one JSON-RPC message.
 *
 * @param {any} message
 */
export const isValidMcpMessage = (message) =>
  isRecord(message) && message.jsonrpc == "2.0" && isId(message.id ?? 0) &&
  ("method" in message
    ? typeof message.method == "string" && isRecord(message.params ?? {})
    : "result" in message != isRecord(message.error));

/**
 * What keeps a value from being a message, with the path to it; an empty string when nothing does. Structured clone
 * carries more than JSON, and refuses some of what looks like it: both ends agree on JSON, and on buffers, which can be
 * transferred.
 *
 * @param {any} value
 * @param {number} [limit]
 * @param {boolean} [buffers] whether they can be carried
 * @returns {string}
 */
export function flawOf(value, limit = MESSAGE_LIMIT, buffers = true) {
  let left = limit;
  /** @param {any} value @param {string} path @param {number} depth @returns {string} */
  const walk = (value, path, depth) => {
    const kind = kindOf(value);
    left -= kind == "String" ? value.length : value?.byteLength ?? 2;
    if (left < 0) return "longer than " + limit;
    if (depth > MESSAGE_DEPTH) return "deeper than " + MESSAGE_DEPTH;
    if (Number.isFinite(value) || PLAIN.test(kind) || buffers && kind == "ArrayBuffer") return "";
    if (kind != "Object" && kind != "Array") return path + " is " + (kind == "Number" ? value : "a " + kind);
    for (const key of Object.keys(value)) {
      left -= key.length;
      const flaw = key == "__proto__"
        ? path + " has the key __proto__"
        : walk(value[key], (path && path + ".") + key, depth + 1);
      if (flaw) return flaw;
    }
    return "";
  };
  return walk(value, "", 0);
}

/** Base of every transport. */
export class Transport {
  limit = MESSAGE_LIMIT;
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
  /** @type {Map<unknown, {resolve: (answer: any) => void, reject: (error: Error) => void, progress: Handler}>} */
  #pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();

  /** @param {TransportOptions} [options] */
  constructor(options) {
    Object.assign(this, options);
  }

  /** Whether messages can be sent. */
  get isConnected() {
    return !this.over.signal.aborted;
  }

  /**
   * Send one message; what it transfers is gone here.
   *
   * @param {Message} message
   * @param {SendOptions} [options]
   */
  send(message, { transfer = [] } = {}) {
    this.#check(message);
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

  /**
   * Call `handler` when the connection ends; at once when it has ended already.
   *
   * @param {() => void} handler
   */
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
  async request(
    { method, params = {}, id = generateRequestId() },
    { timeout = REQUEST_TIMEOUT, signal, onProgress } = {},
  ) {
    const { promise, resolve, reject } = Promise.withResolvers();
    /** @type {any} */
    let timer;
    /** @param {TransportError} error */
    const giveUp = (error) => {
      reject(error);
      this.#tell({ method: "notifications/cancelled", params: { requestId: id, reason: error.message } });
    };
    const cancel = () => giveUp(new RequestCancelledError(id));
    const wait = () => {
      clearTimeout(timer);
      timer = timeout && setTimeout(() => giveUp(new RequestTimeoutError(id)), timeout);
    };
    /** @param {Message} told */
    const progress = (told) => {
      wait();
      attempt(() => onProgress?.(told));
    };
    this.#pending.set(id, { resolve, reject, progress });
    try {
      if (signal?.aborted) throw new RequestCancelledError(id);
      signal?.addEventListener("abort", cancel);
      wait();
      // Beside what else `_meta` carries.
      const _meta = onProgress ? { ...params._meta, progressToken: id } : params._meta;
      this.#tell({ id, method, params: { ...params, _meta } });
      return await promise;
    } finally {
      this.#pending.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /**
   * Answer what the other side asks.
   *
   * @param {(method: string) => Handler | undefined} find the handler of a method
   */
  serve(find) {
    this.onMessage((message) => message.method && this.#answer(message, find(message.method)));
  }

  /** End the connection. */
  close() {
    if (this.over.signal.aborted) return;
    this.farewell();
    this.ended();
  }

  // For transports

  /**
   * Put a message on its way.
   *
   * @param {Message} payload
   * @param {Transferable[]} transfer
   */
  post(payload, transfer) {
    this.say({ type: this.messageType, payload }, transfer);
  }

  /** Tell the other side that this one closes. */
  farewell() {
    this.say({ type: this.messageType + ":close" });
  }

  /**
   * Put an envelope on its way.
   *
   * @param {Message} _envelope
   * @param {Transferable[]} [_transfer]
   */
  say(_envelope, _transfer) {}

  /**
   * An envelope arrived, from where it may come from.
   *
   * @param {any} envelope
   * @param {readonly MessagePort[]} [_ports] that came with it
   */
  take(envelope, _ports) {
    if (envelope?.type === this.messageType) this.deliver(envelope.payload);
    if (envelope?.type === this.messageType + ":close") this.ended();
  }

  /**
   * A message arrived, from where it may come from.
   *
   * @param {any} message
   */
  deliver(message) {
    if (!this.isConnected) return;
    const flaw = isValidMcpMessage(message) ? flawOf(message, this.limit, this.carriesBuffers) : "no JSON-RPC";
    if (flaw) {
      this.dropped++;
      if (!isRecord(message) || !isId(message.id)) return;
      // Nobody waits in vain for what cannot be used.
      const error = { code: -32600, message: "Invalid message: " + flaw };
      if (message.method) return this.#tell({ id: message.id, error });
      message = { jsonrpc: "2.0", id: message.id, error };
    }
    const { id, method, params } = message;
    const waiting = this.#pending.get(method ? method == "notifications/progress" && params?.progressToken : id);
    if (method) waiting?.progress(params);
    else waiting?.resolve(message);
    if (waiting || this.#handlers.size) this.#hand(message);
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
    for (const { reject } of this.#pending.values()) reject(new TransportClosedError());
    // As they were: one of them may open it again, and have others told of the next end.
    [...this.#closers].forEach(attempt);
  }

  /** Leave nothing behind that `over` does not end. */
  release() {}

  /** @param {Message} message */
  #hand = (message) => {
    for (const handler of [...this.#handlers]) attempt(() => handler(message));
  };

  /** @param {Message} message */
  #check(message) {
    if (!this.isConnected) throw new TransportClosedError();
    const flaw = flawOf(message, this.limit, this.carriesBuffers);
    if (flaw) throw new TransportError("A message is plain JSON: " + flaw, "INVALID_MESSAGE");
  }

  /** @param {Message} message */
  #tell(message) {
    this.#check(message);
    this.post(plain({ jsonrpc: "2.0", ...message }), []);
  }

  /** @param {Message} request @param {Handler} [handler] */
  async #answer({ id, method, params }, handler) {
    params ??= {};
    if (method == "notifications/cancelled") this.#running.get(params.requestId)?.abort(params.reason);
    if (id == null) return handler?.(params);
    const controller = new AbortController();
    this.#running.set(id, controller);
    let result;
    let error;
    try {
      if (!handler) throw new TransportError("Not available: " + method, -32601);
      result = await handler(params, controller.signal) ?? {};
    } catch (/** @type {any} */ fault) {
      error = { code: fault?.code ?? -32603, message: String(fault?.message ?? fault) };
    }
    this.#running.delete(id);
    if (!controller.signal.aborted && this.isConnected) this.#tell({ id, result, error });
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
