// @ts-check
// What a product's page loads: the element, servers that a page offers, and apps by URL.
export * from "../host/mcp-app.js";
export * from "../host/offer.js";
export { McpAppPreload } from "../host/preload.js";
