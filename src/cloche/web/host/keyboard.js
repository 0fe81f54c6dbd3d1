// @ts-check
import { LostKeys } from "./lost-keys.js";

/**
 * Who has the keyboard. A view may take the focus with a script, and browsers let it: then the rest of a password goes
 * into the view. So when the focus moves into a view and no click, tap or Tab brought it there, it goes back to where it
 * was, and a view that goes on is removed. No browser lets a page prevent the theft: in Chromium 156 a script takes the
 * focus also in a frame that is `inert`, hidden or not rendered. So keys that were pressed meanwhile are found and put back.
 *
 * What is known: keys that are typed outside of views, and from the sandbox's own page, whether the person did something
 * in the view in the last seconds. The clicks themselves are not: they are the frame's. Nor does every browser tell when
 * the pointer enters a frame.
 *
 * @typedef {{
 *   isActive: () => Promise<boolean>, stolen: () => void, thefts: {at: number, weight: number}[], staleUntil: number,
 * }} Watched what the sandbox says of recent clicks; what to do with a thief; when it was one; and until when a click that
 *   the browser remembers may be older than the person's being elsewhere
 */

/** So many thefts within so many milliseconds are the end of a view. */
const MOST_THEFTS = 3;
const FORGIVEN_AFTER = 60_000;
/** What counts as one may have been a very fast click. */
const DOUBTFUL = 0.3;
/** Milliseconds between a key that was typed outside and a click in a view, which takes a hand. */
const TYPING = 300;
/** Milliseconds for which a browser remembers a click. */
const ACTIVE_FOR = 5000;
/** Milliseconds in which Tab gets into a frame, also on a busy machine. */
const TAB_WITHIN = 500;
/** Milliseconds in which the sandbox says whether it was clicked; less where a secret is at stake. */
const TOLD_WITHIN = 500;
const SECRET_WITHIN = 100;
/** Milliseconds for which what a view says waits where it may be about a key that it took from a field. */
const HOLD_BACK = 250;

/** Looks for who has the focus that the page has lost, at longer and longer intervals: 190 ms in all. */
const LOOKS = 20;

/** Fields whose contents nobody else may see: the first theft is the last. */
const SECRET = "input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]";

/** Fields that text is written into, apart from those whose element says that it is editable. */
const FIELD = "textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], " +
  "[type=radio], [type=range], [type=color], [type=file])";

class Keyboard {
  /** @type {Map<HTMLIFrameElement, Watched>} */
  #frames = new Map();
  /** What had the keyboard last outside of views. @type {HTMLElement | null} */
  #holder = null;
  #typedAt = -Infinity;
  /** @type {KeyboardEvent | null} */
  #tab = null;
  /** A frame that gets the focus from us. @type {HTMLIFrameElement | null} */
  #given = null;
  /** @type {AbortController | null} */
  #listening = null;
  #lostKeys = new LostKeys();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #looking;

