// @ts-check
/**
 * What the outer and the inner side have in common: a state that only the table changes, deadlines, a port that takes the
 * place of the windows once both have it, and one promise for what the program waits for.
 *
 * @typedef {import("./messages.js").FrameMessage} FrameMessage
 * @typedef {import("../transports/base.js").TransportOptions} TransportOptions
 * @typedef {{
 *   handshake?: number, consent?: number, setup?: number,
 * }} Timeouts milliseconds; 0 for a wait without end
 * @typedef {TransportOptions & {
 *   timeouts?: Timeouts, logger?: import("./logger.js").Logger, onStateChange?: (state: string) => void,
 * }} SideOptions
 * @typedef {{message?: any, origin?: string, ports?: readonly MessagePort[], port?: MessagePort}} Heard
 * @typedef {Heard & {error?: FrameError, url?: string}} Details
 */
import { attempt, Transport } from "../transports/base.js";
import { FrameError } from "./errors.js";
import { CLOSED, COMPLETED, REFUSALS, TIMEOUTS } from "./facts.js";
import { outline } from "./logger.js";
import { eventOf, isPostMessageProtocol, readMessage } from "./messages.js";

/** What is said by a port beside messages: that its document goes, and the question whether it is still there. */
const OVER = "over";
const THERE = "there?";
const HERE = "here";
/** Milliseconds for a document to say that it is still there. */
const HERE_WITHIN = 3000;
/** Ports that were handed over and not taken up yet; of more than these the oldest are closed. */
const OPEN_PORTS = 8;

/** Base of both transports. */
export class FrameSide extends Transport {
  state = "idle";
  /** @type {"setup" | "transport"} */
  phase = "setup";
  /** Why it failed. @type {FrameError | undefined} */
  error;
  /** @type {string | undefined} */
  sessionId;
  /** @type {string | undefined} */
  protocolVersion;
  /** @type {((state: string) => void) | undefined} */
  onStateChange;
  /** The port that both use. @type {MessagePort | undefined} */
  port;
  /** @type {MessagePort[]} */
  #ports = [];
  /** @type {any} */
  #timer;
  /** @type {any} */
  #doubt;
  /** @type {PromiseWithResolvers<any> | undefined} */
  #waiting;

  /**
   * @param {import("./facts.js").Table} table
   * @param {Record<string, string>} deadlines
   * @param {SideOptions & {logger: import("./logger.js").Logger}} options
   */
  constructor(table, deadlines, { timeouts, ...options }) {
    super(options);
    this.table = table;
    this.deadlines = deadlines;
    this.timeouts = /** @type {Record<string, number>} */ ({ ...TIMEOUTS, ...timeouts });
    this.logger = options.logger;
    this.onStateChange = options.onStateChange;
  }

  /** @override */
  get isConnected() {
    return this.state == "connected" && super.isConnected;
  }

  // The table

  /** What is done at each step. @type {Record<string, (details: Details) => unknown>} */
  effects = {};

