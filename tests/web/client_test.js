// @ts-check
import assert from "node:assert/strict";
import { McpBrowserClient, McpClient } from "../../src/cloche/web/client.js";
import { VERSIONS } from "../../src/cloche/web/protocol.js";
import { RpcError } from "../../src/cloche/web/rpc.js";
import { createServer } from "../../src/cloche/web/server.js";
import { ReconnectingTransport } from "../../src/cloche/web/transports/care.js";
import { createLinkedPair, createSimpleEmitter, EventTransport } from "../../src/cloche/web/transports/event.js";
import { PortTransport } from "../../src/cloche/web/transports/port.js";
import { ResourceSubscriptionManager } from "../../src/cloche/web/transports/subscriptions.js";

const FOUND = { serverInfo: { name: "stub", version: "1" }, capabilities: { tools: {} } };

/**
 * A client, and in the place of the server what answers each method. What was asked is noted.
 *
 * @param {Record<string, (params: any, signal?: AbortSignal) => any>} methods
 * @param {import("../../src/cloche/web/client.js").ClientOptions} [options]
 */
function against(methods, options) {
  const [transport, server] = createLinkedPair();
  /** @type {string[]} */
  const asked = [];
  server.onMessage(({ method }) => method && asked.push(method));
  server.serve((method) => methods[method]);
  return { client: new McpClient(transport, options), asked, server };
}

/** @param {any} params */
const initialize = ({ protocolVersion }) => ({ ...FOUND, protocolVersion });
const silent = () => new Promise(() => {});

Deno.test("a server of the older era is greeted with a handshake after it refused to be discovered", async () => {
  const { client, asked } = against({ initialize });
  await client.connect();
  assert.deepEqual(asked, ["server/discover", "initialize", "notifications/initialized"]);
  assert.deepEqual([client.protocolVersion, client.isStateless], ["2025-11-25", false]);
  assert.equal(client.serverInfo.name, "stub");
});

Deno.test("so is one that says nothing, and one that then settled on the newer era is believed", async () => {
  const { client, asked } = against({ initialize, "server/discover": silent }, { timeout: 20 });
  await client.connect();
  assert.deepEqual(asked.filter((method) => !method.startsWith("notifications")), ["server/discover", "initialize"]);
  let times = 0;
  const slow = against({
    "server/discover": () => times++ ? { supportedVersions: ["2026-07-28"], capabilities: {} } : silent(),
    initialize: () => Promise.reject(new RpcError(-32602, "_meta is missing")),
  }, { timeout: 20 });
  await slow.client.connect();
  assert.equal(slow.client.isStateless, true);
});

Deno.test("only versions that may be spoken are: otherwise connecting fails, and so does what waits for it", async () => {
  const older = against({ initialize: () => ({ ...FOUND, protocolVersion: "1999-01-01" }) });
  await assert.rejects(older.client.connect(), /Unsupported protocol version: 1999-01-01/);
  await assert.rejects(older.client.listTools(), /Unsupported protocol version/);
  const newer = against({ "server/discover": () => ({ supportedVersions: ["2030-01-01"] }) }, {
    versions: ["2026-07-28"],
  });
  await assert.rejects(newer.client.connect(), /Unsupported protocol version/);
  assert.deepEqual(newer.asked, ["server/discover"]);
  const pinned = against({ initialize: () => initialize({ protocolVersion: "2025-11-25" }) }, {
    versions: ["2024-11-05"],
  });
  await assert.rejects(pinned.client.connect(), /Unsupported protocol version: 2025-11-25/);
});

Deno.test("nobody there is not taken for somebody old", async () => {
  const { client, asked, server } = against({ "server/discover": silent });
  const connecting = client.connect();
  server.close();
  await assert.rejects(connecting, { code: "TRANSPORT_CLOSED" });
  assert.deepEqual(asked, ["server/discover"]);
});

Deno.test("the first request connects, once", async () => {
  const { client, asked } = against({ initialize, "tools/list": () => ({ tools: [] }) }, {
    versions: VERSIONS.slice(1),
  });
  await Promise.all([client.listTools(), client.listTools(), client.connect()]);
  assert.deepEqual(asked, ["initialize", "notifications/initialized", "tools/list", "tools/list"]);
});

Deno.test("pages that go in circles come to an end", async () => {
  const pages = ["a", "b", "a"].values();
  const { client } = against({
    initialize,
    "tools/list": () => ({ tools: [{ name: "x" }], nextCursor: pages.next().value }),
  });
  assert.equal((await client.listTools()).length, 3);
});

