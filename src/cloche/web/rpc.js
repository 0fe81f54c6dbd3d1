// @ts-check
/**
 * JSON-RPC 2.0 over anything that carries messages: requests with deadlines, cancellation and progress, in both
 * directions. It knows no window and no DOM.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {{timeout?: number, signal?: AbortSignal, onProgress?: (progress: Params) => void}} RequestOptions
 *   `timeout` in milliseconds, 0 for none; progress starts it anew.
 * @typedef {(params: Params, signal?: AbortSignal) => unknown} Handler
 * @typedef {{resolve: (result: any) => void, reject: (error: Error) => void, progress: (params: Params) => void}} Pending
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
    this.code = code;
    this.data = data;
  }
}

/**
 * @param {any} value
 * @returns {value is Params}
 */
export function isObject(value) {
  return !!value && typeof value === "object" && !Array.isArray(value);
}

/**
 * Whether what `postMessage` carried is plain JSON. It also carries cycles, dates, buffers and ports, and an own
 * `__proto__` that poisons whatever it is copied into.
 *
 * @param {any} value
 * @param {number} [depth]
 * @returns {boolean}
 */
export function isJson(value, depth = 0) {
  if (!value || typeof value !== "object") return typeof value !== "bigint";
  return depth < 99 && /^.object (Object|Array)]$/.test({}.toString.call(value)) &&
    Object.keys(value).every((key) => key !== "__proto__" && isJson(value[key], depth + 1));
}

/** One end of a conversation. Give it what arrives with `receive`; it sends through the function it was made with. */
export class Rpc {
  /** @type {Map<unknown, Pending>} */
  #pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();
  // Counted from 1: there are hosts that take the id 0 for none.
  #count = 0;

  /**
   * @param {(message: Params) => void} send
   * @param {(method: string) => Handler | undefined} find the handler of a method, for requests and notifications
   * @param {(error: Error) => void} onerror hears of what arrived and could not be used
   */
  constructor(send, find, onerror) {
    this.send = send;
    this.find = find;
    this.onerror = onerror;
  }

  /** @param {Params} message */
  #post(message) {
    // Through JSON, so that a date or a proxy never leaves as something that the other side does not expect.
    this.send(JSON.parse(JSON.stringify({ jsonrpc: "2.0", ...message })));
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  request(method, params, { timeout = 60000, signal, onProgress } = {}) {
    const id = ++this.#count;
    /** @type {any} */
    let timer;
    /** @type {(error?: any) => void} */
    let cancel;
    return new Promise((resolve, reject) => {
      cancel = (error) => {
        reject(error = error.code ? error : signal?.reason);
        this.notify("notifications/cancelled", { requestId: id, reason: String(error) });
      };
      const wait = () => {
        clearTimeout(timer);
        if (timeout) {
          timer = setTimeout(cancel, timeout, new RpcError(-32001, method + ": no answer"));
        }
      };
      if (signal?.aborted) throw signal.reason;
      this.#pending.set(id, { resolve, reject, progress: (params) => (wait(), onProgress?.(params)) });
      signal?.addEventListener("abort", cancel);
      wait();
      // Last, because an answer may come before it returns.
      this.#post({ id, method, params: onProgress ? { ...params, _meta: { progressToken: id } } : params });
    }).finally(() => {
      this.#pending.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    });
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   */
  notify(method, params) {
    this.#post({ method, params });
  }

  /**
   * Take one message. What is not JSON-RPC is ignored, because other scripts talk to windows too; so is an answer to
   * nothing that is waited for.
   *
   * @param {any} message
   */
  receive(message) {
    if (!isObject(message) || message.jsonrpc !== "2.0") return;
    const { id, method, params = {}, result, error } = message;
    const pending = method === undefined ? this.#pending.get(id) : undefined;
    if (
      !isJson(message) ||
      !(pending ? error ? isObject(error) : result !== undefined : isObject(params) && /^[nsu]/.test(typeof id))
    ) {
      const fault = new RpcError(-32600, "Invalid message");
      pending?.reject(fault);
      this.onerror(fault);
    } else if (!method) {
      error ? pending?.reject(new RpcError(error.code, error.message, error.data)) : pending?.resolve(result);
    } else if (id !== undefined) {
      this.#answer(id, method, params);
    } else if (method === "notifications/cancelled") {
      this.#running.get(params.requestId)?.abort(params.reason);
    } else if (method === "notifications/progress") {
      this.#pending.get(params.progressToken)?.progress(params);
    } else {
      this.find(method)?.(params);
    }
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
      if (!handler) throw new RpcError(-32601, "Not available: " + method);
      answer = { result: await handler(params, controller.signal) ?? {} };
    } catch (/** @type {any} */ error) {
      answer = {
        error: { code: error instanceof RpcError ? error.code : -32603, message: String(error?.message ?? error) },
      };
    }
    this.#running.delete(id);
    if (!controller.signal.aborted) this.#post({ id, ...answer });
  }
}
