// @ts-check
/** Functions that want to hear of something, by its name. */
export class Listeners {
  /** @type {Map<string, Set<(...details: any[]) => unknown>>} */
  #handlers = new Map();

  /** @param {string} name @param {(...details: any[]) => unknown} handler @returns {() => void} stop listening */
  on(name, handler) {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
    return () => void handlers.delete(handler);
  }

  /** @param {string} name */
  of(name) {
    return [...this.#handlers.get(name) ?? []];
  }

  /** @param {string} name @param {...unknown} details */
  tell(name, ...details) {
    for (const handler of this.of(name)) handler(...details);
  }

  clear() {
    this.#handlers.clear();
  }
}
