// @ts-check
/**
 * A client page of somebody else, written from the description of the wire. It shares no code with ours.
 *
 * @param {string} url
 * @param {string} sessionId
 */
export async function peerOuter(url, sessionId) {
  const origin = new URL(url).origin;
  /** @type {any[]} */
  const log = [];
  /** @param {string} address @param {(message: any, say: (message: any) => void) => any} handle */
  const load = (address, handle) => {
    const iframe = document.createElement("iframe");
    return new Promise((resolve) => {
      addEventListener("message", function hear({ data, source, origin: from }) {
        if (source !== iframe.contentWindow || from !== origin || !/^MCP_/.test(data.type)) return;
        log.push(data.type);
        const done = handle(data, (message) => iframe.contentWindow?.postMessage(message, from));
        if (done === undefined) return;
        removeEventListener("message", hear);
        iframe.remove();
        resolve(done);
      });
      iframe.src = address;
      document.body.append(iframe);
    });
  };
  const setup = await load(url + "#setup", (message, say) => {
    if (message.type === "MCP_SETUP_HANDSHAKE") {
      say({ type: "MCP_SETUP_HANDSHAKE_REPLY", protocolVersion: message.maxProtocolVersion, sessionId });
    }
    if (message.type === "MCP_SETUP_COMPLETE") return message;
  });
  if (setup.status != "success") return { setup, log };
  const answer = await load(url, (message, say) => {
    const ask = (/** @type {number} */ id, /** @type {string} */ method, /** @type {any} */ params) =>
      say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", id, method, params } });
    if (message.type === "MCP_TRANSPORT_HANDSHAKE") {
      say({ type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId, protocolVersion: "1.0" });
    }
    if (message.type === "MCP_SETUP_REQUIRED") return message;
    if (message.type === "MCP_TRANSPORT_ACCEPTED") {
      if (message.sessionId !== sessionId) return { mismatch: message.sessionId };
      const clientInfo = { name: "peer", version: "1" };
      ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    }
    if (message.type === "MCP_MESSAGE" && message.payload.id === 1) {
      say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", method: "notifications/initialized" } });
      ask(2, "tools/call", { name: "whoami", arguments: {} });
    }
    if (message.type === "MCP_MESSAGE" && message.payload.id === 2) return message.payload.result;
  });
  return { setup, answer, log };
}

/**
 * A product of somebody else, written from the description of the wire: the page around the frame is the MCP server, with one
 * tool, and skips the setup. Resolves when the tool has been called.
 *
 * @param {string} url
 * @param {string} sessionId
 */
export function peerServer(url, sessionId) {
  const origin = new URL(url).origin;
  const iframe = document.createElement("iframe");
  /** @type {string[]} */
  const log = [];
  return new Promise((resolve) => {
    addEventListener("message", function hear({ data, source, origin: from }) {
      if (source !== iframe.contentWindow || from !== origin || !/^MCP_/.test(data.type)) return;
      log.push(data.payload?.method ?? data.type);
      const say = (/** @type {any} */ message) => iframe.contentWindow?.postMessage(message, from);
      const answer = (/** @type {any} */ result) =>
        say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", id: data.payload.id, result } });
      if (data.type === "MCP_TRANSPORT_HANDSHAKE") {
        say({ type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId, protocolVersion: "1.0" });
      }
      const { method, params } = data.payload ?? {};
      if (method === "initialize") {
        const serverInfo = { name: "peer", version: "1" };
        answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
      }
      if (method === "tools/list") answer({ tools: [{ name: "get_current_user", inputSchema: { type: "object" } }] });
      if (method === "tools/call") {
        answer({ content: [{ type: "text", text: `ada, asked for ${params.name}` }] });
        removeEventListener("message", hear);
        resolve({ log, leave: () => iframe.remove() });
      }
    });
    iframe.src = url;
    document.body.append(iframe);
  });
}
