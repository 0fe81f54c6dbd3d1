// @ts-check
/** What becomes of a client's connection, told to whoever wants to know. */
import { Source } from "./source.js";
import { TransportClosedError } from "./transports/base.js";

/**
 * @typedef {import("./client.js").McpClient} McpClient
 * @typedef {"connecting" | "connected" | "reconnecting" | "closed" | "failed"} TransportStatus
 * @typedef {{status: TransportStatus, error?: Error}} ConnectionState `error` says why it is closed or has failed
 */

/** @type {WeakMap<McpClient, ConnectionSource>} */
const connections = new WeakMap();

/** @extends {Source<ConnectionState>} */
export class ConnectionSource extends Source {
  #isWatched = false;

  /** @param {McpClient} client */
  constructor(client) {
    super({ status: "connecting" });
    this.client = client;
  }

  /** @override */
  start() {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const { client } = this;
    const transport = /** @type {any} */ (client.transport);
    client.connect().then(
      () => client.isConnected && this.put({ status: "connected" }),
      (error) => this.put({ status: "failed", error }),
    );
    transport.onClose(() => this.put({ status: "closed", error: new TransportClosedError() }));
    // Those whose server may be replaced have one place each for who wants to know.
    if (!("onReconnected" in transport)) return;
    const { onReconnecting, onReconnected } = transport;
    transport.onReconnecting = (/** @type {number} */ attempt) => {
      this.put({ status: "reconnecting" });
      onReconnecting?.(attempt);
    };
    transport.onReconnected = () => {
      this.put({ status: "connected" });
      onReconnected?.();
    };
  }
}

/** The connection of a client: the same object for everybody who asks. @param {McpClient} client */
export function connectionOf(client) {
  const found = connections.get(client) ?? new ConnectionSource(client);
  connections.set(client, found);
  return found;
}
