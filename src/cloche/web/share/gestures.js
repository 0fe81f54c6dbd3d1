// @ts-check
/**
 * What the person did in a recorded view, done again by a script in the view: there is no mouse and no keyboard in a file.
 * The browser's own reactions to a click come with it, those to a key are few and are made here.
 *
 * @typedef {{
 *   event: string, target?: string, x?: number, y?: number, button?: number, count?: number, value?: string,
 *   values?: string[], key?: string,
 * }} Gesture
 */

/** Milliseconds until an element that is not there counts as missing, and between two looks. */
const PATIENCE = 3000;
const EVERY = 30;

export class GesturePlayer {
  /** A field whose text was changed and which has not said so yet: browsers tell it when the focus goes. @type {any} */
  #changed = null;
  /** What the pointer is over. @type {any} */
  #over = null;
  /** What the button was pressed on. @type {any} */
  #pressed = null;

  /** @param {any} scope the view's window */
  constructor(scope) {
    this.scope = scope;
    this.setTimeout = scope.setTimeout.bind(scope);
  }

  /** @param {Gesture} step @returns {Promise<string>} why it is not possible; empty when it was done */
  async play(step) {
    const { event, target } = step;
    const element = target ? await this.#find(target) : this.scope.document.documentElement;
    if (!element) return `There is no ${target} now`;
    if (element !== this.#changed) this.#tellChange();
    const act = /** @type {Record<string, (element: any, step: Gesture) => void>} */ ({
      click: (one) => this.#click(one, step),
      down: (one) => this.#down(one, step),
      drag: () => this.#at(this.#pressed, "move", step),
      up: () => (this.#at(this.#pressed, "up", step), this.#pressed = null),
      move: (one) => this.#move(one, step),
      leave: () => this.#leave(),
      input: (one) => this.#input(one, step),
      choose: (one) => this.#choose(one, step),
      key: (one) => this.#key(one, step),
      scroll: (one) => one.scrollTo(step.x ?? 0, step.y ?? 0),
    })[event];
    act?.(element, step);
    return "";
  }

  /** @param {string} path a selector; ` >> ` leads into a shadow tree */
  async #find(path) {
    for (let waited = 0; waited <= PATIENCE; waited += EVERY) {
      let found = this.scope.document;
      for (const part of path.split(" >> ")) found = (found?.shadowRoot ?? found)?.querySelector(part);
      if (found) return found;
      await new Promise((done) => this.setTimeout(done, EVERY));
    }
    return null;
  }

  /** @param {any} element @param {string} type @param {Gesture} step @param {boolean} [inside] whether x and y count from the element */
  #at(element, type, { x = 0, y = 0, button = 0, count = 1 }, inside = false) {
    if (!element) return;
    const box = inside ? element.getBoundingClientRect() : { x: 0, y: 0 };
    const common = { bubbles: true, cancelable: true, composed: true, view: this.scope, detail: count, button };
    const place = { ...common, clientX: box.x + x, clientY: box.y + y, buttons: type === "up" ? 0 : 1 };
    const pointer = { ...place, pointerId: 1, isPrimary: true, pointerType: "mouse" };
    element.dispatchEvent(new this.scope.PointerEvent(`pointer${type}`, pointer));
    element.dispatchEvent(new this.scope.MouseEvent(`mouse${type}`, place));
  }

  /** @param {any} element @param {Gesture} step */
  #down(element, step) {
    element.scrollIntoView?.({ block: "nearest" });
    this.#at(element, "down", step, true);
    this.#focus(element);
    this.#pressed = element;
  }

  /** @param {any} element @param {Gesture} step */
  #click(element, step) {
    this.#down(element, step);
    this.#at(element, "up", step, true);
    this.#pressed = null;
    if (step.button) return;
    if (typeof element.click === "function") element.click();
    else element.dispatchEvent(new this.scope.MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
    if ((step.count ?? 1) > 1) {
      element.dispatchEvent(new this.scope.MouseEvent("dblclick", { bubbles: true, cancelable: true, composed: true }));
    }
  }

  /** @param {any} element */
  #focus(element) {
    const field = element.closest("input, select, textarea, button, a[href], [tabindex], [contenteditable]");
    if (field) field.focus({ preventScroll: true });
    else this.scope.document.activeElement?.blur();
  }

  /** @param {any} element @param {Gesture} step */
  #move(element, step) {
    if (element !== this.#over) {
      this.#leave();
      this.#at(element, "over", step, true);
      element.dispatchEvent(new this.scope.PointerEvent("pointerenter", { pointerType: "mouse" }));
      element.dispatchEvent(new this.scope.MouseEvent("mouseenter"));
    }
    this.#over = element;
    this.#at(element, "move", step, true);
  }

  #leave() {
    if (!this.#over) return;
    this.#at(this.#over, "out", { event: "leave" });
    this.#over.dispatchEvent(new this.scope.PointerEvent("pointerleave", { pointerType: "mouse" }));
    this.#over.dispatchEvent(new this.scope.MouseEvent("mouseleave"));
    this.#over = null;
  }

  /** @param {any} field @param {Gesture} step */
  #input(field, { value = "" }) {
    this.#focus(field);
    // A framework that watches the property of this one element must not hear of it before the event.
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
    if (own?.set) own.set.call(field, value);
    else field.textContent = value;
    field.dispatchEvent(new this.scope.InputEvent("input", { bubbles: true, composed: true, data: value }));
    this.#changed = field;
    if (field.type === "range") this.#tellChange();
  }

  #tellChange() {
    this.#changed?.dispatchEvent(new this.scope.Event("change", { bubbles: true }));
    this.#changed = null;
  }

  /** @param {any} field @param {Gesture} step */
  #choose(field, { values = [] }) {
    for (const option of field.options ?? []) option.selected = values.includes(option.value);
    for (const type of ["input", "change"]) field.dispatchEvent(new this.scope.Event(type, { bubbles: true }));
  }

  /** @param {any} element @param {Gesture} step */
  #key(element, { key: combination = "" }) {
    const held = combination.split("+").slice(0, -1);
    const last = combination.slice(held.join("+").length + (held.length ? 1 : 0)) || "+";
    const key = last === "Space" ? " " : last;
    const facts = {
      key,
      bubbles: true,
      cancelable: true,
      composed: true,
      ctrlKey: held.includes("Control"),
      altKey: held.includes("Alt"),
      metaKey: held.includes("Meta"),
      shiftKey: held.includes("Shift"),
    };
    if (element.dispatchEvent(new this.scope.KeyboardEvent("keydown", facts))) this.#reactTo(key, element, held.length);
    element.dispatchEvent(new this.scope.KeyboardEvent("keyup", facts));
  }

  /** What a browser does of itself. @param {string} key @param {any} element @param {number} held */
  #reactTo(key, element, held) {
    if (held || key !== "Enter" && key !== " ") return;
    if (element.matches("button, a[href], summary")) return element.click();
    if (key === " " && element.matches("input:is([type=checkbox], [type=radio])")) return element.click();
    if (key !== "Enter" || element.localName !== "input") return;
    this.#tellChange();
    const button = element.form?.querySelector("button:not([type=button], [type=reset]), input[type=submit]");
    if (button) button.click();
    else element.form?.requestSubmit();
  }
}
