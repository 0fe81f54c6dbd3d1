// @ts-check
/** The care of connections: is the other side alive, what if it goes, what is no longer wanted, who listens to what. */
import { attempt, REQUEST_TIMEOUT, TransportClosedError, TransportError } from "./base.js";
import { ResumingTransport } from "./session.js";

/**
 * @typedef {import("./base.js").Transport} Transport
 * @typedef {import("./base.js").Message} Message
 */

/** Milliseconds between two beats, and for the answer to one. */
export const HEARTBEAT_INTERVAL = 30_000;
export const HEARTBEAT_TIMEOUT = 5000;

/**
 * Asks the other side now and then whether it is there. Any answer proves life, an error too. Without one in time,
 * `onTimeout` is called, and it stops; so it does when the connection ends, which is not a missed beat.
 *
 * @typedef {{
 *   interval?: number, timeout?: number, onTimeout?: (error: Error) => void, method?: string, params?: Message,
 *   notification?: string,
 * }} HeartbeatOptions `method` asks something else than `ping`; a `notification` is answered with one of the same name
 */
export class Heartbeat {
  /** @type {any} */
  #timer;
  #unsubscribe = () => {};

  /**
   * @param {any} peer a transport, or a client, which knows what to ask in its era
   * @param {HeartbeatOptions} [options]
   */
  constructor(peer, { interval = HEARTBEAT_INTERVAL, timeout = HEARTBEAT_TIMEOUT, ...options } = {}) {
    this.peer = peer;
    this.interval = interval;
    this.timeout = timeout;
    this.options = options;
  }

  get isRunning() {
    return !!this.#timer;
  }

  /** Begin; the first beat comes after one interval. */
  start() {
    this.stop();
    this.#unsubscribe = this.peer.onClose?.(() => this.stop()) ?? this.#unsubscribe;
    this.#wait();
  }

  /** No more beats; `onTimeout` is not called any more. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unsubscribe();
  }

  #wait() {
    const timer = this.#timer = setTimeout(async () => {
      const alive = await this.#ask();
      if (timer != this.#timer) return;
      if (alive) return this.#wait();
      this.stop();
      attempt(() => this.options.onTimeout?.(new TransportError("Heartbeat timeout", "HEARTBEAT_TIMEOUT")));
    }, this.interval);
  }

  async #ask() {
    const { peer, timeout, options: { method, params, notification } } = this;
    /** @type {() => void} */
    let unsubscribe = () => {};
    try {
      if (notification) {
        await new Promise((resolve, reject) => {
          unsubscribe = peer.onMessage((/** @type {Message} */ message) =>
            message.method == notification && resolve(0)
          );
          setTimeout(reject, timeout, {});
          peer.send({ jsonrpc: "2.0", method: notification, params });
        });
      } else if (peer.ping && !method) await peer.ping({ timeout });
      else await peer.request({ method: method ?? "ping", params }, { timeout });
    } catch (/** @type {any} */ error) {
      return typeof error.code == "number";
    } finally {
      unsubscribe();
    }
    return true;
  }
}

/** Attempts to get a new connection, and the milliseconds before them. */
export const MAX_ATTEMPTS = 5;
export const BASE_DELAY = 1000;
export const MAX_DELAY = 30_000;
export const BACKOFF_MULTIPLIER = 2;

/**
 * A transport that opens a new connection when the present one ends: after one second, then two, four, eight, sixteen.
 * Session and calls fare as session.js says.
 *
 * @typedef {import("./base.js").TransportOptions & {
 *   maxAttempts?: number, baseDelay?: number, maxDelay?: number, backoffMultiplier?: number,
 *   onReconnecting?: (attempt: number) => void, onReconnected?: () => void, onReconnectFailed?: () => void,
 * }} ReconnectingOptions
 */
export class ReconnectingTransport extends ResumingTransport {
  /** Attempts since the connection was lost; 0 while there is one. */
  attempts = 0;
  /** @type {Transport | undefined} */
  #present;
  /** @type {any} */
  #timer;

  /**
   * @param {() => Transport | Promise<Transport>} open makes a connection
   * @param {ReconnectingOptions} [options]
   */
  constructor(open, {
    maxAttempts = MAX_ATTEMPTS,
    baseDelay = BASE_DELAY,
    maxDelay = MAX_DELAY,
    backoffMultiplier = BACKOFF_MULTIPLIER,
    ...options
  } = {}) {
    super(options);
    this.open = open;
    this.maxAttempts = maxAttempts;
    this.baseDelay = baseDelay;
    this.maxDelay = maxDelay;
    this.backoffMultiplier = backoffMultiplier;
    this.options = options;
    this.#try();
  }

  /**
   * Milliseconds before an attempt (1, 2, …).
   *
   * @param {number} attempt
   */
  delay(attempt) {
    return Math.min(this.baseDelay * this.backoffMultiplier ** (attempt - 1), this.maxDelay);
  }

  /** Abandon the present connection, which may be dead without having ended, and try for a new one. */
  drop() {
    const present = this.#present;
    if (!present) return;
    this.#present = undefined;
    this.lost();
    this.#again();
    attempt(() => present.close());
  }

