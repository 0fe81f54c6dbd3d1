// @ts-check
// A copilot of somebody else, written from the description of the wire: plain objects over postMessage, announced once, one
// origin pinned by the reply. It shares no code with ours.
const allowed = new URLSearchParams(location.search).get("allow");
let pinned = "";
let count = 0;
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
const say = (/** @type {any} */ message) => parent.postMessage(message, pinned || "*");

/** @param {string} method @param {any} params @returns {Promise<any>} */
function ask(method, params) {
  const id = ++count;
  say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", id, method, params } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** @type {any} */ (globalThis).copilot = {
  session: new Promise((resolve) => {
    addEventListener("message", async ({ data, source, origin }) => {
      if (source !== parent || origin !== (pinned || allowed)) return;
      if (data.type === "MCP_TRANSPORT_HANDSHAKE_REPLY" && !pinned && !data.error) {
        pinned = origin;
        const { sessionId } = data;
        say({ type: "MCP_TRANSPORT_ACCEPTED", sessionId });
        const clientInfo = { name: "peer", version: "1" };
        await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
        say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", method: "notifications/initialized" } });
        resolve({ sessionId, origin });
      }
      if (data.type === "MCP_MESSAGE" && !data.payload.method) waiting.get(data.payload.id)?.(data.payload);
    });
  }),
  names: async () => (await ask("tools/list", {})).result.tools.map((/** @type {any} */ { name }) => name),
  call: async (/** @type {string} */ name, /** @type {any} */ args) => {
    const { result, error } = await ask("tools/call", { name, arguments: args });
    return error?.message ?? result.structuredContent ?? result.content[0].text;
  },
};

say({ type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: "1.0" });
