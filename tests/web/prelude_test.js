// @ts-check
import assert from "node:assert/strict";
import { withPrelude } from "../../src/cloche/web/sandbox/prelude.js";

Deno.test("the prelude stands behind the doctype, whatever stands before that", () => {
  /** @type {[string, string][]} the page, and what stays in front of the prelude */
  const cases = [
    ["<!doctype html><p>", "<!doctype html>"],
    [" \n<!-- a --> <!-- b -->\n<!DOCTYPE html><p>", " \n<!-- a --> <!-- b -->\n<!DOCTYPE html>"],
    ["<p>no doctype", ""],
    ["<!-- never closed <!doctype html><p>", ""],
    ["<!-- a -->text<!doctype html>", ""],
    ["<!doctype html", ""],
    // Each comment could also be a part of a longer one: a pattern tried all of that.
    ["<!---->".repeat(2000) + "x", ""],
    ["<!---->".repeat(2000) + "<!doctype html><p>", "<!---->".repeat(2000) + "<!doctype html>"],
  ];
  for (const [html, before] of cases) {
    const made = withPrelude(html);
    assert.ok(made.startsWith(before + "<script>"), html.slice(0, 60));
    assert.ok(made.endsWith("</script>" + html.slice(before.length)), html.slice(0, 60));
  }
});
