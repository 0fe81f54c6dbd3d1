// @ts-check
import assert from "node:assert/strict";
import { isJson, isKnown } from "../../src/cloche/web/json.js";
import { MAX_DEPTH } from "../../src/cloche/web/protocol.js";
import { RpcError, WindowRpc } from "../../src/cloche/web/rpc.js";

/**
 * Two ends that talk to each other as over postMessage, and everything that went from the first to the second.
 *
 * @param {Record<string, (params: any, signal?: AbortSignal) => unknown>} handlers
 */
function pair(handlers = {}) {
  /** @type {any[]} */
  const sent = [];
  /** @type {Error[]} */
  const errors = [];
  /** @type {WindowRpc} */
  const there = new WindowRpc(
    (message) => queueMicrotask(() => here.receive(structuredClone(message))),
    (method) => handlers[method],
    (error) => errors.push(error),
  );
  /** @type {WindowRpc} */
  const here = new WindowRpc(
    (message) => {
      sent.push(message);
      queueMicrotask(() => there.receive(structuredClone(message)));
    },
    () => undefined,
    (error) => errors.push(error),
  );
  return { here, there, sent, errors };
}

Deno.test("a request is answered with what the handler returns", async () => {
  const { here, sent } = pair({ add: ({ a, b }) => ({ sum: a + b }) });
  assert.deepEqual(await here.request("add", { a: 1, b: 2 }), { sum: 3 });
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: sent[0].id, method: "add", params: { a: 1, b: 2 } }]);
  await here.request("add", { a: 1, b: 2 });
  // A random UUID, a new one for each request.
  for (const { id } of sent) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.notEqual(sent[0].id, sent[1].id);
});

Deno.test("errors carry their code, and an exception is an internal error", async () => {
  const { here } = pair({
    refuse: () => Promise.reject(new RpcError(-32003, "not supported")),
    fail: () => {
      throw new TypeError("oops");
    },
  });
  await assert.rejects(here.request("refuse"), { code: -32003, message: "not supported" });
  await assert.rejects(here.request("fail"), { code: -32603, message: "oops" });
  await assert.rejects(here.request("nothing"), { code: -32601 });
});

Deno.test("no answer in time cancels the request, and a late answer is nobody's", async () => {
  /** @type {(value: unknown) => void} */
  let answer = () => {};
  /** @type {AbortSignal | undefined} */
  let seen;
  const { here, sent, errors } = pair({
    slow: (_, signal) => {
      seen = signal;
      return new Promise((resolve) => answer = resolve);
    },
  });
  await assert.rejects(here.request("slow", {}, { timeout: 5 }), { code: -32001, message: "slow: no answer" });
  assert.equal(sent.at(-1).method, "notifications/cancelled");
  assert.equal(sent.at(-1).params.requestId, sent[0].id);
  await new Promise((resolve) => seen?.aborted ? resolve(0) : seen?.addEventListener("abort", resolve));
  answer({});
  here.receive({ jsonrpc: "2.0", id: sent[0].id, result: {} });
  assert.deepEqual(errors, []);
});

Deno.test("a signal cancels, before and during the request", async () => {
  const { here, sent } = pair({ slow: () => new Promise(() => {}) });
  await assert.rejects(here.request("slow", {}, { signal: AbortSignal.abort(new Error("too late")) }), /too late/);
  assert.equal(sent.length, 0);
  const controller = new AbortController();
  const asked = here.request("slow", {}, { signal: controller.signal, timeout: 0 });
  controller.abort(new Error("changed my mind"));
  await assert.rejects(asked, /changed my mind/);
  assert.deepEqual(sent.at(-1).params, { requestId: sent[0].id, reason: "Error: changed my mind" });
});

Deno.test("progress is heard and starts the deadline anew", async () => {
  const { here, there, sent } = pair({
    long: async ({ _meta }) => {
      for (const progress of [1, 2, 3, 4]) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        there.notify("notifications/progress", { progressToken: _meta.progressToken, progress });
      }
      return { done: true };
    },
  });
  /** @type {number[]} */
  const heard = [];
  const options = { timeout: 200, onProgress: (/** @type {any} */ { progress }) => heard.push(progress) };
  assert.deepEqual(await here.request("long", { a: 1 }, options), { done: true });
  assert.deepEqual(heard, [1, 2, 3, 4]);
  assert.deepEqual(sent[0].params, { a: 1, _meta: { progressToken: sent[0].id } });
});

const cyclic = /** @type {any} */ ({});
cyclic.self = cyclic;
const polluting = JSON.parse('{"a": {"__proto__": {"polluted": true}}}');

for (
  const [name, value] of /** @type {[string, unknown][]} */ ([
    ["a date", new Date()],
    ["a map", new Map()],
    ["a big integer", 1n],
    ["bytes", new Uint8Array(3)],
    ["a buffer", new ArrayBuffer(3)],
    ["an error", new Error("x")],
    ["a cycle", cyclic],
    ["an own __proto__", polluting],
  ])
) {
  Deno.test(`${name} is not plain JSON: as a result it rejects, in a notification it is reported`, async () => {
    assert.equal(isJson({ deep: [value] }, isKnown), false);
    const { here, sent, errors } = pair();
    const asked = here.request("x");
    here.receive({ jsonrpc: "2.0", id: sent[0].id, result: { value } });
    await assert.rejects(asked, { code: -32600 });
    here.receive({ jsonrpc: "2.0", method: "y", params: { value } });
    assert.equal(errors.filter((error) => /Invalid/.test(error.message)).length, 2);
    assert.equal(/** @type {any} */ ({}).polluted, undefined);
  });
}

Deno.test("what JSON has is JSON", () => {
  assert.ok(isJson({ a: [1, "b", null, true, { c: undefined }], constructor: 1, toString: 2 }, isKnown));
  let deep = /** @type {any} */ ([]);
  for (let depth = 1; depth < MAX_DEPTH; depth++) deep = [deep];
  assert.equal(isJson(deep, isKnown), true);
  assert.equal(isJson([deep], isKnown), false);
});

for (
  const message of [
    { id: "its own", error: "text" },
    { id: "its own" },
    { method: "x", params: [1] },
    { method: "x", id: {} },
    { method: "x", params: "text" },
  ]
) {
  Deno.test(`a misshapen message is reported: ${JSON.stringify(message)}`, async () => {
    const { here, sent, errors } = pair();
    const asked = here.request("x", {}, { timeout: 50 });
    here.receive({ jsonrpc: "2.0", ...message, ...(message.id === "its own" && { id: sent[0].id }) });
    await assert.rejects(asked);
    assert.match(errors[0].message, /Invalid message/);
  });
}

Deno.test("what is not JSON-RPC is ignored", () => {
  const { here, errors } = pair();
  for (const other of [null, 1, "text", [], {}, { jsonrpc: "1.0" }, { type: "webpack" }]) here.receive(other);
  assert.deepEqual(errors, []);
});

Deno.test("what leaves is plain JSON", async () => {
  const { here, sent } = pair({ x: () => ({}) });
  await here.request("x", { at: new Date(0), nothing: undefined });
  assert.deepEqual(sent[0].params, { at: "1970-01-01T00:00:00.000Z" });
  await assert.rejects(here.request("x", cyclic), TypeError);
});
