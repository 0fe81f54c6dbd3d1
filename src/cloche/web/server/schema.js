// @ts-check
/**
 * Arguments are checked against the part of JSON Schema that tools use: `type`, `required`, `properties`, `enum`,
 * `items` and `additionalProperties: false`. Everything else in a schema is for the model to read.
 */

/** @type {Record<string, (value: any) => boolean>} */
const TYPES = {
  string: (value) => typeof value == "string",
  number: (value) => typeof value == "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value == "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value == "object" && value !== null && !Array.isArray(value),
};

/**
 * What is wrong with a value, with the path to it; an empty string when nothing is.
 *
 * @param {any} schema
 * @param {any} value
 * @param {string} [path]
 * @returns {string}
 */
export function misfit(schema, value, path = "") {
  if (schema === false) return `${path} is not expected`;
  if (typeof schema != "object" || !schema) return "";
  const at = path || "the arguments";
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length && !types.some((type) => TYPES[type]?.(value) ?? true)) {
    return `${at} must be ${types.join(" or ")}, not ${kindOf(value)}`;
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((/** @type {any} */ one) => equal(one, value))) {
    return `${at} must be one of ${JSON.stringify(schema.enum).slice(0, 200)}`;
  }
  if (TYPES.array(value)) return misfitOfItems(schema.items, value, path);
  return TYPES.object(value) ? misfitOfMembers(schema, value, path) : "";
}

/** @param {any} items @param {any[]} values @param {string} path */
function misfitOfItems(items, values, path) {
  if (!items) return "";
  for (const [index, value] of values.entries()) {
    const found = misfit(items, value, `${path}[${index}]`);
    if (found) return found;
  }
  return "";
}

/** @param {any} schema @param {Record<string, any>} value @param {string} path */
function misfitOfMembers({ properties = {}, required = [], additionalProperties }, value, path) {
  /** @param {string} name */
  const member = (name) => (path ? `${path}.` : "") + name.slice(0, 60);
  for (const name of required) if (!Object.hasOwn(value, name)) return `${member(name)} is missing`;
  for (const [name, given] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name);
    if (!known && additionalProperties === false) return `${member(name)} is not expected`;
    const found = misfit(known ? properties[name] : additionalProperties, given, member(name));
    if (found) return found;
  }
  return "";
}

/** @param {any} value */
const kindOf = (value) => value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** @param {any} one @param {any} other */
const equal = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
