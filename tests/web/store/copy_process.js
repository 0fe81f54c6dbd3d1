// @ts-check
/**
 * A page's copies of a store, driven line by line. Takes `{"new": name}`, `{"sync": null}`, `{"set": [path, value]}` and
 * `{"answer": result}`; says `{"call": arguments}` for each call of the tool, and `{"done": …}` in the end.
 */
import { StoreCopy, StoreRefusedError } from "../../../src/cloche/web/store-copy.js";

/** @type {StoreCopy} */
let copy;
/** @type {(result: any) => void} */
let answered = () => {};
/** @param {unknown} message */
const say = (message) => console.log(JSON.stringify(message));

/** @param {any} value */
function freeze(value) {
  if (value instanceof Object && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** @param {Promise<void>} exchange */
const finish = (exchange) =>
  exchange.then(() => undefined, (error) => {
    if (!(error instanceof StoreRefusedError)) throw error;
    return { message: error.message, isConflict: error.isConflict };
  }).then((refused) => say({ done: { value: copy.value, version: copy.head.version, refused } }));

/** @param {any} told */
function take(told) {
  if ("answer" in told) return answered(told.answer);
  if ("new" in told) {
    const ask = (/** @type {string} */ _, /** @type {object} */ args) => {
      say({ call: args });
      return new Promise((resolve) => answered = resolve);
    };
    // A change in place would throw.
    copy = new StoreCopy(told.new, ask, () => freeze(copy.value));
    return say({ done: {} });
  }
  finish("set" in told ? copy.set(...(/** @type {[string[], any]} */ (told.set))) : copy.sync());
}

let text = "";
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (text + chunk).split("\n");
  text = lines.pop() ?? "";
  lines.forEach((line) => take(JSON.parse(line)));
}
