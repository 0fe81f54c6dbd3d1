// @ts-check
import assert from "node:assert/strict";
import { withPrelude } from "../../../src/cloche/web/sandbox/prelude.js";

Deno.test("the first script comes after the doctype, whatever stands before it", () => {
  const starts = ["<!doctype html>", "  \n<!-- <p> --><!DOCTYPE html PUBLIC 'x'>", "\ufeff<!doctype html>"];
  for (const start of starts) {
    const page = withPrelude(start + "<p>x");
    assert.ok(page.startsWith(start + "<script>"), page.slice(0, 60));
    assert.ok(page.endsWith("</script><p>x"));
  }
  assert.ok(withPrelude("<p>x").startsWith("<script>"));
  assert.ok(withPrelude("<!-- <!doctype html> --><p>").startsWith("<script>"));
});

Deno.test("the script cannot end early", () => {
  assert.equal(withPrelude("").match(/<\/script/g)?.length, 1);
  assert.ok(!withPrelude("").includes("<!--"));
});
