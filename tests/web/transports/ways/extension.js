// @ts-check
/** The way from a page to the reference server in an extension. */
import { connectToExtension } from "../../../../src/cloche/web/transports/extension.js";

/** @param {{id: string}} options */
export function extension({ id }) {
  const transport = connectToExtension(id);
  return {
    transport,
    rubbish: (/** @type {any} */ payload) => transport.port.postMessage({ type: "mcp", payload }),
  };
}
