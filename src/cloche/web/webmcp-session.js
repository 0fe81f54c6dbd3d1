// @ts-check
/**
 * The polyfill of `webmcp.js`, and `connect()` beside it: on `document.modelContext`, on `navigator.modelContext`, and as
 * an export. It is an extension, in no draft of WebMCP, and takes the place of nothing that a browser has of its own.
 */
import "./webmcp.js";
import { connect } from "./webmcp/session.js";

export {
  connect,
  CONNECT_TIMEOUT,
  ModelContextConnectionError,
  ModelContextSession,
  ModelContextTimeoutError,
  ToolRegistrationError,
} from "./webmcp/session.js";

/** The page's own, or undefined where a page cannot have one. */
export const modelContext = /** @type {any} */ (globalThis.document)?.modelContext;
/** Whether this page has `document.modelContext`, from the browser or from the polyfill. */
export const supported = !!modelContext;
/** The version of what this module adds. */
export const polyfillVersion = "1.0.0";

for (const [name, value] of Object.entries({ connect, supported, polyfillVersion })) {
  if (modelContext && !(name in modelContext)) {
    Object.defineProperty(modelContext, name, { value, configurable: true, enumerable: true });
  }
}
