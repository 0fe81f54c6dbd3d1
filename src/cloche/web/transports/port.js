// @ts-check
/** Workers and ports: whoever holds the other end is the peer, so there is no origin to look at. */
import { Transport } from "./base.js";
import { hold, watch } from "./presence.js";

/**
 * A transport on a Worker, a MessagePort, a SharedWorker, or inside a worker on `self`.
 *
 * @typedef {import("./base.js").TransportOptions} PortOptions
 */
export class PortTransport extends Transport {
  /** @param {any} [target] @param {PortOptions} [options] */
  constructor(target = self, options) {
    super(options);
    this.target = target.port ?? target;
    /** @param {string} type @param {(event: any) => void} listener */
    const on = (type, listener) => this.target.addEventListener(type, listener, this.over);
    on("message", ({ data }) => this.take(data));
    // There are browsers whose ports tell when the page of the other end is gone.
    on("close", () => this.ended());
    // An error without a text is a script that could not be loaded; one with it is a mistake in a worker that goes on.
    // A SharedWorker hears of it, and its port does not.
    target.addEventListener("error", (/** @type {any} */ { message }) => message || this.ended(), this.over);
    this.target.start?.();
    if (target.port) this.announce();
  }

  /** Let the other side, which knows how to listen, notice when this page or worker is gone. */
  announce() {
    const presence = crypto.randomUUID();
    const told = () => this.say({ type: this.messageType + ":alive", presence });
    hold(presence, this.over.signal).then(told, () => {});
  }

  /** @override @param {any} data */
  take(data) {
    if (data?.type !== this.messageType + ":alive") super.take(data);
    else watch(data.presence, this.over.signal, () => this.ended());
  }

  /** @override @param {unknown} data @param {Transferable[]} [transfer] */
  say(data, transfer = []) {
    this.target.postMessage(data, transfer);
  }

  /** @override */
  release() {
    // What was sent before arrives; `self` is not ours to close.
    if (this.target instanceof MessagePort) this.target.close();
  }
}

/**
 * In a SharedWorker: a transport for every page that connects.
 *
 * @param {(transport: PortTransport) => void} onTransport
 * @param {PortOptions} [options]
 */
export function listenForPorts(onTransport, options) {
  /** @param {any} event */
  const connected = ({ ports }) => {
    const transport = new PortTransport(ports[0], options);
    transport.announce();
    onTransport(transport);
  };
  self.addEventListener("connect", connected);
  return () => self.removeEventListener("connect", connected);
}