  /** Take a step, if there is one from here. @param {string} event @param {Details} [details] */
  step(event, details = {}) {
    const row = this.table[this.state];
    if (!Object.hasOwn(row, event)) return false;
    const [next, effect] = row[event];
    const before = this.state;
    this.state = next;
    if (next != before) {
      clearTimeout(this.#timer);
      const wait = this.timeouts[this.deadlines[next]];
      if (wait) this.#timer = setTimeout(() => this.expired(next, wait), wait);
      this.logger.init(`${before} → ${next}`, { event });
      attempt(() => this.onStateChange?.(next));
    }
    if (effect) this.effects[effect](details);
    return true;
  }

  /** Take the step that the program asks for, and wait for what comes of it. @param {string} event @param {Details} [details] */
  begin(event, details) {
    this.require(event);
    this.error = undefined;
    if (this.over.signal.aborted) this.over = new AbortController();
    const waiting = this.#waiting = Promise.withResolvers();
    // Who waits hears of it.
    waiting.promise.catch(() => {});
    try {
      this.step(event, details);
    } catch (error) {
      // The window could not be opened, or there is none.
      this.fail("CONFIG_ERROR", String(error), error instanceof FrameError ? error : undefined);
    }
    return waiting.promise;
  }

  /** Tell a program that may not do this now. @param {string} event */
  require(event) {
    const { state } = this;
    if (Object.hasOwn(this.table[state], event)) return;
    const told = state == "closed"
      ? CLOSED
      : state == "configured" && event == "complete"
      ? COMPLETED
      : REFUSALS[event] ?? `Not now: the transport is ${state}`;
    throw new FrameError(told, "NOT_NOW");
  }

  /** What the program waits for has come. @param {any} [value] */
  settle(value) {
    this.#waiting?.resolve(value);
  }

  /** @param {string} code @param {string} message @param {FrameError} [error] */
  fail(code, message, error = new FrameError(message, code)) {
    return this.step("fail", { error });
  }

  /** A deadline has passed. @param {string} state @param {number} wait */
  expired(state, wait) {
    this.fail("TIMEOUT", `${this.late(state)} within ${wait / 1000} s`);
  }

  /** What has not come in time. @param {string} _state @returns {string} */
  late(_state) {
    return "";
  }

  // Messages

  /**
   * A message of the other page, from where it may come from. True when it was expected.
   *
   * @param {Heard & {data: any}} heard
   */
  hear({ data, ...heard }) {
    const { message, flaw } = readMessage(data);
    if (!message) return this.#malformed(String(data.type).slice(0, 60), flaw);
    const event = eventOf(message);
    const wrong = Object.hasOwn(this.table[this.state], event) && this.examine(message, heard);
    if (wrong) return this.fail(wrong.code, wrong.message);
    if (this.step(event, { message, ...heard })) {
      this.logger.response(event, outline(message));
      return true;
    }
    this.drop(event, `it is not expected while ${this.state}`);
    return false;
  }

  /** What is wrong with a message that is expected now. @param {FrameMessage} _message @param {Heard} _heard @returns {FrameError | undefined} */
  examine(_message, _heard) {
    return undefined;
  }

  /** One that is waited for, and cannot be read, ends the wait: nothing better comes. @param {string} type @param {string} flaw */
  #malformed(type, flaw) {
    const isAwaited = this.state != "connected" &&
      Object.keys(this.table[this.state]).some((event) => event.split(" ")[0] == type);
    if (isAwaited) return this.fail("CONFIG_ERROR", `${type} cannot be used: ${flaw}`);
    this.drop(type, flaw);
    return false;
  }

  /** @param {string} what @param {string} why */
  drop(what, why) {
    this.dropped++;
    this.logger.error(`${what} was dropped: ${why}`);
  }

  /** @override @param {string} origin */
  violated(origin) {
    this.logger.error(`a message of ${origin} was dropped: it is not the other side`);
    super.violated(origin);
  }

  /** @override @param {import("../transports/base.js").Message} payload @param {Transferable[]} transfer */
  post(payload, transfer) {
    this.say({ type: "MCP_MESSAGE", payload }, transfer);
  }

  /** @override @param {import("../transports/base.js").Message} message */
  verify(message) {
    if (this.state == "idle") throw new FrameError(REFUSALS.MCP_MESSAGE, "NOT_NOW");
    return super.verify(message);
  }

  /** @override */
  farewell() {}

  // Ports

  /** Hear what comes by a port. @param {MessagePort} port */
  listenTo(port) {
    this.#ports.push(port);
    if (this.#ports.length > OPEN_PORTS) this.#ports.shift()?.close();
    port.onmessage = ({ data, ports }) => {
      if (port == this.port) this.#signalled(data, port);
      if (!isPostMessageProtocol(data) || this.port && port != this.port) return;
      // Who has the port has announced itself already.
      if (/_HANDSHAKE$/.test(data.type)) this.drop(data.type, "it came by the port");
      else this.hear({ data, ports, port });
    };
    port.addEventListener("close", () => port == this.port && this.step("gone"));
  }

  /** @param {unknown} data @param {MessagePort} port */
  #signalled(data, port) {
    if (data === OVER) this.step("gone");
    if (data === THERE) port.postMessage(HERE);
    if (data === HERE) clearTimeout(this.#doubt);
  }

  /** Something was loaded into the window: is the document that has the port still there? */
  doubt() {
    if (!this.port) return;
    clearTimeout(this.#doubt);
    this.#doubt = setTimeout(() => this.step("gone"), HERE_WITHIN);
    this.port.postMessage(THERE);
  }

  /** Not every browser tells that a port was closed. */
  hangUp() {
    this.port?.postMessage(OVER);
  }

  /** Use one port from now on, or none. @param {MessagePort} [kept] */
  keep(kept) {
    if (this.port != kept) this.hangUp();
    clearTimeout(this.#doubt);
    this.port = kept;
    for (const port of this.#ports.splice(0)) {
      if (port != kept) port.close();
      else this.#ports.push(port);
    }
  }

  /** What the program waits for does not come. @param {FrameError} error */
  settleWith(error) {
    this.error = error;
    this.logger.error(error.message, { code: error.code });
    this.#waiting?.reject(error);
  }
}
