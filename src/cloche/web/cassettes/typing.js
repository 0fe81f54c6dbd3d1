// @ts-check
import { selectorOf } from "./selector.js";

/**
 * What a person types, chooses and scrolls. Of text the value that came of it, of other keys those that do something.
 *
 * @typedef {(event: string, facts: Record<string, unknown>) => void} Told
 */

/** Keys that do something in a field beside changing its text. */
const KEPT_IN_FIELDS = ["Enter", "Escape", "Tab"];
const NO_KEYS = ["Control", "Shift", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Unidentified", "Process"];
/** Input elements without text of their own. */
const NO_TEXT = ["checkbox", "radio", "button", "submit", "reset", "image"];
const SECRET = /password|one-time-code|cc-number|cc-csc/;
const SCROLL_REST = 100;

/** @param {any} scope the view's window @param {Told} tell */
export function watchTyping(scope, tell) {
  /** Fields that were for a password once: a view may show what is in them. */
  const secret = new WeakSet();
  /** @type {Map<unknown, number>} */
  const scrolling = new Map();

  /** @param {any} field */
  const isSecret = (field) => {
    if (field.type === "password" || SECRET.test(field.autocomplete ?? "")) secret.add(field);
    return secret.has(field);
  };

  scope.addEventListener("focusin", (/** @type {Event} */ event) => isSecret(event.composedPath()[0]), true);
  scope.addEventListener("input", (/** @type {InputEvent} */ event) => {
    const field = /** @type {any} */ (event.composedPath()[0]);
    if (!event.isTrusted || !(field instanceof Element) || ["checkbox", "radio", "file"].includes(fieldType(field))) {
      return;
    }
    const target = selectorOf(field);
    if (field.localName === "select") {
      const values = Array.from(/** @type {any} */ (field).selectedOptions, (option) => option.value);
      tell("choose", { target, values });
    } else {
      const value = "value" in field ? field.value : /** @type {HTMLElement} */ (field).innerText;
      tell("input", isSecret(field) ? { target, secret: value } : { target, value });
    }
  }, true);

  scope.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const element = event.composedPath()[0];
    if (!event.isTrusted || event.isComposing || NO_KEYS.includes(event.key) || !(element instanceof Element)) return;
    const kind = keysOf(/** @type {HTMLElement} */ (element));
    if (kind !== "all" && !KEPT_IN_FIELDS.includes(event.key)) return;
    const facts = { target: selectorOf(element), key: combination(event) };
    if (kind !== "lines" || event.key !== "Enter") return tell("key", facts);
    // A new line is in the text; an Enter that does something else is a key. Which of them it was is known later.
    scope.setTimeout(() => event.defaultPrevented && tell("key", facts));
  }, true);

  scope.addEventListener("scroll", (/** @type {Event} */ event) => {
    const scrolled = event.composedPath()[0];
    const element = scrolled === scope.document ? scope.document.documentElement : scrolled;
    if (!(element instanceof Element)) return;
    scope.clearTimeout(scrolling.get(element));
    const later = () => {
      scrolling.delete(element);
      tell("scroll", { target: selectorOf(element), x: element.scrollLeft, y: element.scrollTop });
    };
    scrolling.set(element, scope.setTimeout(later, SCROLL_REST));
  }, true);
}

/** @param {Element} field */
function fieldType(field) {
  return field.localName === "input" ? /** @type {HTMLInputElement} */ (field).type : field.localName;
}

/** Which keys of an element are recorded. @param {HTMLElement} element @returns {"all" | "some" | "lines"} */
function keysOf(element) {
  const type = fieldType(element);
  if (type === "textarea" || element.isContentEditable) return "lines";
  return element.localName === "select" || (element.localName === "input" && !NO_TEXT.includes(type)) ? "some" : "all";
}

/** @param {KeyboardEvent} event */
function combination(event) {
  const key = event.key === " " ? "Space" : event.key;
  /** @type {[boolean, string][]} */
  const held = [
    [event.ctrlKey, "Control"],
    [event.altKey, "Alt"],
    [event.metaKey, "Meta"],
    [event.shiftKey && key.length > 1, "Shift"],
  ];
  return [...held.filter(([isHeld]) => isHeld).map(([, name]) => name), key].join("+");
}
