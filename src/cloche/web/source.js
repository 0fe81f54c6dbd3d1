// @ts-check
import { attempt } from "./transports/base.js";

/**
 * A value that changes, and those who want to hear of it. What it takes to follow the value begins with the first
 * subscriber and ends with the last. React's `useSyncExternalStore` takes `subscribe` and `getSnapshot` as they are.
 *
 * @template T
 */
export class Source {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {(() => void) | void} */
  #stop = undefined;
  /** @type {T} */
  #value;

  /** @param {T} initial also what a page that is rendered on a server shows */
  constructor(initial) {
    this.#value = initial;
    /** The value before anything was heard, always the same object. */
    this.getInitial = () => initial;
    /** The value now: the same object until it changes. */
    this.getSnapshot = () => this.#value;
    /**
     * Call `tell` after every change, until the function that is returned is called.
     *
     * @param {() => void} tell
     * @returns {() => void}
     */
    this.subscribe = (tell) => {
      // A subscriber of its own, also where one function is given twice.
      const own = () => tell();
      this.#listeners.add(own);
      if (this.#listeners.size == 1) this.#stop = this.start();
      return () => {
        if (this.#listeners.delete(own) && !this.#listeners.size) this.#stop?.();
      };
    };
  }

  /** Begin to follow the value. @returns {(() => void) | void} what ends it */
  start() {}

  /** @param {T} value */
  put(value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.tell();
  }

  /** Some members of a value that is an object. @param {Partial<T>} change */
  merge(change) {
    this.put({ ...this.#value, ...change });
  }

  tell() {
    for (const listener of [...this.#listeners]) attempt(listener);
  }
}
