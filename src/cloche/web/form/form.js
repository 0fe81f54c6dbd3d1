// @ts-check
import { make } from "../elements.js";
import { draftOf, FormError, objectField, rawField } from "./fields.js";
export { FormError };

/**
 * A form made from a JSON Schema: one field for each property, and the arguments that a person wrote into it.
 *
 * @typedef {import("./fields.js").Schema} Schema
 */

/** A form for the arguments of one tool. */
export class SchemaForm {
  /**
   * @param {Schema} schema its root is an object
   * @param {import("./fields.js").Suggest} [suggest] values for its fields
   * @param {import("./picked-file.js").Pick} [pick] makes a path of a file that a person picked
   */
  constructor(schema, suggest, pick) {
    this.schema = schema;
    this.body = objectField(schema, { root: schema, depth: 0, name: "", suggest, pick });
    this.raw = rawField({}, "Arguments as JSON");
    this.raw.element.hidden = true;
    this.element = make("div", "fields", this.body.element, this.raw.element);
  }

  /** Whether the arguments are written as JSON. */
  get isRaw() {
    return !this.raw.element.hidden;
  }

  /**
   * JSON or fields. What was written is kept: of a form that is not finished what can be read; JSON has to be complete, and to
   * have nothing that the form has no field for.
   *
   * @param {boolean} wanted
   */
  setRaw(wanted) {
    if (wanted === this.isRaw) return;
    clearProblems(this.element);
    const value = wanted ? draftOf(this.body) ?? {} : this.#fitting();
    this.raw.element.hidden = !wanted;
    this.body.element.hidden = wanted;
    this.write(value);
  }

  /** The JSON, if the form can show it. */
  #fitting() {
    const value = this.read();
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(this.schema.properties ?? {}, name));
    if (!unknown.length) return value;
    const control = this.raw.element.querySelector("textarea") ?? undefined;
    const error = new FormError(
      `The form has no field for ${unknown.join(", ")}: remove it, or stay with JSON`,
      control,
    );
    showProblem(error);
    throw error;
  }

  /** @returns {Record<string, any>} */
  read() {
    clearProblems(this.element);
    try {
      const value = (this.isRaw ? this.raw : this.body).read() ?? {};
      if (typeof value !== "object" || Array.isArray(value)) throw new FormError("Arguments must be one JSON object");
      return value;
    } catch (error) {
      if (error instanceof FormError) showProblem(error);
      throw error;
    }
  }

  /**
   * Say what is wrong with one member, as somebody else has found.
   *
   * @param {string} name
   * @param {string} message
   * @returns {boolean} whether there is a field for it
   */
  refuse(name, message) {
    const control = this.isRaw ? null : this.body.find?.(name);
    if (control) showProblem(new FormError(message, control));
    return !!control;
  }

  /** @param {Record<string, any>} value */
  write(value) {
    (this.isRaw ? this.raw : this.body).write(value);
  }
}

/** @param {HTMLElement} form */
function clearProblems(form) {
  for (const one of form.querySelectorAll(".problem")) one.textContent = "";
  for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
}

/** @param {FormError} error */
function showProblem({ element, message }) {
  if (!element) return;
  element.setAttribute("aria-invalid", "true");
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const place = root.getElementById(`${element.id}-problem`);
  if (place) place.textContent = message;
  /** @type {HTMLElement} */ (element).focus();
}
