// @ts-check
/**
 * While a question is open anywhere on this page, or a pointer is pressed on it, no view on it changes its size or its
 * display mode: nothing jumps under the pointer of somebody who is about to answer, and nothing gets the end of a press
 * that was meant for what was there. What a view asked for meanwhile is done afterwards, and of several changes of one kind
 * only the last.
 */

/** Milliseconds after which a press is over of whose end this page did not hear. */
const PRESSED_FOR = 10_000;

class Calm {
  /** Dialogs that show a question, and pointers that are pressed, by their numbers. @type {Set<unknown>} */
  #open = new Set();
  /** What waits, by whose it is and of which kind. @type {Map<object, Map<string, () => void>>} */
  #waiting = new Map();
  /** When each press is over at the latest. @type {Map<number, ReturnType<typeof setTimeout>>} */
  #presses = new Map();

  constructor() {
    const options = { capture: true, passive: true };
    addEventListener("pointerdown", ({ isTrusted, pointerId }) => isTrusted && this.#pressed(pointerId), options);
    for (const up of /** @type {const} */ (["pointerup", "pointercancel"])) {
      addEventListener(up, ({ pointerId }) => this.#released(pointerId), options);
    }
    // A button of the mouse may be let go over a frame, which only its next move tells.
    addEventListener("pointermove", ({ buttons, pointerId }) => buttons === 0 && this.#released(pointerId), options);
  }

  /** @param {number} pointer */
  #pressed(pointer) {
    this.begin(pointer);
    clearTimeout(this.#presses.get(pointer));
    this.#presses.set(pointer, setTimeout(() => this.#released(pointer), PRESSED_FOR));
  }

  /** @param {number} pointer */
  #released(pointer) {
    if (!this.#presses.has(pointer)) return;
    clearTimeout(this.#presses.get(pointer));
    this.#presses.delete(pointer);
    // After the click that comes of it.
    setTimeout(() => this.#presses.has(pointer) || this.end(pointer));
  }

  /** @param {unknown} dialog shows a question */
  begin(dialog) {
    this.#open.add(dialog);
  }

  /** @param {unknown} dialog shows none any more */
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
