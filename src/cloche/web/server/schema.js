// @ts-check
/**
 * Arguments are checked against the whole of what a JSON Schema (2020-12, and the older words for the same) says of JSON.
 * Words that are only for people or models are left alone, `format` among them. What is not known here, or not in this
 * schema, fails when a tool is registered (`schemaFlaw`), and where nobody looked then, when a value comes to it: nothing
 * is ever passed unseen.
 *
 * @typedef {Record<string, any>} Schema
 * @typedef {{root: any}} Document whose `$ref`s are looked up
 * @typedef {(expected: any, value: any, at: Place) => string} Rule what is wrong, or an empty string
 * @typedef {{schema: Schema, path: string, document: Document}} Place
 */
import { isObject } from "../json.js";

/** @type {Record<string, (value: any) => boolean>} */
const TYPES = {
  string: (value) => typeof value == "string",
  number: (value) => typeof value == "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value == "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

/** Words that say what a value must be, and are not checked here. */
export const UNSUPPORTED =
  /^(\$(anchor|vocabulary|(dynamic|recursive)(Anchor|Ref))|unevaluated(Items|Properties)|disallow|divisibleBy|extends)$/;

const COUNTED = /^(m(in|ax|ul)|exclusive)/;

/** Characters of the longest text that a pattern is tried on: some patterns take for ever on longer ones. */
const PATTERN_LIMIT = 10_000;

/**
 * What is wrong with a value, with the path to it; an empty string when nothing is. It throws when the schema asks for
 * what cannot be checked here.
 *
 * @param {any} schema
 * @param {any} value
 * @param {string} [path]
 * @param {Document} [document]
 * @returns {string}
 */
export function misfit(schema, value, path = "", document = { root: schema }) {
  if (schema === false) return `${path || "the arguments"} is not expected`;
  if (schema === undefined || schema === true) return "";
  if (!isObject(schema)) throw new TypeError(`${path || "it"} has no schema there`);
  const unknown = Object.keys(schema).find((word) => UNSUPPORTED.test(word));
  if (unknown) throw new TypeError(`${unknown} is not supported`);
  const at = { schema, path, document };
  for (const [keywords, concerns] of RULES) {
    if (!concerns(value)) continue;
    for (const [keyword, rule] of Object.entries(keywords)) {
      if (!Object.hasOwn(schema, keyword)) continue;
      // Draft 4 has true for some that are numbers since.
      if (COUNTED.test(keyword) && !Number.isFinite(schema[keyword])) throw new TypeError(`${keyword} is no number`);
      const found = rule(schema[keyword], value, at);
      if (found) return found;
    }
  }
  return "";
}

/** @param {Place} at */
const named = ({ path }) => path || "the arguments";
/** @param {Place} at @param {any} schema @param {any} value @param {string} [path] */
const inside = ({ path: own, document }, schema, value, path = own) => misfit(schema, value, path, document);
/** @param {Place} at @param {string} name */
const member = ({ path }, name) => (path ? `${path}.` : "") + name.slice(0, 60);
/** "null", "array", "object", and what is not JSON at all. @param {any} value @returns {string} */
const kindOf = (value) =>
  typeof value == "object"
    ? ({}).toString.call(value).slice(8, -1).replace(/^(Null|Array|Object)$/, (name) => name.toLowerCase())
    : typeof value;
/** Characters, where JavaScript counts halves of them. @param {string} text */
function lengthOf(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
/** @param {boolean} fits @param {Place} at @param {string} told */
const must = (fits, at, told) => fits ? "" : `${named(at)} must ${told}`;

/** The same text for values that JSON Schema takes for equal. @param {any} value @returns {string} */
const canonical = (value) =>
  JSON.stringify(
    value,
    (_, one) => isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => a < b ? -1 : 1)) : one,
  ) ?? "";

/** @type {Map<string, RegExp>} */
const expressions = new Map();

/** @param {string} pattern */
export function expression(pattern) {
  const known = expressions.get(pattern);
  if (known) return known;
  let made;
  try {
    made = new RegExp(pattern, "u");
  } catch {
    // Without the flag more is allowed, such as escapes that nobody needs.
    made = new RegExp(pattern);
  }
  expressions.set(pattern, made);
  return made;
}

