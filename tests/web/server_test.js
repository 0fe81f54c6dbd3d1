// @ts-check
import assert from "node:assert/strict";
import { McpClient } from "../../src/cloche/web/client.js";
import { RpcError } from "../../src/cloche/web/rpc.js";
import { createBrowserMcpServer, createServer } from "../../src/cloche/web/server.js";
import { misfit } from "../../src/cloche/web/server/schema.js";
import { createLinkedPair } from "../../src/cloche/web/transports/event.js";

const ERAS = ["2025-11-25", "2026-07-28"];
const META = "io.modelcontextprotocol/";
const HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
const INVALID_REQUEST = -32600;

/**
 * A server, and a client of it that says what it is told to, without any manners.
 *
 * @param {import("../../src/cloche/web/server.js").ServerOptions} [options]
 */
function bare(options) {
  const server = createServer({ name: "bare", version: "1.2", ...options });
  const [transport, end] = createLinkedPair();
  const connection = server.connect(end);
  /** @type {any[]} */
  const heard = [];
  transport.onMessage((message) => message.method && heard.push(message));
  return {
    server,
    transport,
    connection,
    heard,
    /** @param {string} method @param {any} [params] */
    ask: (method, params) => transport.request({ method, params }),
    /** @param {string} method @param {any} [params] */
    tell: (method, params) => transport.send({ jsonrpc: "2.0", method, params }),
  };
}

/**
 * A server and a client that is connected to it.
 *
 * @param {string} era
 * @param {import("../../src/cloche/web/client.js").ClientOptions} [options]
 */
async function pair(era, options) {
  const server = createServer({ name: "pair" });
  return { server, client: await join(server, era, options) };
}

/**
 * @param {import("../../src/cloche/web/server.js").McpServer} server
 * @param {string} era
 * @param {import("../../src/cloche/web/client.js").ClientOptions} [options]
 */
function join(server, era, options) {
  const [transport, end] = createLinkedPair();
  server.connect(end);
  return new McpClient(transport, { versions: [era], ...options }).connect();
}

/** What is written to the console meanwhile. @param {"warn" | "error"} level @param {() => any} work */
async function written(level, work) {
  const before = console[level];
  /** @type {string[]} */
  const lines = [];
  console[level] = (...parts) => void lines.push(parts.join(" "));
  try {
    await work();
  } finally {
    console[level] = before;
  }
  return lines;
}

/** @param {any} result */
const textOf = (result) => result.content[0].text;

// The life of a connection

Deno.test("a connection goes from disconnected over initializing to ready, and back when it ends", async () => {
  const { server, connection, ask, tell, transport } = bare();
  assert.equal(connection.state, "disconnected");
  assert.equal(server.isConnected(), false);
  await ask("initialize", HELLO);
  assert.equal(connection.state, "initializing");
  tell("notifications/initialized");
  assert.equal(connection.state, "ready");
  assert.equal(server.isConnected(), true);
  transport.close();
  assert.equal(connection.state, "disconnected");
  assert.equal(server.isConnected(), false);
  assert.deepEqual(server.connections, []);
});

Deno.test("out of place are: requests before initialize, a second initialize, initialized that nobody waits for", async () => {
  const { connection, ask, tell, transport } = bare();
  /** @type {any[]} */
  const answers = [];
  const early = await ask("tools/list");
  assert.deepEqual(early.error, { code: INVALID_REQUEST, message: "Connection not initialized" });
  assert.deepEqual((await ask("ping")).result, {});
  const warned = await written("warn", () => tell("notifications/initialized"));
  assert.deepEqual(warned, ["Unexpected initialized notification"]);
  assert.equal(connection.state, "disconnected");
  await ask("initialize", HELLO);
  assert.deepEqual((await ask("tools/list")).result.tools, []);
  transport.onMessage((message) => answers.push(message));
  transport.send({ jsonrpc: "2.0", id: "null", method: "tools/list", params: null });
  await ask("ping");
  assert.deepEqual(answers[0], { jsonrpc: "2.0", id: "null", result: { tools: [] } });
  assert.equal((await ask("initialize", HELLO)).error.message, "Already initialized");
  tell("initialized");
  assert.equal(connection.state, "ready");
  await written("warn", () => tell("notifications/initialized"));
  assert.deepEqual([connection.state, connection.stray], ["ready", 2]);
  assert.equal((await ask("initialize", HELLO)).error.message, "Already initialized");
});

