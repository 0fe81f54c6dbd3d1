// @ts-check
import { LostKeys } from "./lost-keys.js";
import { HEARD_WITHIN, HEARD_WITHIN_OF_SECRET, patience } from "./patience.js";

/**
 * Who has the keyboard. A view may take the focus with a script, and browsers let it: then the rest of a password goes
 * into the view. So when the focus moves into a view and no click, tap or Tab brought it there, it goes back to where it
 * was, and a view that goes on is removed. No browser lets a page prevent the theft: in Chromium 156 a script takes the
 * focus also in a frame that is `inert`, hidden or not rendered. So keys that were pressed meanwhile are put back.
 *
 * What is known: what the person does outside of views, and, from the script that runs first in each view, when a pointer
 * was pressed there and which keys were. The focus in a view is the person's doing when they pressed the pointer there
 * after the last thing that they did on the page. What a view itself could say is not asked for.
 *
 * @typedef {{pointedAt: number, isActive: boolean, isKnown: boolean}} Told when the pointer was last pressed in the view,
 *   by this page's clock; whether the person did anything in it in the last seconds; and whether the first is all there is
 *   to know: nobody hears of a pointer in a frame inside the view, or before the view has loaded
 * @typedef {{ask: () => Promise<Told>, focus: () => void, release: () => void, stolen: () => void}} Sandbox what the
 *   person did in the view; gives it the keyboard; what it said may be passed on; and what to do with a thief
 * @typedef {import("./lost-keys.js").Press} Press
 * @typedef {{
 *   sandbox: Sandbox, thefts: number[], keys: Press[], hadUntil: number, wasActive: boolean, givenAt: number,
 * }} Watched when it was a thief, keys that were pressed in it while it was not known to have the keyboard rightly, until when it had it
 *   rightly, and whether the person had just done something there when they went elsewhere
 */

/** So many thefts within so many milliseconds are the end of a view. */
const MOST_THEFTS = 3;
const FORGIVEN_AFTER = 60_000;
/** Milliseconds between a key that was typed outside and a click in a view, which takes a hand. */
const TYPING = 300;
/**
 * Milliseconds after which a view that has not said yet that it was clicked loses the keyboard. It is no thief for that:
 * it gets the keyboard back when it says so, see patience.js.
 */
const LENT_FOR = 100;
/** Milliseconds in which a key that was on its way into a thief is heard of. */
const ARRIVED_WITHIN = 1000;
/** Milliseconds for which what a view says waits where it may be about a key that it took from a field. */
const HOLD_BACK = 250;

/** Things that the person did outside of views, of which the page knows when: a busy view may tell of a key so much later. */
const MOST_DEEDS = 200;

