// @ts-check
/**
 * The fields of a form made from a JSON Schema, one kind for each kind of schema.
 *
 * @typedef {Record<string, any>} Schema
 * @typedef {{element: HTMLElement, read: () => any, write: (value: any) => void}} Field
 *   `read` gives `undefined` for what was left empty, and throws a `FormError` for what is wrong.
 */

/** What a person wrote is not what the schema asks for. */
export class FormError extends Error {
  /** @param {string} message @param {HTMLElement} [element] where to look */
  constructor(message, element) {
    super(message);
    this.element = element;
  }
}

const KNOWN_FORMATS = new Map([
  ["date", "date"],
  ["time", "time"],
  ["date-time", "datetime-local"],
  ["email", "email"],
  ["uri", "url"],
  ["color", "color"],
]);

let count = 0;

/**
 * @typedef {{root: Schema, depth: number, name: string, required?: boolean}} Place where a field is
 *
 * @param {Schema} given
 * @param {Place} place
 * @returns {Field}
 */
export function fieldOf(given, place) {
  const schema = resolved(given, place.root);
  if ("const" in schema) return constField(schema);
  if (Array.isArray(schema.enum)) return choiceField(schema, place);
  const choices = alternatives(schema, place.root);
  if (choices.length === 1) return fieldOf({ ...choices[0], ...annotations(schema) }, place);
  if (choices.length > 1) return variantField(schema, choices, place);
  switch (typeOf(schema)) {
    case "boolean":
      return booleanField(schema, place);
    case "integer":
    case "number":
      return numberField(schema, place);
    case "string":
      return textField(schema, place);
    case "array":
      return arrayField(schema, place);
    case "object":
      return schema.properties ? objectField(schema, place) : mapField(schema, place);
    case "null":
      return constField({ const: null });
    default:
      return rawField(schema, labelOf(schema, place.name));
  }
}

/** @param {Schema} schema @param {Schema} root @param {number} [hops] @returns {Schema} */
function resolved(schema, root, hops = 0) {
  const path = typeof schema?.$ref === "string" && schema.$ref.startsWith("#/")
    ? schema.$ref.slice(2).split("/")
    : null;
  if (!path || hops > 20) return schema ?? {};
  /** @type {any} */
  let found = root;
  for (const part of path) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = Object.hasOwn(found ?? {}, key) ? found[key] : undefined;
  }
  const { $ref: _, ...rest } = schema;
  return { ...resolved(found ?? {}, root, hops + 1), ...rest };
}

/** The alternatives of a schema that a person can choose from; that it may be null is said by leaving it out. */
function alternatives(/** @type {Schema} */ schema, /** @type {Schema} */ root) {
  const listed = schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) ? typesOf(schema) : []);
  return listed.map((/** @type {Schema} */ one) => resolved(one, root))
    .filter((/** @type {Schema} */ one) => one.type !== "null");
}

/** @param {Schema} schema @returns {Schema[]} */
function typesOf(schema) {
  return schema.type.map((/** @type {string} */ type) => ({ ...schema, type }));
}

/** @param {Schema} schema */
function annotations({ title, description, default: value, examples }) {
  return Object.fromEntries(
    Object.entries({ title, description, default: value, examples }).filter(([, one]) => one !== undefined),
  );
}

/** @param {Schema} schema */
function typeOf(schema) {
  if (typeof schema.type === "string") return schema.type;
  if (schema.properties) return "object";
  if (schema.items) return "array";
  return undefined;
}

/** @param {Schema} schema @param {string} name */
function labelOf(schema, name) {
  return String(schema.title ?? name);
}

/**
 * What stands behind "Example:" in a description, up to the end of the line. `cloche check` reads the same. In steps: one
 * expression for all of it tries every way to divide a run of spaces.
 *
 * @param {string} description
 */
