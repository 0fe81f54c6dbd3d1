// @ts-check
import { make } from "../elements.js";
import { fileField } from "./file-field.js";
import { pickedFileField } from "./picked-file.js";
import { alternatives, annotations, choicesOf, exampleOf, matches, resolved, typeOf } from "./schema.js";
import { suggested } from "./suggestions.js";

/**
 * The fields of a form made from a JSON Schema, one kind for each kind of schema.
 *
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {{element: HTMLElement, read: () => any, write: (value: any) => void, draft?: () => any,
 *   find?: (name: string) => HTMLElement | null}} Field
 *   `read` gives `undefined` for what was left empty, and throws a `FormError` for what is wrong; `draft` gives what can be
 *   read so far, and never throws; `find` gives the control of a member.
 */

/** What a person wrote is not what the schema asks for. */
export class FormError extends Error {
  /** @param {string} message @param {HTMLElement} [element] where to look */
  constructor(message, element) {
    super(message);
    this.element = element;
  }
}

/** What can be read of a field that is not finished. @param {Field} field @returns {any} */
export function draftOf(field) {
  if (field.draft) return field.draft();
  try {
    return field.read();
  } catch {
    return undefined;
  }
}

/** The kind of input for a format. @type {Record<string, string>} */
const INPUTS = {
  date: "date",
  time: "time",
  "date-time": "datetime-local",
  email: "email",
  uri: "url",
  color: "color",
  password: "password",
};

/** What a person is told who wrote something else. @type {Record<string, string>} */
const WANTED = { email: "Enter an e-mail address", url: "Enter a whole address, such as https://example.com" };

let count = 0;

/**
 * @typedef {(name: string, value: string) => Promise<string[]>} Suggest what may be written into a field
 * @typedef {{root: Schema, depth: number, name: string, required?: boolean, suggest?: Suggest,
 *   pick?: import("./picked-file.js").Pick}} Place where a field is
 *
 * @param {Schema} given
 * @param {Place} place
 * @returns {Field}
 */
export function fieldOf(given, place) {
  const schema = resolved(given, place.root);
  if ("const" in schema) return constField(schema);
  if (choicesOf(schema, place.root)) return choiceField(schema, place);
  const choices = alternatives(schema, place.root);
  if (choices.length === 1) return fieldOf({ ...choices[0], ...annotations(schema) }, place);
  if (choices.length > 1) return variantField(schema, choices, place);
  const type = String(typeOf(schema));
  return Object.hasOwn(FIELDS, type) ? FIELDS[type](schema, place) : rawField(schema, labelOf(schema, place.name));
}

/** The field of each type. @type {Record<string, (schema: Schema, place: Place) => Field>} */
const FIELDS = {
  boolean: booleanField,
  integer: numberField,
  number: numberField,
  string: textField,
  array: arrayField,
  object: (schema, place) => schema.properties ? objectField(schema, place) : mapField(schema, place),
  null: () => constField({ const: null }),
};

/** @param {Schema} schema @param {string} name */
const labelOf = (schema, name) => String(schema.title ?? name);

/** What a field begins with: the default, where there is one, or the example. @param {Schema} schema */
const startOf = (schema) => "default" in schema ? schema.default ?? "" : exampleOf(schema);

/**
 * A label, the control, what it is about, and a place for what is wrong with it.
 *
 * @param {HTMLElement & {required?: boolean}} control
 * @param {Schema} schema
 * @param {Place} place
 */
export function labelled(control, schema, { name, required }) {
  const id = control.id = `field-${++count}`;
  if (required) control.required = true;
  const label = make("label", { htmlFor: id }, labelOf(schema, name));
  if (required) label.append(" ", make("span", "required", "required"));
  const about = schema.description && make("span", { id: `${id}-about`, class: "about" }, schema.description);
  const problem = make("span", { id: `${id}-problem`, class: "problem", role: "alert" });
  control.setAttribute("aria-describedby", (about ? about.id + " " : "") + problem.id);
  return make("div", "field", label, control, about, problem);
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function textField(schema, place) {
  if (schema.format === "picked-file" && place.pick) return pickedFileField(schema, place, place.pick);
  if (schema.contentEncoding === "base64" || schema.format === "byte") return fileField(schema, place);
  const format = Object.hasOwn(INPUTS, schema.format) ? INPUTS[schema.format] : undefined;
  const step = /time/.test(format ?? "") ? "1" : "";
  const control = place.suggest
    ? suggested(place.name, place.suggest)
    : format
    ? make("input", { type: format, step, ...format === "password" && { autocomplete: "off" } })
    : lines();
  control.placeholder = exampleOf(schema);
  control.value = shownText(startOf(schema), format);
  return {
    element: labelled(control, schema, place),
    read: () => {
      const value = control.value;
      if (value === "") return empty(control, place);
      if (control.validity.typeMismatch) throw new FormError(WANTED[control.type] ?? "This does not fit", control);
      checkText(value, schema, control);
      return format === "datetime-local" ? withZone(value) : value;
    },
    write: (value) => control.value = value === undefined || value === null ? "" : shownText(value, format),
  };
}

/** Any text may have lines: it grows with them. Enter sends the form, and with Shift begins a line. */
function lines() {
  const control = make("textarea", { rows: 1, class: "lines", title: "Shift+Enter starts a new line" });
  control.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.ctrlKey && !event.metaKey) control.form?.requestSubmit();
  });
  return control;
}

