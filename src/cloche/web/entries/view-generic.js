// @ts-check
// The view runtime for pages that no host embeds.
import { GenericAdapter } from "../generic.js";
import { App, install } from "../view.js";

install(new App([GenericAdapter]));
