// @ts-check
/**
 * Servers by URL: the two-phase protocol between a page and the frame or popup in it. The outer page takes
 * `OuterFrameTransport` with one of the two window controls, the inner page `InnerFrameTransport`. Both are transports:
 * an `McpClient` or an `McpServer` connects to either.
 */
export { generateSessionId, getServerPhase, getSetupUrl, getTransportUrl, parseServerUrl } from "./frames/addresses.js";
export { FrameError } from "./frames/errors.js";
export { PROTOCOL_VERSION, SETUP_ERROR_CODES, SETUP_REASONS, SUPPORTED_VERSIONS } from "./frames/facts.js";
export { InnerFrameTransport } from "./frames/inner.js";
export { getMessageTarget, isInWindowContext, PostMessageInnerControl } from "./frames/inner-control.js";
export { Logger } from "./frames/logger.js";
export { isMCPMessage, isPostMessageProtocol, isSetupMessage, isTransportMessage } from "./frames/messages.js";
export { OuterFrameTransport } from "./frames/outer.js";
export { SessionStorage } from "./frames/storage.js";
export { compareVersions, highestWithin } from "./frames/versions.js";
export { IframeWindowControl, PopupWindowControl } from "./frames/window-controls.js";
