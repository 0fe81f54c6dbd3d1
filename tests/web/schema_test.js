// @ts-check
import assert from "node:assert/strict";
import suite from "./json_schema_suite.json" with { type: "json" };
import { createServer } from "../../src/cloche/web/server.js";
import { schemaFlaw } from "../../src/cloche/web/server/schema-check.js";
import { misfit } from "../../src/cloche/web/server/schema.js";

/** Groups of the official suite whose schemas are refused: they need another document, or words that are not checked. */
const REFUSED = {
  ...{ anchor: 4, defs: 1, dynamicRef: 20, not: 1, ref: 16, refRemote: 15, unevaluatedItems: 27 },
  ...{ unevaluatedProperties: 41, vocabulary: 2 },
};

Deno.test("every schema of the official suite is refused, or says of every value what it should", () => {
  /** @type {Record<string, number>} */
  const refused = {};
  /** @type {string[]} */
  const wrong = [];
  let right = 0;
  for (const [file, description, schema, tests] of /** @type {any[]} */ (suite.groups)) {
    if (schemaFlaw(schema)) refused[file] = (refused[file] ?? 0) + 1;
    else {
      for (const [value, isValid] of tests) {
        if ((misfit(schema, value) === "") === isValid) right++;
        else wrong.push(`${file}: ${description}: ${JSON.stringify(value)}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(refused, REFUSED);
  assert.ok(right > 900, String(right));
});

const deep = { type: "object", properties: { next: { $ref: "#" }, tags: { uniqueItems: true } } };

for (
  const [schema, value, told] of /** @type {[any, any, string][]} */ ([
    [{ minimum: 1 }, 0, "the arguments must be at least 1"],
    [{ properties: { n: { exclusiveMaximum: 5 } } }, { n: 5 }, "n must be less than 5"],
    [{ properties: { n: { multipleOf: 0.01 } } }, { n: 0.075 }, "n must be a multiple of 0.01"],
    [
      { properties: { text: { maxLength: 2 } } },
      { text: "\u{1f514}\u{1f514}\u{1f514}" },
      "text must have at most 2 characters",
    ],
    [{ properties: { text: { pattern: "^a+$" } } }, { text: "ab" }, "text must match ^a+$"],
    [{ properties: { a: { const: 1 } } }, { a: true }, "a must be 1"],
    [
      { properties: { a: { anyOf: [{ type: "string" }, { type: "integer", minimum: 3 }] } } },
      { a: 2 },
      "a must be at least 3",
    ],
    [
      { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } },
      { a: 2 },
      "a fits none of 2 alternatives: a must be string, not number; a must be null, not number",
    ],
    [
      { oneOf: [{ type: "number" }, { minimum: 0 }] },
      1,
      "the arguments must fit exactly one of 2 alternatives, and fits 2",
    ],
    [{ not: { required: ["a"] } }, { a: 1 }, "the arguments must not be what the schema excludes"],
    [deep, { next: { next: { tags: [1, 1] } } }, "next.next.tags must have no item twice"],
    [{ additionalProperties: { type: "string" } }, { a: 1 }, "a must be string, not number"],
    [{ propertyNames: { maxLength: 3 } }, { long_name: 1 }, "long_name is not a name that is expected"],
    [{ dependentRequired: { card: ["address"] } }, { card: 1 }, "address is missing"],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], "[1] is not expected"],
    [{ if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, "b is missing"],
    [{ type: "object" }, new ArrayBuffer(1), "the arguments must be object, not ArrayBuffer"],
    [
      { pattern: "^(a+)+$" },
      "a".repeat(10_001),
      "the arguments must have at most 10000 characters, because of its pattern",
    ],
  ])
) {
  Deno.test(`it is said what is wrong: ${told}`, () => assert.equal(misfit(schema, value), told));
}

for (
  const [schema, told] of /** @type {[any, RegExp][]} */ ([
    [
      { properties: { a: { $ref: "https://example.com/a" } } },
      /#\/properties\/a\/\$ref must lead to a schema in this one/,
    ],
    [{ $ref: "#" }, /refers to itself/],
    [{ $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { anyOf: [{ $ref: "#/$defs/a" }] } } }, /refers to itself/],
    [{ unevaluatedProperties: false }, /#\/unevaluatedProperties is not supported/],
    [{ properties: { a: { pattern: "(" } } }, /#\/properties\/a\/pattern must be a regular expression/],
    [{ properties: { a: { minimum: "1" } } }, /minimum must be a number/],
    [{ properties: { a: { exclusiveMinimum: true } } }, /exclusiveMinimum must be a number/],
    [{ properties: { a: { type: "text" } } }, /type must be one of JSON's types/],
    [{ properties: { a: "string" } }, /#\/properties\/a is not a schema/],
    [{ required: "a" }, /required must be a list of names/],
    [{ $schema: "https://example.com/own" }, /\$schema must be a dialect/],
  ])
) {
  Deno.test(`a tool whose schema cannot be checked is not registered: ${told.source}`, () => {
    const register = () => createServer().registerTool("t", { inputSchema: { type: "object", ...schema } }, () => "");
    assert.throws(register, told);
    assert.throws(register, /The inputSchema of the tool t cannot be checked: /);
  });
}

Deno.test("words that nobody knows are ignored, and those for people left alone", () => {
  const text = {
    type: "string",
    format: "email",
    contentEncoding: "base64",
    "x-order": 1,
    examples: ["a"],
    default: 5,
  };
  createServer().registerTool("t", { inputSchema: { type: "object", properties: { text } } }, () => "");
  assert.equal(misfit({ properties: { text } }, { text: "no address" }), "");
});
