// @ts-check
/** Ways within one page: an emitter, a channel, a worker. */
import { createLinkedPair } from "../../../../src/cloche/web/transports/event.js";
import { PortTransport } from "../../../../src/cloche/web/transports/port.js";
import { referenceServer } from "../reference_server.js";

export function event() {
  const [client, server] = createLinkedPair();
  referenceServer().connect(server);
  return { transport: client, rubbish: (/** @type {any} */ value) => client.emitter.emit(client.sendEvent, value) };
}

export function channel() {
  const { port1, port2 } = new MessageChannel();
  referenceServer().connect(new PortTransport(port2));
  return {
    transport: new PortTransport(port1),
    rubbish: (/** @type {any} */ payload) => port1.postMessage({ type: "mcp", payload }),
  };
}

/** @type {Worker | undefined} */
let started;
let count = 0;

export function worker() {
  const worker = started ??= new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const messageType = `mcp-${++count}`;
  worker.postMessage({ open: messageType });
  return {
    transport: new PortTransport(worker, { messageType }),
    rubbish: (/** @type {any} */ payload) => worker.postMessage({ type: messageType, payload }),
  };
}
