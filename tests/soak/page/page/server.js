// @ts-check
/** The server of the soak, wherever it runs: it tells what it carries out, and takes its time. */
import { createServer } from "../../../../src/cloche/web/server.js";

const inputSchema = { type: "object", properties: { id: { type: "string" }, ms: { type: "number" } } };

/** @param {(id: string) => void} [tell] */
export function soakServer(tell = told) {
  const server = createServer({ name: "soak", version: "1" });
  server.registerTool("work", { description: "Take a while.", inputSchema }, async ({ id, ms }) => {
    tell(id);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return id;
  });
  return server;
}

/** @type {BroadcastChannel | undefined} */
let channel;

/** @param {string} id */
function told(id) {
  channel ??= new BroadcastChannel("carried out");
  channel.postMessage(id);
}