Deno.test("progress starts the time anew, in both eras", async () => {
  for (const era of ["2025-11-25", "2026-07-28"]) {
    const server = createServer();
    server.registerTool("slow", {}, async (_, context) => {
      for (let step = 1; step <= 4; step++) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        context.progress(step, 4, `at ${step}`);
      }
      return "done";
    });
    const [transport, end] = createLinkedPair();
    server.connect(end);
    const client = new McpClient(transport, { versions: [era] });
    /** @type {any[]} */
    const seen = [];
    const { content } = await client.callTool("slow", {}, {
      timeout: 120,
      onProgress: (one) => seen.push(one.message),
    });
    assert.equal(content[0].text, "done");
    assert.deepEqual(seen, ["at 1", "at 2", "at 3", "at 4"]);
    await assert.rejects(client.callTool("slow", {}, { timeout: 20 }), { code: "REQUEST_TIMEOUT" });
    client.close();
  }
});

Deno.test("a resource is subscribed to until its last subscriber leaves, and one that is refused leaves nothing behind", async () => {
  const { client, asked } = against({
    initialize,
    "resources/subscribe": ({ uri }) => {
      if (uri == "x://no") throw new RpcError(-32002, "Resource not found");
    },
    "resources/unsubscribe": () => {},
  }, { versions: ["2025-11-25"] });
  const stops = await Promise.all([1, 2, 3].map(() => client.subscribe("x://a")));
  await assert.rejects(client.subscribe("x://no"), { code: -32002 });
  const [stop, ...others] = stops;
  await stop();
  await stop();
  await Promise.all(others.map((stop) => stop()));
  assert.deepEqual(asked.slice(2), [
    "resources/subscribe", // one for all three
    "resources/subscribe",
    "resources/unsubscribe", // what was refused
    "resources/unsubscribe",
  ]);
});

for (const era of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`a thousand subscribers of one resource have one subscription at the server, in ${era}`, async () => {
    const server = createServer();
    server.registerResource("x://a", {}, () => "a");
    const [transport, end] = createLinkedPair();
    /** @type {string[]} */
    const asked = [];
    end.onMessage(({ method }) => /subscri/.test(method) && asked.push(method));
    server.connect(end);
    const client = new McpClient(transport, { versions: [era] });
    let heard = 0;
    const subscriber = { onChange: () => heard++ };
    const stops = await Promise.all(Array.from({ length: 1000 }, () => client.subscribe("x://a", subscriber)));
    assert.equal(asked.length, 1);
    server.resourceUpdated("x://a");
    await client.ping();
    assert.equal(heard, 1000);
    await stops[0]();
    await stops[0]();
    server.resourceUpdated("x://a");
    await client.ping();
    assert.equal(heard, 1999);
    await Promise.all(stops.map((stop) => stop()));
    server.resourceUpdated("x://a");
    await client.ping();
    assert.equal(heard, 1999);
    client.close();
  });
}

Deno.test("a subscriber hears of its own resource", async () => {
  const { client, server } = against({ initialize, "resources/subscribe": () => {} }, { versions: ["2025-11-25"] });
  /** @type {string[]} */
  const heard = [];
  await client.subscribe("x://a", { onChange: ({ uri }) => heard.push(uri) });
  for (const uri of ["x://b", "x://a"]) {
    server.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });
  }
  assert.deepEqual(heard, ["x://a"]);
});

Deno.test("subscribers are told when the connection ends", async () => {
  const { client, server } = against({ initialize, "resources/subscribe": () => {} }, { versions: ["2025-11-25"] });
  /** @type {any[]} */
  const errors = [];
  await client.subscribe("x://a", { onError: (error) => errors.push(error.code) });
  server.close();
  assert.deepEqual(errors, ["TRANSPORT_CLOSED"]);
});

Deno.test("in the newer era there is a stream for each resource and list, and one that breaks off is opened again", async () => {
  /** @type {string[]} */
  const log = [];
  /** @type {(() => void)[]} */
  const ends = [];
  const { client, server } = against({
    "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities: {} }),
    "subscriptions/listen": ({ notifications }, signal) => {
      const wanted = JSON.stringify(notifications);
      log.push(`open ${wanted}`);
      signal?.addEventListener("abort", () => log.push(`end ${wanted}`));
      server.send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: {} });
      return new Promise((resolve) => ends.push(() => resolve({})));
    },
  });
  client.onNotification("notifications/prompts/list_changed", () => {});
  await client.connect();
  await client.subscribe("x://0").then((stop) => stop());
  assert.deepEqual(log.splice(0), [
    'open {"promptsListChanged":true}',
    'open {"resourceSubscriptions":["x://0"]}',
    'end {"resourceSubscriptions":["x://0"]}',
  ]);
  const stop = await client.subscribe("x://a");
  const [second] = await Promise.all([client.subscribe("x://a"), client.subscribe("x://b")]);
  await stop();
  assert.deepEqual(log.splice(0), [
    'open {"resourceSubscriptions":["x://a"]}',
    'open {"resourceSubscriptions":["x://b"]}',
  ]);
  await second();
  assert.deepEqual(log.splice(0), ['end {"resourceSubscriptions":["x://a"]}']);
  ends.at(-1)?.();
  const before = performance.now();
  while (!log.length && performance.now() - before < 5000) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(log, ['open {"resourceSubscriptions":["x://b"]}']);
  client.close();
});

