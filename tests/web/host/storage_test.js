// @ts-check
import assert from "node:assert/strict";
import { installStorage } from "../../../src/cloche/web/sandbox/storage.js";

/** A window whose origin is opaque. */
function opaque() {
  const scope = {};
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(scope, name, {
      configurable: true,
      get: () => {
        throw new DOMException("The document is sandboxed", "SecurityError");
      },
    });
  }
  return /** @type {any} */ (scope);
}

Deno.test("an opaque window gets two storages that keep texts", () => {
  const scope = opaque();
  installStorage(scope);
  const { localStorage, sessionStorage } = scope;
  localStorage.setItem("a", 1);
  localStorage.b = { toString: () => "two" };
  assert.deepEqual([localStorage.getItem("a"), localStorage.b, localStorage.length], ["1", "two", 2]);
  assert.deepEqual([localStorage.key(0), localStorage.key(9), localStorage.getItem("c"), localStorage.c], [
    "a",
    null,
    null,
    undefined,
  ]);
  assert.equal(sessionStorage.length, 0);
  assert.deepEqual(Object.entries(localStorage), [["a", "1"], ["b", "two"]]);
  assert.ok("a" in localStorage && !("c" in localStorage));
  delete localStorage.a;
  assert.equal(localStorage.length, 1);
  localStorage.clear();
  assert.equal(localStorage.length, 0);
});

Deno.test("names that objects inherit are ordinary keys", () => {
  const scope = opaque();
  installStorage(scope);
  scope.localStorage.__proto__ = "x";
  scope.localStorage.setItem("constructor", "y");
  assert.equal(scope.localStorage.getItem("__proto__"), "x");
  assert.equal(scope.localStorage.constructor, "y");
  assert.equal(/** @type {any} */ ({}).x, undefined);
});

Deno.test("a window that has storage keeps its own", () => {
  const own = { getItem: () => "own" };
  const scope = /** @type {any} */ ({ localStorage: own, sessionStorage: own });
  installStorage(scope);
  assert.equal(scope.localStorage, own);
});
