// Python in this page: when its first answer is there, and how long a call takes, beside a worker in JavaScript and HTTP.
import { McpClient } from "/web/client.js";
import { startPythonServer } from "/web/python/start.js";
import { PortTransport } from "/web/transports/port.js";

const VERSION = "2025-11-25";
let number = 0;

/** @param {string} folder */
async function python(folder) {
  const { transport } = startPythonServer({ url: folder });
  return await new McpClient(transport, { versions: [VERSION] }).connect();
}

async function javascript() {
  const worker = new Worker("/echo-worker.js", { type: "module" });
  return await new McpClient(new PortTransport(worker), { versions: [VERSION] }).connect();
}

async function post(session, message) {
  const response = await fetch("/mcp/", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": VERSION,
      ...(session && { "Mcp-Session-Id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(response.status + " " + text);
  return { session: response.headers.get("Mcp-Session-Id"), answer: text && JSON.parse(text) };
}

async function http() {
  const clientInfo = { name: "bench", version: "1.0" };
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
  const { session } = await post(null, { id: ++number, method: "initialize", params });
  await post(session, { method: "notifications/initialized" });
  return {
    callTool: async (name, given) =>
      (await post(session, { id: ++number, method: "tools/call", params: { name, arguments: given } })).answer.result,
  };
}

const clients = {};

async function echo(client, text) {
  const { content } = await client.callTool("echo", { text });
  if (content[0].text !== text) throw new Error("another answer came: " + JSON.stringify(content).slice(0, 200));
}

/** Milliseconds from the page's navigation to the first answer of the server in `folder`. */
window.firstAnswer = async (folder) => {
  clients.python = await python(folder);
  await echo(clients.python, "first");
  return performance.now();
};

window.prepare = async () => Object.assign(clients, { javascript: await javascript(), http: await http() });

/** Milliseconds per call: the quickest of a few turns. */
window.roundTrip = async (kind, size, calls, turns) => {
  const text = "x".repeat(size);
  let best = Infinity;
  await echo(clients[kind], text);
  for (let turn = 0; turn < turns; turn++) {
    const begun = performance.now();
    for (let call = 0; call < calls; call++) await echo(clients[kind], text);
    best = Math.min(best, (performance.now() - begun) / calls);
  }
  return best;
};
window.ready = true;
