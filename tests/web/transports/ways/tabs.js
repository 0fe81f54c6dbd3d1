// @ts-check
/** Ways from one tab to a server in another one, which `serving.html` is in, and to a SharedWorker. */
import { BroadcastChannelTransport } from "../../../../src/cloche/web/transports/broadcast.js";
import { PortTransport } from "../../../../src/cloche/web/transports/port.js";
import { withSecret } from "../../../../src/cloche/web/transports/seal.js";
import { TabClientTransport } from "../../../../src/cloche/web/transports/tab.js";

/** @param {BroadcastChannelTransport} transport */
const way = (transport) => ({
  transport,
  rubbish: (/** @type {any} */ payload) => transport.station.post("mcp", transport.server, { payload }),
});

/** @param {string | null} [secret] */
export const sealed = (secret) => secret ? { seal: withSecret(secret) } : {};

/** @param {{channelName: string, secret?: string}} options */
export const broadcast = ({ secret, ...options }) =>
  way(new BroadcastChannelTransport({ ...options, ...sealed(secret) }));

/** @param {{channelName: string}} options */
export const tab = (options) => way(new TabClientTransport(options));

/**
 * The page is reloaded when it has answered for the first time, and the client gets that answer only after it:
 * everything happens on a session that was restored.
 */
class Restless extends TabClientTransport {
  #moved = false;

  /** @override @param {any} message */
  arrived(message) {
    if (this.#moved) return super.arrived(message);
    this.#moved = true;
    this.session.answers(message);
    this.onReconnected = () => this.deliver(message);
    const channel = new BroadcastChannel("reload " + this.channelName);
    channel.postMessage("now");
    channel.close();
  }
}

/** @param {{channelName: string}} options */
export const restless = (options) => way(new Restless(options));

export function sharedWorker() {
  const worker = new SharedWorker(new URL("shared_worker.js", import.meta.url), { type: "module" });
  return {
    transport: new PortTransport(worker),
    rubbish: (/** @type {any} */ payload) => worker.port.postMessage({ type: "mcp", payload }),
  };
}
