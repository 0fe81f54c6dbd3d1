// @ts-check
/** Every transport of the page, with one import. */
export { isValidMcpMessage, Transport, TransportClosedError, TransportError } from "./base.js";
export { RequestCancelledError, RequestTimeoutError } from "./base.js";
export { createLinkedPair, createSimpleEmitter, EventTransport } from "./event.js";
export { listenForPorts, PortTransport } from "./port.js";
export { listenForWindows, PostMessageTransport, WindowTransport } from "./window.js";
export { IframeChildTransport, IframeParentTransport } from "./iframe.js";
export { connectToExtension, ExtensionServerTransport, listenInExtension } from "./extension.js";
export { BroadcastChannelTransport, BroadcastListener, LISTENER_TIMEOUT } from "./broadcast.js";
export { TabClientTransport, TabServerTransport } from "./tab.js";
export { cancellableRequest, CancellationTokenSource, ResourceSubscriptionManager } from "./care.js";
export { BACKOFF_MULTIPLIER, BASE_DELAY, MAX_ATTEMPTS, MAX_DELAY, ReconnectingTransport } from "./care.js";
export { Heartbeat, HEARTBEAT_INTERVAL, HEARTBEAT_TIMEOUT } from "./care.js";
