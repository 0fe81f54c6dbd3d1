// @ts-check
/**
 * Forms that are tools: `<form toolname tooldescription>`. Their schemas are the ones that Chromium makes.
 *
 * @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control
 * @typedef {Record<string, any>} Schema
 * @typedef {import("./tools.js").Tool} Tool
 */
import { expression, misfit } from "../server/schema.js";
import { invalidValue, perform } from "./filling.js";
import { NAME } from "./names.js";

const MONTH = "[0-9]{4}-(0[1-9]|1[0-2])";
const DATES = "Dates MUST be provided in 'YYYY-MM-DD' format.";
const NO_PARAMETER = /^(hidden|file|submit|image|reset|button)$/;

/** Documents and shadow trees whose forms count; closed trees cannot be seen. @type {Set<Document | ShadowRoot>} */
export const roots = new Set();

/** The forms of this document that are tools, except those whose names are taken. @param {Map<string, any>} taken */
export function formTools(taken) {
  /** @type {Map<string, Tool>} */
  const found = new Map();
  for (const root of roots) {
    for (const form of root.querySelectorAll("form")) {
      const tool = toolOf(form);
      if (tool && !taken.has(tool.name) && !found.has(tool.name)) found.set(tool.name, tool);
    }
  }
  return [...found.values()];
}

/** @param {HTMLFormElement} form @returns {Tool | undefined} */
export function toolOf(form) {
  const [name, description, title] = ["name", "description", "title"].map((word) => form.getAttribute(`tool${word}`));
  if (!form.isConnected || name === null || description === null || !NAME.test(name)) return;
  const controls = parametersOf(form);
  const properties = Object.fromEntries([...controls].map(([key, group]) => [key, schemaOf(group)]));
  const required = [...controls].filter(([, group]) => group.some((one) => one.required)).map(([key]) => key);
  return {
    name,
    title: title ?? "",
    description,
    inputSchema: JSON.stringify({ type: "object", properties, required }),
    exposedTo: [],
    isForm: true,
    // The form may have a value already for what is required: it is the form that checks this.
    check: (input) =>
      misfit({ type: "object", properties, additionalProperties: false }, input) || invalidValue(controls, input),
    execute: (input, { signal }) => perform(form, controls, input, signal),
  };
}

/** What a call may set, by name. @param {HTMLFormElement} form */
function parametersOf(form) {
  /** @type {Map<string, Control[]>} */
  const found = new Map();
  for (const element of form.elements) {
    const control = /** @type {Control} */ (element);
    if (
      !control.matches("input, select, textarea") || control.matches(":disabled") ||
      "readOnly" in control && control.readOnly
    ) continue;
    if (control.name && !NO_PARAMETER.test(control.type)) {
      found.set(control.name, [...found.get(control.name) ?? [], control]);
    }
  }
  // Several controls of one name are one parameter only when they are choices.
  for (const [name, group] of found) {
    if (
      group.length > 1 && (!/^(radio|checkbox)$/.test(group[0].type) || group.some(({ type }) => type != group[0].type))
    ) {
      found.delete(name);
    }
  }
  return found;
}

/** @param {Control[]} group */
function schemaOf(group) {
  const [control] = group;
  const { type } = control;
  if (type == "radio" || group.length > 1) {
    const described = control.closest("fieldset")?.getAttribute("toolparamdescription");
    const one = choice(group.map((each) => [/** @type {HTMLInputElement} */ (each).value, labelOf(each)]));
    return { ...type == "radio" ? one : many(one), ...described && { description: described } };
  }
  const description = control.getAttribute("toolparamdescription") || labelOf(control) || control.ariaDescription;
  if (type != "date") return { ...simpleSchema(control), ...description && { description } };
  return { type: "string", format: "date", description: description ? `${description} (${DATES})` : DATES };
}

/** @param {Control} control @returns {Schema} */
function simpleSchema(control) {
  const { type } = control;
  if (control instanceof HTMLSelectElement) {
    const one = choice([...control.options].map((option) => [option.value, option.text]));
    return control.multiple ? many(one) : one;
  }
  if (type == "checkbox") return { type: "boolean" };
  if (control instanceof HTMLTextAreaElement) return { type: "string" };
  if (type == "number" || type == "range") return numbers(control);
  const format = formats(control)[type];
  if (format) return { type: "string", format: `^${format}$` };
  return { type: "string", ...isPattern(control.pattern) && { pattern: control.pattern } };
}

/** @param {[string, string][]} values with their titles */
const choice = (values) => ({
  type: "string",
  anyOf: values.map(([value, title]) => ({ type: "string", const: value, ...title && { title } })),
  enum: values.map(([value]) => value),
});
/** @param {Schema} items */
const many = (items) => ({ type: "array", items, uniqueItems: true });

/** @param {HTMLInputElement} control @returns {Record<string, string>} */
function formats({ step }) {
  const seconds = parseFloat(step) || 60;
  const rest = seconds % 60 == 0 ? "" : `(:[0-5][0-9]${seconds % 1 ? "(\\.[0-9]{1,3})?" : ""})?`;
  const time = `([01][0-9]|2[0-3]):[0-5][0-9]${rest}`;
  const week = "[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])";
  return { month: MONTH, week, time, "datetime-local": `${MONTH}-[0-9]{2}T${time}`, color: "#[0-9a-zA-Z]{6}" };
}

/** @param {HTMLInputElement} control */
function numbers(control) {
  const isRange = control.type == "range";
  /** @param {string} text @param {number} [otherwise] */
  const number = (text, otherwise) => Number.isFinite(parseFloat(text)) ? parseFloat(text) : otherwise;
  const minimum = number(control.min, isRange ? 0 : undefined);
  const given = number(control.max, isRange ? 100 : undefined);
  const maximum = isRange ? Math.max(Number(given), Number(minimum)) : given;
  const step = Math.max(number(control.step) ?? 1, 0) || 1;
  const base = number(control.min) ?? number(control.defaultValue) ?? 0;
  const isMultiple = Math.abs(base / step - Math.round(base / step)) < 1e-9 && (isRange || control.step != "any");
  return {
    type: "number",
    ...minimum !== undefined && { minimum },
    ...maximum !== undefined && { maximum },
    ...isMultiple && { multipleOf: step },
  };
}

/** @param {string} pattern */
function isPattern(pattern) {
  try {
    return pattern && expression(pattern);
  } catch {
    return false;
  }
}

/** @param {Control} control */
function labelOf(control) {
  return [...control.labels ?? []].map((label) => {
    const copy = /** @type {Element} */ (label.cloneNode(true));
    for (const inner of copy.querySelectorAll("select, textarea, button")) inner.remove();
    return copy.textContent?.trim();
  }).filter(Boolean).join("; ");
}
