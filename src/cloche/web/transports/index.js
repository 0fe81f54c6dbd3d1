// @ts-check
/** Every transport of the page, with one import. */
export * from "./base.js";
export * from "./event.js";
export * from "./port.js";
export * from "./window.js";
export * from "./iframe.js";
export * from "./extension.js";
export { BroadcastChannelTransport, BroadcastListener } from "./broadcast.js";
export { withSecret } from "./seal.js";
export { TabClientTransport, TabServerTransport } from "./tab.js";
export { Heartbeat, notificationPing, ReconnectingTransport } from "./care.js";
export { cancellableRequest, CancellationTokenSource } from "./cancellation.js";
export { ResourceSubscriptionManager } from "./subscriptions.js";
