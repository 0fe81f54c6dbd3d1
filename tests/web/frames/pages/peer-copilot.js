// @ts-check
// A copilot of somebody else, written from the description of the wire: the page in the frame is the MCP client. It says each
// thing once, pins the origin of the reply, and shares no code with ours.
const query = new URLSearchParams(location.search);
const outer = window.opener || window.parent;
/** @type {string | null} */
let pinned = null;
const report = (/** @type {any} */ what) => outer.postMessage({ report: { id: query.get("id"), ...what } }, "*");
const ask = (/** @type {number} */ id, /** @type {string} */ method, /** @type {any} */ params) =>
  outer.postMessage({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", id, method, params } }, pinned);
const clientInfo = { name: "peer", version: "1" };

addEventListener("message", ({ data, source, origin }) => {
  if (source !== outer || origin !== (pinned ?? query.get("allow"))) return;
  if (data.type === "MCP_TRANSPORT_HANDSHAKE_REPLY" && !pinned) {
    if (data.error) return report({ refused: data.error.code });
    pinned = origin;
    outer.postMessage({ type: "MCP_TRANSPORT_ACCEPTED", sessionId: query.get("session") ?? data.sessionId }, pinned);
    ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  }
  if (data.type !== "MCP_MESSAGE") return;
  const { id, method, result } = data.payload;
  if (method) return;
  if (id === 1) {
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    outer.postMessage({ type: "MCP_MESSAGE", payload: initialized }, pinned);
    ask(2, "tools/list", {});
  }
  if (id === 2) ask(3, "tools/call", { name: result.tools[0].name, arguments: {} });
  if (id === 3) report({ answered: result.content[0].text });
});

outer.postMessage({ type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: "1.0" }, "*");
