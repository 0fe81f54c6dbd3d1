/** Ways to the reference server in Python: ports into the worker of the lab. */
import { PortTransport } from "/src/cloche/web/transports/port.js";

export function port() {
  const port = /** @type {any} */ (globalThis).lab.port("lab");
  return {
    transport: new PortTransport(port),
    rubbish: (/** @type {any} */ payload) => port.postMessage({ type: "mcp", payload }),
  };
}
