// @ts-check
import assert from "node:assert/strict";
import { sampleOf } from "../../src/cloche/web/form/sample.js";
import { misfit } from "../../src/cloche/web/server/schema.js";

/** @param {Record<string, any>} properties @param {string[]} [required] */
const schemaOf = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });

Deno.test("examples come before defaults, and defaults before inventions", () => {
  const schema = schemaOf({
    title: { type: "string", examples: ["Bread"], default: "Chart" },
    unit: { type: "string", default: "kg" },
    city: { type: "string" },
    note: { type: "string" },
    days: { type: "integer", description: "How many. Example: 5" },
  }, ["city"]);
  assert.deepEqual(sampleOf(schema), { title: "Bread", unit: "kg", city: "Paris", days: 5 });
});

Deno.test("what is invented fits the schema", () => {
  const schema = schemaOf({
    count: { type: "integer", minimum: 4, maximum: 6 },
    part: { type: "number", exclusiveMinimum: 0, maximum: 1 },
    even: { type: "integer", multipleOf: 4, minimum: 5 },
    code: { type: "string", pattern: "^#[0-9a-f]{6}$" },
    long: { type: "string", minLength: 20 },
    short: { type: "string", maxLength: 2 },
    on: { type: "boolean" },
    kind: { enum: ["a", "b"] },
    either: { anyOf: [{ type: "null" }, { type: "integer" }] },
    list: { type: "array", items: { type: "number", minimum: 0, maximum: 100 }, minItems: 2 },
    point: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
    deep: { $ref: "#/$defs/Node" },
    day: { type: "string", format: "date" },
  });
  const whole = {
    ...schema,
    $defs: { Node: schemaOf({ name: { type: "string" }, next: { $ref: "#/$defs/Node" } }, ["name"]) },
  };
  const made = sampleOf(whole);
  assert.equal(misfit(whole, made), "");
  assert.deepEqual(Object.keys(made).sort(), Object.keys(schema.properties).sort());
});
