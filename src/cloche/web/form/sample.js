// @ts-check
import { alternatives, exampleOf, matches, resolved, typeOf } from "./schema.js";

/**
 * Values that fit a schema, so that something can be tried before anything is typed: the schema's example or default where it
 * has one, else something invented. What may be left out and has neither stays out.
 *
 * @typedef {import("./schema.js").Schema} Schema
 */

/** A schema may hold itself. */
const DEEPEST = 8;

/** Texts that look right in a field of this name. @type {Record<string, string>} */
const WORDS = {
  city: "Paris",
  place: "Paris",
  location: "Paris",
  country: "France",
  name: "Ada",
  user: "Ada",
  email: "ada@example.com",
  url: "https://example.com/",
  language: "en",
  currency: "EUR",
  date: "2026-01-31",
  color: "#2f6fde",
  colour: "#2f6fde",
};

/** @type {Record<string, () => string>} */
const FORMATS = {
  date: () => new Date().toISOString().slice(0, 10),
  time: () => "12:00:00",
  "date-time": () => `${new Date().toISOString().slice(0, 16)}:00Z`,
  duration: () => "PT1H",
  email: () => "ada@example.com",
  uri: () => "https://example.com/",
  "uri-reference": () => "/",
  hostname: () => "example.com",
  ipv4: () => "192.0.2.1",
  ipv6: () => "2001:db8::1",
  uuid: () => "6f1c0f52-3f6b-4c0e-9f0a-2d9f6f3f7a10",
  color: () => "#2f6fde",
};

/**
 * Arguments that fit the schema of a tool.
 *
 * @param {Schema} schema its root is an object @returns {Record<string, any>}
 */
export const sampleOf = (schema) => sample(schema, { root: schema, name: "", depth: 0, number: 0 }) ?? {};

/**
 * @typedef {{root: Schema, name: string, depth: number, number: number}} Place `number` counts the entries of a list
 *
 * @param {Schema} given @param {Place} place @returns {any}
 */
function sample(given, place) {
  const schema = resolved(given, place.root);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.examples) && schema.examples.length) return schema.examples[0];
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = alternatives(schema, place.root);
  if (first) return sample(first, place);
  const type = String(typeOf(schema));
  return Object.hasOwn(KINDS, type) ? KINDS[type](schema, place) : written(schema) ?? (type === "null" ? null : "text");
}

/** @type {Record<string, (schema: Schema, place: Place) => any>} */
const KINDS = {
  boolean: (schema) => written(schema) ?? false,
  integer: (schema, place) => written(schema) ?? numberIn(schema, place),
  number: (schema, place) => written(schema) ?? numberIn(schema, place),
  string: (schema, place) => exampleOf(schema) || text(schema, place),
  array: list,
  object,
};

/** The example of a description, where it is JSON. @param {Schema} schema @returns {any} */
function written(schema) {
  try {
    return JSON.parse(exampleOf(schema));
  } catch {
    return undefined;
  }
}

/** @param {Schema} schema @param {Place} place */
function object(schema, place) {
  /** @type {Record<string, any>} */
  const value = {};
  if (place.depth > DEEPEST) return value;
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const isRequired = (schema.required ?? []).includes(name);
    const { default: start, examples, description } = resolved(one, place.root);
    const says = start !== undefined || examples !== undefined || exampleOf({ description }) !== "";
    if (isRequired || says) value[name] = sample(one, { ...place, name, depth: place.depth + 1 });
    if (value[name] === undefined || start === null) delete value[name];
  }
  return value;
}

/** @param {Schema} schema @param {Place} place */
function list(schema, place) {
  const given = written(schema);
  if (Array.isArray(given)) return given;
  if (place.depth > DEEPEST) return [];
  const deeper = { ...place, depth: place.depth + 1 };
  if (Array.isArray(schema.prefixItems)) return schema.prefixItems.map((one) => sample(one, deeper));
  const most = schema.maxItems ?? 3;
  const length = Math.min(Math.max(schema.minItems ?? 0, schema.uniqueItems ? 1 : 3), most);
  return Array.from({ length }, (_, number) => sample(schema.items ?? {}, { ...deeper, number }));
}

/** A number in its bounds, and another one for every entry of a list. @param {Schema} schema @param {Place} place */
function numberIn(schema, { number }) {
  const step = schema.multipleOf ?? 1;
  const low = schema.minimum ?? (schema.exclusiveMinimum === undefined ? undefined : schema.exclusiveMinimum + step);
  const high = schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - step);
  const from = low ?? Math.min(1, high ?? 1);
  const wanted = from + ((number * 7) % 10 + (low === undefined ? 2 : 0)) * step;
  const value = Math.ceil(Math.min(wanted, high ?? Infinity) / step) * step;
  return value <= (high ?? Infinity) && value >= (low ?? -Infinity) ? value : low ?? high ?? value;
}

/** @param {Schema} schema @param {Place} place */
function text(schema, { name, number }) {
  if (schema.contentEncoding === "base64") return "aGVsbG8=";
  const key = name.toLowerCase();
  const plain = Object.hasOwn(FORMATS, schema.format) ? FORMATS[schema.format]() : WORDS[key] ?? readable(key, number);
  const { minLength = 0, maxLength = Infinity } = schema;
  if (schema.pattern === undefined) return plain.padEnd(minLength, "x").slice(0, maxLength);
  const candidates = [plain, WORDS.color, "a", "A", "1", "abc", "ABC", "123", "a1", "2026-01-31", "a-b"];
  return candidates.find((one) => matches(schema.pattern, one) && one.length >= minLength && one.length <= maxLength) ??
    plain;
}

/** @param {string} name @param {number} number */
const readable = (name, number) => `${name.replaceAll(/[_-]+/g, " ") || "text"}${number ? ` ${number + 1}` : ""}`;