Deno.test("a version that is spoken is answered, any other with the latest and a warning", async () => {
  for (const version of ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    const { result } = await bare().ask("initialize", { ...HELLO, protocolVersion: version });
    assert.equal(result.protocolVersion, version);
    assert.equal("completions" in result.capabilities, version >= "2025-03-26");
  }
  const { ask } = bare();
  /** @type {any} */
  let answer;
  const warned = await written("warn", async () => {
    answer = await ask("initialize", { ...HELLO, protocolVersion: "1999-01-01" });
  });
  assert.equal(answer.result.protocolVersion, "2025-11-25");
  assert.match(warned[0], /1999-01-01/);
});

Deno.test("initialize is answered with what the server is and can", async () => {
  const { ask } = bare({ title: "Bare", instructions: "Be kind." });
  assert.deepEqual((await ask("initialize", HELLO)).result, {
    protocolVersion: "2025-11-25",
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    },
    serverInfo: { name: "bare", version: "1.2", title: "Bare" },
    instructions: "Be kind.",
  });
});

Deno.test("in the newer era every request says who asks, in a version that is spoken", async () => {
  const { ask } = bare();
  const meta = { [META + "protocolVersion"]: "2026-07-28", [META + "clientCapabilities"]: {} };
  const { result } = await ask("server/discover", { _meta: meta });
  assert.deepEqual([result.supportedVersions, result.resultType], [["2026-07-28"], "complete"]);
  assert.equal(result._meta[META + "serverInfo"].name, "bare");
  assert.equal((await ask("tools/list")).error.code, -32602);
  assert.equal((await ask("tools/list", { _meta: { [META + "protocolVersion"]: "2026-07-28" } })).error.code, -32602);
  const newer = await ask("tools/list", { _meta: { ...meta, [META + "protocolVersion"]: "2030-01-01" } });
  assert.equal(newer.error.code, -32022);
  assert.deepEqual(newer.error.data, { supported: ["2026-07-28"], requested: "2030-01-01" });
  assert.equal((await ask("ping", { _meta: meta })).error.code, -32601);
});

Deno.test("the factory of the source documents gives a server that is connected", async () => {
  const [transport, end] = createLinkedPair();
  const server = await createBrowserMcpServer({ transport: end, info: { name: "MyApp", version: "1.0.0" } });
  const client = await new McpClient(transport).connect();
  assert.deepEqual(client.serverInfo, { name: "MyApp", version: "1.0.0" });
  assert.equal(server.isConnected(), true);
  server.close();
  assert.equal(client.isConnected, false);
});

Deno.test("several clients in both eras are served at once, and one that leaves takes nobody along", async () => {
  const server = createServer();
  server.registerTool("echo", {}, ({ text }) => text);
  const [older, newer, third] = await Promise.all([ERAS[0], ERAS[1], ERAS[0]].map((era) => join(server, era)));
  assert.equal(server.connections.length, 3);
  third.close();
  assert.equal(server.connections.length, 2);
  for (const client of [older, newer]) assert.equal(textOf(await client.callTool("echo", { text: "hi" })), "hi");
  server.close();
  assert.deepEqual([older.isConnected, newer.isConnected, server.isConnected()], [false, false, false]);
});

