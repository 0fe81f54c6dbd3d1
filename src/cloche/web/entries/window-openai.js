// @ts-check
// In front of a view that is shown as ChatGPT would show it.
import { installOpenAi } from "../profile/openai.js";

installOpenAi(window, /** @type {any} */ (globalThis).GLOBALS, /** @type {any} */ (globalThis).KEEPS_STATE);
