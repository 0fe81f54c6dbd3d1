// @ts-check
/**
 * Keys that a view took. The page hears of a stolen focus some milliseconds after the theft, and a key that is pressed in
 * between goes into the view. The script that runs first in the view tells of it, and it is put into the field that had
 * the focus. A view can keep that script from telling: by never pausing, or with a frame inside. But a person holds a key
 * for longer than the theft lasts, so it is released on this page, where nobody saw it pressed. Then the page puts the
 * character back all the same, and the view, which has read it, is removed before anything that it says is passed on.
 *
 * @typedef {{key: string, code: string, types: boolean, at: number}} Press a key that was pressed in a view, whether it
 *   types something and is not a shortcut, and when, by this page's clock
 * @typedef {{at: number, until: number, field: HTMLElement | null, isShifted: boolean}} Theft
 * @typedef {{until: number, taken: () => void, open: number, found: number}} Suspect until when it may have a key of the
 *   person's, what to do then, how often it is not known yet whether it was clicked, and how many keys were found meanwhile
 */

/** Milliseconds for which people hold a key at most, unless it repeats. */
const HELD_FOR = 1000;
/** So many keys are the end of a view also before it is known whether it was clicked. */
const MOST_FOUND = 3;
/** Milliseconds after which a key that was pressed here and not released must have been released elsewhere. */
const STALE_AFTER = 2000;
/** Milliseconds for which is known what was typed: a busy machine may tell of a key that long after it was pressed. */
const REMEMBERED_FOR = 30_000;

export class LostKeys {
  /** When keys that are still down were pressed, by their code. @type {Map<string, number>} */
  #down = new Map();
  /** When keys were released here that had been pressed elsewhere. @type {Map<string, number>} */
  #found = new Map();
  /** What was typed, when, and by how much the caret moved. @type {{field: EventTarget, at: number, step: number}[]} */
  #typed = [];
  #isShifted = false;
  /** @type {Theft | null} */
  #theft = null;
  /** @type {Map<object, Suspect>} */
  #suspects = new Map();

  /** On this page. @param {KeyboardEvent} event */
  pressed(event) {
    if (event.repeat && !this.#isDown(event)) this.#find(event);
    this.#down.set(event.code, event.timeStamp);
    this.#isShifted = event.shiftKey;
    this.#note(event.composedPath()[0], event.key, event.timeStamp);
  }

  /** On this page. @param {KeyboardEvent} event */
  released(event) {
    if (!this.#isDown(event)) this.#find(event);
    this.#down.delete(event.code);
    this.#isShifted = event.shiftKey;
  }

  /** In a view, which had stolen the focus from a field. @param {Press} press @param {HTMLElement | null} field */
  reported(press, field) {
    if ((this.#found.get(press.code) ?? -Infinity) > press.at) return;
    this.#down.set(press.code, press.at);
    if (press.types) this.#giveBack(press, field);
  }

  /**
   * Somebody took the focus from a field, or was clicked and has not said so yet: then `acquit` or `convict` follows.
   *
   * @param {object} thief
   * @param {HTMLElement | null} field
   * @param {() => void} taken the thief has read a key
   */
  suspect(thief, field, taken) {
    const at = performance.now(), until = at + HELD_FOR;
    const { open, found } = this.#suspects.get(thief) ?? { open: 0, found: 0 };
    this.#suspects.set(thief, { until, taken, open: open + 1, found });
    this.#theft = { at, until, field, isShifted: this.#isShifted };
  }

  /** It was not a theft. @param {object} thief */
  acquit(thief) {
    const suspect = this.#suspects.get(thief);
    if (suspect && --suspect.open > 0) return;
    this.#suspects.delete(thief);
    if (this.#suspects.size === 0) this.#theft = null;
  }

  /** It was one. @param {object} thief */
  convict(thief) {
    const suspect = this.#suspects.get(thief);
    if (!suspect) return;
    suspect.open -= 1;
    if (suspect.found > 0) this.#end(thief, suspect);
  }

  /** Whether it is not known yet. @param {object} thief */
  isOpen(thief) {
    return (this.#suspects.get(thief)?.open ?? 0) > 0;
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
  #find(event) {
    const theft = this.#theft;
    if (!event.isTrusted || !theft || performance.now() > theft.until) return;
    const { key, code, shiftKey, altKey, ctrlKey, metaKey, isComposing } = event;
    if ((key.length > 1 && key !== "Backspace") || altKey || ctrlKey || metaKey || isComposing) return;
    this.#found.set(code, event.timeStamp);
    // With Shift it was another character: a wrong one is worse than none.
    if (shiftKey === theft.isShifted) this.#giveBack({ key, code, at: theft.at, types: true }, theft.field);
    for (const [thief, suspect] of this.#suspects) {
      const isLate = performance.now() >= suspect.until;
      if (!isLate) suspect.found += 1;
      // Whoever was clicked and is too busy to say so is heard first.
      if (suspect.open > 0 && suspect.found < MOST_FOUND) continue;
      if (isLate) this.#suspects.delete(thief);
      else this.#end(thief, suspect);
    }
  }

  /** It has read a key. @param {object} thief @param {Suspect} suspect */
  #end(thief, { taken }) {
    this.#suspects.delete(thief);
    taken();
  }

  /** @param {Press} press @param {HTMLElement | null} field */
  #giveBack({ key, code, at }, field) {
    if (!field?.isConnected) return;
    const press = new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, composed: true });
    if (!field.dispatchEvent(press)) return;
    const text = /** @type {HTMLInputElement} */ (field);
    if (key === "Enter" && field.localName === "input") return text.form?.requestSubmit();
    const caret = text.selectionStart ?? null, length = text.value?.length;
    // What was typed since stands after it.
    const since = this.#typed.filter((typed) => typed.field === field && typed.at > at);
    const later = since.reduce((sum, { step }) => sum + step, 0);
    const selected = later > 0 ? 0 : Number(text.selectionEnd) - Number(caret);
    if (caret !== null && later > 0) text.setSelectionRange(caret - later, caret - later);
    if (key === "Backspace") document.execCommand("delete");
    else if (key === "Delete") document.execCommand("forwardDelete");
    else if (key === "Enter" || stepOf(key) > 0) {
      document.execCommand("insertText", false, key === "Enter" ? "\n" : key);
    }
    // Said, and not read: a field that has no focus yet gets it back with the caret of before.
    const end = key === "Delete" ? caret : Number(caret) + text.value?.length - length + selected;
    if (caret !== null) text.setSelectionRange(end, end);
    this.#note(field, key, at);
  }

  /** @param {EventTarget} field @param {string} key @param {number} at */
  #note(field, key, at) {
    this.#typed = [...this.#typed.filter((typed) => performance.now() - typed.at < REMEMBERED_FOR), {
      field,
      at,
      step: stepOf(key),
    }];
  }
}

/** How far a key moves the caret. @param {string} key */
function stepOf(key) {
  return key === "Backspace" ? -1 : [...key].length === 1 ? key.length : 0;
}