function exampleIn(description) {
  const [, behind] = description.split(/\bExamples?:/i, 2);
  const [line, more] = (behind ?? "").trimStart().split(/[\n;]/, 2);
  const text = line.trimEnd();
  const plain = more === undefined && text.endsWith(".") ? text.slice(0, -1) : text;
  return /^[`"']?([^`"']+)[`"']?$/.exec(plain.trimEnd())?.[1].trim() ?? "";
}

/** What a field may look like: the schema's own example, or the one in its description. @param {Schema} schema */
export function exampleOf(schema) {
  const [first] = Array.isArray(schema.examples) ? schema.examples : [];
  if (first !== undefined) return typeof first === "string" ? first : JSON.stringify(first);
  return exampleIn(String(schema.description ?? ""));
}

/** What a field begins with: the default, where there is one, or the example. @param {Schema} schema */
function startOf(schema) {
  return "default" in schema ? schema.default ?? "" : exampleOf(schema);
}

/**
 * A label, the control, what it is about, and a place for what is wrong with it.
 *
 * @param {HTMLElement & {required?: boolean}} control
 * @param {Schema} schema
 * @param {Place} place
 */
function labelled(control, schema, { name, required }) {
  const id = `field-${++count}`;
  control.id = id;
  const element = document.createElement("div");
  element.className = "field";
  const label = document.createElement("label");
  label.htmlFor = id;
  label.textContent = labelOf(schema, name);
  if (required) {
    control.required = true;
    label.append(" ", hint("required", "needed"));
  }
  element.append(label, control);
  const described = [];
  if (schema.description) {
    const about = hint("about", schema.description);
    about.id = `${id}-about`;
    described.push(about.id);
    element.append(about);
  }
  const problem = hint("problem", "");
  problem.id = `${id}-problem`;
  problem.setAttribute("role", "alert");
  described.push(problem.id);
  element.append(problem);
  control.setAttribute("aria-describedby", described.join(" "));
  return element;
}

/** @param {string} kind @param {string} text */
function hint(kind, text) {
  const element = document.createElement("span");
  element.className = kind;
  element.textContent = text;
  return element;
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function textField(schema, place) {
  const format = KNOWN_FORMATS.get(schema.format);
  const control = format ? document.createElement("input") : lines();
  if (format) control.setAttribute("type", format);
  if (format === "time" || format === "datetime-local") control.setAttribute("step", "1");
  control.placeholder = exampleOf(schema);
  control.value = shownText(startOf(schema), format);
  return {
    element: labelled(control, schema, place),
    read: () => {
      const value = control.value;
      if (value === "") return empty(control, place);
      checkText(value, schema, control);
      return format === "datetime-local" ? withZone(value) : value;
    },
    write: (value) => control.value = value === undefined || value === null ? "" : shownText(value, format),
  };
}

/** Any text may have lines: it grows with them. Enter sends the form, and with Shift begins a line. */
function lines() {
  const control = document.createElement("textarea");
  control.rows = 1;
  control.className = "lines";
  control.title = "Shift+Enter starts a new line";
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

/** @param {string} pattern @param {string} value */
function matches(pattern, value) {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true; // a pattern of another language is the server's to check
  }
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
function empty(control, place) {
  if (place.required) throw new FormError("Required", control);
  return undefined;
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function numberField(schema, place) {
  const control = document.createElement("input");
  control.type = "number";
  control.step = schema.type === "integer" ? "1" : "any";
  if (schema.minimum !== undefined) control.min = String(schema.minimum);
  if (schema.maximum !== undefined) control.max = String(schema.maximum);
  control.placeholder = exampleOf(schema);
  control.value = startOf(schema);
  return {
    element: labelled(control, schema, place),
    read: () => {
      if (control.validity.badInput) throw new FormError("Enter a number", control);
      if (control.value === "") return empty(control, place);
      const value = Number(control.value);
      if (schema.type === "integer" && !Number.isInteger(value)) throw new FormError("Enter a whole number", control);
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
  const control = document.createElement("input");
  control.type = "checkbox";
  control.checked = schema.default === true;
  const element = labelled(control, schema, { ...place, required: false });
  element.classList.add("check");
  return { element, read: () => control.checked, write: (value) => control.checked = value === true };
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function choiceField(schema, place) {
  const control = document.createElement("select");
  if (!place.required || schema.default === undefined) control.append(new Option("–", ""));
  schema.enum.forEach((/** @type {any} */ value, /** @type {number} */ index) =>
    control.append(new Option(typeof value === "string" ? value : JSON.stringify(value), String(index)))
  );
  const write = (/** @type {any} */ value) => {
    const index = schema.enum.findIndex((/** @type {any} */ one) => JSON.stringify(one) === JSON.stringify(value));
    control.value = index < 0 ? "" : String(index);
  };
  write(schema.default);
  return {
    element: labelled(control, schema, place),
    read: () => control.value === "" ? empty(control, place) : schema.enum[Number(control.value)],
    write,
  };
}

/** @param {Schema} schema @returns {Field} */
function constField(schema) {
  const element = document.createElement("div");
  element.hidden = true;
  return { element, read: () => schema.const, write: () => {} };
}

/** @param {Schema} schema @param {string} name @returns {[HTMLFieldSetElement, HTMLElement]} */
function group(schema, name) {
  const element = document.createElement("fieldset");
  if (name) {
    const legend = document.createElement("legend");
    legend.textContent = labelOf(schema, name);
    element.append(legend);
  }
  if (name && schema.description) element.append(hint("about", schema.description));
  const body = document.createElement("div");
  element.append(body);
  return [element, body];
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
export function objectField(schema, place) {
  const [element, body] = group(schema, place.name);
  /** @type {Map<string, Field>} */
  const fields = new Map();
  const fill = () => {
    for (const [name, one] of Object.entries(schema.properties ?? {})) {
      const required = (schema.required ?? []).includes(name);
      const field = fieldOf(one, { root: place.root, depth: place.depth + 1, name, required });
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
    /** @type {HTMLElement | null} */ (body.querySelector("input, select, textarea"))?.focus();
  };
  if (late) leaveOut();
  else fill();
  return {
    element,
    read: () => {
      /** @type {Record<string, any>} */
      const value = {};
      for (const [name, field] of fields) {
        const one = field.read();
        if (one !== undefined) value[name] = one;
      }
      const isEmpty = Object.keys(value).length === 0;
      return isEmpty && !place.required && place.name ? undefined : value;
    },
    write: (value) => {
      if (late && value && !fields.size) fillIn();
      else if (late && !value) leaveOut();
      for (const [name, field] of fields) field.write(Object.hasOwn(value ?? {}, name) ? value[name] : undefined);
    },
  };
}

/** @param {string} text @param {(button: HTMLButtonElement) => void} press */
function button(text, press) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.addEventListener("click", () => press(element));
  return element;
}

/**
 * Rows that a person adds and takes away.
 *
 * @param {Schema} schema @param {Place} place @param {(number: number) => Field} make
 */
function rows(schema, place, make) {
  const [element, body] = group(schema, place.name);
  /** @type {Map<HTMLElement, Field>} */
  const fields = new Map();
  const add = () => {
    const row = document.createElement("div");
    row.className = "row";
    const field = make(fields.size + 1);
    const remove = button("✕", () => (fields.delete(row), row.remove(), more.focus()));
    remove.setAttribute("aria-label", `Remove from ${labelOf(schema, place.name)}`);
    row.append(field.element, remove);
    fields.set(row, field);
    body.append(row);
    return field;
  };
  const more = button("Add", () => {
    const added = add();
    /** @type {HTMLElement | null} */ (added.element.querySelector("input, select, textarea, button"))?.focus();
  });
  more.setAttribute("aria-label", `Add to ${labelOf(schema, place.name)}`);
  element.append(more);
  const clear = () => {
    fields.clear();
    body.replaceChildren();
  };
  return { element, fields, add, clear };
}

/** @param {Schema} schema @param {Place} place @returns {Field} */
function arrayField(schema, place) {
  const item = schema.items ?? {};
  const list = rows(schema, place, (number) => {
    const name = `${labelOf(schema, place.name)} ${number}`;
    return fieldOf(item, { root: place.root, depth: place.depth + 1, name, required: true });
  });
  const write = (/** @type {any} */ value) => {
    list.clear();
    for (const one of Array.isArray(value) ? value : []) list.add().write(one);
  };
  write(schema.default);
  return {
    element: list.element,
    read: () => {
      const values = [...list.fields.values()].map((field) => field.read());
      if (values.length < (schema.minItems ?? 0)) throw new FormError(`At least ${schema.minItems}`, list.element);
      return values.length || place.required ? values : undefined;
    },
    write,
  };
}

/** An object whose keys nobody listed. @param {Schema} schema @param {Place} place @returns {Field} */
function mapField(schema, place) {
  const open = schema.additionalProperties;
  if (open === false) return objectField({ ...schema, properties: {} }, place);
  if (typeof open !== "object") return rawField(schema, labelOf(schema, place.name), place);
  const list = rows(schema, place, () => {
    const key = textField({ title: "Key" }, { ...place, required: true, name: "Key" });
    const value = fieldOf(open, { root: place.root, depth: place.depth + 1, name: "Value", required: true });
    const element = document.createElement("div");
    element.className = "pair";
    element.append(key.element, value.element);
    return {
      element,
      read: () => [key.read(), value.read()],
      write: ([name, one]) => (key.write(name), value.write(one)),
    };
  });
  const write = (/** @type {any} */ value) => {
    list.clear();
    for (const pair of Object.entries(value ?? {})) list.add().write(pair);
  };
  write(schema.default);
  return {
    element: list.element,
    read: () => {
      const pairs = [...list.fields.values()].map((field) => field.read());
      return pairs.length || place.required ? Object.fromEntries(pairs) : undefined;
    },
    write,
  };
}

/** One of several schemas. @param {Schema} schema @param {Schema[]} choices @param {Place} place @returns {Field} */
function variantField(schema, choices, place) {
  const [element, body] = group(schema, place.name);
  const select = document.createElement("select");
  select.setAttribute("aria-label", `Kind of ${labelOf(schema, place.name)}`);
  choices.forEach((one, index) =>
    select.append(new Option(one.title ?? typeOf(one) ?? `choice ${index + 1}`, String(index)))
  );
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
  return { element, read: () => fields[Number(select.value)].read(), write };
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
  const control = document.createElement("textarea");
  control.rows = 4;
  control.spellcheck = false;
  control.className = "code";
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
    write: (value) => control.value = value === undefined ? "" : JSON.stringify(value, null, 2),
  };
}
