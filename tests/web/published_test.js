// @ts-check
import assert from "node:assert/strict";
import { KeptSettings } from "../../src/cloche/web/published/kept.js";
import { redacted, textsOf } from "../../src/cloche/web/published/redacted.js";

Deno.test("secrets leave in no text of a message, whole or in part of one, and in no key", () => {
  const secrets = textsOf({ key: 'a "quoted" key', pin: "123", long: 'a "quoted" key and more', n: 12345 });
  assert.deepEqual(secrets, ['a "quoted" key and more', 'a "quoted" key']);
  const message = {
    result: { content: [{ text: 'x a "quoted" key and more y' }], 'a "quoted" key': ["pin 123", null, 1] },
  };
  assert.deepEqual(redacted(message, secrets), {
    result: { content: [{ text: "x (secret) y" }], "(secret)": ["pin 123", null, 1] },
  });
  const harmless = { result: { text: "a quoted key" } };
  assert.equal(redacted(harmless, secrets), harmless);
  assert.equal(redacted(message, []), message);
});

/** @param {() => void} work with storage, and as a page of this path */
function inPage(work) {
  /** @type {Map<string, string>} */
  const entries = new Map();
  const area = {
    getItem: (/** @type {string} */ key) => entries.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void entries.set(key, value),
    removeItem: (/** @type {string} */ key) => void entries.delete(key),
    key: (/** @type {number} */ index) => [...entries.keys()][index],
    get length() {
      return entries.size;
    },
  };
  const own = ["localStorage", "location"].map((
    name,
  ) => /** @type {const} */ ([name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: area });
  try {
    work();
  } finally {
    for (const [name, one] of own) {
      if (one) Object.defineProperty(globalThis, name, one);
      else Reflect.deleteProperty(globalThis, name);
    }
  }
}

/** @param {string} pathname */
const at = (pathname) => Object.defineProperty(globalThis, "location", { configurable: true, value: { pathname } });

Deno.test("settings of another page, session or server on the same origin are not found", () =>
  inPage(() => {
    at("/weather/");
    const mine = { sessionId: "mcp-1", origin: "https://app.example" };
    const setup = /** @type {any} */ ({ schema: {}, secrets: ["key"] });
    new KeptSettings(mine, setup).keep({ name: "Ada", key: "key-1" }, "Weather for Ada");
    const again = new KeptSettings(mine, setup);
    assert.deepEqual([again.values, again.shown, again.hidden, again.name], [
      { name: "Ada", key: "key-1" },
      { name: "Ada" },
      { key: "key-1" },
      "Weather for Ada",
    ]);
    for (const other of [{ sessionId: "mcp-2" }, { origin: "https://other.example" }]) {
      assert.equal(new KeptSettings({ ...mine, ...other }, setup).values, undefined);
    }
    at("/weather/index.html");
    assert.deepEqual(new KeptSettings(mine, setup).values, again.values);
    at("/notes/");
    const beside = new KeptSettings(mine, setup);
    assert.deepEqual([beside.values, beside.hidden], [undefined, {}]);
    beside.forget();
    assert.ok(again.values);
    again.forget();
    assert.equal(localStorage.length, 0);
  }));
