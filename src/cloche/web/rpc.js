// @ts-check
/**
 * The one JSON-RPC 2.0 peer: requests with deadlines, cancellation, progress and transfers, in both directions, over
 * anything that carries messages. Views, the page's client and server, and apps in frames stand on it. It knows no window
 * and no DOM.
 *
 * @typedef {import("./json.js").Params} Params
 * @typedef {{
 *   id?: string | number, timeout?: number, signal?: AbortSignal, onProgress?: (progress: Params) => void,
 *   transfer?: Transferable[],
 * }} RequestOptions `timeout` in milliseconds, 0 for none; progress starts it again
 * @typedef {(params: Params, signal?: AbortSignal, id?: any) => unknown} Handler
 * @typedef {(method: string) => Handler | undefined} Find gives the handler of a method
 * @typedef {{resolve: (result: any) => void, reject: (error: Error) => void, progress: (params: Params) => void}} Pending
 */
import { isJson, isKnown, isObject } from "./json.js";
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, REQUEST_TIMEOUT } from "./protocol.js";

/** An error with a JSON-RPC code: what the other side answered, or what a handler wants to answer. */
export class RpcError extends Error {
  /** @param {number} [code] @param {string} [message] @param {unknown} [data] */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * An id that nobody gives twice and nobody can guess: on an emitter, a channel or a window everybody hears every answer.
 *
 * @returns {string}
 */
export const generateRequestId = () =>
  // Pages that are not served securely have only the second.
  crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");

/** One end of a conversation. Those that carry messages say how one is sent, and why a request has no answer. */
export class Rpc {
  /** @type {Map<unknown, Pending>} */
  pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  running = new Map();

  /** Send a message. @param {Params} _message @param {Transferable[]} [_transfer] */
  post(_message, _transfer) {}

  /**
   * Why a request has no answer: the time is up, or the caller gave up.
   *
   * @param {string} method
   * @param {string | number} _id
   * @param {AbortSignal} [signal]
   * @returns {Error}
   */
  unanswered(method, _id, signal) {
    return signal ? signal.reason : new RpcError(REQUEST_TIMEOUT, method + ": no answer");
  }

  /**
   * Send a request: its result, or an `RpcError` with what the other side answered instead.
   *
   * @param {string} method
   * @param {Params} [params]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  request(method, params = {}, { id = generateRequestId(), timeout = 60000, signal, onProgress, transfer } = {}) {
    /** @type {any} */
    let timer;
    /** @type {(aborted?: Event) => void} */
    let cancel;
    return new Promise((resolve, reject) => {
      cancel = (aborted) => {
        const reason = this.unanswered(method, id, aborted && signal);
        reject(reason);
        this.notify("notifications/cancelled", { requestId: id, reason: String(reason) });
      };
      if (signal?.aborted) throw this.unanswered(method, id, signal);
      signal?.addEventListener("abort", cancel);
      const wait = () => {
        clearTimeout(timer);
        timer = timeout && setTimeout(cancel, timeout);
      };
      this.pending.set(id, { resolve, reject, progress: (params) => (wait(), onProgress?.(params)) });
      wait();
      if (onProgress) params = { ...params, _meta: { ...params._meta, progressToken: id } };
      // Last, because an answer may come before it returns.
      this.post({ id, method, params }, transfer);
    }).finally(() => {
      this.pending.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    });
  }

  /** @param {string} method @param {Params} [params] */
  notify(method, params) {
    this.post({ method, params });
  }

  /**
   * Give an answer, or a word of progress, to who waits for it.
   *
   * @param {Params} message
   * @returns {Pending | undefined} who waited
   */
  settle({ id, method, params, result, error }) {
    const waiting = this.pending.get(method ? method == "notifications/progress" && params?.progressToken : id);
    if (method) waiting?.progress(params);
    else error ? waiting?.reject(Object.assign(new RpcError(), error)) : waiting?.resolve(result);
    return waiting;
  }

  /** Answer a request, or hear a notification. @param {Params} message @param {Find} find */
  async answer({ id, method, params }, find) {
    params ??= {};
    if (method == "notifications/cancelled") this.running.get(params.requestId)?.abort(params.reason);
    const handler = find(method);
    if (id == null) return handler?.(params);
    const controller = new AbortController();
    this.running.set(id, controller);
    /** @param {Params} outcome */
    const reply = (outcome) => controller.signal.aborted || this.post({ id, ...outcome });
    try {
      if (!handler) throw new RpcError(METHOD_NOT_FOUND, "Not available: " + method);
      reply({ result: await handler(params, controller.signal, id) ?? {} });
    } catch (/** @type {any} */ fault) {
      reply({
        error: { code: +fault?.code || INTERNAL_ERROR, message: String(fault?.message ?? fault), data: fault?.data },
      });
    } finally {
      this.running.delete(id);
    }
  }
}

/** The end of a conversation between windows. Give it what arrives with `receive`; it sends through the function it was made with. */
export class WindowRpc extends Rpc {
  /**
   * @param {(message: Params) => void} send
   * @param {Find} find the handler of a method, for requests and notifications
   * @param {(error: Error) => void} onerror hears of what arrived and could not be used
   */
  constructor(send, find, onerror) {
    super();
    this.send = send;
    this.find = find;
    this.onerror = onerror;
  }

  /**
   * Take one message: an answer to who waits for it, or something for a handler. What is not JSON-RPC is ignored, because
   * other scripts talk to windows too; so is an answer to nothing that is waited for.
   *
   * @param {any} message
   */
  receive(message) {
    if (message?.jsonrpc != "2.0") return;
    const { id, method, params = {}, result, error } = message;
    if (
      isJson(message, isKnown) && !isObject(id) && isObject(method ? params : error ?? (result === undefined || {}))
    ) {
      return this.settle(message) || method && this.answer(message, this.find);
    }
    const flaw = new RpcError(INVALID_REQUEST, "Invalid message");
    this.onerror(flaw);
    if (!method) this.settle({ id, error: flaw });
  }

  /**
   * A copy through JSON, so that a date or a proxy never leaves as something that the other side does not
   * expect. What JSON would make nothing of, such as a buffer or a map, is refused.
   *
   * @override
   * @param {Params} message
   */
  post(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message }, (key, one) => {
      if (isKnown(one) || typeof one == "function") return one;
      throw new RpcError(INVALID_REQUEST, key + " is not JSON");
    });
    this.send(JSON.parse(text));
  }
}
