// @ts-check
/**
 * JSON-RPC 2.0 over anything that carries messages: requests with deadlines, cancellation and progress, in both
 * directions. It knows no window and no DOM.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {{timeout?: number, signal?: AbortSignal, onProgress?: (progress: Params) => void}} RequestOptions
 *   `timeout` in milliseconds, 0 for none; progress starts it anew.
 * @typedef {(params: Params, signal: AbortSignal) => unknown} Handler
 * @typedef {{settle: (done: boolean, value: any) => void, progress: (params: Params) => void}} Pending
 */

/** An error with a JSON-RPC code: what the other side answered, or what a handler wants to answer. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

/**
 * An object as JSON has them, made here or in another realm.
 *
 * @param {any} value
 * @returns {value is Params}
 */
export function isObject(value) {
  return !!value && typeof value === "object" && !Array.isArray(value);
}

/**
 * Whether a received value is plain JSON. `postMessage` also carries cycles, dates, buffers and ports, and an own
 * `__proto__` that poisons whatever it is copied into.
 *
 * @param {any} value
 * @param {number} [depth]
 * @returns {boolean}
 */
export function isJson(value, depth = 0) {
  if (typeof value !== "object" || value === null) {
    return value == null || /^(str|boo)/.test(typeof value) || Number.isFinite(value);
  }
  if (depth > 99) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return Object.prototype.toString.call(value) === "[object Object]" &&
    Object.keys(value).every((key) => key !== "__proto__" && isJson(value[key], depth + 1));
}

/**
 * @param {unknown} id
 * @returns {boolean}
 */
function isId(id) {
  return typeof id === "string" || Number.isFinite(id);
}

/**
 * What is wrong with a message, if anything.
 *
 * @param {Params} message
 * @returns {string | false | undefined}
 */
function findFault(message) {
  const { id, method, params, result, error } = message;
  if (!isJson(message)) return "not plain JSON";
  if (method !== undefined) {
    return !(typeof method === "string" && (params === undefined || isObject(params)) &&
      (id === undefined || isId(id))) &&
      "not a request";
  }
  if (error === undefined) return result === undefined && "neither method nor result";
  return !(isObject(error) && Number.isInteger(error.code) && typeof error.message === "string") && "not an error";
}

/** One end of a conversation. Give it what arrives with `receive`; it sends through the function it was made with. */
export class Rpc {
  /** @type {Map<unknown, Pending>} */
  #pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();
  // Counted from 1: there are hosts that take the id 0 for none.
  #count = 0;
  /** @type {Error | undefined} */
  #closed;

  /**
   * @param {(message: Params) => void} send
   * @param {(method: string) => Handler | undefined} find the handler of a method, for requests and notifications
   * @param {(error: Error) => void} onerror hears of what arrived and could not be used
   */
  constructor(send, find, onerror) {
    this.find = find;
    this.onerror = onerror;
    // Through JSON, so that a date or a proxy never leaves as something that the other side does not expect.
    this.send = (/** @type {Params} */ message) => send(JSON.parse(JSON.stringify({ jsonrpc: "2.0", ...message })));
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  request(method, params, { timeout = 60000, signal, onProgress } = {}) {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const settle = (/** @type {boolean} */ done, /** @type {any} */ value) => {
        this.#pending.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        done ? resolve(value) : reject(value);
      };
      const cancel = (/** @type {any} */ error) => {
        if (!this.#pending.has(id)) return;
        settle(false, error);
        this.notify("notifications/cancelled", { requestId: id, reason: String(error?.message ?? error) });
      };
      const abort = () => cancel(signal?.reason);
      const wait = () => {
        clearTimeout(timer);
        if (timeout) timer = setTimeout(cancel, timeout, new RpcError(-32001, `${method}: no answer in ${timeout} ms`));
      };
      signal?.throwIfAborted();
      if (this.#closed) throw this.#closed;
      const meta = onProgress && { _meta: { ...params?._meta, progressToken: id } };
      this.send({ id, method, params: meta ? { ...params, ...meta } : params });
      this.#pending.set(id, { settle, progress: (progress) => (wait(), onProgress?.(progress)) });
      signal?.addEventListener("abort", abort);
      wait();
    });
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   */
  notify(method, params) {
    this.send({ method, params });
  }

  /**
   * Take one message. What is not JSON-RPC is ignored, because other scripts talk to windows too.
   *
   * @param {any} message
   */
  receive(message) {
    if (!isObject(message) || message.jsonrpc !== "2.0") return;
    const { id, method, params, result, error } = message;
    const pending = method === undefined && this.#pending.get(id);
    const fault = findFault(message);
    if (fault) {
      const invalid = new RpcError(-32600, "Invalid message: " + fault);
      if (pending) pending.settle(false, invalid);
      else if (method && isId(id)) this.send({ id, error: { code: -32600, message: invalid.message } });
      this.onerror(invalid);
    } else if (pending) {
      pending.settle(!error, error ? new RpcError(error.code, error.message, error.data) : result);
    } else if (!method) {
      // An answer that came too late, or to nothing that was asked.
    } else if (isId(id)) {
      this.#answer(id, method, params ?? {});
    } else if (method === "notifications/cancelled") {
      this.#running.get(params?.requestId)?.abort(params?.reason);
    } else if (method === "notifications/progress") {
      this.#pending.get(params?.progressToken)?.progress(params);
    } else {
      this.find(method)?.(params ?? {}, new AbortController().signal);
    }
  }

  /**
   * Reject what is still waiting, and what is asked from now on.
   *
   * @param {Error} reason
   */
  close(reason) {
    this.#closed = reason;
    for (const { settle } of [...this.#pending.values()]) settle(false, reason);
  }

  /**
   * @param {unknown} id
   * @param {string} method
   * @param {Params} params
   */
  async #answer(id, method, params) {
    const controller = new AbortController();
    this.#running.set(id, controller);
    let answer;
    try {
      const handler = this.find(method);
      if (!handler) throw new RpcError(-32601, "Method not found: " + method.slice(0, 99));
      answer = { result: (await handler(params, controller.signal)) ?? {} };
    } catch (/** @type {any} */ error) {
      answer = {
        error: { code: error instanceof RpcError ? error.code : -32603, message: String(error?.message ?? error) },
      };
    }
    this.#running.delete(id);
    if (!controller.signal.aborted) this.send({ id, ...answer });
  }
}
