// @ts-check
/**
 * A JSON Schema, read: what it refers to, what it leaves open, what it gives as an example.
 *
 * @typedef {Record<string, any>} Schema
 */

/** @param {Schema} schema @param {Schema} root @param {number} [hops] @returns {Schema} */
export function resolved(schema, root, hops = 0) {
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

/**
 * The alternatives of a schema that a person can choose from; that it may be null is said by leaving it out.
 *
 * @param {Schema} schema @param {Schema} root @returns {Schema[]}
 */
export function alternatives(schema, root) {
  const types = Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [];
  /** @type {Schema[]} */
  const listed = schema.anyOf ?? schema.oneOf ?? types;
  return listed.map((one) => resolved(one, root)).filter((one) => one.type !== "null");
}

/**
 * What there is to choose from, with the title of each: an enum, or alternatives that are one value each.
 *
 * @param {Schema} schema @param {Schema} root @returns {{value: any, title: string}[] | null}
 */
export function choicesOf(schema, root) {
  const shown = (/** @type {any} */ value) => typeof value === "string" ? value : JSON.stringify(value);
  if (Array.isArray(schema.enum)) {
    const titles = schema.enumNames?.length === schema.enum.length ? schema.enumNames : [];
    return schema.enum.map((value, index) => ({ value, title: String(titles[index] ?? shown(value)) }));
  }
  const listed = (schema.oneOf ?? schema.anyOf ?? []).map((/** @type {Schema} */ one) => resolved(one, root));
  if (listed.length === 0 || !listed.every((/** @type {Schema} */ one) => "const" in one)) return null;
  return listed.map((/** @type {Schema} */ one) => ({
    value: one.const,
    title: String(one.title ?? shown(one.const)),
  }));
}

/** What a schema says beside its alternatives. @param {Schema} schema */
export function annotations(schema) {
  const said = ["title", "description", "default", "examples"].filter((name) => schema[name] !== undefined);
  return Object.fromEntries(said.map((name) => [name, schema[name]]));
}

/** @param {Schema} schema */
export function typeOf(schema) {
  if (typeof schema.type === "string") return schema.type;
  if (schema.properties) return "object";
  if (schema.items) return "array";
  return undefined;
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

/** @param {string} pattern @param {string} value */
export function matches(pattern, value) {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true; // a pattern of another language is the server's to check
  }
}
