// The extension's service worker: an MCP server for the pages that are named here.
import { createServer } from "./cloche/server.js";
import { listenInExtension } from "./cloche/transports/extension.js";

// The manifest cannot name a port, so every program on this computer could serve a page that reaches the extension.
const ORIGINS = ["http://127.0.0.1:8000", "http://localhost:8000"];

const server = createServer({ name: "tabs", version: "1.0.0" });

server.registerTool("open_tabs", {
  description: "The titles of the tabs that are open in this browser.",
  annotations: { readOnlyHint: true },
}, async () => {
  const tabs = await chrome.tabs.query({});
  return tabs.map((tab) => tab.title).join("\n");
});

// At the top level, because the browser starts this script again for each connection after it has been idle.
listenInExtension({ origins: ORIGINS }, (transport) => server.connect(transport));
