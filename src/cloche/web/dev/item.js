// @ts-check
import { make } from "../elements.js";
import { draftOf } from "../form/fields.js";
import { FormError, SchemaForm } from "../form/form.js";
import { sampleOf } from "../form/sample.js";
import { recalled, remember } from "./memory.js";

/**
 * What is tried: a form made from a schema, for a tool, a resource or a prompt.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {import("./servers.js").Item} Item
 * @typedef {{
 *   call: (item: Item, values: Json) => Promise<void>,
 *   ask: (item: Item, method: string, params: Json) => Promise<void>,
 *   follow: (item: Item, uri: string, on: boolean) => Promise<void>,
 *   isFollowed: (item: Item, uri: string) => boolean,
 *   suggest: ((item: Item, name: string, value: string, values: Json) => Promise<string[]>) | null,
 * }} Deeds
 * @typedef {{element: HTMLElement, submit: () => Promise<void>, fill: () => void,
 *   attempt: (deed: (values: Json) => Promise<void>) => Promise<void>}} ItemForm `fill` writes values that fit the
 *   schema into the form, unless the person wrote something into it before
 */

const PLACEHOLDER = /\{[+#./;?&]?([^{}]+)\}/g;
/** @param {string} name of a template, with what may follow it */
const plain = (name) => name.replace(/[*:].*/, "");

/**
 * @param {Item} item @param {Json} entry @param {Deeds} deeds
 * @returns {ItemForm}
 */
export function itemForm(item, entry, deeds) {
  if (item.kind === "tool") {
    const schema = entry.inputSchema ?? { type: "object" };
    return schemaForm(item, schema, "Call", (values) => deeds.call(item, values));
  }
  if (item.kind === "prompt") return promptForm(item, entry, deeds);
  return resourceForm(item, deeds);
}

/** @param {Item} item @param {Json} entry @param {Deeds} deeds */
function promptForm(item, entry, deeds) {
  /** @type {Json[]} */
  const given = entry.arguments ?? [];
  const properties = Object.fromEntries(
    given.map(({ name, description }) => [name, { type: "string", description }]),
  );
  const required = given.filter((one) => one.required).map((one) => one.name);
  return schemaForm(
    item,
    { type: "object", properties, required },
    "Get",
    (values) => deeds.ask(item, "prompts/get", { name: item.name, arguments: values }),
    { suggest: deeds.suggest },
  );
}

/** @param {Item} item @param {Deeds} deeds */
function resourceForm(item, deeds) {
  const names = item.kind === "template"
    ? [...item.name.matchAll(PLACEHOLDER)].flatMap(([, name]) => name.split(",").map(plain))
    : [];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  /** @param {Json} values */
  const uriOf = (values) => item.name.replace(PLACEHOLDER, (_, name) => encodeURIComponent(values[plain(name)] ?? ""));
  const follow = make("button", { type: "button" });
  const show = (/** @type {boolean} */ on) => {
    follow.setAttribute("aria-pressed", String(on));
    follow.textContent = on ? "Unsubscribe" : "Subscribe";
  };
  show(deeds.isFollowed(item, item.name));
  const made = schemaForm(
    item,
    { type: "object", properties, required: names },
    "Read",
    (values) => deeds.ask(item, "resources/read", { uri: uriOf(values) }),
    { more: [follow], suggest: item.kind === "template" ? deeds.suggest : null },
  );
  follow.title = "Read the resource again whenever the server says that it has changed";
  follow.onclick = () =>
    made.attempt(async (values) => {
      const on = !deeds.isFollowed(item, uriOf(values));
      await deeds.follow(item, uriOf(values), on);
      show(on);
    });
  return made;
}

/**
 * @param {Item} item @param {Json} schema @param {string} verb @param {(values: Json) => Promise<void>} run
 * @param {{more?: HTMLElement[], suggest?: Deeds["suggest"]}} [options] `more` buttons
 */
function schemaForm(item, schema, verb, run, { more = [], suggest } = {}) {
  /** @type {SchemaForm} */
  const form = new SchemaForm(
    schema,
    suggest ? (name, value) => suggest(item, name, value, draftOf(form.body) ?? {}) : undefined,
  );
  const key = `values ${item.server} ${item.kind} ${item.name}`;
  const kept = recalled(key);
  if (kept) form.write(kept);
  const problem = make("p", { class: "problem", role: "alert" });
  /** @param {(values: Json) => Promise<void>} deed */
  const attempt = async (deed) => {
    problem.textContent = "";
    try {
      const values = form.read();
      remember(key, values);
      await deed(values);
    } catch (error) {
      if (!(error instanceof FormError) || !error.element) problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const submit = () => attempt(run);
  const onsubmit = (/** @type {Event} */ event) => (event.preventDefault(), submit());
  const hasFields = Object.keys(schema.properties ?? {}).length > 0 || verb === "Call";
  const isEmpty = verb !== "Call" || !(schema.required ?? []).length;
  const actions = make(
    "div",
    "actions",
    make("button", "main", verb),
    ...more,
    !isEmpty && sampleButton(form, schema),
    hasFields && rawButton(form),
  );
  const element = make("form", { noValidate: true, onsubmit }, form.element, problem, actions);
  const fill = () => kept ?? form.write(sampleOf(schema));
  return { element, submit, attempt, fill };
}

/** @param {SchemaForm} form @param {Json} schema */
function sampleButton(form, schema) {
  const title = "Fill the form with values that fit, from examples and defaults or invented";
  const onclick = () => form.write(sampleOf(schema));
  return make("button", { type: "button", class: "quiet", title, onclick }, "Sample values");
}

/** @param {SchemaForm} form */
function rawButton(form) {
  const raw = make("button", { type: "button", class: "quiet" }, "Edit as JSON");
  raw.onclick = () => {
    try {
      form.setRaw(!form.isRaw);
      raw.textContent = form.isRaw ? "Edit as a form" : "Edit as JSON";
    } catch { /* the field says what is wrong */ }
  };
  return raw;
}
