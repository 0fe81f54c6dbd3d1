// @ts-check
/** Every transport of the page, with one import. */
export { isValidMcpMessage, Transport, TransportClosedError, TransportError } from "./base.js";
export { RequestCancelledError, RequestTimeoutError } from "./base.js";
export { createLinkedPair, createSimpleEmitter, EventTransport } from "./event.js";
export { listenForPorts, PortTransport } from "./port.js";
export { listenForWindows, PostMessageTransport, WindowTransport } from "./window.js";
export { IframeChildTransport, IframeParentTransport } from "./iframe.js";
export { connectToExtension, ExtensionServerTransport, listenInExtension } from "./extension.js";
export { BroadcastChannelTransport, BroadcastListener } from "./broadcast.js";
export { TabClientTransport, TabServerTransport } from "./tab.js";
export { Heartbeat, ReconnectingTransport } from "./care.js";
