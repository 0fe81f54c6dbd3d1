// @ts-check
// What a product's page loads: the element, servers and tools that a page offers, and apps by URL.
export { McpTools } from "../host/agent-tools.js";
export { McpCopilotElement } from "../host/copilot-element.js";
export * from "../host/mcp-app.js";
export * from "../host/offer.js";
export { McpAppPreload } from "../host/preload.js";
export { McpServerElement } from "../host/server-element.js";
