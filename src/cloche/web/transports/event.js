// @ts-check
/** Client and server in one page, on one emitter. */
import { Transport } from "./base.js";

/**
 * @typedef {(data: any) => void} Listener
 * @typedef {{
 *   emit: (event: string, data: any) => void,
 *   on: (event: string, handler: Listener) => void,
 *   off: (event: string, handler: Listener) => void,
 * }} Emitter what most libraries call an event emitter
 */

/** The smallest emitter that does. @returns {Emitter} */
export function createSimpleEmitter() {
  /** @type {Map<string, Set<Listener>>} */
  const listeners = new Map();
  return {
    emit: (event, data) => listeners.get(event)?.forEach((listener) => listener(data)),
    on: (event, listener) => void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    off: (event, listener) => void listeners.get(event)?.delete(listener),
  };
}

/** One end on an emitter: the server's, which sends `mcp:response` and receives `mcp:request`, or with `role: "client"` the client's, which has the names the other way. */
export class EventTransport extends Transport {
  /**
   * @param {Emitter} emitter
   * @param {import("./base.js").TransportOptions & {
   *   role?: "server" | "client", sendEvent?: string, receiveEvent?: string,
   * }} [options]
   */
  constructor(emitter, { role, sendEvent, receiveEvent, ...options } = {}) {
    super(options);
    const names = ["mcp:response", "mcp:request"];
    if (role == "client") names.reverse();
    this.sendEvent = sendEvent ?? names[0];
    this.receiveEvent = receiveEvent ?? names[1];
    if (this.sendEvent == this.receiveEvent) throw new TypeError("sendEvent is receiveEvent: it would hear itself");
    this.emitter = emitter;
    emitter.on(this.receiveEvent, this.#heard);
  }

  /** @param {any} message */
  #heard = (message) => this.deliver(message);

  /** @override @param {import("./base.js").Message} message */
  post(message) {
    // A copy, as every other transport makes one: what the sender changes later has not been sent.
    this.emitter.emit(this.sendEvent, structuredClone(message));
  }

  /** @override */
  release() {
    this.emitter.off(this.receiveEvent, this.#heard);
  }
}

/**
 * A client's and a server's end on an emitter of their own; closing one closes the other.
 *
 * @returns {[EventTransport, EventTransport]}
 */
export function createLinkedPair() {
  const emitter = createSimpleEmitter();
  const client = new EventTransport(emitter, { role: "client" });
  const server = new EventTransport(emitter);
  client.onClose(() => server.close());
  server.onClose(() => client.close());
  return [client, server];
}
