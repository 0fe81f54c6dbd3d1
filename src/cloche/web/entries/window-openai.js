// @ts-check
// In front of a view that is shown as ChatGPT would show it.
import { installOpenAi } from "../manner/openai.js";

const given = /** @type {any} */ (globalThis);
installOpenAi(window, given.GLOBALS, given.KEEPS_STATE);
