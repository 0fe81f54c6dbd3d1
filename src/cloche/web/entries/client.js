// @ts-check
// The client of a page and every transport, for pages without a build step.
export * from "../transports/index.js";
export { McpBrowserClient, McpClient } from "../client.js";
