// @ts-check
/** Workers and ports: whoever holds the other end is the peer, so there is no origin to look at. */
import { Transport } from "./base.js";
import { hold, watch } from "./presence.js";

/**
 * A transport on a Worker, a MessagePort, a SharedWorker, or inside a worker on `self`.
 *
 * @typedef {import("./base.js").TransportOptions & {messageType?: string}} PortOptions
 */
export class PortTransport extends Transport {
  /**
   * @param {any} [target]
   * @param {PortOptions} [options]
   */
  constructor(target = self, { messageType = "mcp", ...options } = {}) {
    super(options);
    this.messageType = messageType;
    this.target = target.port ?? target;
    this.target.addEventListener("message", this.#heard);
    this.target.addEventListener("messageerror", this.#unreadable);
    // There are browsers whose ports tell when the page of the other end is gone.
    this.target.addEventListener("close", this.#gone);
    this.target.addEventListener("error", this.#failed);
    this.target.start?.();
    if (target.port) this.announce();
  }

  /** Let the other side, which knows how to listen, notice when this page or worker is gone. */
  announce() {
    const presence = crypto.randomUUID();
    const told = () => this.target.postMessage({ type: this.messageType + ":alive", presence });
    hold("mcp:" + presence, this.#over.signal).then(told, () => {});
  }

  #over = new AbortController();

  /** @param {MessageEvent} event */
  #heard = ({ data }) => {
    if (data?.type === this.messageType) this.deliver(data.payload);
    else if (data?.type === this.messageType + ":close") this.ended();
    else if (data?.type === this.messageType + ":alive") watch("mcp:" + data.presence, this.#over.signal, this.#gone);
  };
  #unreadable = () => void this.dropped++;
  #gone = () => this.ended();
  // An error without a text is a script that could not be loaded; one with it is a mistake in a worker that goes on.
  /** @param {any} event */
  #failed = (event) => void (event.message || this.ended());

  /** @override @param {import("./base.js").Message} payload @param {Transferable[]} transfer */
  post(payload, transfer) {
    this.target.postMessage({ type: this.messageType, payload }, transfer);
  }

  /** @override */
  farewell() {
    this.target.postMessage({ type: this.messageType + ":close" });
  }

  /** @override */
  release() {
    this.#over.abort();
    this.target.removeEventListener("message", this.#heard);
    this.target.removeEventListener("messageerror", this.#unreadable);
    this.target.removeEventListener("close", this.#gone);
    this.target.removeEventListener("error", this.#failed);
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
