// How the work of regular expressions grows with the text: deno run measure.js. Reads [{pattern, flags, shapes}] from
// stdin and prints [exponent, shape] for each: the worst of its shapes. The same rules as tests/support/growth.py. Both
// clocks are read, and the one that says less counts: a busy machine lets time pass, and V8's own threads use the processor.

import process from "node:process";

const ENOUGH = 20, TOO_FAST = 4, LINEAR = 1.6;

/** @param {RegExp} pattern @param {string[]} shape @param {number} length */
function once(pattern, [head, pump, tail], length) {
  const text = head + pump.repeat(Math.floor(length / pump.length) + 1) + tail;
  const started = performance.now(), used = process.cpuUsage();
  if (pattern.global) text.replace(pattern, "");
  else text.search(pattern);
  const passed = performance.now() - started, { user, system } = process.cpuUsage(used);
  return Math.min(passed, (user + system) / 1000);
}

/** @param {RegExp} pattern @param {string[]} shape @param {number} length */
const best = (pattern, shape, length) =>
  Math.max(0.001, Math.min(...[1, 2, 3].map(() => once(pattern, shape, length))));

/** @param {RegExp} pattern @param {string[]} shape */
function growth(pattern, shape) {
  const unit = shape[1].length, longest = Math.min(32_768, 4096 * (1 + unit));
  const counts = [8, 12, 16, 18, 20, 22, 24, 26, 28, 30];
  if (counts.some((count) => once(pattern, shape, count * unit) > ENOUGH && best(pattern, shape, count * unit) > ENOUGH)) {
    return Infinity;
  }
  let length = Math.max(128, 32 * unit), taken = once(pattern, shape, length);
  while (length * 2 <= longest && taken < ENOUGH) taken = once(pattern, shape, length *= 2);
  let found = taken < TOO_FAST ? 0 : Infinity;
  for (let tries = 0; tries < 3 && found > LINEAR; tries++) {
    found = Math.min(found, Math.log(best(pattern, shape, length) / best(pattern, shape, length / 4)) / Math.log(4));
  }
  return found;
}

const input = JSON.parse(await new Response(Deno.stdin.readable).text());
const worst = input.map((/** @type {any} */ { pattern, flags, shapes }) => {
  /** @type {[number, unknown]} */
  let found = [0, null];
  const made = new RegExp(pattern, flags);
  for (const shape of shapes) {
    const exponent = growth(made, shape);
    if (exponent > found[0]) found = [exponent === Infinity ? 99 : exponent, shape];
    if (exponent > LINEAR) break;
  }
  return found;
});
console.log(JSON.stringify(worst));