/** @param {string} value @param {Schema} schema @param {HTMLElement} control */
function checkText(value, { minLength, maxLength, pattern }, control) {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) throw new FormError(`At least ${minLength} characters`, control);
  if (maxLength !== undefined && length > maxLength) throw new FormError(`At most ${maxLength} characters`, control);
  if (pattern !== undefined && !matches(pattern, value)) throw new FormError(`Must match ${pattern}`, control);
}

/** @param {string} value local time, which JSON Schema wants with its zone */
function withZone(value) {
  const minutes = -new Date(value).getTimezoneOffset();
  const pad = (/** @type {number} */ number) => String(Math.floor(Math.abs(number))).padStart(2, "0");
  return `${value}${value.length === 16 ? ":00" : ""}${minutes < 0 ? "-" : "+"}${pad(minutes / 60)}:${
    pad(minutes % 60)
  }`;
}

/** @param {any} value @param {string} [format] */
function shownText(value, format) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return format === "datetime-local" ? text.replace(/(?:Z|[+-]\d\d:\d\d)$/, "") : text;
}

/** @param {HTMLElement} control @param {Place} place @returns {undefined} */
export function empty(control, place) {
  if (place.required) throw new FormError("Required", control);
  return undefined;
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function numberField(schema, place) {
  const isInteger = schema.type === "integer";
  const { minimum: min = "", maximum: max = "" } = schema;
  const control = make("input", { type: "number", step: isInteger ? "1" : "any", min, max });
  control.placeholder = exampleOf(schema);
  control.value = startOf(schema);
  return {
    element: labelled(control, schema, place),
    read: () => {
      if (control.validity.badInput) throw new FormError("Enter a number", control);
      if (control.value === "") return empty(control, place);
      const value = Number(control.value);
      if (isInteger && !Number.isInteger(value)) throw new FormError("Enter a whole number", control);
      if (value < (schema.minimum ?? -Infinity)) throw new FormError(`At least ${schema.minimum}`, control);
      if (value > (schema.maximum ?? Infinity)) throw new FormError(`At most ${schema.maximum}`, control);
      return value;
    },
    write: (value) => control.value = value ?? "",
  };
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function booleanField(schema, place) {
  // A box is either on or off: one that may be left out needs a third state.
  if (!place.required && schema.default === undefined) {
    return choiceField({ ...schema, enum: [true, false] }, place);
  }
  const control = make("input", { type: "checkbox", checked: schema.default === true });
  const element = labelled(control, schema, { ...place, required: false });
  element.classList.add("check");
  return { element, read: () => control.checked, write: (value) => control.checked = value === true };
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function choiceField(schema, place) {
  const choices = choicesOf(schema, place.root) ?? [];
  const control = make("select", {}, (!place.required || schema.default === undefined) && new Option("–", ""));
  choices.forEach(({ title }, index) => control.append(new Option(title, String(index))));
  const write = (/** @type {any} */ value) => {
    const index = choices.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value));
    control.value = index < 0 ? "" : String(index);
  };
  write(schema.default);
  return {
    element: labelled(control, schema, place),
    read: () => control.value === "" ? empty(control, place) : choices[Number(control.value)].value,
    write,
  };
}

/** Some of several values: a box for each. @param {Schema} schema @param {Place} place @returns {Field} */
function severalField(schema, place) {
  const choices = choicesOf(resolved(schema.items, place.root), place.root) ?? [];
  const boxes = choices.map(({ title }) => {
    const box = make("input", { type: "checkbox", id: `field-${++count}` });
    return { box, element: make("div", "field check", make("label", { htmlFor: box.id }, title), box) };
  });
  const id = `field-${++count}`;
  const problem = make("span", { id: `${id}-problem`, class: "problem", role: "alert" });
  const required = place.required && make("span", "required", "required");
  const legend = make("legend", {}, labelOf(schema, place.name), " ", required);
  const about = schema.description && make("span", "about", schema.description);
  const described = { id, class: "several", tabIndex: -1, "aria-describedby": problem.id };
  const element = make("fieldset", described, legend, about, ...boxes.map((one) => one.element), problem);
  const write = (/** @type {any} */ values) =>
    boxes.forEach(({ box }, index) => box.checked = Array.isArray(values) && values.includes(choices[index].value));
  write(schema.default);
  const read = () => {
    const values = choices.filter((_, index) => boxes[index].box.checked).map((one) => one.value);
    if (values.length === 0 && !place.required) return undefined;
    const { minItems = 0, maxItems = Infinity } = schema;
    if (values.length < minItems) throw new FormError(`Choose at least ${minItems}`, element);
    if (values.length > maxItems) throw new FormError(`Choose at most ${maxItems}`, element);
    return values;
  };
  return { element, read, write };
}

/** @param {Schema} schema @returns {Field} */
const constField = (schema) => ({ element: make("div", { hidden: true }), read: () => schema.const, write: () => {} });

/** @param {Schema} schema @param {string} name @returns {[HTMLFieldSetElement, HTMLElement]} */
function group(schema, name) {
  const body = make("div");
  const legend = name && make("legend", {}, labelOf(schema, name));
  const about = name && schema.description && make("span", "about", schema.description);
  return [make("fieldset", {}, legend, about, body), body];
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
export function objectField(schema, place) {
  const [element, body] = group(schema, place.name);
  /** @type {Map<string, Field>} */
  const fields = new Map();
  const fill = () => {
    for (const [name, one] of Object.entries(schema.properties ?? {})) {
      const required = (schema.required ?? []).includes(name);
      const { root, depth, suggest, pick } = place;
      const field = fieldOf(one, { root, depth: depth + 1, name, required, suggest, pick });
      fields.set(name, field);
      body.append(field.element);
    }
  };
  // A schema that holds itself has no end, and what may be left out must not be missed: both are made when wanted.
  const mayBeLeftOut = !place.required && place.name !== "" && (schema.required ?? []).length > 0;
  const late = place.depth > 2 || mayBeLeftOut;
  const label = labelOf(schema, place.name);
  const leaveOut = () => {
    fields.clear();
    body.replaceChildren(button(`Add ${label}`, fillIn));
  };
  const fillIn = () => {
    body.replaceChildren();
    fill();
    body.append(button(`Remove ${label}`, leaveOut));
    focusIn(body);
  };
  if (late) leaveOut();
  else fill();
  const collect = (/** @type {(field: Field) => any} */ valueOf) => {
    const pairs = [...fields].map(([name, field]) => [name, valueOf(field)]);
    const value = Object.fromEntries(pairs.filter(([, one]) => one !== undefined));
    const isEmpty = Object.keys(value).length === 0;
    return isEmpty && !place.required && place.name ? undefined : value;
  };
  return {
    element,
    read: () => collect((field) => field.read()),
    draft: () => collect(draftOf),
    find: (name) => fields.get(name)?.element.querySelector("input, select, textarea, fieldset[id]") ?? null,
    write: (value) => {
      if (late && value && !fields.size) fillIn();
      else if (late && !value) leaveOut();
      for (const [name, field] of fields) field.write(Object.hasOwn(value ?? {}, name) ? value[name] : undefined);
    },
  };
}

/** @param {string} text @param {() => void} onclick @param {string} [label] what it says to those who only hear it */
const button = (text, onclick, label = text) => make("button", { type: "button", onclick, "aria-label": label }, text);

/** Where a person begins to write. @param {HTMLElement} place */
const focusIn = (place) =>
  /** @type {HTMLElement | null} */ (place.querySelector("input, select, textarea, button"))?.focus();

/**
 * Rows that a person adds and takes away.
 *
 * @param {Schema} schema @param {Place} place @param {(number: number) => Field} fieldFor
 * @returns {Field}
 */
function rows(schema, place, fieldFor) {
  const label = labelOf(schema, place.name);
  const [element, body] = group(schema, place.name);
  /** @type {Map<HTMLElement, Field>} */
  const fields = new Map();
  const add = () => {
    const field = fieldFor(fields.size + 1);
    const remove = () => (fields.delete(row), row.remove(), more.focus());
    const row = make("div", "row", field.element, button("✕", remove, `Remove from ${label}`));
    fields.set(row, field);
    body.append(row);
    return field;
  };
  const more = button("Add", () => focusIn(add().element), `Add to ${label}`);
  element.append(more);
  /** @param {any[]} values */
  const write = (values) => {
    fields.clear();
    body.replaceChildren();
    for (const one of values) add().write(one);
  };
  const read = () => {
    const values = [...fields.values()].map((field) => field.read());
    if (values.length < (schema.minItems ?? 0)) throw new FormError(`At least ${schema.minItems}`, element);
    return values.length || place.required ? values : undefined;
  };
  const draft = () => {
    const values = [...fields.values()].map(draftOf).filter((one) => one !== undefined);
    return values.length ? values : undefined;
  };
  return { element, read, write, draft };
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function arrayField(schema, place) {
  if (choicesOf(resolved(schema.items, place.root), place.root)) return severalField(schema, place);
  const label = labelOf(schema, place.name);
  // Points, matrices, rows of a table: boxes in boxes for single numbers help nobody.
  const isNested = typeOf(resolved(schema.items ?? {}, place.root)) === "array";
  if (isNested || schema.prefixItems) return rawField(schema, label, place);
  const list = rows(schema, place, (number) => fieldOf(schema.items ?? {}, inside(place, `${label} ${number}`)));
  const write = (/** @type {any} */ value) => list.write(Array.isArray(value) ? value : []);
  write(schema.default);
  return { ...list, write };
}

/** Inside a list or an object nothing is left out. @param {Place} place @param {string} name @returns {Place} */
const inside = ({ root, depth, pick }, name) => ({ root, depth: depth + 1, name, required: true, pick });

/** An object whose keys nobody listed. @param {Schema} schema @param {Place} place @returns {Field} */
function mapField(schema, place) {
  const open = schema.additionalProperties;
  if (open === false) return objectField({ ...schema, properties: {} }, place);
  if (typeof open !== "object") return rawField(schema, labelOf(schema, place.name), place);
  const list = rows({ ...schema, minItems: 0 }, place, () => {
    const key = textField({ title: "Key" }, inside(place, "Key"));
    const value = fieldOf(open, inside(place, "Value"));
    return {
      element: make("div", "pair", key.element, value.element),
      read: () => [key.read(), value.read()],
      write: ([name, one]) => (key.write(name), value.write(one)),
    };
  });
  const read = () => {
    const pairs = list.read();
    return pairs && Object.fromEntries(pairs);
  };
  const draft = () => Object.fromEntries((list.draft?.() ?? []).filter((/** @type {any} */ pair) => pair?.[0]));
  const write = (/** @type {any} */ value) => list.write(Object.entries(value ?? {}));
  write(schema.default);
  return { ...list, read, write, draft };
}

/** One of several schemas. @param {Schema} schema @param {Schema[]} choices @param {Place} place @returns {Field} */
function variantField(schema, choices, place) {
  const [element, body] = group(schema, place.name);
  const options = choices.map((one, index) =>
    new Option(one.title ?? typeOf(one) ?? `choice ${index + 1}`, String(index))
  );
  const select = make("select", { "aria-label": `Kind of ${labelOf(schema, place.name)}` }, ...options);
  const fields = choices.map((one) => fieldOf(one, { ...place, depth: place.depth + 1 }));
  const show = () => body.replaceChildren(fields[Number(select.value)].element);
  select.addEventListener("change", show);
  element.insertBefore(select, body);
  show();
  const write = (/** @type {any} */ value) => {
    const fitting = choices.findIndex((one) => fits(value, typeOf(one)));
    if (fitting >= 0) select.value = String(fitting);
    show();
    fields[Number(select.value)].write(value);
  };
  if (schema.default !== undefined && schema.default !== null) write(schema.default);
  const chosen = () => fields[Number(select.value)];
  return { element, read: () => chosen().read(), write, draft: () => draftOf(chosen()) };
}

/** @param {any} value @param {string} [type] */
function fits(value, type) {
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  const kind = typeof value;
  return kind === type;
}

/** Anything, as JSON. @param {Schema} schema @param {string} name @param {Place} [place] @returns {Field} */
export function rawField(schema, name, place) {
  const control = make("textarea", { rows: 2, spellcheck: false, class: place ? "code lines" : "code tall" });
  control.placeholder = exampleOf(schema);
  control.value = schema.default === undefined ? exampleOf(schema) : JSON.stringify(schema.default, null, 2);
  return {
    element: labelled(control, { ...schema, title: name }, place ?? { root: schema, depth: 0, name }),
    read: () => {
      if (!control.value.trim()) return place ? empty(control, place) : undefined;
      try {
        return JSON.parse(control.value);
      } catch (error) {
        throw new FormError(`This is not JSON: ${/** @type {Error} */ (error).message}`, control);
      }
    },
    write: (value) => control.value = value === undefined ? "" : JSON.stringify(value, null, place ? 0 : 2),
  };
}
