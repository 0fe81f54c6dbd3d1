// @ts-check
import { outside } from "../elements.js";

/**
 * When a yes counts. A button that allows something is armed once the person could see it, in one place, for a moment:
 * whole inside the window, under nothing, unmoved, with no click or key on its way. Whatever moves, covers or hides it
 * starts that moment again, so that nobody hits it in the middle of a click or a word meant for something else.
 */

/** Milliseconds that it must be seen for. */
export const ARM_AFTER = 700;
/** What one look counts for at most: while the page stood still, nobody looked. */
const MOST_AT_ONCE = 100;
/** Milliseconds between two looks of the browser at what lies over the button; it takes no less. */
const LOOK_EVERY = 100;
/** How far from its edge a button must be free, in pixels: its corners are round. */
const EDGE = 2;

export class Arming {
  /** Milliseconds for which it was seen, and when it was looked at last. */
  #seenFor = 0;
  #lookedAt = 0;
  #isArmed = false;
  /** Whether a button of the mouse or a key was pressed too early, and is still down. */
  #isHeld = false;
  #where = "";
  #frame = 0;
  /** What the browser itself says is covered. @type {Set<Element>} */
  #covered = new Set();
  /** @type {AbortController | undefined} */
  #listening;
  /** @type {IntersectionObserver | undefined} */
  #observer;

  /**
   * @param {HTMLElement} shade what the question lies on
   * @param {HTMLElement} box the question
   * @param {HTMLElement[]} buttons that allow something; those that are hidden do not matter
   * @param {(isArmed: boolean) => void} changed
   */
  constructor(shade, box, buttons, changed) {
    this.shade = shade;
    this.box = box;
    this.buttons = buttons;
    this.changed = changed;
  }

  /** A question was put into the box. */
  start() {
    this.stop();
    this.#where = "";
    this.#isHeld = false;
    this.#restart();
    this.changed(false);
    this.#listen();
    this.#observe();
    this.#next();
  }

  /** There is no question any more. */
  stop() {
    this.#isArmed = false;
    this.#listening?.abort();
    this.#observer?.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** Whether a click is a person's answer to what they have seen. @param {Event} event */
  counts(event) {
    this.#look();
    return event.isTrusted && this.#isArmed;
  }

  #listen() {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const options = { signal, capture: true, passive: true };
    const again = () => this.#restart();
    addEventListener("scroll", again, options);
    addEventListener("resize", again, options);
    globalThis.visualViewport?.addEventListener("resize", again, options);
    globalThis.visualViewport?.addEventListener("scroll", again, options);
    document.addEventListener("visibilitychange", again, options);
    this.shade.addEventListener("pointerdown", () => this.#pressed(), options);
    this.shade.addEventListener("keydown", (event) => this.#typed(event), options);
    for (const up of ["pointerup", "pointercancel", "keyup"]) addEventListener(up, () => this.#released(), options);
    // A button of the mouse may be let go over a frame, which only its next move tells.
    addEventListener("pointermove", (event) => event.buttons === 0 && this.#released(), options);
  }

  /** The browser's own look at what lies over the buttons, where it has one. */
  #observe() {
    this.#covered.clear();
    if (!("isVisible" in IntersectionObserverEntry.prototype)) return;
    const options = { trackVisibility: true, delay: LOOK_EVERY, threshold: [0, 1] };
    this.#observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const { isVisible, target } = /** @type {IntersectionObserverEntry & {isVisible: boolean}} */ (entry);
        if (isVisible) this.#covered.delete(target);
        else this.#covered.add(target);
      }
    }, options);
    for (const button of this.#shown()) {
      this.#covered.add(button); // until it has looked
      this.#observer.observe(button);
    }
  }

  #next() {
    this.#frame = requestAnimationFrame(() => {
      this.#look();
      this.#next();
    });
  }

  #look() {
    const shown = this.#shown();
    const where = [this.box, ...shown].map(placeOf).join();
    const isStill = where === this.#where;
    this.#where = where;
    if (!isStill || this.#isHeld || !this.#isInSight(shown)) return this.#restart();
    const now = performance.now();
    this.#seenFor += Math.min(now - this.#lookedAt, MOST_AT_ONCE);
    this.#lookedAt = now;
    if (!this.#isArmed && this.#seenFor >= ARM_AFTER) this.#become(true);
  }

  #restart() {
    this.#seenFor = 0;
    this.#lookedAt = performance.now();
    if (this.#isArmed) this.#become(false);
  }

  /** @param {boolean} isArmed */
  #become(isArmed) {
    this.#isArmed = isArmed;
    this.changed(isArmed);
  }

  /** A click that began before it could have been meant. */
  #pressed() {
    this.#look();
    if (!this.#isArmed) this.#isHeld = true;
  }

  /** The same of a key; and one that is held down was meant for something else. @param {KeyboardEvent} event */
  #typed(event) {
    this.#look();
    const presses = event.key === "Enter" || event.key === " ";
    if (this.#isArmed && !(presses && event.repeat)) return;
    this.#isHeld = true;
    this.#restart();
  }

  #released() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#restart();
  }

  #shown() {
    return this.buttons.filter((button) => !button.hidden);
  }

  /** @param {HTMLElement[]} shown */
  #isInSight(shown) {
    // A window that somebody else's window lies over has not the focus; nor has one that was just uncovered.
    if (document.hidden || !document.hasFocus()) return false;
    // All of the question, where it fits; else what is pressed.
    const fits = this.box.offsetHeight <= innerHeight && this.box.offsetWidth <= innerWidth;
    return [...shown, ...(fits ? [this.box] : [])].every(isInWindow) &&
      shown.every((button) => isOnTop(button) && (!this.#covered.has(button) || isStyled(button)));
  }
}

/** @param {Element} element */
function placeOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return `${x} ${y} ${width} ${height}`;
}

/** Whether all of it is in the part of the page that the person sees. @param {Element} element */
function isInWindow(element) {
  const { left, top, right, bottom, width } = element.getBoundingClientRect();
  const { offsetLeft, offsetTop, width: wide, height: high } = globalThis.visualViewport ??
    { offsetLeft: 0, offsetTop: 0, width: innerWidth, height: innerHeight };
  // Places are fractions of pixels, windows are not always.
  return width > 0 && left >= offsetLeft - 1 && top >= offsetTop - 1 &&
    right <= offsetLeft + wide + 1 && bottom <= offsetTop + high + 1;
}

/** Whether a click on its middle and at its edges would hit it. @param {Element} element */
function isOnTop(element) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const root = /** @type {ShadowRoot} */ (element.getRootNode());
  const points = [[x, y], [left + EDGE, y], [right - EDGE, y], [x, top + EDGE], [x, bottom - EDGE]];
  return points.every(([across, down]) => root.elementFromPoint(across, down) === element);
}

/**
 * Whether the page draws it through a filter, half transparent or transformed, which only the page itself can do. The
 * browser does not say of such an element whether it is visible.
 *
 * @param {Element} element
 */
function isStyled(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = outside(at)) {
    const { opacity, filter, transform } = getComputedStyle(at);
    if (opacity !== "1" || filter !== "none" || transform !== "none") return true;
  }
  return false;
}
