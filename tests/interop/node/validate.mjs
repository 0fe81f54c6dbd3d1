// Results and their output schemas, one pair of JSON per line on stdin, through the validator of the sdk 1.x, which is
// draft-07's: node validate.mjs. Prints what it says of each, a line each.

import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { createInterface } from "node:readline";

const validator = new AjvJsonSchemaValidator();
for await (const line of createInterface({ input: process.stdin })) {
  const { schema, value } = JSON.parse(line);
  const { valid, errorMessage } = validator.getValidator(schema)(value);
  console.log(valid ? "valid" : errorMessage);
}