  /**
   * @param {HTMLIFrameElement} frame
   * @param {() => Promise<boolean>} isActive
   * @param {() => void} stolen
   */
  watch(frame, isActive, stolen) {
    this.#frames.set(frame, { isActive, stolen, thefts: [], staleUntil: 0 });
    if (!this.#listening) this.#listen();
  }

  /** @param {HTMLIFrameElement} frame */
  unwatch(frame) {
    this.#frames.delete(frame);
    if (this.#frames.size > 0) return;
    this.#listening?.abort();
    this.#listening = null;
  }

  /**
   * Milliseconds for which what a view says has to wait. A theft of the keyboard may be heard of after the key that was
   * stolen, and then the view is removed with all that it said.
   *
   * @param {HTMLIFrameElement} frame
   * @param {boolean} hasFocus whether the sandbox says that the view had the focus then
   */
  holdBack(frame, hasFocus) {
    const watched = this.#frames.get(frame);
    const isUnheard = hasFocus && this.isWriting;
    return Math.max(isUnheard || this.#holdsSecret() ? HOLD_BACK : 0, watched ? this.#lostKeys.doubt(watched) : 0);
  }

  /** Whether a field of the page has the keyboard: the person writes something, or is about to. */
  get isWriting() {
    return isField(innermost());
  }

  /** The page itself gives a view the keyboard. @param {HTMLIFrameElement} frame */
  give(frame) {
    this.#given = frame;
    frame.focus({ preventScroll: true });
  }

  #listen() {
    this.#listening = new AbortController();
    const options = { capture: true, passive: true, signal: this.#listening.signal };
    addEventListener("focusin", (event) => this.#held(event), options);
    addEventListener("focusout", () => setTimeout(() => this.#left()), options);
    addEventListener("keydown", (event) => this.#typed(event), options);
    addEventListener("keyup", (event) => this.#lostKeys.released(event), options);
    addEventListener("blur", (event) => event.target === globalThis.window && this.#lost(), options);
    this.#holder = innermost();
  }

  /** @param {FocusEvent} event */
  #held(event) {
    this.#tab = this.#given = null;
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) this.#hold(target);
  }

  /** @param {HTMLElement | null} element */
  #hold(element) {
    this.#holder = element;
    for (const watched of this.#frames.values()) {
      const until = watched.staleUntil = performance.now() + ACTIVE_FOR;
      watched.isActive().then((isActive) => {
        if (!isActive && watched.staleUntil === until) watched.staleUntil = 0;
      });
    }
  }

  /** Something gave the keyboard up, and nobody took it: in Firefox it may still be on its way into a frame. */
  #left() {
    if (innermost() === null && document.hasFocus()) this.#hold(null);
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    if (!event.isTrusted) return;
    this.#lostKeys.pressed(event);
    this.#tab = event.key === "Tab" ? event : null;
    if (!this.#tab && !event.ctrlKey && !event.metaKey) this.#typedAt = performance.now();
  }

  /**
   * Browsers tell of nothing but the window's loss, and Firefox does so before the frame has the focus.
   *
   * @param {number} [looks]
   */
  #lost(looks = 0) {
    clearTimeout(this.#looking);
    const frame = this.#thief();
    if (!frame && !document.hasFocus() && looks < LOOKS) {
      this.#looking = setTimeout(() => this.#lost(looks + 1), looks);
    }
    const watched = frame && this.#frames.get(frame);
    if (!watched || this.#isWelcome(frame)) return;
    this.#lostKeys.suspect(watched, this.#holder, watched.stolen);
    if (frame.closest("[inert]")) this.#punish(frame, watched);
    else if (performance.now() - this.#typedAt < TYPING) this.#punish(frame, watched, this.#wasClicked(frame, watched));
    else this.#ask(frame, watched);
  }

  /** The view that has the focus. */
  #thief() {
    return [...this.#frames.keys()].find((frame) => rootOf(frame).activeElement === frame);
  }

  /** @param {HTMLIFrameElement} frame */
  #isWelcome(frame) {
    const isGiven = this.#given === frame;
    this.#given = null;
    if (frame.closest("[inert]")) return false; // it is being asked about
    const { timeStamp, defaultPrevented } = this.#tab ?? { timeStamp: -Infinity, defaultPrevented: true };
    const isTabbed = !defaultPrevented && performance.now() - timeStamp < TAB_WITHIN;
    return isGiven || isTabbed || this.#holder === null || !this.#holder.isConnected;
  }

  #holdsSecret() {
    return this.#holder?.isConnected === true && this.#holder.matches(SECRET);
  }

  /** @param {HTMLIFrameElement} frame @param {Watched} watched @returns {Promise<boolean>} */
  #wasClicked(frame, watched) {
    const mayBeStale = performance.now() < watched.staleUntil && !frame.matches(":hover") &&
      !matchMedia("(any-pointer: coarse)").matches;
    if (mayBeStale) return Promise.resolve(false);
    const late = new Promise((resolve) =>
      setTimeout(resolve, this.#holdsSecret() ? SECRET_WITHIN : TOLD_WITHIN, false)
    );
    return Promise.race([watched.isActive(), late]);
  }

  /** @param {HTMLIFrameElement} frame @param {Watched} watched */
  async #ask(frame, watched) {
    if (await this.#wasClicked(frame, watched)) this.#lostKeys.acquit(watched);
    else this.#punish(frame, watched);
  }

  /**
   * @param {HTMLIFrameElement} frame
   * @param {Watched} watched
   * @param {Promise<boolean>} [wasClicked]
   */
  #punish(frame, watched, wasClicked = Promise.resolve(false)) {
    const holder = this.#holder;
    if (this.#holdsSecret()) watched.stolen();
    // While the focus is on its way, it cannot be turned back.
    setTimeout(() => {
      if (frame.isConnected && rootOf(frame).activeElement !== frame) return;
      frame.blur();
      // Where it was, and at the same letter: fields remember that.
      holder?.focus({ preventScroll: true });
      wasClicked.then((isDoubtful) => this.#count(watched, isDoubtful ? DOUBTFUL : 1));
    });
  }

  /** @param {Watched} watched @param {number} weight */
  #count(watched, weight) {
    const at = performance.now();
    watched.thefts = [...watched.thefts.filter((theft) => at - theft.at < FORGIVEN_AFTER), { at, weight }];
    if (watched.thefts.reduce((sum, theft) => sum + theft.weight, 0) >= MOST_THEFTS) watched.stolen();
  }
}

/** @param {Element} element */
function rootOf(element) {
  return /** @type {Document | ShadowRoot} */ (element.getRootNode());
}

/** Whether text is written into it. @param {HTMLElement | null} element */
function isField(element) {
  return element !== null && (element.isContentEditable || element.matches(FIELD));
}

/** What has the focus, inside of elements that are made of others; `null` when nothing has. */
function innermost() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement && at !== document.body ? at : null;
}

/** One for the page: a module that is loaded from two addresses exists twice. @type {Record<symbol, any>} */
const page = globalThis;
const KEY = Symbol.for("cloche.keyboard");

/** @type {Keyboard} */
export const keyboard = page[KEY] ??= new Keyboard();
