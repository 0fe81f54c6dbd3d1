// @ts-check
import assert from "node:assert/strict";
import { McpClient } from "../../../src/cloche/web/client.js";
import { createLinkedPair } from "../../../src/cloche/web/transports/event.js";
import {
  connect,
  ModelContextConnectionError,
  ModelContextTimeoutError,
  supported,
  ToolRegistrationError,
} from "../../../src/cloche/web/webmcp-session.js";

const ERAS = ["2025-11-25", "2026-07-28"];
const INFO = { name: "agent", version: "3" };

/**
 * A session, and the client at its other end.
 *
 * @param {Partial<import("../../../src/cloche/web/webmcp/session.js").ConnectOptions>} [options]
 */
async function joined(era = ERAS[0], options) {
  const [near, transport] = createLinkedPair();
  const client = new McpClient(near, { versions: [era], ...INFO });
  const [session] = await Promise.all([
    connect({ serverInfo: { name: "MyApp" }, transport, ...options }),
    client.connect(),
  ]);
  return { session, client };
}

for (const era of ERAS) {
  Deno.test(`a session is an MCP server, and wraps what plain functions return (${era})`, async () => {
    const { session, client } = await joined(era);
    assert.deepEqual([session.isConnected(), session.state, session.clientInfo?.name], [true, "connected", "agent"]);
    /** @type {any[]} */
    const heard = [];
    const stop = session.on("toolCall", (call) => heard.push(call));
    const remove = session.registerTool("search", {
      description: "Search documents",
      inputSchema: { type: "object", properties: { query: { type: "string" } } },
      handler: ({ query }) => ({ results: [query] }),
    });
    session.registerResource("docs", { handler: () => ({ contents: [{ text: "…" }] }) });
    session.registerResource("notes://{name}", { handler: (_, { name }) => `of ${name}` });
    session.registerPrompt("ask", { handler: () => "Why?" });
    const result = await client.callTool("search", { query: "a" });
    assert.deepEqual(result.structuredContent, { results: ["a"] });
    assert.deepEqual(heard, [{ name: "search", arguments: { query: "a" } }]);
    const flawed = await client.callTool("search", { query: 1 });
    assert.match(flawed.content[0].text, /^Invalid arguments for search: query must be string/);
    const { contents } = await client.readResource("resource://docs");
    assert.deepEqual(contents, [{ uri: "resource://docs", text: "…" }]);
    assert.equal((await client.readResource("notes://x")).contents[0].text, "of x");
    assert.equal((await client.getPrompt("ask")).messages[0].content.text, "Why?");
    stop();
    remove();
    remove();
    session.unregisterPrompt("ask");
    session.unregisterResource("docs");
    const [tools, resources, prompts] = await Promise.all([
      client.listTools(),
      client.listResources(),
      client.listPrompts(),
    ]);
    assert.deepEqual([tools, resources, prompts], [[], [], []]);
    client.close();
  });
}

Deno.test("after disconnect calls fail with a stated error, on both sides", async () => {
  const { session, client } = await joined();
  /** @type {any[]} */
  const heard = [];
  session.on("disconnect", ({ reason }) => heard.push(reason));
  const tool = { description: "d", handler: () => 1 };
  session.registerTool("one", tool);
  session.disconnect();
  session.close();
  assert.deepEqual(heard, ["The page ended the session"]);
  assert.deepEqual([session.isConnected(), session.state], [false, "disconnected"]);
  const over = { name: "ModelContextConnectionError", message: "The session is over: call connect() again" };
  assert.throws(() => session.registerTool("two", tool), over);
  assert.throws(() => session.registerResource("two", tool), over);
  assert.throws(() => session.notify("custom/x"), over);
  await assert.rejects(client.callTool("one"), { code: "TRANSPORT_CLOSED" });
});

Deno.test("a client that leaves ends the session", async () => {
  const { session, client } = await joined();
  const left = new Promise((resolve) => session.on("disconnect", resolve));
  client.close();
  assert.deepEqual(await left, { reason: "The client closed the connection" });
  assert.equal(session.isConnected(), false);
});

Deno.test("nobody connects, in time or at all", async () => {
  const [, silent] = createLinkedPair();
  await assert.rejects(connect({ transport: silent, timeout: 20 }), (/** @type {any} */ error) => {
    assert(error instanceof ModelContextTimeoutError);
    assert.equal(error.message, "No client connected within 20 ms");
    return true;
  });
  assert.equal(silent.isConnected, false);
  const [near, closed] = createLinkedPair();
  const connecting = connect({ transport: closed });
  near.close();
  await assert.rejects(connecting, ModelContextConnectionError);
  assert.equal(supported, false);
  await assert.rejects(connect(), {
    name: "ModelContextConnectionError",
    message: /open it by https, or pass a transport/,
  });
});

Deno.test("what cannot be registered is refused when it is registered", async () => {
  const { session, client } = await joined(ERAS[0], { capabilities: { tools: {} } });
  const handler = () => 1;
  session.registerTool("one", { handler });
  /** @type {[string, any, RegExp][]} */
  const refused = [
    ["one", { handler }, /There is a tool one already/],
    ["a b", { handler }, /1 to 128 letters/],
    ["two", {}, /needs a function as its handler/],
    ["two", { handler, inputSchema: { type: "array" } }, /JSON Schema with type: "object"/],
  ];
  for (const [name, options, message] of refused) {
    assert.throws(() => session.registerTool(name, options), (/** @type {any} */ error) => {
      assert(error instanceof ToolRegistrationError);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.throws(() => session.registerPrompt("p", { handler }), /offers no prompts: name them in connect/);
  assert.deepEqual(Object.keys(client.serverCapabilities ?? {}).filter((key) => /s$/.test(key)), [
    "tools",
    "completions",
  ]);
  client.close();
});
