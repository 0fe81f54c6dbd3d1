// @ts-check
import { TransportError } from "../transports/base.js";
import { SETUP_ERROR_CODES } from "./facts.js";

/**
 * One of the two phases failed. `code` is one of the protocol's (`USER_CANCELLED`, `AUTH_FAILED`, `TIMEOUT`,
 * `CONFIG_ERROR`, `VERSION_MISMATCH`, `INSUFFICIENT_PERMISSIONS`), or says what happened on this side:
 * `ORIGIN_MISMATCH`, `POPUP_BLOCKED`, `SETUP_REQUIRED`, `WINDOW_GONE`, `NOT_NOW` (a call too early or too late).
 */
export class FrameError extends TransportError {}

/** What the other side is told of an error. @param {{code: string, message: string}} error */
export const onWire = ({ code, message }) => ({
  code: SETUP_ERROR_CODES.includes(code) ? code : code == "WINDOW_GONE" ? "USER_CANCELLED" : "CONFIG_ERROR",
  message: message.slice(0, 700),
});
