// @ts-check
// In front of a view that is recorded; it takes itself out of what the view sees.
import { record } from "../cassettes/record.js";
import { steadyChance } from "../cassettes/steady.js";

const given = /** @type {any} */ (globalThis);
document.currentScript?.remove();
steadyChance(window, given.SEED);
record(window, given.OPTIONS);
