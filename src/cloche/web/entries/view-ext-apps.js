// @ts-check
// The view runtime for hosts that speak MCP Apps.
import { ExtAppsAdapter } from "../ext-apps.js";
import { GenericAdapter } from "../generic.js";
import { App, install } from "../view.js";

install(new App([ExtAppsAdapter, GenericAdapter], { trustedOrigins: /** @type {any} */ (globalThis).TRUSTED_ORIGINS }));
