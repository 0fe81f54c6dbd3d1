// @ts-check
// The view runtime for ChatGPT.
import { GenericAdapter } from "../generic.js";
import { OpenAiAdapter } from "../openai.js";
import { App, install } from "../view.js";

install(new App([OpenAiAdapter, GenericAdapter], { trustedOrigins: /** @type {any} */ (globalThis).TRUSTED_ORIGINS }));
