// @ts-check
/** Keeping connections alive: is the other side there, and what if it goes. */
import { attempt, TransportError } from "./base.js";
import { ResumingTransport } from "./session.js";

/**
 * @typedef {import("./base.js").Transport} Transport
 * @typedef {import("./base.js").Message} Message
 */

/** @typedef {(options: {timeout: number}) => Promise<unknown>} Ping rejects when no answer has come in time */

/**
 * Asks the other side now and then whether it is there. Any answer proves life, an error too. Without one in time,
 * `onTimeout` is called, and it stops; so it does when the connection ends, which is not a missed beat.
 */
export class Heartbeat {
  /** Milliseconds between two beats. */
  interval = 30_000;
  /** Milliseconds for the answer to one. */
  timeout = 5000;
  /** @type {((error: Error) => void) | undefined} */
  onTimeout;
  /** @type {Ping | undefined} */
  ping;
  /** @type {any} */
  #timer;

  /**
   * @param {any} peer a transport, or a client, which knows what to ask in its era
   * @param {{interval?: number, timeout?: number, onTimeout?: (error: Error) => void, ping?: Ping}} [options]
   *   `ping` asks in another way, such as `notificationPing`
   */
  constructor(peer, options) {
    this.peer = peer;
    Object.assign(this, options);
  }

  get isRunning() {
    return !!this.#timer && this.peer.isConnected;
  }

  /** Begin; the first beat comes after one interval. Does nothing when it beats already. */
  start() {
    if (!this.isRunning) this.#wait();
  }

  /** No more beats; `onTimeout` is not called any more. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait() {
    const timer = this.#timer = setTimeout(async () => {
      const { peer, timeout } = this;
      const asked = (this.ping ?? peer.ping)?.call(peer, { timeout }) ?? peer.request({ method: "ping" }, { timeout });
      const alive = await asked.then(() => true, (/** @type {any} */ error) => typeof error.code == "number");
      if (timer != this.#timer || !this.isRunning) return;
      if (alive) return this.#wait();
      this.stop();
      attempt(() => this.onTimeout?.(new TransportError("Heartbeat timeout", "HEARTBEAT_TIMEOUT")));
    }, this.interval);
  }
}

/**
 * A sign of life from those who know no `ping`, and answer a notification with one of the same name.
 *
 * @param {Transport} transport
 * @param {string} method
 * @param {Message} [params]
 * @returns {Ping}
 */
export const notificationPing = (transport, method, params) => ({ timeout }) =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      stop();
      reject(new TransportError(method + " has no answer", "REQUEST_TIMEOUT"));
    }, timeout);
    const stop = transport.onMessage((message) => {
      if (message.method != method) return;
      clearTimeout(late);
      stop();
      resolve(undefined);
    });
    transport.rpc.notify(method, params);
  });

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
  /** Attempts to get a new connection, and the milliseconds before them. */
  maxAttempts = 5;
  baseDelay = 1000;
  maxDelay = 30_000;
  backoffMultiplier = 2;
  /** Attempts since the connection was lost; 0 while there is one. */
  attempts = 0;
  /** @type {Transport | undefined} */
  #present;
  /** @type {any} */
  #timer;

  /** @param {() => Transport | Promise<Transport>} open makes a connection @param {ReconnectingOptions} [options] */
  constructor(open, options) {
    super(options);
    this.open = open;
    Object.assign(this, options);
    this.#try();
  }

  /** Milliseconds before an attempt (1, 2, …). @param {number} attempt */
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
    if (number > this.maxAttempts) return this.abandon();
    this.#timer = setTimeout(() => this.#try(), this.delay(number));
    this.reconnecting(number);
  }

  async #try() {
    try {
      const made = await this.open();
      if (!this.isConnected) return made.close();
      if (!made.isConnected) return this.#again();
      this.#present = made;
      this.attempts = 0;
      made.onMessage((message) => made == this.#present && this.arrived(message));
      made.onClose(() => made == this.#present && this.drop());
      this.resume();
    } catch {
      this.#again();
    }
  }

  /** @override @param {Message} message @param {Transferable[]} transfer */
  put(message, transfer) {
    this.#present?.send(message, { transfer });
  }

  /** @override */
  release() {
    clearTimeout(this.#timer);
    this.#present?.close();
  }
}
