// @ts-check
/** What is plain JSON. `postMessage` also carries cycles, dates, buffers, ports, and an own `__proto__` that poisons whatever it is copied into. */
import { MAX_DEPTH } from "./protocol.js";

/** @typedef {Record<string, any>} Params */

/** @param {any} value @returns {value is Params} */
export const isObject = (value) => "[object Object]" == {}.toString.call(value);

/** Whether JSON has this value, whatever is in it. @param {any} value */
export const isKnown = (value) =>
  isObject(value) || Array.isArray(value) || Object(value) !== value && typeof value != "bigint";

/**
 * Whether a value is plain JSON.
 *
 * @param {any} value
 * @param {(value: any) => boolean} see is called with each value in it, and says whether it is one
 * @param {string[]} [path] becomes that of the first value that is none
 * @param {number} [depth]
 * @returns {boolean}
 */
export const isJson = (value, see, path = [], depth = 0) =>
  see(value) && (Object(value) !== value || depth < MAX_DEPTH && Object.keys(value).every((key) => {
        path.splice(depth, MAX_DEPTH, key);
        return key != "__proto__" && isJson(value[key], see, path, depth + 1);
      }));