Deno.test("a connection on which nothing can be sent is in error, and the others go on", async () => {
  const { server, connection, ask, tell, transport } = bare();
  await ask("initialize", HELLO);
  tell("notifications/initialized");
  const other = await join(server, ERAS[0]);
  /** @type {string[]} */
  const heard = [];
  other.onNotification("notifications/own", ({ text }) => heard.push(text));
  transport.emitter.on("mcp:response", () => {
    throw new Error("the port is gone");
  });
  const logged = await written("error", () => server.notify("notifications/own", { text: "hello" }));
  assert.match(logged[0], /the port is gone/);
  assert.deepEqual(heard, ["hello"]);
  assert.deepEqual([connection.state, server.isConnected()], ["error", true]);
  assert.throws(() => server.notify("notifications/own", { big: 1n }), TypeError);
});

// Middleware

Deno.test("middleware is around every request, outermost first, and may change, answer and refuse", async () => {
  for (const era of ERAS) {
    const { server, client } = await pair(era);
    /** @type {string[]} */
    const log = [];
    server.registerTool("double", {}, ({ number }) => number * 2);
    server.use(async (message, next) => {
      log.push(`> ${message.method}`);
      const result = await next();
      log.push(`< ${message.method}`);
      return result;
    }).use((message, next) => {
      if (message.method == "secret") throw new RpcError(-32003, "not for you");
      if (message.method == "short") return { answered: true };
      if (message.method != "tools/call") return next();
      const params = { ...message.params, arguments: { number: message.params.arguments.number + 1 } };
      return next({ ...message, params });
    });
    assert.equal(textOf(await client.callTool("double", { number: 20 })), "42");
    assert.deepEqual(log, ["> tools/call", "< tools/call"]);
    assert.equal((await client.request("short")).answered, true);
    await assert.rejects(client.request("secret"), { code: -32003, message: "not for you" });
    server.use(() => undefined);
    await assert.rejects(client.listTools(), { code: -32603 });
  }
});

// Registering

Deno.test("what is registered or taken out after connecting is told", async () => {
  for (const era of ERAS) {
    const { server, client } = await pair(era);
    /** @type {string[]} */
    const heard = [];
    const lists = ["tools", "resources", "prompts"];
    for (const list of lists) client.onNotification(`notifications/${list}/list_changed`, () => heard.push(list));
    // In the newer era the stream that carries them stands when this has been answered.
    await client.subscribe("x://y");
    const taken = server.registerTool("one", {}, () => "1");
    server.registerResource("x://one", {}, () => "1");
    server.registerResource("x://{two}", {}, () => "2");
    server.registerPrompt("one", {}, () => "1");
    taken();
    taken();
    await client.ping();
    assert.deepEqual(heard, ["tools", "resources", "resources", "prompts", "tools"]);
    assert.deepEqual(await client.listTools(), []);
  }
});

