// @ts-check
/**
 * A call of a form: its controls get the values, and it is submitted, by itself or by the user.
 *
 * @typedef {import("./forms.js").Control} Control
 * @typedef {{name: string | null, description: string | null, own: AbortController, cancel: (why: string) => void, response?: [any]}} Run
 */
import { failure, NAVIGATED } from "./tools.js";

/** The call that each form is filled in for. @type {Map<EventTarget | null, Run>} */
export const runs = new Map();

/** `agentInvoked` and `respondWith()` of submit events. */
export function extendSubmitEvents() {
  Object.defineProperties(SubmitEvent.prototype, {
    agentInvoked: {
      /** @this {SubmitEvent} */
      get() {
        return runs.has(this.target);
      },
    },
    respondWith: {
      /** @this {SubmitEvent} @param {any} response */
      value(response) {
        if (!this.defaultPrevented) throw failure("InvalidStateError", "Call preventDefault() before respondWith()");
        const run = runs.get(this.target);
        if (run) run.response = [response];
      },
    },
  });
}

/** What a control would not take. @param {Map<string, Control[]>} controls @param {Record<string, any>} input */
export function invalidValue(controls, input) {
  for (const [name, value] of Object.entries(input)) {
    const copy = controls.get(name)?.[0].cloneNode();
    if (!(copy instanceof HTMLInputElement) || typeof value != "string" || !value) continue;
    copy.value = value;
    // Controls for dates and times turn what is none into nothing, and those for colours into black.
    if (!copy.value || copy.type == "color" && copy.value != value.toLowerCase()) {
      return `${name} must be a ${copy.type}`;
    }
  }
  return "";
}

/**
 * @param {HTMLFormElement} form
 * @param {Map<string, Control[]>} controls
 * @param {Record<string, any>} input
 * @param {AbortSignal} signal
 */
export function perform(form, controls, input, signal) {
  const own = new AbortController();
  const listening = { signal: own.signal, capture: true };
  return new Promise((resolve, reject) => {
    /** @type {Run} */
    const run = {
      name: form.getAttribute("toolname"),
      description: form.getAttribute("tooldescription"),
      own,
      cancel: (why) => reject(failure("UnknownError", `Tool execution cancelled${why}`)),
    };
    runs.get(form)?.cancel(" by another call");
    runs.set(form, run);
    signal.addEventListener("abort", () => reject(signal.reason));
    // Listeners of the page come first, and say what becomes of the event.
    form.addEventListener("submit", (event) => void setTimeout(() => settle(event, run, resolve, reject)), listening);
    form.addEventListener(
      "reset",
      (event) => void setTimeout(() => event.defaultPrevented || run.cancel(" by a form reset")),
      listening,
    );
    for (const [name, value] of Object.entries(input)) fill(controls.get(name) ?? [], value);
    const all = /** @type {HTMLInputElement[]} */ ([...form.elements]);
    const button = all.find((one) => one.type == "submit" && !one.matches(":disabled"));
    if (!form.hasAttribute("toolautosubmit")) return button?.focus();
    const wrong = all.filter((one) => one.willValidate && !one.validity.valid);
    if (wrong.length) {
      const told = wrong.map((one) => `${one.name}: ${one.validationMessage}`).join(" ");
      throw failure("DataError", `Form validation failed: ${told}`);
    }
    form.requestSubmit(button);
  }).finally(() => {
    own.abort();
    if (runs.get(form)?.own == own) runs.delete(form);
  });
}

/** @param {Event} event @param {Run} run @param {(value: any) => void} resolve @param {(error: any) => void} reject */
function settle(event, { response }, resolve, reject) {
  if (response) {
    Promise.resolve(response[0]).then(
      resolve,
      () => reject(failure("UnknownError", "The page's respondWith() promise was rejected")),
    );
  } else if (event.defaultPrevented) {
    reject(failure("UnknownError", "The page cancelled the submit event without calling respondWith()"));
  } else resolve(NAVIGATED);
}

/** @param {Control[]} group @param {any} value */
function fill(group, value) {
  const [control] = group;
  if (control instanceof HTMLInputElement && /^(radio|checkbox)$/.test(control.type)) {
    for (const one of /** @type {HTMLInputElement[]} */ (group)) {
      const wanted = typeof value == "boolean" ? value : [value].flat().includes(one.value);
      // A click, because frameworks listen for it.
      if (one.checked != wanted && (wanted || one.type == "checkbox")) one.click();
    }
  } else if (control instanceof HTMLSelectElement && control.multiple) {
    const options = [...control.options].filter((option) => option.selected != value.includes(option.value));
    for (const option of options) option.selected = !option.selected;
    if (options.length) changed(control);
  } else {
    const before = control.value;
    // The prototype's own setter: frameworks put theirs on the element, and would take the change for their own.
    Reflect.set(Object.getPrototypeOf(control), "value", `${value}`, control);
    if (control.value != before) changed(control);
  }
}

/** @param {Control} control */
function changed(control) {
  for (const type of ["input", "change"]) {
    control.dispatchEvent(new Event(type, { bubbles: true, composed: type == "input" }));
  }
}