Deno.test("a server that only has questions is given up, and one with a question that nobody answers at once", async () => {
  let rounds = 0;
  let method = "elicitation/create";
  const { client } = against({
    "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities: {} }),
    "tools/call": () => {
      rounds++;
      return { resultType: "input_required", inputRequests: { a: { method, params: {} } }, requestState: "s" };
    },
  }, { handlers: { "elicitation/create": () => ({ action: "accept" }) } });
  await assert.rejects(client.callTool("x"), /Too many questions/);
  assert.equal(rounds, 20);
  method = "sampling/createMessage";
  await assert.rejects(client.callTool("x"), { code: -32601 });
  assert.equal(rounds, 21);
});

Deno.test("a client of a worker needs nothing but the worker", async () => {
  const { port1, port2 } = new MessageChannel();
  createServer({ name: "in a worker" }).connect(new PortTransport(port2));
  const client = new McpBrowserClient(port1);
  assert.equal((await client.connect()).serverInfo.name, "in a worker");
  client.close();
});

Deno.test("over a transport that reconnects the session goes on, subscriptions included, in both eras", async () => {
  for (const era of ["2025-11-25", "2026-07-28"]) {
    /** @type {import("../../src/cloche/web/server.js").McpServer[]} */
    const servers = [];
    const transport = new ReconnectingTransport(() => {
      const [client, end] = createLinkedPair();
      const server = createServer({ name: `number ${servers.length}` });
      server.registerTool("who", {}, () => server.info.name);
      server.registerTool("hold", {}, () => new Promise(() => {}));
      server.registerTool("touch", {}, () => server.resourceUpdated("x://a"));
      server.connect(end);
      servers.push(server);
      return client;
    }, { baseDelay: 1 });
    const client = new McpClient(transport, { versions: [era] });
    /** @type {any[]} */
    const heard = [];
    /** @type {(value?: any) => void} */
    let wake = () => {};
    await client.subscribe("x://a", { onChange: ({ uri }) => (heard.push(uri), wake()) });
    const held = client.callTool("hold");
    await client.ping();
    servers[0].close();
    await assert.rejects(held, { code: -32000 });
    assert.equal((await client.callTool("who")).content[0].text, "number 1");
    const update = new Promise((resolve) => wake = resolve);
    await client.callTool("touch");
    await update;
    assert.deepEqual(heard, ["x://a"]);
    client.close();
  }
});

Deno.test("what waits for a server is bounded, by its number and by its length", async () => {
  const alone = () => new ReconnectingTransport(() => new Promise(() => {}));
  const full = { code: "OUTBOX_FULL", message: "Too much waits for a server" };
  const many = alone();
  const controller = new AbortController();
  const cancelled = many.request({ method: "x" }, { signal: controller.signal });
  for (let number = 1; number < 1024; number++) many.send({ jsonrpc: "2.0", method: "x" });
  assert.throws(() => many.send({ jsonrpc: "2.0", method: "x" }), full);
  await assert.rejects(many.request({ method: "x" }), full);
  controller.abort();
  await assert.rejects(cancelled, { code: "REQUEST_CANCELLED" });
  many.send({ jsonrpc: "2.0", method: "x" });
  const long = alone();
  const params = { text: "x".repeat(10_000_000) };
  long.send({ jsonrpc: "2.0", method: "x", params });
  assert.throws(() => long.send({ jsonrpc: "2.0", method: "x", params }), full);
  long.send({ jsonrpc: "2.0", method: "x" });
  many.close();
  long.close();
});

Deno.test("a client that gives up on its server says so, and its calls end", async () => {
  let failed = 0;
  const transport = new ReconnectingTransport(() => Promise.reject(new Error("nobody")), {
    maxAttempts: 2,
    baseDelay: 1,
    onReconnectFailed: () => failed++,
  });
  await assert.rejects(transport.request({ method: "x" }), { code: "TRANSPORT_CLOSED" });
  assert.deepEqual([failed, transport.isConnected], [1, false]);
});

