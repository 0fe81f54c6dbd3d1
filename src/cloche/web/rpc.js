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
   * @param {number} [code]
   * @param {string} [message]
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
export const isObject = (value) => "[object Object]" == {}.toString.call(value);

/**
 * Whether what `postMessage` carried is plain JSON. It also carries cycles, dates, buffers and ports, and an own
 * `__proto__` that poisons whatever it is copied into.
 *
 * @param {any} value
 * @param {number} [depth]
 * @returns {boolean}
 */
export const isJson = (value, depth = 0) =>
  isObject(value) || /** @type {any} */ (Array.isArray(value))
    ? depth < 99 && Object.keys(value).every((key) => key !== "__proto__" && isJson(value[key], depth + 1))
    : Object(value) !== value && typeof value != "bigint";

/**
 * A copy through JSON, so that a date or a proxy never leaves as something that the other side does not expect. What JSON
 * would make nothing of, such as a buffer or a map, is refused.
 *
 * @param {any} value
 * @returns {any}
 */
const plain = (value) =>
  JSON.parse(JSON.stringify(value, (key, one) => {
    if (isObject(one) || Array.isArray(one) || !one || typeof one != "object") return one;
    throw new RpcError(-32600, key + " is not JSON");
  }));

/** One end of a conversation. Give it what arrives with `receive`; it sends through the function it was made with. */
export class Rpc {
  /** @type {Map<unknown, Pending>} */
  pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();

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
    this.send(plain({ jsonrpc: "2.0", ...message }));
  }

  /**
   * @param {string} method
   * @param {Params} [params]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  request(method, params, { timeout = 60000, signal, onProgress } = {}) {
    // Several may talk to one window and hear each other's answers, so no id is given twice, and none can be guessed.
    const id = crypto.getRandomValues(new Uint32Array(4)).join();
    /** @type {any} */
    let timer;
    /** @type {(aborted?: Event) => void} */
    let cancel;
    return new Promise((resolve, reject) => {
      cancel = (aborted) => {
        const reason = aborted ? signal?.reason : new RpcError(-32001, method + ": no answer");
        reject(reason);
        this.notify("notifications/cancelled", { requestId: id, reason: String(reason) });
      };
      if (signal?.aborted) throw signal.reason;
      signal?.addEventListener("abort", cancel);
      const wait = () => {
        clearTimeout(timer);
        timer = timeout && setTimeout(cancel, timeout);
      };
      this.pending.set(id, { resolve, reject, progress: (params) => (wait(), onProgress?.(params)) });
      wait();
      // Last, because an answer may come before it returns. Without a token, nothing is left of `_meta`.
      this.#post({ id, method, params: { _meta: onProgress && { progressToken: id }, ...params } });
    }).finally(() => {
      this.pending.delete(id);
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
  async receive(message) {
    if (message?.jsonrpc != "2.0") return;
    let { id, method, params = {}, result, error } = message;
    const pending = this.pending.get(method ? params?.progressToken : id);
    if (!isJson(message) || isObject(id) || !isObject(method ? params : error ?? (result === undefined || {}))) {
      this.onerror(error = new RpcError(-32600, "Invalid message"));
    }
    if (!method) {
      return error ? pending?.reject(Object.assign(new RpcError(), error)) : pending?.resolve(result);
    }
    if (error) return;
    if (method == "notifications/cancelled") return this.#running.get(params.requestId)?.abort(params.reason);
    if (method == "notifications/progress") return pending?.progress(params);
    const handler = this.find(method);
    if (id == null) return handler?.(params);
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      if (!handler) throw new RpcError(-32601, "Not available: " + method);
      result = plain(await handler(params, controller.signal) ?? {});
    } catch (/** @type {any} */ fault) {
      error = { code: fault?.code ?? -32603, message: String(fault?.message ?? fault) };
    }
    this.#running.delete(id);
    if (!controller.signal.aborted) this.#post({ id, result, error });
  }
}
