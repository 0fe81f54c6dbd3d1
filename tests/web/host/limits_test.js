// @ts-check
import assert from "node:assert/strict";
import { Bucket, Gate, objection } from "../../../src/cloche/web/sandbox/limits.js";

const LIMITS = { bytes: 100, depth: 4, rate: 10, burst: 5, pending: 2 };

/** A clock that stands still until it is set. */
function clock() {
  const now = () => now.time;
  now.time = 0;
  return now;
}

/** @param {unknown} id @param {string} [method] */
const request = (id, method = "ping") => ({ jsonrpc: "2.0", id, method });

Deno.test("plain JSON within limits has nothing against it", () => {
  for (const value of [null, "a", 1.5, true, [], {}, { a: [1, { b: null }] }, { a: undefined }]) {
    assert.equal(objection(value, LIMITS), null);
  }
});

Deno.test("what JSON does not have is not JSON", () => {
  const cycle = { a: {} };
  cycle.a = cycle;
  const odd = [1n, new Date(), new Map(), new ArrayBuffer(1), JSON.parse('{"__proto__": 1}'), Symbol("x"), () => {}];
  for (const value of odd) assert.equal(objection({ value }, LIMITS), "is not JSON", String(value));
  assert.equal(objection(cycle, LIMITS), "is nested too deeply");
});

Deno.test("size is known without writing it out", () => {
  assert.equal(objection("x".repeat(97), LIMITS), "is too large");
  assert.equal(objection({ ["k".repeat(97)]: 1 }, LIMITS), "is too large");
  assert.equal(objection(new Array(1e9), LIMITS), "is too large");
  assert.equal(objection(Array.from({ length: 30 }, () => 1), LIMITS), "is too large");
  assert.equal(objection([[[[]]]], LIMITS), null);
  assert.equal(objection([[[[[]]]]], LIMITS), "is nested too deeply");
});

Deno.test("a bucket gives a burst and then its rate", () => {
  const now = clock();
  const bucket = new Bucket(10, 3, now);
  assert.deepEqual([1, 2, 3, 4].map(() => bucket.take()), [true, true, true, false]);
  now.time = 100;
  assert.deepEqual([bucket.take(), bucket.take()], [true, false]);
  now.time = 10_000;
  assert.deepEqual([1, 2, 3, 4].map(() => bucket.take()), [true, true, true, false]);
});

Deno.test("too many messages are refused, and who goes on is cut off", () => {
  const gate = new Gate({ ...LIMITS, pending: 99 }, clock());
  const verdicts = Array.from({ length: 11 }, (_, id) => gate.judge(request(id)));
  assert.deepEqual(verdicts.slice(0, 5), Array(5).fill("pass"));
  assert.equal(/** @type {any} */ (verdicts[5]).code, -32000);
  assert.equal(verdicts[10], "cut");
});

Deno.test("notifications over the rate are dropped, not answered", () => {
  const gate = new Gate(LIMITS, clock());
  const verdicts = Array.from({ length: 6 }, () => gate.judge({ jsonrpc: "2.0", method: "x" }));
  assert.equal(verdicts[5], "drop");
});

Deno.test("an id is in use until it is answered", () => {
  const gate = new Gate({ ...LIMITS, burst: 50 }, clock());
  assert.equal(gate.judge(request(1)), "pass");
  assert.equal(
    /** @type {any} */ (gate.judge(request(1))).message,
    "This id is in use by a request that is not answered yet",
  );
  assert.equal(gate.judge(request("1")), "pass");
  assert.equal(/** @type {any} */ (gate.judge(request(2))).message, "Too many requests at once");
  gate.answered({ jsonrpc: "2.0", method: "ui/x", id: 1 });
  assert.notEqual(gate.judge(request(1)), "pass", "a request of the host's with the same id answers nothing");
  gate.answered({ jsonrpc: "2.0", id: 1, result: {} });
  assert.equal(gate.judge(request(1)), "pass");
});

Deno.test("what is not JSON-RPC goes nowhere", () => {
  const gate = new Gate({ ...LIMITS, burst: 50 }, clock());
  for (const message of ["x", null, 1, [], {}, { jsonrpc: "1.0", id: 1, method: "x" }]) {
    assert.equal(gate.judge(message), "drop");
  }
});
