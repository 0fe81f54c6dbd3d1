// @ts-check
/** Giving up a request with a token, for those who have no `AbortSignal` at hand. */
import { attempt } from "./base.js";

/** @typedef {import("./base.js").Message} Message */

/** Makes a token and cancels it: give `source.token` to those who work, keep the source. */
export class CancellationTokenSource {
  #controller = new AbortController();
  token = new CancellationToken(this.#controller.signal);

  /** @param {string} [reason] */
  cancel(reason) {
    this.#controller.abort(reason);
  }
}

/** Says whether something was cancelled. */
class CancellationToken {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = signal;
  }

  get isCancelled() {
    return this.signal.aborted;
  }

  /** Call `handler` once, when it is cancelled; at once when it already is. @param {() => void} handler */
  onCancel(handler) {
    const called = () => void attempt(handler);
    if (this.isCancelled) called();
    this.signal.addEventListener("abort", called);
    return () => this.signal.removeEventListener("abort", called);
  }
}

/**
 * Send a request that can be given up: the server is told so, and `promise` is rejected with `RequestCancelledError`.
 *
 * @param {import("./base.js").Transport} transport
 * @param {Message} request
 * @param {{timeout?: number, onProgress?: (progress: Message) => void, token?: CancellationToken}} [options]
 */
export function cancellableRequest(transport, request, { token, ...options } = {}) {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  const unsubscribe = token?.onCancel(cancel);
  const promise = transport.request(request, { ...options, signal: source.token.signal });
  return { promise: promise.finally(unsubscribe), cancel };
}
