// @ts-check
/** What the page's copy makes of patches: reads `[[initial, patch, …], …]`, writes what each became. */
import { keep } from "../../../src/cloche/web/store.js";
import { patched } from "../../../src/cloche/web/store-copy.js";

const histories = JSON.parse(await new Response(Deno.stdin.readable).text());

/** @param {any} value */
function freeze(value) {
  if (value instanceof Object) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

console.log(JSON.stringify(histories.map((/** @type {any[]} */ [initial, ...patches]) =>
  // Frozen: a change in place would throw.
  patches.reduce((value, patch) => freeze(keep(value, patched(value, patch))), freeze(initial))
)));
