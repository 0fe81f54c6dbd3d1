// @ts-check
// What the transport of one page assumes when nothing is said, and what a server does over it.
import assert from "node:assert/strict";
import { createServer } from "../../src/cloche/web/server.js";
import { createSimpleEmitter, EventTransport } from "../../src/cloche/web/transports/event.js";
import { REQUEST_TIMEOUT } from "../../src/cloche/web/transports/base.js";

Deno.test("events have the names of the source documents, turned round for the client, unless others are given", () => {
  const emitter = createSimpleEmitter();
  const names = (/** @type {any} */ options) => {
    const { sendEvent, receiveEvent } = new EventTransport(emitter, options);
    return [sendEvent, receiveEvent];
  };
  assert.deepEqual(names({}), ["mcp:response", "mcp:request"]);
  assert.deepEqual(names({ role: "client" }), ["mcp:request", "mcp:response"]);
  assert.deepEqual(names({ sendEvent: "out", receiveEvent: "in" }), ["out", "in"]);
  assert.throws(() => names({ sendEvent: "same", receiveEvent: "same" }), /hear itself/);
  /** @type {any[]} */
  const heard = [];
  emitter.on("mcp:response", (data) => heard.push(data));
  new EventTransport(emitter).send({ jsonrpc: "2.0", method: "hello" });
  assert.deepEqual(heard, [{ jsonrpc: "2.0", method: "hello" }]);
});

Deno.test("a request waits 30 seconds, unless it says otherwise, and then nothing waits for its answer", async () => {
  assert.equal(REQUEST_TIMEOUT, 30_000);
  const real = globalThis.setTimeout;
  /** @type {number[]} */
  const waits = [];
  const client = new EventTransport(createSimpleEmitter(), { role: "client" });
  try {
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ work, /** @type {number} */ time) => {
      waits.push(time);
      return real(work, 0);
    });
    for (const options of [undefined, { timeout: 50 }]) {
      await assert.rejects(client.request({ method: "ping", id: 7 }, options), /Request 7 timed out/);
    }
  } finally {
    globalThis.setTimeout = real;
  }
  assert.deepEqual(waits, [30_000, 50]);
});

Deno.test("a method, a notification and a middleware of one's own", async () => {
  const server = createServer({ name: "own" });
  /** @type {string[]} */
  const order = [];
  server.use(async (message, next) => {
    order.push(`before ${message.method}`);
    const result = await next(message);
    order.push("after");
    return result;
  });
  server.registerMethod("custom/double", ({ number }) => ({ number: 2 * number }));
  const emitter = createSimpleEmitter();
  server.connect(new EventTransport(emitter));
  const client = new EventTransport(emitter, { role: "client" });
  /** @type {any[]} */
  const heard = [];
  client.onMessage((message) => message.method && heard.push(message.method));
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  await client.request({ method: "initialize", params });
  client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const { result } = await client.request({ method: "custom/double", params: { number: 4 } });
  assert.deepEqual(result, { number: 8 });
  assert.deepEqual(order.slice(-2), ["before custom/double", "after"]);
  server.notify("notifications/own", { text: "hello" });
  await Promise.resolve();
  assert.ok(heard.includes("notifications/own"));
});
