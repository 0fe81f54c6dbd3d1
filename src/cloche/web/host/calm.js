// @ts-check
/**
 * While a question is open anywhere on this page, no view on it changes its size or its display mode: nothing jumps under
 * the pointer of somebody who is about to answer. What a view asked for meanwhile is done afterwards, and of several
 * changes of one kind only the last.
 */
class Calm {
  /** Dialogs that show a question. @type {Set<object>} */
  #open = new Set();
  /** What waits, by whose it is and of which kind. @type {Map<object, Map<string, () => void>>} */
  #waiting = new Map();

  /** @param {object} dialog shows a question */
  begin(dialog) {
    this.#open.add(dialog);
  }

  /** @param {object} dialog shows none any more */
  end(dialog) {
    this.#open.delete(dialog);
    if (this.#open.size > 0) return;
    const changes = [...this.#waiting.values()].flatMap((kinds) => [...kinds.values()]);
    this.#waiting.clear();
    for (const change of changes) change();
  }

  /**
   * Do it now, or once nobody is asked anything.
   *
   * @param {object} owner
   * @param {string} kind
   * @param {() => void} change
   */
  when(owner, kind, change) {
    if (this.#open.size === 0) return change();
    const kinds = this.#waiting.get(owner) ?? new Map();
    kinds.delete(kind); // so that the last one stands last
    this.#waiting.set(owner, kinds.set(kind, change));
  }

  /** What this owner wanted is not done any more. @param {object} owner */
  forget(owner) {
    this.#waiting.delete(owner);
  }
}

/** One for the page: a module that is loaded from two addresses exists twice. @type {Record<symbol, any>} */
const page = globalThis;
const KEY = Symbol.for("cloche.calm");

/** @type {Calm} */
export const calm = page[KEY] ??= new Calm();