/** @type {Record<string, Rule>} */
const OF_ANY = {
  // Nothing there is no schema.
  $ref: (pointer, value, at) => inside(at, lookUp(pointer, at.document.root) ?? null, value),
  type: (type, value, at) => {
    const types = [type].flat();
    return must(types.some((one) => TYPES[one]?.(value)), at, `be ${types.join(" or ")}, not ${kindOf(value)}`);
  },
  enum: (values, value, at) =>
    must(values.map(canonical).includes(canonical(value)), at, `be one of ${JSON.stringify(values).slice(0, 200)}`),
  const: (only, value, at) => must(canonical(only) === canonical(value), at, `be ${canonical(only).slice(0, 200)}`),
  allOf: (schemas, value, at) => firstOf(schemas, (schema) => inside(at, schema, value)),
  anyOf: (schemas, value, at) => alternatives(schemas, value, at)[0],
  oneOf: (schemas, value, at) => {
    const [none, count] = alternatives(schemas, value, at);
    return none || must(count == 1, at, `fit exactly one of ${schemas.length} alternatives, and fits ${count}`);
  },
  not: (schema, value, at) => must(!!inside(at, schema, value), at, "not be what the schema excludes"),
  if: (schema, value, at) => inside(at, inside(at, schema, value) ? at.schema.else : at.schema.then, value),
};

/** @type {Record<string, Rule>} */
const OF_NUMBERS = {
  minimum: (least, value, at) => must(value >= least, at, `be at least ${least}`),
  maximum: (most, value, at) => must(value <= most, at, `be at most ${most}`),
  exclusiveMinimum: (least, value, at) => must(value > least, at, `be more than ${least}`),
  exclusiveMaximum: (most, value, at) => must(value < most, at, `be less than ${most}`),
  multipleOf: (step, value, at) => {
    const times = value / step;
    const rest = Math.abs(times - Math.round(times));
    return must(rest <= 4 * Number.EPSILON * Math.max(1, Math.abs(times)), at, `be a multiple of ${step}`);
  },
};

/** @type {Record<string, Rule>} */
const OF_TEXTS = {
  minLength: (least, value, at) => must(lengthOf(value) >= least, at, `have at least ${least} characters`),
  maxLength: (most, value, at) => must(lengthOf(value) <= most, at, `have at most ${most} characters`),
  pattern: (pattern, value, at) =>
    must(value.length <= PATTERN_LIMIT, at, `have at most ${PATTERN_LIMIT} characters, because of its pattern`) ||
    must(expression(pattern).test(value), at, `match ${pattern.slice(0, 200)}`),
};

/** @type {Record<string, Rule>} */
const OF_LISTS = {
  minItems: (least, value, at) => must(value.length >= least, at, `have at least ${least} items`),
  maxItems: (most, value, at) => must(value.length <= most, at, `have at most ${most} items`),
  uniqueItems: (unique, value, at) =>
    must(!unique || new Set(value.map(canonical)).size == value.length, at, "have no item twice"),
  prefixItems: (schemas, value, at) => items(value, at, (index) => schemas[index]),
  items: (schema, value, at) => {
    // A list of schemas is what `prefixItems` was called before.
    if (Array.isArray(schema)) {
      return items(value, at, (index) => index < schema.length ? schema[index] : at.schema.additionalItems);
    }
    const first = at.schema.prefixItems?.length ?? 0;
    return items(value, at, (index) => index < first ? true : schema);
  },
  contains: (schema, value, at) => {
    const { minContains = 1, maxContains = Infinity } = at.schema;
    const count = value.filter((/** @type {any} */ one) => !inside(at, schema, one)).length;
    return must(count >= minContains && count <= maxContains, at, "contain what the schema asks for, so many times");
  },
};

