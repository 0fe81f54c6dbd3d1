// @ts-check
/**
 * What views have kept of themselves, such as what was selected: a call of the same tool with the same arguments finds it
 * again, also after a reload where the browser stores anything. The newest are kept.
 *
 * @typedef {import("../frames/storage.js").SessionStorage} SessionStorage
 */
import { INVALID_PARAMS } from "../protocol.js";
import { RpcError } from "../rpc.js";

const NEWEST = 20;
/** Characters of one. */
const LARGEST = 100_000;
const STATES = "states";

export class KeptStates {
  /** @param {SessionStorage} storage */
  constructor(storage) {
    this.storage = storage;
  }

  /** @param {string} tool @param {Record<string, any>} input */
  of(tool, input) {
    const key = JSON.stringify([tool, input]);
    return {
      get: () => this.#all().find(([one]) => one === key)?.[1],
      /** @param {any} value */
      set: (value) => {
        if (JSON.stringify(value ?? null).length > LARGEST) {
          throw new RpcError(INVALID_PARAMS, `A view keeps at most ${LARGEST} characters`);
        }
        const others = this.#all().filter(([one]) => one !== key);
        this.storage.set(STATES, [...others, [key, value ?? null]].slice(-NEWEST));
      },
    };
  }

  /** @returns {[key: string, value: any][]} */
  #all() {
    const found = this.storage.get(STATES);
    return Array.isArray(found) ? found : [];
  }
}