/** Milliseconds in which the focus that the page gave gets into a busy view. If the person has gone on by then, it is no theft. */
const GIVEN_WITHIN = 10_000;

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
  /** The view that has it rightly. @type {HTMLIFrameElement | null} */
  #owner = null;
  /** When the person did something outside of views, the last time last, and when they typed there. @type {number[]} */
  #deeds = [];
  #typedAt = -Infinity;
  /** Whether the whole window has lost the keyboard, to no view. */
  #isAway = false;
  /** @type {KeyboardEvent | null} */
  #tab = null;
  /** A frame that gets the focus from us. @type {HTMLIFrameElement | null} */
  #given = null;
  /** From the first view on, and after the last: a key that it took may still be released. */
  #isListening = false;
  #lostKeys = new LostKeys();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #looking;

  /** @param {HTMLIFrameElement} frame @param {Sandbox} sandbox */
  watch(frame, sandbox) {
    this.#frames.set(frame, {
      sandbox,
      thefts: [],
      keys: [],
      hadUntil: -Infinity,
      wasActive: false,
      givenAt: -Infinity,
    });
    if (!this.#isListening) this.#listen();
  }

  /** @param {HTMLIFrameElement} frame that is about to be removed */
  unwatch(frame) {
    const watched = this.#frames.get(frame);
    if (!watched) return;
    this.#frames.delete(frame);
    if (this.#owner !== frame) this.#takeBack(frame, this.#holder);
    else this.#owner = null;
    this.#putBack(watched, this.#holder);
  }

  /**
   * Milliseconds for which what a view says has to wait. A theft of the keyboard may be heard of after the key that was
   * stolen, and then the view is removed with all that it said.
   *
   * @param {HTMLIFrameElement} frame
   * @param {boolean} hasFocus whether the sandbox says that the view had the focus then
   */
  holdBack(frame, hasFocus) {
    const isUnheard = hasFocus && this.isWriting;
    return Math.max(isUnheard || this.#holdsSecret() ? HOLD_BACK : 0, this.#lostKeys.doubt(frame));
  }

  /** Whether it is not known yet how the focus came into a view: what it says waits until then. @param {HTMLIFrameElement} frame */
  isJudging(frame) {
    return this.#lostKeys.isOpen(frame);
  }

  /** Whether a field of the page has the keyboard, or had it before a view took it: the person writes, or is about to. */
  get isWriting() {
    return isField(this.#owner === null && this.#thief() ? this.#holder : innermost());
  }

  /** The page itself gives a view the keyboard. @param {HTMLIFrameElement} frame */
  give(frame) {
    // One that has it already, by a theft of which nobody knows yet, loses it no more.
    const hasIt = rootOf(frame).activeElement === frame;
    this.#given = hasIt ? null : frame;
    if (hasIt) this.#owner = frame;
    const watched = this.#frames.get(frame);
    if (watched) watched.givenAt = performance.now();
    frame.focus({ preventScroll: true });
  }

  /** A moment that `isSince` knows. */
  get moment() {
    if (!this.#isListening) this.#listen();
    return this.#hereAt;
  }

  /** Whether the person has done nothing outside of views since. @param {number} moment */
  isSince(moment) {
    return this.#hereAt === moment;
  }

  /** A key was pressed in a view. @param {HTMLIFrameElement} frame @param {Press} press */
  pressed(frame, press) {
    const watched = this.#frames.get(frame);
    if (!watched || this.#owner !== null || this.#isAway || press.at < watched.hadUntil) return;
    watched.keys.push(press);
    this.#judge(frame, watched, press.at);
  }

  #listen() {
    this.#isListening = true;
    const options = { capture: true, passive: true };
    addEventListener("focusin", (event) => this.#held(event), options);
    addEventListener("focusout", () => setTimeout(() => this.#left()), options);
    addEventListener("pointerdown", (event) => {
      if (!event.isTrusted) return;
      this.#did(event.timeStamp);
      this.#tab = null;
    }, options);
    addEventListener("keydown", (event) => this.#typed(event), options);
    addEventListener("keyup", (event) => this.#lostKeys.released(event), options);
    addEventListener("blur", (event) => event.target === globalThis.window && this.#lost(), options);
    this.#holder = innermost();
  }

  /** @param {FocusEvent} event */
  #held(event) {
    const [target] = event.composedPath();
    // A view to which the page gives the keyboard: that is nothing that the person did outside of views.
    if (target instanceof HTMLIFrameElement && this.#frames.has(target)) return;
    this.#tab = this.#given = null;
    // Whoever comes back to the window with a click in a view has clicked before this.
    const isBack = this.#isAway && target === this.#holder;
    this.#isAway = false;
    if (target instanceof HTMLElement && !isBack) this.#hold(target);
  }

  /** @param {HTMLElement | null} element */
  #hold(element) {
    this.#holder = element;
    this.#did(performance.now());
    this.#disown();
    for (const watched of this.#frames.values()) {
      watched.sandbox.ask().then((told) => watched.wasActive = told.isActive);
    }
  }

  #disown() {
    const watched = this.#owner && this.#frames.get(this.#owner);
    if (watched) watched.hadUntil = performance.now();
    this.#owner = null;
  }

  /** The person did something outside of views. @param {number} at */
  #did(at) {
    this.#deeds = [...this.#deeds.slice(1 - MOST_DEEDS), at];
  }

  /** When they did that last. */
  get #hereAt() {
    return this.#deeds.at(-1) ?? -Infinity;
  }

  /** When they had done it last by then. @param {number} at */
  #hereBefore(at) {
    return this.#deeds.findLast((deed) => deed <= at) ?? this.#deeds[0] ?? -Infinity;
  }

  /** Something gave the keyboard up, and nobody took it: in Firefox it may still be on its way into a frame. */
  #left() {
    if (innermost() === null && document.hasFocus()) this.#hold(null);
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    // On its way into the view that has the keyboard: the browser sends it to where the focus was.
    if (!event.isTrusted || this.#owner !== null && event.composedPath()[0] === this.#owner) return;
    this.#disown();
    this.#did(event.timeStamp);
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
    this.#isAway = !frame && looks === LOOKS;
    if (this.#isAway) this.#tab = null; // it led out of the page
    if (!frame && !document.hasFocus() && looks < LOOKS) {
      this.#looking = setTimeout(() => this.#lost(looks + 1), looks);
    }
    const watched = frame && this.#frames.get(frame);
    if (watched) this.#judge(frame, watched);
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
    const isTabbed = !defaultPrevented && performance.now() - timeStamp < this.#patience();
    return isGiven || isTabbed || this.#holder === null || !this.#holder.isConnected;
  }

  /** Milliseconds that a view has to say how it came by the keyboard, or that Tab has to get into it. */
  #patience() {
    return this.#holdsSecret() ? HEARD_WITHIN_OF_SECRET : HEARD_WITHIN;
  }

  #holdsSecret() {
    return this.#holder?.isConnected === true && this.#holder.matches(SECRET);
  }

  /** It has the keyboard rightly, and what was pressed in it is its own. @param {HTMLIFrameElement} frame @param {Watched} watched */
  #own(frame, watched) {
    this.#owner = frame;
    watched.keys = [];
  }

  /**
   * The keyboard is in a view, or was when a key was pressed there, of which a busy view tells late.
   *
   * @param {HTMLIFrameElement} frame
   * @param {Watched} watched
   * @param {number} [at] when that was
   */
  async #judge(frame, watched, at = Infinity) {
    if (this.#isWelcome(frame)) return this.#own(frame, watched);
    if (this.#owner === frame) return;
    const holder = this.#holder, hereAt = this.#hereBefore(at), isSecret = this.#holdsSecret();
    const isInert = frame.closest("[inert]") !== null, isTyping = performance.now() - this.#typedAt < TYPING;
    this.#lostKeys.suspect(frame, holder, watched.sandbox.stolen);
    // Not at once: while the focus is on its way, it cannot be turned back.
    const takeBack = () => this.#owner === frame || this.#takeBack(frame, holder);
    const timer = setTimeout(takeBack, isTyping || isInert ? 0 : LENT_FOR);
    const heard = isInert ? patience(0) : Promise.race([watched.sandbox.ask(), patience(this.#patience())]);
    const told = await heard;
    clearTimeout(timer);
    const mayBeInside = told?.isKnown === false && told.isActive && !watched.wasActive && !isTyping;
    const isClicked = told !== null && (told.pointedAt > hereAt || mayBeInside);
    if (this.#frames.get(frame) !== watched) return;
    // Meanwhile the page itself may have given it the keyboard.
    if (!isClicked && this.#owner === frame) return this.#lostKeys.convict(frame);
    if (!isClicked) return this.#punish(frame, watched, holder, isSecret, told !== null);
    this.#lostKeys.acquit(frame);
    watched.sandbox.release();
    // What the person pressed there before they went on to something else was the view's own.
    watched.keys = watched.keys.filter(({ at }) => at > this.#hereAt);
    if (this.#hereAt !== hereAt) return;
    this.#own(frame, watched);
    if (innermost() === holder) watched.sandbox.focus();
  }

  /**
   * @param {HTMLIFrameElement} frame
   * @param {Watched} watched
   * @param {HTMLElement | null} holder
   * @param {boolean} isSecret
   * @param {boolean} answers
   */
  async #punish(frame, watched, holder, isSecret, answers) {
    this.#takeBack(frame, holder);
    // A key may have been on its way into the view.
    if (answers) await Promise.race([watched.sandbox.ask(), patience(ARRIVED_WITHIN)]);
    if (this.#frames.get(frame) !== watched) return;
    this.#lostKeys.convict(frame);
    const at = performance.now(), isOurs = at - watched.givenAt < GIVEN_WITHIN;
    watched.givenAt = -Infinity;
    if (!isOurs) watched.thefts = [...watched.thefts.filter((theft) => at - theft < FORGIVEN_AFTER), at];
    const hasRead = this.#putBack(watched, holder);
    if (hasRead || isSecret && !isOurs || watched.thefts.length >= MOST_THEFTS) watched.sandbox.stolen();
  }

  /** @param {HTMLIFrameElement} frame @param {HTMLElement | null} holder */
  #takeBack(frame, holder) {
    if (rootOf(frame).activeElement !== frame) return;
    const deeds = this.#deeds;
    frame.blur();
    // Where it was, and at the same letter: fields remember that.
    holder?.focus({ preventScroll: true });
    this.#deeds = deeds; // the person did not do this
  }

  /** Whether there was anything to put back. @param {Watched} watched @param {HTMLElement | null} holder */
  #putBack(watched, holder) {
    const keys = watched.keys.splice(0);
    for (const press of keys) this.#lostKeys.reported(press, isField(holder) ? holder : null);
    return keys.length > 0;
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