Deno.test("mistakes fail when something is registered", () => {
  const server = createServer();
  server.registerTool("one", {}, () => 1);
  assert.throws(() => server.registerTool("one", {}, () => 1), /There is a tool one already/);
  assert.throws(() => server.registerTool("two", {}), /The tool two needs a function/);
  assert.throws(() => server.registerTool("two", { inputSchema: { type: "string" } }, () => 1), /type: "object"/);
  assert.throws(() => server.registerMethod("tools/call", () => ({})), /the protocol's own/);
  assert.throws(() => server.registerResource("x://{a}/{b", {}, () => 1), /braces/);
  assert.throws(() => server.registerPrompt("", {}, () => 1), /has a name/);
});

Deno.test("a handler may stand among the options, as in the source documents", async () => {
  const { server, client } = await pair(ERAS[0]);
  server.registerTool("search", { description: "Search documents", handler: () => ({ results: [] }) });
  assert.deepEqual((await client.callTool("search")).structuredContent, { results: [] });
  const [tool] = await client.listTools();
  assert.deepEqual(tool, { name: "search", description: "Search documents", inputSchema: { type: "object" } });
});

// Arguments and results

Deno.test("arguments that do not fit are named by their path", () => {
  const schema = {
    type: "object",
    required: ["items"],
    properties: {
      items: {
        type: "array",
        items: { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
      },
      mode: { enum: ["fast", "slow"] },
      either: { type: ["string", "null"] },
    },
    additionalProperties: false,
  };
  /** @type {[any, string][]} */
  const rows = [
    [{ items: [] }, ""],
    [{ items: [{ size: 3.0 }], mode: "slow", either: null }, ""],
    [{}, "items is missing"],
    [{ items: {} }, "items must be array, not object"],
    [{ items: [{ size: 1 }, { size: "2" }] }, "items[1].size must be integer, not string"],
    [{ items: [{}] }, "items[0].size is missing"],
    [{ items: [{ size: 1.5 }] }, "items[0].size must be integer, not number"],
    [{ items: [], mode: "medium" }, 'mode must be one of ["fast","slow"]'],
    [{ items: [], either: 5 }, "either must be string or null, not number"],
    [{ items: [], more: 1 }, "more is not expected"],
    [[], "the arguments must be object, not array"],
    [null, "the arguments must be object, not null"],
    [{ items: [], toString: 1 }, "toString is not expected"],
  ];
  for (const [value, told] of rows) assert.equal(misfit(schema, value), told);
  assert.equal(misfit({ type: "object", required: ["toString"] }, {}), "toString is missing");
});

Deno.test("wrong arguments and what a tool throws are results for the model; an RpcError is the protocol's", async () => {
  for (const era of ERAS) {
    const { server, client } = await pair(era);
    let ran = 0;
    const inputSchema = { type: "object", properties: { size: { type: "integer" } } };
    server.registerTool("cut", { inputSchema }, () => ++ran);
    server.registerTool("fail", {}, () => Promise.reject(new Error("The oven is cold")));
    server.registerTool("refuse", {}, () => {
      throw new RpcError(-32003, "not you", { who: "you" });
    });
    const wrong = await client.callTool("cut", { size: "big" });
    assert.deepEqual([wrong.isError, ran], [true, 0]);
    assert.equal(textOf(wrong), "Invalid arguments for cut: size must be integer, not string");
    const failed = await client.callTool("fail");
    assert.deepEqual([failed.isError, textOf(failed)], [true, "The tool fail failed: The oven is cold"]);
    await assert.rejects(client.callTool("refuse"), { code: -32003, message: "not you", data: { who: "you" } });
  }
});

Deno.test("what a tool returns takes the shape that the version has", async () => {
  /** @type {Record<string, any>} */
  const returned = {
    text: "plain",
    number: 4,
    list: [1, 2],
    object: { a: 1, at: new Date(0) },
    nothing: undefined,
    whole: { content: ["text", { type: "resource_link", uri: "x://y", name: "y" }], structuredContent: { a: 1 } },
  };
  const server = createServer();
  for (const [name, value] of Object.entries(returned)) server.registerTool(name, {}, () => value);
  server.registerTool("declared", { outputSchema: { type: "string" } }, () => "typed");
  /** @type {Record<string, any>} */
  const seen = { "2024-11-05": {}, "2025-11-25": {}, "2026-07-28": {} };
  for (const era of Object.keys(seen)) {
    const client = await join(server, era);
    for (const name of [...Object.keys(returned), "declared"]) seen[era][name] = await client.callTool(name);
  }
  const { "2024-11-05": first, "2025-11-25": older, "2026-07-28": newer } = seen;
  assert.deepEqual(older.text, { content: [{ type: "text", text: "plain" }], isError: false });
  assert.deepEqual(older.number.structuredContent, { result: 4 });
  assert.deepEqual([newer.number.structuredContent, newer.number.resultType], [4, "complete"]);
  assert.deepEqual(older.list.structuredContent, { result: [1, 2] });
  assert.deepEqual(newer.list.structuredContent, [1, 2]);
  assert.deepEqual(older.object.structuredContent, { a: 1, at: "1970-01-01T00:00:00.000Z" });
  assert.deepEqual(older.nothing.content, []);
  assert.deepEqual(older.declared.structuredContent, { result: "typed" });
  assert.deepEqual(newer.declared.structuredContent, "typed");
  assert.equal(textOf(newer.declared), "typed");
  assert.equal("structuredContent" in first.number, false);
  assert.deepEqual(first.whole.content, [{ type: "text", text: "text" }, { type: "text", text: "x://y" }]);
  assert.equal(older.whole.content[1].type, "resource_link");
});

Deno.test("lists show what the version knows", async () => {
  const server = createServer();
  const options = { title: "T", annotations: { readOnlyHint: true }, icons: [], outputSchema: { type: "integer" } };
  server.registerTool("tool", options, () => 1);
  const keys = Object.fromEntries(
    await Promise.all(["2024-11-05", "2025-03-26", "2025-06-18", "2026-07-28"].map(async (era) => {
      const [tool] = await (await join(server, era)).listTools();
      return [era, [Object.keys(tool).sort().join(), tool.outputSchema?.type]];
    })),
  );
  assert.deepEqual(keys, {
    "2024-11-05": ["inputSchema,name", undefined],
    "2025-03-26": ["annotations,inputSchema,name", undefined],
    "2025-06-18": ["annotations,inputSchema,name,outputSchema,title", "object"],
    "2026-07-28": ["annotations,icons,inputSchema,name,outputSchema,title", "integer"],
  });
});

Deno.test("resources are text, bytes, JSON or whole, and templates take what is between slashes", async () => {
  const { server, client } = await pair(ERAS[0]);
  server.registerResource("x://text", { mimeType: "text/css" }, () => "a {}");
  server.registerResource("x://bytes", {}, () => new Uint8Array([255, 0]).subarray(0, 1));
  server.registerResource("x://json", {}, () => ({ a: 1 }));
  server.registerResource("x://whole", {}, () => ({ contents: [{ text: "1" }, { uri: "x://other", text: "2" }] }));
  server.registerResource("x://user/{name}", {}, (_, { name }) => name);
  server.registerResource("x://file/{+path}", {}, (_, { path }) => path);
  /** @param {string} uri */
  const read = async (uri) => (await client.readResource(uri)).contents;
  assert.deepEqual(await read("x://text"), [{ uri: "x://text", mimeType: "text/css", text: "a {}" }]);
  assert.equal((await read("x://bytes"))[0].blob, "/w==");
  assert.deepEqual((await read("x://json"))[0], { uri: "x://json", mimeType: "application/json", text: '{"a":1}' });
  assert.deepEqual((await read("x://whole")).map((/** @type {any} */ part) => part.uri), ["x://whole", "x://other"]);
  assert.equal((await read("x://user/J%C3%B6rg"))[0].text, "Jörg");
  assert.equal((await read("x://file/a/b.txt"))[0].text, "a/b.txt");
  await assert.rejects(read("x://user/a/b"), { code: -32002 });
  await assert.rejects(read("x://user/%ff"), { code: -32602 });
});

Deno.test("prompts are text or messages, and want what they declare", async () => {
  const { server, client } = await pair(ERAS[0]);
  server.registerPrompt("greet", { arguments: [{ name: "name", required: true }] }, ({ name }) => `Hello ${name}`);
  server.registerPrompt("talk", {}, () => [{ role: "assistant", content: { type: "text", text: "Yes?" } }, "Go on."]);
  assert.equal((await client.getPrompt("greet", { name: "Ada" })).messages[0].content.text, "Hello Ada");
  const { messages } = await client.getPrompt("talk");
  assert.deepEqual([messages[0].role, messages[1].role], ["assistant", "user"]);
  await assert.rejects(client.getPrompt("greet"), { code: -32602, message: /name is missing/ });
});

Deno.test("what a handler returns that is not JSON is answered with an error, and the next call works", async () => {
  const { server, client } = await pair(ERAS[0]);
  server.registerTool("huge", {}, () => ({ number: 2n ** 64n }));
  server.registerMethod("poison", () => JSON.parse('{"__proto__": 1}'));
  server.registerMethod("nothing", () => undefined);
  const huge = await client.callTool("huge");
  assert.match(textOf(huge), /BigInt/);
  await assert.rejects(client.request("poison"), { code: -32603, message: /__proto__/ });
  await assert.rejects(client.request("nothing"), { code: -32603, message: /not an object/ });
  await client.ping();
});

// Requests under way

Deno.test("an id that is in use is refused and the first request goes on; both cancellations are heard", async () => {
  const { server, transport, ask, heard } = bare();
  await ask("initialize", HELLO);
  /** @type {any[]} */
  const answers = [];
  transport.onMessage(({ id, ...answer }) => /^(same|a|b)$/.test(id) && answers.push(answer));
  /** @type {any[]} */
  const signals = [];
  /** @type {(value: any) => void} */
  let finish = () => {};
  server.registerMethod("hold", (_, context) => {
    signals.push(context.signal);
    return new Promise((resolve) =>
      finish = (value) => {
        context.progress(1);
        resolve(value);
      }
    );
  });
  const request = { jsonrpc: "2.0", id: "same", method: "hold" };
  transport.send(request);
  transport.send(request);
  await ask("ping");
  assert.deepEqual(answers.map(({ error }) => error?.code), [INVALID_REQUEST]);
  finish({ done: true });
  await ask("ping");
  assert.deepEqual(answers[1].result, { done: true });
  for (
    const [id, method, params] of [["a", "notifications/cancelled", { requestId: "a" }], ["b", "$/cancelRequest", {
      id: "b",
    }]]
  ) {
    transport.send({ jsonrpc: "2.0", id, method: "hold", params: { _meta: { progressToken: id } } });
    await ask("ping");
    transport.send({ jsonrpc: "2.0", method, params });
    assert.equal(signals.at(-1).aborted, true, `${method}`);
    finish({});
  }
  await ask("ping");
  assert.equal(answers.length, 2);
  assert.deepEqual(heard, []);
});

Deno.test("a client has so many requests under way, and no more", async () => {
  const { server, ask, transport } = bare();
  await ask("initialize", HELLO);
  server.registerMethod("hold", () => new Promise(() => {}));
  for (let id = 1000; id < 1256; id++) transport.send({ jsonrpc: "2.0", id, method: "hold" });
  assert.match((await ask("hold")).error.message, /more than 256 requests are under way/);
});

Deno.test("with a time limit a request that takes longer is answered and aborted", async () => {
  const { server, ask } = bare({ timeout: 20 });
  await ask("initialize", HELLO);
  /** @type {AbortSignal | undefined} */
  let seen;
  server.registerMethod("hold", (_, { signal }) => {
    seen = signal;
    return new Promise(() => {});
  });
  const { error } = await ask("hold");
  assert.equal(error.code, -32001);
  assert.match(error.message, /^Request [\w-]{36} timed out$/);
  assert.equal(seen?.aborted, true);
});

Deno.test("a connection that ends aborts what is under way", async () => {
  const { server, client } = await pair(ERAS[0]);
  /** @type {AbortSignal | undefined} */
  let seen;
  server.registerTool("hold", {}, (_, { signal }) => {
    seen = signal;
    return new Promise(() => {});
  });
  const call = client.callTool("hold");
  await client.ping();
  client.close();
  await assert.rejects(call, { code: "TRANSPORT_CLOSED" });
  assert.equal(seen?.aborted, true);
});

Deno.test("only subscribers hear of a resource, until they no longer want to", async () => {
  for (const era of ERAS) {
    const server = createServer();
    const [one, other] = await Promise.all([join(server, era), join(server, era)]);
    /** @type {string[]} */
    const heard = [];
    const stop = await one.subscribe("x://a", { onChange: ({ uri }) => heard.push(`one ${uri}`) });
    await other.subscribe("x://b", { onChange: ({ uri }) => heard.push(`other ${uri}`) });
    for (const uri of ["x://a", "x://b", "x://c"]) server.resourceUpdated(uri);
    server.notify("notifications/resources/updated", { uri: "x://a" });
    await Promise.all([one.ping(), other.ping()]);
    await stop();
    server.resourceUpdated("x://a");
    await one.ping();
    assert.deepEqual(heard.sort(), ["one x://a", "one x://a", "other x://b"]);
    await assert.rejects(one.subscribe("x://" + "a".repeat(9000)), { code: -32602 });
    await other.subscribe("x://c");
  }
});

Deno.test("what nobody subscribed to is not even sent", async () => {
  const older = bare();
  await older.ask("initialize", HELLO);
  older.tell("notifications/initialized");
  await older.ask("resources/subscribe", { uri: "x://a" });
  const newer = bare();
  const _meta = { [META + "protocolVersion"]: "2026-07-28", [META + "clientCapabilities"]: {} };
  const notifications = { resourceSubscriptions: ["x://a"], toolsListChanged: true };
  newer.transport.send({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: { notifications, _meta } });
  await newer.ask("server/discover", { _meta });
  for (const { server } of [older, newer]) {
    server.resourceUpdated("x://b");
    server.registerPrompt("one", {}, () => "1");
    server.registerTool("one", {}, () => "1");
    server.resourceUpdated("x://a");
    server.notify("notifications/own", {});
  }
  newer.tell("notifications/cancelled", { requestId: "s" });
  newer.server.resourceUpdated("x://a");
  const id = { [META + "subscriptionId"]: "s" };
  assert.deepEqual(older.heard.map(({ method, params }) => [method, params]), [
    ["notifications/prompts/list_changed", {}],
    ["notifications/tools/list_changed", {}],
    ["notifications/resources/updated", { uri: "x://a" }],
    ["notifications/own", {}],
  ]);
  assert.deepEqual(newer.heard.map(({ method, params }) => [method, params]), [
    ["notifications/subscriptions/acknowledged", { notifications, _meta: id }],
    ["notifications/tools/list_changed", { _meta: id }],
    ["notifications/resources/updated", { uri: "x://a", _meta: id }],
  ]);
});

// Questions to the client

const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

Deno.test("a question and its answer; an effect before it happens once, also when the tool runs again", async () => {
  for (const era of ERAS) {
    const { server, client } = await pair(era, {
      handlers: {
        "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
        "sampling/createMessage": () => ({
          role: "assistant",
          content: { type: "text", text: "a thought" },
          model: "m",
        }),
      },
    });
    let runs = 0;
    let effects = 0;
    server.registerTool("book", {}, async (_, context) => {
      runs++;
      const number = await context.once("reserve", () => ++effects);
      const [{ content }, { content: thought }] = await Promise.all([
        context.elicit("Who?", FORM),
        context.sample("Think"),
      ]);
      return `${number} ${content?.name} ${thought.text}`;
    });
    assert.equal(textOf(await client.callTool("book")), "1 Ada a thought");
    assert.deepEqual([runs, effects], era == ERAS[0] ? [1, 1] : [2, 1]);
  }
});

Deno.test("a tool that catches everything does not swallow the question", async () => {
  const { server, client } = await pair(ERAS[1], {
    handlers: { "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }) },
  });
  server.registerTool("stubborn", {}, async (_, context) => {
    try {
      return (await context.elicit("Who?", FORM)).content?.name;
    } catch {
      return "nobody";
    }
  });
  assert.equal(textOf(await client.callTool("stubborn")), "Ada");
});

Deno.test("an answer that does not fit, and a client that cannot be asked, are stated errors", async () => {
  for (const era of ERAS) {
    const { server, client } = await pair(era, {
      handlers: { "elicitation/create": () => ({ action: "accept", content: { name: 5 } }) },
    });
    server.registerTool("ask", {}, (_, context) => context.elicit("Who?", FORM));
    server.registerTool("think", {}, (_, context) => context.sample("?"));
    await assert.rejects(client.callTool("ask"), { code: -32602, message: /name must be string, not number/ });
    await assert.rejects(client.callTool("think"), {
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  }
});

Deno.test("the state of a question is good for its own call, once", async () => {
  const { server, ask } = bare();
  server.registerTool("ask", {}, (_, context) => context.elicit("Who?", FORM));
  const _meta = { [META + "protocolVersion"]: "2026-07-28", [META + "clientCapabilities"]: { elicitation: {} } };
  const { result } = await ask("tools/call", { name: "ask", _meta });
  assert.equal(result.resultType, "input_required");
  assert.deepEqual(result.inputRequests["elicitation-1"].method, "elicitation/create");
  const { requestState } = result;
  const inputResponses = { "elicitation-1": { action: "decline" } };
  const other = await ask("tools/call", { name: "ask", arguments: { a: 1 }, requestState, inputResponses, _meta });
  assert.match(other.error.message, /belongs to another request/);
  const forged = await ask("tools/call", { name: "ask", requestState: "1-2-3-4", inputResponses, _meta });
  assert.match(forged.error.message, /has expired/);
  const good = await ask("tools/call", { name: "ask", requestState, inputResponses, _meta });
  assert.deepEqual(good.result.structuredContent, { action: "decline" });
  const again = await ask("tools/call", { name: "ask", requestState, inputResponses, _meta });
  assert.match(again.error.message, /has expired/);
});

Deno.test("a template is matched in one way, and takes what Python takes", async () => {
  const { uriMatcher } = await import("../../src/cloche/web/server/template.js");
  /** @type {[string, string, Record<string, string> | undefined][]} */
  const cases = [
    ["a://{x}", "a://1", { x: "1" }],
    ["a://{x}", "a://1/2", undefined],
    ["a://{x}.{y}", "a://archive.tar.gz", { x: "archive.tar", y: "gz" }],
    ["a://{y}-{m}-{d}", "a://2026-11-18", { y: "2026", m: "11", d: "18" }],
    ["a://{y}-{m}-{d}", "a://2026-11", undefined],
    ["a://{x}-{+y}", "a://1-2/3-4", { x: "1", y: "2/3-4" }],
    ["a://{x}-{+y}", "a://1-2-", { x: "1", y: "2-" }],
    ["a://{+x}/{y}.{z}", "a://1/2/3.4.5", { x: "1/2", y: "3.4", z: "5" }],
    ["a://{x}/{+y}/{z}", "a://1/2/3/4", { x: "1", y: "2/3", z: "4" }],
    ["a://{x}/{+y}/{z}", "a://1/2", undefined],
    ["a://{+x}", "a://", undefined],
    ["a://x", "a://x", {}],
    ["a://x", "a://a://x", undefined],
  ];
  for (const [template, uri, values] of cases) assert.deepEqual(uriMatcher(template)(uri), values);
  for (const template of ["a://{x}{y}", "a://{+x}/{+y}", "a://{x}/{x}", "a://{x"]) {
    assert.throws(() => uriMatcher(template), TypeError);
  }
  // 8 kB that a regular expression with three groups takes half a minute for.
  const long = "a://" + "-".repeat(8192) + "/";
  for (const template of ["a://{x}-{y}-{z}", "a://{w}-{x}-{y}-{z}", "a://{x}-{+y}-{z}"]) {
    assert.deepEqual(uriMatcher(template)(long), undefined);
  }
});

Deno.test("notifications of the server's own reach a client that listens, with the defaults of both", async () => {
  const [near, far] = createLinkedPair();
  const server = createServer({ name: "s", version: "1" });
  await server.connect(far);
  const client = new McpClient(near);
  await client.connect();
  assert.equal(client.protocolVersion, "2026-07-28");
  const ready = new Promise((resolve) => client.onNotification("notifications/subscriptions/acknowledged", resolve));
  const heard = new Promise((resolve) => client.onNotification("custom/event", resolve));
  /** @type {unknown[]} */
  const unasked = [];
  near.onMessage((/** @type {any} */ message) => message.method == "custom/other" && unasked.push(message));
  await ready;
  server.notify("custom/other", { n: 0 });
  server.notify("custom/event", { n: 1 });
  assert.equal(/** @type {any} */ (await heard).n, 1);
  assert.deepEqual(unasked, []);
  await client.close();
  await server.close();
});
