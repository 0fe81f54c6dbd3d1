// @ts-check
import { selectorOf } from "./selector.js";

/**
 * What a person does with mouse, finger and pen, as few entries as say it: a click, a drag, a rest over something.
 *
 * @typedef {(event: string, facts: Record<string, unknown>) => void} Told
 */

/** Pixels by which a press that is not a drag may move, and milliseconds until the next one is another click. */
const STEADY = 3;
const AGAIN = 500;
/** Milliseconds between two entries of a drag, and until a pointer counts as resting. */
const DRAG_EVERY = 30;
const REST = 120;

/** Fields that open something of the browser's own, in which nothing can be recorded or played. */
const OPENERS =
  'select,input:is([type="file"],[type="color"],[type="date"],[type="time"],[type="month"],[type="week"],' +
  '[type="datetime-local"])';

/** @param {any} scope the view's window @param {Told} tell */
export function watchPointer(scope, tell) {
  /** @type {{target: Element, x: number, y: number, facts: Record<string, unknown>, dragged: boolean} | null} */
  let pressed = null;
  /** @type {{x: number, y: number, time: number, count: number}} */
  let last = { x: 0, y: 0, time: -AGAIN, count: 0 };
  let dragTold = 0;
  let isInside = false;
  let resting = 0;
  const { setTimeout, clearTimeout } = scope;

  /** @param {PointerEvent} event */
  const place = (event) => {
    const target = /** @type {Element} */ (event.composedPath()[0]);
    const box = target.getBoundingClientRect();
    return { target: selectorOf(target), x: round(event.clientX - box.x), y: round(event.clientY - box.y) };
  };
  /** @param {PointerEvent} event */
  const isOurs = (event) => {
    const target = event.composedPath()[0];
    return event.isTrusted && event.isPrimary && target instanceof Element && !target.closest(OPENERS);
  };
  /** @param {PointerEvent} event @param {{x: number, y: number}} from */
  const isNear = (event, from = last) => Math.hypot(event.clientX - from.x, event.clientY - from.y) <= STEADY;

  scope.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    clearTimeout(resting);
    pressed = null;
    if (!isOurs(event)) return;
    const count = event.timeStamp - last.time < AGAIN && isNear(event) ? last.count + 1 : 1;
    last = { x: event.clientX, y: event.clientY, time: event.timeStamp, count };
    const target = /** @type {Element} */ (event.composedPath()[0]);
    pressed = { target, ...last, facts: { ...place(event), button: event.button, count }, dragged: false };
    isInside = true;
  }, true);

  scope.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (pressed) return drag(event);
    clearTimeout(resting);
    if (!isOurs(event)) return;
    const where = place(event);
    resting = setTimeout(() => {
      isInside = true;
      tell("move", where);
    }, REST);
  }, true);

  /** @param {PointerEvent} event */
  function drag(event) {
    if (!pressed || !event.isTrusted || !event.isPrimary || (!pressed.dragged && isNear(event, pressed))) return;
    if (!pressed.dragged) tell("down", pressed.facts);
    pressed.dragged = true;
    if (event.timeStamp - dragTold < DRAG_EVERY) return;
    dragTold = event.timeStamp;
    tell("drag", { x: round(event.clientX), y: round(event.clientY) });
  }

  /** @param {PointerEvent} event */
  function release(event) {
    if (!pressed || !event.isTrusted || !event.isPrimary) return;
    if (pressed.dragged) tell("up", { x: round(event.clientX), y: round(event.clientY), button: event.button });
    else tell("click", pressed.facts);
    pressed = null;
  }
  scope.addEventListener("pointerup", release, true);
  scope.addEventListener("pointercancel", release, true);

  scope.document.addEventListener("pointerleave", () => {
    clearTimeout(resting);
    if (isInside) tell("leave", {});
    isInside = false;
  });
}

/** @param {number} pixels */
const round = (pixels) => Math.round(pixels * 10) / 10;