  #again() {
    if (!this.isConnected) return;
    const number = ++this.attempts;
    if (number > this.maxAttempts) {
      attempt(() => this.options.onReconnectFailed?.());
      return this.ended();
    }
    this.#timer = setTimeout(() => this.#try(), this.delay(number));
    attempt(() => this.options.onReconnecting?.(number));
  }

  async #try() {
    const again = this.attempts;
    try {
      const made = await this.open();
      if (!this.isConnected) return made.close();
      if (!made.isConnected) throw new TransportClosedError();
      this.#present = made;
      this.attempts = 0;
      made.onMessage((message) => made == this.#present && this.arrived(message));
      made.onClose(() => made == this.#present && this.drop());
    } catch {
      return this.#again();
    }
    if (await this.resume() && again) attempt(() => this.options.onReconnected?.());
  }

  /** @override @param {Message} message @param {Transferable[]} transfer */
  put(message, transfer) {
    this.#present?.send(message, { transfer });
  }

  /** @override */
  release() {
    clearTimeout(this.#timer);
    const present = this.#present;
    this.#present = undefined;
    present?.close();
  }
}

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

  /**
   * Call `handler` once, when it is cancelled; at once when it already is.
   *
   * @param {() => void} handler
   */
  onCancel(handler) {
    const called = () => void attempt(handler);
    if (this.isCancelled) called();
    this.signal.addEventListener("abort", called, { once: true });
    return () => this.signal.removeEventListener("abort", called);
  }
}

/**
 * Send a request that can be given up: the server is told so, and `promise` is rejected with `RequestCancelledError`.
 *
 * @param {Transport} transport
 * @param {Message} request
 * @param {{timeout?: number, onProgress?: (progress: Message) => void, token?: CancellationToken}} [options]
 */
export function cancellableRequest(transport, request, { timeout = REQUEST_TIMEOUT, onProgress, token } = {}) {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  const unsubscribe = token?.onCancel(cancel);
  const promise = transport.request(request, { timeout, onProgress, signal: source.token.signal });
  return { promise: promise.finally(unsubscribe), cancel };
}

/**
 * Many listeners, one subscription at the server for each resource. An update that arrives while the resource is read
 * makes it be read once more; after a new server took up the session, everything is.
 *
 * @typedef {{onChange: (uri: string, contents: any[]) => void, onError?: (error: Error) => void}} Subscriber
 * @typedef {{subscribers: Set<Subscriber>, ready: Promise<any>, stale?: boolean, reading?: boolean}} Watched
 */
export class ResourceSubscriptionManager {
  /** @type {Map<string, Watched>} */
  #watched = new Map();

  /** @param {Transport} transport */
  constructor(transport) {
    this.transport = transport;
    transport.onMessage(({ method, params }) => {
      if (method == "notifications/resources/updated") this.#refresh(params?.uri);
    });
    if (transport instanceof ResumingTransport) {
      transport.onResumed(() => [...this.#watched.keys()].forEach(this.#refresh));
    }
    transport.onClose(() => {
      for (const { subscribers } of this.#watched.values()) this.#failed(subscribers, new TransportClosedError());
      this.#watched.clear();
    });
  }

  /**
   * Call `onChange` with what the resource contains whenever it changed, and `onError` when it could not be read or the
   * connection is over. Rejects when the server refuses.
   *
   * @param {string} uri
   * @param {Subscriber} subscriber
   */
  async subscribe(uri, { onChange, onError }) {
    const subscriber = { onChange, onError };
    const watched = this.#watched.get(uri) ?? { subscribers: new Set(), ready: this.#ask("resources/subscribe", uri) };
    this.#watched.set(uri, watched);
    // Before the server has answered: the first update may be right behind its answer.
    watched.subscribers.add(subscriber);
    const unsubscribe = async () => {
      if (!watched.subscribers.delete(subscriber) || watched.subscribers.size || this.#watched.get(uri) != watched) {
        return;
      }
      this.#watched.delete(uri);
      if (this.transport.isConnected) await this.#ask("resources/unsubscribe", uri);
    };
    try {
      await watched.ready;
    } catch (error) {
      watched.subscribers.delete(subscriber);
      if (this.#watched.get(uri) == watched) this.#watched.delete(uri);
      throw error;
    }
    return { uri, unsubscribe };
  }

  /** @param {string} uri */
  #refresh = async (uri) => {
    const watched = this.#watched.get(uri);
    if (!watched) return;
    watched.stale = true;
    if (watched.reading) return;
    watched.reading = true;
    while (watched.stale && watched.subscribers.size) {
      watched.stale = false;
      try {
        const { contents } = await this.#ask("resources/read", uri);
        for (const { onChange } of watched.subscribers) attempt(() => onChange(uri, contents ?? []));
      } catch (error) {
        if (this.transport.isConnected) this.#failed(watched.subscribers, error);
      }
    }
    watched.reading = false;
  };

  /** @param {Set<Subscriber>} subscribers @param {any} error */
  #failed(subscribers, error) {
    for (const { onError } of subscribers) attempt(() => onError?.(error));
  }

  /** @param {string} method @param {string} uri */
  async #ask(method, uri) {
    const { result, error } = await this.transport.request({ method, params: { uri } });
    if (error) throw Object.assign(Error(error.message), error);
    return result;
  }
}
