// @ts-check
// In front of a view that is recorded; it takes itself out of what the view sees.
import { record } from "../cassettes/record.js";
import { steadyChance } from "../cassettes/steady.js";

document.currentScript?.remove();
steadyChance(window, /** @type {any} */ (globalThis).SEED);
record(window, /** @type {any} */ (globalThis).OPTIONS);
