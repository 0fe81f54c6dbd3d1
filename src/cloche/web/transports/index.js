// @ts-check
/** Every transport of the page, with one import. */
export * from "./base.js";
export * from "./event.js";
export * from "./port.js";
export * from "./window.js";
export * from "./iframe.js";
export * from "./extension.js";
export * from "./broadcast.js";
export { TabClientTransport, TabServerTransport } from "./tab.js";
export { cancellableRequest, CancellationTokenSource, ResourceSubscriptionManager } from "./care.js";
export { BACKOFF_MULTIPLIER, BASE_DELAY, MAX_ATTEMPTS, MAX_DELAY, ReconnectingTransport } from "./care.js";
export { Heartbeat, HEARTBEAT_INTERVAL, HEARTBEAT_TIMEOUT } from "./care.js";
