// @ts-check
/** Every transport between parts of a browser, with one import. */
export {
  generateRequestId,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isValidMcpMessage,
  MESSAGE_DEPTH,
  MESSAGE_LIMIT,
  MESSAGE_TYPES,
  REQUEST_TIMEOUT,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  Transport,
  TransportClosedError,
  TransportError,
} from "./base.js";
export * from "./extension.js";
export { Heartbeat, notificationPing, ReconnectingTransport } from "./care.js";
export { ResourceSubscriptionManager } from "./subscriptions.js";
export * from "./event.js";
export * from "./port.js";
export * from "./window.js";
export { cancellableRequest, CancellationTokenSource } from "./cancellation.js";
export { withSecret } from "./seal.js";
export { TabClientTransport, TabServerTransport } from "./tab.js";
export { BroadcastChannelTransport, BroadcastListener } from "./broadcast.js";
export * from "./iframe.js";
