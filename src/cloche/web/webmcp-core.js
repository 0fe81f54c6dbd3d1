// @ts-check
/** `webmcp.js` without forms that are tools, for pages that have none: a third less to load. */
import { install } from "./webmcp/install.js";

install();