/** @type {Record<string, Rule>} */
const OF_OBJECTS = {
  required: (names, value, at) =>
    firstOf(names, (name) => Object.hasOwn(value, name) ? "" : `${member(at, name)} is missing`),
  properties: (schemas, value, at) => members(value, at, (name) => Object.hasOwn(schemas, name) ? [schemas[name]] : []),
  patternProperties: (schemas, value, at) => {
    const patterns = Object.keys(schemas);
    return members(
      value,
      at,
      (name) => patterns.filter((one) => expression(one).test(name)).map((one) => schemas[one]),
    );
  },
  additionalProperties: (schema, value, at) => {
    const { properties = {}, patternProperties = {} } = at.schema;
    const patterns = Object.keys(patternProperties).map(expression);
    const isKnown = (/** @type {string} */ name) =>
      Object.hasOwn(properties, name) || patterns.some((one) => one.test(name));
    return members(value, at, (name) => isKnown(name) ? [] : [schema]);
  },
  propertyNames: (schema, value, at) =>
    firstOf(Object.keys(value), (name) => {
      const path = member(at, name);
      return inside(at, schema, name, path) && `${path} is not a name that is expected`;
    }),
  minProperties: (least, value, at) => must(Object.keys(value).length >= least, at, `have at least ${least} members`),
  maxProperties: (most, value, at) => must(Object.keys(value).length <= most, at, `have at most ${most} members`),
  dependentRequired: (needs, value, at) =>
    firstOf(present(needs, value), (name) => OF_OBJECTS.required(needs[name], value, at)),
  dependentSchemas: (schemas, value, at) =>
    firstOf(present(schemas, value), (name) => inside(at, schemas[name], value)),
  // What both of them were called before.
  dependencies: (needs, value, at) =>
    firstOf(
      present(needs, value),
      (name) =>
        Array.isArray(needs[name]) ? OF_OBJECTS.required(needs[name], value, at) : inside(at, needs[name], value),
    ),
};

/** @type {[Record<string, Rule>, (value: any) => boolean][]} */
const RULES = [
  [OF_ANY, () => true],
  [OF_NUMBERS, TYPES.number],
  [OF_TEXTS, TYPES.string],
  [OF_LISTS, TYPES.array],
  [OF_OBJECTS, TYPES.object],
];

/** @template T @param {T[]} all @param {(one: T) => string} look @returns {string} */
function firstOf(all, look) {
  for (const one of all) {
    const found = look(one);
    if (found) return found;
  }
  return "";
}

/**
 * @param {any[]} schemas
 * @param {any} value
 * @param {Place} at
 * @returns {[string, number]} what is wrong when none fits, and how many do
 */
function alternatives(schemas, value, at) {
  const found = schemas.map((schema) => inside(at, schema, value));
  const count = found.filter((one) => !one).length;
  if (count) return ["", count];
  // One of its own kind says best what is wrong.
  const wrong = found.filter((one) => !/ must be \w+( or \w+)*, not /.test(one));
  if (wrong.length == 1) return [wrong[0], 0];
  return [`${named(at)} fits none of ${schemas.length} alternatives: ${found.join("; ").slice(0, 300)}`, 0];
}

/** @param {any[]} values @param {Place} at @param {(index: number) => any} schemaOf */
const items = (values, at, schemaOf) =>
  firstOf([...values.keys()], (index) => inside(at, schemaOf(index), values[index], `${at.path}[${index}]`));

/** @param {Schema} value @param {Place} at @param {(name: string) => any[]} schemasOf */
const members = (value, at, schemasOf) =>
  firstOf(
    Object.entries(value),
    ([name, given]) => firstOf(schemasOf(name), (schema) => inside(at, schema, given, member(at, name))),
  );

/** @param {Schema} wanted @param {Schema} value */
const present = (wanted, value) => Object.keys(wanted).filter((name) => Object.hasOwn(value, name));

/**
 * What a `$ref` means: a place in the same schema.
 *
 * @param {string} pointer
 * @param {any} root
 * @returns {any} undefined when there is nothing
 */
export function lookUp(pointer, root) {
  if (pointer == "#") return root;
  if (!pointer.startsWith("#/")) return undefined;
  let found = root;
  for (const part of decodeURIComponent(pointer.slice(2)).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found != "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}
