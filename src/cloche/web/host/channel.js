// @ts-check
/**
 * One view's share of the socket: frames are numbered in both directions, kept until the other side has them, and sent
 * again after a dropped connection, so that nothing is lost and nothing comes twice.
 *
 * @typedef {Record<string, any>} Frame
 * @typedef {() => Frame} Opening what to ask the host for, at the moment of asking
 * @typedef {{
 *   mounted: (packet: any) => void,
 *   frame: (frame: Frame) => void,
 *   failed: (code: string, message: string) => void,
 *   waiting?: (waits: boolean) => void,
 * }} Handlers
 */

/** Acknowledge at least so often, in frames and in milliseconds. */
const ACK_FRAMES = 32;
const ACK_TIME = 1000;
/** Frames that wait for a connection: more than this is a view that talks to nobody. */
const MOST_KEPT = 2000;
/** What the host takes in one frame. */
const FRAME_BYTES = 1_000_000;
/** Failed attempts to connect before a view that was never shown says so. */
const ATTEMPTS_SHOWN = 3;

export class ResumableChannel {
  /** @type {{id: string, key: string} | null} */
  #mount = null;
  /** Frames that the host has not acknowledged. @type {{n: number, frame: Frame}[]} */
  #kept = [];
  #sent = 0;
  #got = 0;
  #acknowledged = 0;
  #live = false;
  #closed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What arrived behind a body that is still being fetched. @type {(Frame | Promise<Frame>)[]} */
  #queue = [];

  /**
   * @param {import("./socket.js").Socket} socket
   * @param {number} view
   * @param {Opening} opening
   * @param {Handlers} handlers
   */
  constructor(socket, view, opening, handlers) {
    this.socket = socket;
    this.view = view;
    this.opening = opening;
    this.handlers = handlers;
  }

