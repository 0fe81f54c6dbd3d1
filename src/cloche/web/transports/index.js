// @ts-check
/** Every transport of the page, with one import. */
export * from "./base.js";
export { isNotification as isJSONRPCNotification, isRequest as isJSONRPCRequest } from "./base.js";
export { isResponse as isJSONRPCResponse } from "./base.js";
export * from "./event.js";
export * from "./port.js";
export * from "./window.js";
export * from "./iframe.js";
export * from "./extension.js";
export * from "./broadcast.js";
export { TabClientTransport, TabServerTransport } from "./tab.js";
export { Heartbeat, ReconnectingTransport } from "./care.js";