Deno.test("two clients on one emitter get their own answers, and no id can be guessed", async () => {
  const emitter = createSimpleEmitter();
  const server = createServer({ name: "on a bus" });
  server.registerTool("echo", {}, async ({ text }) => (await new Promise((done) => setTimeout(done)), text));
  server.registerMethod("own/echo", async (params) => (await new Promise((done) => setTimeout(done)), params));
  server.connect(new EventTransport(emitter));
  /** @type {any[]} */
  const ids = [];
  emitter.on("mcp:request", ({ id }) => id && ids.push(id));
  const ends = [1, 2].map(() => new EventTransport(emitter, { role: "client" }));
  const [one, other] = ends.map((end) => new McpClient(end));
  const results = await Promise.all([one.callTool("echo", { text: "one" }), other.callTool("echo", { text: "other" })]);
  assert.deepEqual(results.map(({ content }) => content[0].text), ["one", "other"]);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSIONS[0],
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const answers = await Promise.all(
    ends.map((end, number) => end.request({ method: "own/echo", params: { number, _meta } })),
  );
  assert.deepEqual(answers.map(({ result }) => result.number), [0, 1]);
  const [stops, stop] = [[one.subscribe("a://1"), other.subscribe("a://1")], await one.subscribe("a://2")];
  for (const end of await Promise.all(stops)) await end();
  await stop();
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)), String(ids));
});

const NEWER = { "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities: {} }) };
const CHANGED = "notifications/tools/list_changed";

/** Let a pause of a second be none. @param {() => Promise<void>} run */
async function withoutPauses(run) {
  const { setTimeout } = globalThis;
  globalThis.setTimeout =
    /** @type {any} */ ((/** @type {any} */ call, /** @type {number} */ time, /** @type {any} */ x) =>
      setTimeout(call, time == 1000 ? 0 : time, x));
  try {
    await run();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

Deno.test("a stream that the server refuses is not asked for again", () =>
  withoutPauses(async () => {
    const { client, asked } = against(NEWER);
    client.onNotification(CHANGED, () => {});
    await client.connect();
    await assert.rejects(client.subscribe("a://b"), { code: -32601 });
    for (let turn = 0; turn < 10; turn++) await new Promise((done) => setTimeout(done));
    assert.equal(asked.filter((method) => method == "subscriptions/listen").length, 2);
  }));

Deno.test("a stream that broke off is opened again until nobody listens, or the server refuses", () =>
  withoutPauses(async () => {
    /** @type {any[]} */
    const streams = [];
    let refuses = false;
    const { client, server } = against({
      ...NEWER,
      "subscriptions/listen": (_, signal) => {
        if (refuses) throw new RpcError(-32000, "no more");
        const { promise, resolve } = Promise.withResolvers();
        streams.push({ signal, resolve });
        return promise;
      },
    });
    server.onMessage(({ id, method }) => {
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      const params = { _meta };
      if (method == "subscriptions/listen" && !refuses) {
        server.send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
      }
    });
    /** @param {() => unknown} holds */
    const until = async (holds) => {
      while (!holds()) await new Promise((done) => setTimeout(done));
    };
    const stops = [client.onNotification(CHANGED, () => {}), client.onNotification(CHANGED, () => {})];
    await client.connect();
    await until(() => streams.length == 1);
    streams[0].resolve({});
    await until(() => streams.length == 2);
    stops[0]();
    await client.ping();
    assert.equal(streams[1].signal.aborted, false);
    stops[1]();
    await until(() => streams[1].signal.aborted);
    // Whoever listens next has a stream of its own.
    client.onNotification(CHANGED, () => {});
    await until(() => streams.length == 3);
    /** @type {any[]} */
    const errors = [];
    await client.subscribe("a://b", { onError: (error) => errors.push(error.message) });
    refuses = true;
    streams[3].resolve({});
    await until(() => errors.length);
    assert.deepEqual(errors, ["no more"]);
    assert.equal(streams.length, 4);
  }));

for (const era of ["2026-07-28", "2025-11-25"]) {
  for (const over of ["a client", "a transport"]) {
    Deno.test(`resources are read again when they change, over ${over} in ${era}`, async () => {
      const [transport, end] = createLinkedPair();
      const server = createServer();
      let text = 1;
      server.registerResource("notes://1", {}, () => String(text));
      server.connect(end);
      const client = new McpClient(transport, { versions: [era] });
      // In the newer era nobody has to say hello.
      if (over == "a client" || era < "2026") await client.connect();
      const manager = new ResourceSubscriptionManager(over == "a client" ? client : transport);
      /** @type {any[]} */
      const changes = [];
      const onChange = (/** @type {string} */ uri, /** @type {any[]} */ [{ text }]) => changes.push([uri, text]);
      const [one, other] = await Promise.all([1, 2].map(() => manager.subscribe("notes://1", { onChange })));
      text = 2;
      server.resourceUpdated("notes://1");
      while (changes.length < 2) await new Promise((done) => setTimeout(done));
      await one.unsubscribe();
      await other.unsubscribe();
      server.resourceUpdated("notes://1");
      await client.ping();
      assert.deepEqual(changes, [["notes://1", "2"], ["notes://1", "2"]]);
      const next = await manager.subscribe("notes://1", { onChange });
      assert.equal(next.uri, "notes://1");
      transport.close();
    });
  }
}
