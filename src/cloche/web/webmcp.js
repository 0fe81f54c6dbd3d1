// @ts-check
/**
 * Importing this module makes a page ready for browser agents: `document.modelContext`, as the newest draft of WebMCP has
 * it, and forms that are tools, in browsers that have neither. Where the browser has its own, that one stays, and learns
 * what it lacks. Without a window, or where the connection is not secure, nothing happens.
 */
import { install } from "./webmcp/install.js";
import { watchForms } from "./webmcp/watch.js";

install(watchForms);
