// @ts-check
import { Transport, TransportClosedError } from "./base.js";

/** A WebSocket to a server that Python serves with `server.websocket()`, or with `cloche run`. */
export class WebSocketTransport extends Transport {
  /** @override */
  carriesBuffers = false;

  /** @param {WebSocket} socket that is open @param {import("./base.js").TransportOptions} [options] */
  constructor(socket, options) {
    super(options);
    this.socket = socket;
    socket.onmessage = ({ data }) => this.#heard(data);
    socket.onclose = () => this.ended();
  }

  /**
   * Open one; rejects when the server is not there or refuses the page's origin.
   *
   * @param {string | URL} url also one that belongs to the page's own address, such as `"/mcp"`
   * @param {import("./base.js").TransportOptions} [options]
   * @returns {Promise<WebSocketTransport>}
   */
  static open(url, options) {
    const address = new URL(url, globalThis.location?.href);
    address.protocol = address.protocol.replace("http", "ws");
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address, ["mcp"]);
      socket.onopen = () => resolve(new WebSocketTransport(socket, options));
      socket.onclose = () => reject(new TransportClosedError());
    });
  }

  /** @param {string} data */
  #heard(data) {
    try {
      this.deliver(JSON.parse(data));
    } catch {
      this.dropped++;
    }
  }

  /** @override @param {import("./base.js").Message} message */
  post(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** @override */
  farewell() {}

  /** @override */
  release() {
    this.socket.close();
  }
}
