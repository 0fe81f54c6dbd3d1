// @ts-check
/** What is wrong with a JSON Schema itself: found when a tool is registered, so that no argument is ever passed unseen. */
import { isObject } from "../json.js";
import { expression, lookUp, UNSUPPORTED } from "./schema.js";

/** @typedef {Record<string, any>} Schema */

/** The dialects whose words mean what they mean here. */
const DIALECT = /^https?:\/\/json-schema\.org\/(draft\/20(20-12|19-09)|draft-0[467])\/schema#?$/;
const LISTS = ["allOf", "anyOf", "oneOf"];
const ONE = ["not", "if", "then", "else"];
const BELOW = ["additionalItems", "additionalProperties", "contains", "propertyNames"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];
/** Words with schemas that say more of the same value, and with those of its members and items or only with a name. */
const IN_PLACE = [...LISTS, ...ONE, "dependentSchemas", "dependencies"];
const INSIDE = [...BELOW, ...NAMED, "items", "prefixItems"];
const BY_NAME = [...NAMED, "dependentSchemas", "dependencies"];

/** @param {any} value */
const isCount = (value) => Number.isInteger(value) && value >= 0;
/** @param {any} value */
const isNames = (value) => Array.isArray(value) && value.every((one) => typeof one == "string");
/** @param {any} value */
const isSchema = (value) => isObject(value) || typeof value == "boolean";
/** @param {any} value */
const isExpression = (value) => {
  try {
    return typeof value == "string" && !!expression(value);
  } catch {
    return false;
  }
};
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** @type {[(value: any) => boolean, string, string[]][]} */
const SHAPES = [
  [Number.isFinite, "a number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]],
  [(value) => Number.isFinite(value) && value > 0, "a number over 0", ["multipleOf"]],
  [isCount, "a whole number", [
    ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
    ...["minContains", "maxContains"],
  ]],
  [(value) => typeof value == "boolean", "true or false", ["uniqueItems"]],
  [isExpression, "a regular expression", ["pattern"]],
  [isNames, "a list of names", ["required"]],
  [Array.isArray, "a list", ["enum"]],
  [(value) => DIALECT.test(value), "a dialect of json-schema.org, from draft 4 to 2020-12", ["$schema"]],
  [(value) => Array.isArray(value) && value.every(isSchema), "a list of schemas", [...LISTS, "prefixItems"]],
  [isSchema, "a schema", [...ONE, ...BELOW]],
  [isObject, "an object", [...BY_NAME, "dependentRequired"]],
  [(value) => [value].flat().every((one) => TYPES.includes(one)), "one of JSON's types", ["type"]],
  [(value) => isSchema(value) || Array.isArray(value) && value.every(isSchema), "a schema", ["items"]],
];

/**
 * Why a schema cannot be checked against, with the place in it; an empty string when it can.
 *
 * @param {any} root
 * @returns {string}
 */
export function schemaFlaw(root) {
  /** Every schema there is, with those that say more of the same value. @type {Map<any, any[]>} */
  const known = new Map();
  /** @type {[any, string][]} */
  const toDo = [[root, "#"]];
  for (const [schema, path] of toDo) {
    if (typeof schema == "boolean" || known.has(schema)) continue;
    if (!isObject(schema)) return `${path} is not a schema`;
    const flaw = flawOfWords(schema, path, root);
    if (flaw) return flaw;
    const same = inner(schema, IN_PLACE);
    if ("$ref" in schema) same.push([schema.$ref, lookUp(schema.$ref, root)]);
    known.set(schema, same.map(([, one]) => one));
    for (const [name, one] of [...same, ...inner(schema, INSIDE)]) toDo.push([one, `${path}/${name}`]);
  }
  return isEndless(known) ? "a schema refers to itself, without a member or an item in between" : "";
}

/** @param {Schema} schema @param {string} path @param {any} root */
function flawOfWords(schema, path, root) {
  const unknown = Object.keys(schema).find((word) => UNSUPPORTED.test(word));
  if (unknown) return `${path}/${unknown} is not supported: say it with other words of JSON Schema`;
  for (const [fits, what, words] of SHAPES) {
    for (const word of words) {
      if (Object.hasOwn(schema, word) && !fits(schema[word])) return `${path}/${word} must be ${what}`;
    }
  }
  const { $id, $ref, patternProperties = {}, dependentRequired = {} } = schema;
  if (schema !== root && typeof $id == "string") return `${path}/$id is not supported below the root`;
  if (Object.hasOwn(schema, "$ref") && !isSchema(typeof $ref == "string" ? lookUp($ref, root) : undefined)) {
    return `${path}/$ref must lead to a schema in this one, such as "#/$defs/name"`;
  }
  if (!Object.keys(patternProperties).every(isExpression)) {
    return `${path}/patternProperties has no regular expressions`;
  }
  return Object.values(dependentRequired).every(isNames) ? "" : `${path}/dependentRequired must have lists of names`;
}

/** The schemas under these words of a schema, with their places in it. @param {Schema} schema @param {string[]} words */
function inner(schema, words) {
  return words.filter((word) => Object.hasOwn(schema, word)).flatMap((word) => {
    const given = schema[word];
    if (!Array.isArray(given) && !BY_NAME.includes(word)) return [[word, given]];
    // A list of names is the other thing that `dependencies` may have.
    const found = Object.entries(given).filter(([, one]) => word != "dependencies" || !isNames(one));
    return found.map(([name, one]) => [`${word}/${name}`, one]);
  });
}

/** Whether looking at one value could go on for ever. @param {Map<any, any[]>} known */
function isEndless(known) {
  /** @type {Set<any>} */
  const open = new Set();
  /** @type {Set<any>} */
  const done = new Set();
  /** @param {any} schema @returns {boolean} */
  const circles = (schema) => {
    if (open.has(schema)) return true;
    if (done.has(schema) || !known.has(schema)) return false;
    open.add(schema);
    const found = known.get(schema)?.some(circles) ?? false;
    open.delete(schema);
    done.add(schema);
    return found;
  };
  return [...known.keys()].some(circles);
}
