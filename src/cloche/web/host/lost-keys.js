// @ts-check
/**
 * Keys that a view took. The page hears of a stolen focus some milliseconds after the theft, and a key that is pressed in
 * between goes into the view. A person holds a key for longer than that, so it is released on this page, where nobody saw
 * it pressed. Then the page knows which key it was: it puts the character into the field that had the focus, and the view,
 * which has read it, is removed before anything that it says is passed on.
 *
 * @typedef {{until: number, field: HTMLElement | null, caret: number | null, isShifted: boolean}} Theft
 */

/** Milliseconds for which people hold a key at most, unless it repeats. */
const HELD_FOR = 600;
/** Milliseconds after which a key that was pressed here and not released must have been released elsewhere. */
const STALE_AFTER = 2000;

export class LostKeys {
  /** When keys were pressed on this page that are still down, by their code. @type {Map<string, number>} */
  #down = new Map();
  #isShifted = false;
  /** @type {Theft | null} */
  #theft = null;
  /** Who may have a key of the person's, until when, and what to do then. @type {Map<object, {until: number, taken: () => void}>} */
  #suspects = new Map();

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.repeat && !this.#isDown(event)) this.#found(event);
    this.#down.set(event.code, event.timeStamp);
    this.#isShifted = event.shiftKey;
  }

  /** @param {KeyboardEvent} event */
  released(event) {
    if (!this.#isDown(event)) this.#found(event);
    this.#down.delete(event.code);
    this.#isShifted = event.shiftKey;
  }

  /**
   * Somebody took the focus from a field.
   *
   * @param {object} thief
   * @param {HTMLElement | null} field
   * @param {() => void} taken the thief has read a key
   */
  suspect(thief, field, taken) {
    const until = performance.now() + HELD_FOR;
    this.#suspects.set(thief, { until, taken });
    this.#theft = { until, field, caret: caretOf(field), isShifted: this.#isShifted };
  }

  /** It was no theft. @param {object} thief */
  acquit(thief) {
    this.#suspects.delete(thief);
    if (this.#suspects.size === 0) this.#theft = null;
  }

  /** Milliseconds until it is known whether it has read a key. @param {object} thief */
  doubt(thief) {
    return Math.max(0, (this.#suspects.get(thief)?.until ?? 0) - performance.now());
  }

  /** @param {KeyboardEvent} event */
  #isDown({ code, timeStamp }) {
    return timeStamp - (this.#down.get(code) ?? -Infinity) < STALE_AFTER;
  }

  /** A key is down, or was, that was not pressed on this page. @param {KeyboardEvent} event */
  #found(event) {
    const theft = this.#theft;
    if (!event.isTrusted || !theft || performance.now() > theft.until) return;
    if (event.key === "Shift") theft.isShifted = true;
    const { key, altKey, ctrlKey, metaKey, isComposing } = event;
    if ((key.length > 1 && key !== "Backspace") || altKey || ctrlKey || metaKey || isComposing) return;
    for (const [thief, { until, taken }] of this.#suspects) {
      this.#suspects.delete(thief);
      if (performance.now() < until) taken();
    }
    const character = theft.isShifted && !event.shiftKey ? capital(key) : key;
    if (character && theft.field?.isConnected) giveBack(character, theft);
  }
}

/**
 * @param {string} key
 * @param {Theft} theft
 */
function giveBack(key, theft) {
  const { field, caret } = theft;
  const now = caretOf(field);
  const text = /** @type {HTMLInputElement} */ (field);
  const [command, step] = key === "Backspace" ? ["delete", -1] : ["insertText", 1];
  // What was typed since stands after it.
  const isLater = caret !== null && now !== null && now > caret;
  if (isLater) text.setSelectionRange(caret, caret);
  document.execCommand(command, false, key);
  if (isLater) text.setSelectionRange(now + step, now + step);
  if (caret !== null) theft.caret = caret + step;
}

/** Where the next letter goes, in fields that say so. @param {HTMLElement | null} field */
function caretOf(field) {
  return /** @type {HTMLInputElement | null} */ (field)?.selectionStart ?? null;
}

/**
 * What a key types together with Shift; nothing where that depends on the keyboard: a wrong character is worse than none.
 *
 * @param {string} key
 */
function capital(key) {
  const upper = key.toUpperCase();
  return upper !== key && upper.length === 1 ? upper : "";
}
