// @ts-check
// A server page of somebody else, written from the description of the wire: plain objects over postMessage, each announced
// once, one origin pinned by the first valid reply. It shares no code with ours.
const query = new URLSearchParams(location.search);
const allowed = query.get("allow");
const outer = window.opener || window.parent;
/** @type {string | null} */
let pinned = null;
/** @type {string | null} */
let session = null;
const isSetup = location.hash.includes("setup");
const say = (/** @type {any} */ message) => outer.postMessage(message, pinned ?? "*");

addEventListener("message", ({ data, source, origin }) => {
  if (source !== outer || (pinned ? origin !== pinned : origin !== allowed)) return;
  if (data.type === "MCP_SETUP_HANDSHAKE_REPLY" && isSetup) {
    if (data.protocolVersion !== "1.0") {
      outer.postMessage({
        report: { id: query.get("id"), failed: `Incompatible protocol version: ${data.protocolVersion}` },
      }, "*");
      return;
    }
    pinned = origin;
    session = data.sessionId;
    localStorage.setItem("peer-" + session, "configured");
    say({
      type: "MCP_SETUP_COMPLETE",
      status: "success",
      displayName: "Peer",
      ephemeralMessage: undefined,
      transportVisibility: { requirement: "optional", description: "A peer" },
    });
  }
  if (data.type === "MCP_TRANSPORT_HANDSHAKE_REPLY" && !isSetup) {
    pinned = origin;
    session = data.sessionId;
    say({ type: "MCP_TRANSPORT_ACCEPTED", sessionId: session });
  }
  if (data.type === "MCP_MESSAGE" && data.payload.method === "tools/call") {
    const text = `${data.payload.params.name} in ${localStorage.getItem("peer-" + session)}`;
    const result = { content: [{ type: "text", text }] };
    say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", id: data.payload.id, result } });
  }
  if (data.type === "MCP_MESSAGE" && data.payload.method === "expire") {
    say({ type: "MCP_SETUP_REQUIRED", reason: "AUTH_EXPIRED", message: "Sign in again", canContinue: true });
  }
});

if (isSetup) {
  say({
    type: "MCP_SETUP_HANDSHAKE",
    minProtocolVersion: query.get("min") ?? "1.0",
    maxProtocolVersion: query.get("max") ?? "1.0",
    requiresVisibleSetup: true,
  });
} else say({ type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: "1.0" });
