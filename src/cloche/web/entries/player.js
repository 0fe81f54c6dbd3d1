// @ts-check
// In front of a view that is played from a cassette: storage, chance and time of day as the recorded view had them.
import { countMessages } from "../cassettes/count.js";
import { steadyChance } from "../cassettes/steady.js";
import { playTime } from "../cassettes/time.js";
import { installStorage } from "../sandbox/storage.js";

document.currentScript?.remove();
installStorage(window);
steadyChance(window, /** @type {any} */ (globalThis).SEED);
playTime(window, /** @type {any} */ (globalThis).TIMES);
countMessages(window, /** @type {any} */ (globalThis).COUNTER);