  /** The socket is there, for the first time or again. */
  connected() {
    if (this.#mount) {
      const { id, key } = this.#mount;
      this.socket.send({ open: this.view, resume: id, key, got: this.#got });
    } else {
      // A view that was only being opened begins anew: the host forgot it together with the connection.
      this.#kept = [];
      this.#sent = this.#got = this.#acknowledged = 0;
      this.#live = true;
      this.socket.send({ open: this.view, ...this.opening() });
    }
  }

  /** @param {number} attempts @param {string} reason */
  disconnected(attempts, reason) {
    this.#live = false;
    this.handlers.waiting?.(true);
    if (!this.#mount && (reason || attempts >= ATTEMPTS_SHOWN)) {
      this.handlers.failed(
        "unreachable",
        reason || `The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`,
      );
    }
  }

  /** Send one numbered frame. @param {Frame} frame @returns {boolean} whether it is small enough to be sent */
  send(frame) {
    const text = JSON.stringify(frame);
    if (text.length * 3 > FRAME_BYTES && new TextEncoder().encode(text).length > FRAME_BYTES - 100) return false;
    const n = ++this.#sent;
    this.#kept.push({ n, frame });
    if (this.#kept.length > MOST_KEPT) this.#fail("overflow", "The host did not answer for too long.");
    else if (this.#live) this.socket.send({ ...frame, view: this.view, n });
    return true;
  }

  /**
   * Send what a server in the page says; in the place of an answer that is too long goes an error.
   *
   * @param {import("../transports/base.js").Message} message
   */
  pass(message) {
    if (this.send({ message }) || message.method) return;
    this.send({ message: failure(message.id, "The answer is longer than the host takes") });
  }

  /**
   * Put a question of the host's to the person: that they see it, and their answer, go back while this channel is open.
   *
   * @param {{ask: (key: unknown, question: import("./dialog.js").Question, seen: () => void, asker: object) =>
   *   Promise<unknown>}} dialog
   * @param {unknown} number
   * @param {import("./dialog.js").Question} question
   */
  async ask(dialog, number, question) {
    const answer = (/** @type {unknown} */ value) => this.#closed || this.send({ answer: number, value });
    answer(await dialog.ask(number, question, () => answer("seen"), this));
  }

  /** The view is gone for good. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.socket.drop(this);
  }

  /** @param {Frame} frame from the host */
  receive(frame) {
    if (this.#closed) return;
    if (frame.mount) this.#mounted(frame.mount);
    else if (frame.error) this.#fail(String(frame.error.code), String(frame.error.message));
    else if (frame.resumed !== undefined) this.#resumed(frame.resumed);
    else if (frame.got !== undefined) this.#forget(frame.got);
    else if (frame.n === this.#got + 1) this.#numbered(frame);
  }

  /** @param {any} packet */
  #mounted(packet) {
    this.#mount = { id: packet.id, key: packet.key };
    this.handlers.waiting?.(false);
    this.handlers.mounted(packet);
  }

  /** @param {number} n what the host has */
  #resumed(n) {
    this.#forget(n);
    this.#live = true;
    this.handlers.waiting?.(false);
    for (const kept of this.#kept) this.socket.send({ ...kept.frame, view: this.view, n: kept.n });
  }

  /** @param {number} n */
  #forget(n) {
    const first = this.#kept.findIndex((kept) => kept.n > n);
    this.#kept.splice(0, first < 0 ? this.#kept.length : first);
  }

  /** @param {Frame} frame */
  #numbered(frame) {
    this.#got = frame.n;
    if (this.#got - this.#acknowledged >= ACK_FRAMES) this.#acknowledge();
    else this.#timer ??= setTimeout(() => this.#acknowledge(), ACK_TIME);
    if (frame.body === undefined) return this.#deliver(frame);
    const fetched = this.#fetch(frame.body);
    // An answer may come after what was said later; everything else keeps its order.
    if (frame.free) fetched.then((message) => this.#closed || this.handlers.frame(message), () => {});
    else this.#deliver(fetched);
  }

  #acknowledge() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed || !this.#live) return;
    this.#acknowledged = this.#got;
    this.socket.send({ view: this.view, got: this.#got });
  }

  /** @param {Frame | Promise<Frame>} frame */
  #deliver(frame) {
    if (this.#queue.length === 0 && !(frame instanceof Promise)) return this.handlers.frame(frame);
    this.#queue.push(frame);
    if (this.#queue.length === 1) this.#drain();
  }

  async #drain() {
    while (this.#queue.length > 0) {
      try {
        const frame = await this.#queue[0];
        if (this.#closed) return;
        this.handlers.frame(frame);
      } catch {
        return; // the failed fetch has said so
      }
      this.#queue.shift();
    }
  }

  /** @param {string} path @returns {Promise<Frame>} */
  async #fetch(path) {
    try {
      return { bytes: await fetchBytes(new URL(path, this.socket.base).href) };
    } catch (error) {
      this.#fail("body", error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** @param {string} code @param {string} message */
  #fail(code, message) {
    if (this.#closed) return;
    this.close();
    this.handlers.failed(code, message);
  }
}

/** @param {unknown} id @param {string} message */
export const failure = (id, message) => ({ jsonrpc: "2.0", id, error: { code: -32603, message } });

/** Attempts to fetch, and the milliseconds before the second: the connection that dropped the socket drops this too. */
const FETCHES = 4;
const FETCH_WAIT = 500;

/** @param {string} url signed, and good for a while only @returns {Promise<ArrayBuffer>} */
export async function fetchBytes(url) {
  for (let attempt = 1;; attempt++) {
    try {
      const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
      if (response.ok) return await response.arrayBuffer();
      throw new RangeError(`The host answered ${response.status} when asked for what it announced.`);
    } catch (error) {
      if (error instanceof RangeError || attempt >= FETCHES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, FETCH_WAIT * 2 ** (attempt - 1)));
  }
}

/** The text at an address that `fetchBytes` takes. @param {string} url @returns {Promise<string>} */
export const fetchText = async (url) => new TextDecoder().decode(await fetchBytes(url));
