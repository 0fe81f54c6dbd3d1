// @ts-check
/** A transport over a WebSocket. */
import { Transport } from "../../../src/cloche/web/transports/base.js";

export class SocketTransport extends Transport {
  /** @override */
  carriesBuffers = false;

  /** @param {WebSocket} socket that is open */
  constructor(socket) {
    super();
    this.socket = socket;
    socket.onmessage = ({ data }) => this.deliver(JSON.parse(data));
    socket.onclose = () => this.ended();
  }

  /** @param {string} url */
  static async to(url) {
    const socket = new WebSocket(url, ["mcp"]);
    await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
    return new SocketTransport(socket);
  }

  /** @override @param {import("../../../src/cloche/web/transports/base.js").Message} message */
  post(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** @override */
  release() {
    this.socket.close();
  }
}
