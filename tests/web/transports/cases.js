// @ts-check
/**
 * How MCP behaves over a transport of the page, whichever it is. A case fails by throwing. `link.client` is connected
 * to the reference server, here or in Python.
 *
 * @typedef {{
 *   client: import("../../../src/cloche/web/client.js").McpClient,
 *   transport: import("../../../src/cloche/web/transports/base.js").Transport,
 *   rubbish?: (value: any) => void,
 * }} Link `rubbish` puts any value on the wire, where that is possible
 * @typedef {{name: string, run: (link: Link) => Promise<void>}} Case
 */

export const ROOT = "file:///behaviour";
const MEGABYTE = 1024 * 1024;

/** The options of the client that the cases expect: what it answers when it is asked. */
export const ANSWERS = {
  handlers: {
    "roots/list": () => ({ roots: [{ uri: ROOT }] }),
    /** @param {any} request */
    "sampling/createMessage": ({ messages }) => {
      const content = { type: "text", text: `thought about ${messages[0].content.text}` };
      return { role: "assistant", content, model: "unknown", stopReason: "endTurn" };
    },
    /** @param {any} request */
    "elicitation/create": ({ message }) =>
      message.split(" ").includes("no") ? { action: "decline" } : { action: "accept", content: { name: "Ada" } },
  },
};

/** @type {Case[]} */
export const CASES = [];

/** @param {string} name @param {(link: Link) => Promise<void>} run */
const when = (name, run) => CASES.push({ name, run });

/** @param {any} result */
const textOf = (result) => result.content.map((/** @type {any} */ block) => block.text).join("");

/** @param {unknown} actual @param {unknown} expected */
export function same(actual, expected) {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`expected ${wanted?.slice(0, 500)}, got ${found?.slice(0, 500)}`);
}

/** @param {any} truth @param {string} [told] */
export function check(truth, told = "a check failed") {
  if (!truth) throw new Error(told);
}

/**
 * What something was rejected with.
 *
 * @param {Promise<any>} promise
 * @returns {Promise<any>}
 */
export const failure = (promise) =>
  promise.then((value) => {
    throw new Error(`no error came, but ${JSON.stringify(value)?.slice(0, 300)}`);
  }, (error) => error);

/** A list that can be waited on. */
export class Inbox {
  /** @type {any[]} */
  items = [];
  /** @type {((item: any) => void)[]} */
  #waiting = [];

  /** @param {any} item */
  put = (item) => {
    const next = this.#waiting.shift();
    if (next) next(item);
    else this.items.push(item);
  };

  /** @returns {Promise<any>} */
  async next() {
    return this.items.length ? this.items.shift() : await new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** @param {Link} link @param {string} name */
async function wasCancelled({ client }, name) {
  same(textOf(await client.callTool("noted", { what: `${name} was cancelled` })), "1");
}

when("initialize, call and read", async ({ client }) => {
  same(client.serverInfo.name, "behaviour");
  check(client.serverCapabilities.tools);
  same(client.instructions, "For tests.");
  const result = await client.callTool("echo", { text: "hello" });
  same([textOf(result), result.isError ?? false], ["hello", false]);
  same((await client.readResource("behaviour://greeting/Ada")).contents[0].text, "Hello, Ada!");
});

when("lists every page", async ({ client }) => {
  const names = (await client.listTools()).map(({ name }) => name);
  check(new Set(names).size == names.length && names.length > 12, `${names}`);
  for (const name of ["echo", "add", "hold", "touch"]) check(names.includes(name), name);
  same((await client.listResources()).map(({ uri }) => uri), ["behaviour://count", "behaviour://bytes"]);
  const templates = await client.listResourceTemplates();
  same(templates.map(({ uriTemplate }) => uriTemplate), ["behaviour://greeting/{name}"]);
  same((await client.listPrompts()).map(({ name }) => name), ["greet"]);
});

when("describes tools by schema and gives structured results", async ({ client }) => {
  const [tool] = (await client.listTools()).filter(({ name }) => name == "add");
  same([tool.description, tool.inputSchema.required], ["The sum.", ["a"]]);
  same(tool.inputSchema.properties.b.description, "The second number.");
  const result = await client.callTool("add", { a: 2, b: 40 });
  same(textOf(result), "42");
  same(result.structuredContent, client.isStateless ? 42 : { result: 42 });
});

when("tells a client of a changed list", async ({ client }) => {
  const inbox = new Inbox();
  client.onNotification("notifications/tools/list_changed", inbox.put);
  // In the newer era a stream has to stand first, and nobody tells when it does.
  let heard = false;
  inbox.next().then(() => (heard = true));
  for (let number = 0; number < 200 && !heard; number++) await client.callTool("grow", { name: `grown-${number}` });
  check(heard, "no notifications/tools/list_changed came");
});

when("hears the server's own notifications", async ({ client }) => {
  if (client.isStateless) return;
  const [gone, stays] = [new Inbox(), new Inbox()];
  const stop = client.onNotification("notifications/behaviour", gone.put);
  client.onNotification("notifications/behaviour", () => {
    throw new Error("a handler's own mistake, on purpose");
  });
  client.onNotification("notifications/behaviour", stays.put);
  await client.callTool("announce", { text: "one" });
  same([(await gone.next()).text, (await stays.next()).text], ["one", "one"]);
  stop();
  await client.callTool("announce", { text: "two" });
  same((await stays.next()).text, "two");
  same(gone.items, []);
});

when("tells the server something", async ({ client }) => {
  client.notify("notifications/behaviour", { text: "ahoy" });
  same(textOf(await client.callTool("noted", { what: "ahoy" })), "1");
});

when("answers fifty calls at once, each to its caller", async ({ client }) => {
  const texts = Array.from({ length: 50 }, (_, number) => `number ${number}`);
  const results = await Promise.all(texts.map((text) => client.callTool("echo", { text })));
  same(results.map(textOf), texts);
});

when("answers may overtake each other", async ({ client }) => {
  let done = false;
  const first = client.callTool("wait_for", { name: "gate" }).finally(() => (done = true));
  same(textOf(await client.callTool("echo", { text: "second" })), "second");
  check(!done, "the first was answered before its time");
  await client.callTool("release", { name: "gate" });
  same(textOf(await first), "gate");
});

when("recovers after errors of tools and of the protocol", async ({ client }) => {
  const failed = await client.callTool("fail", { message: "on purpose" });
  check(failed.isError && textOf(failed).includes("on purpose"), textOf(failed));
  same(textOf(await client.callTool("echo", { text: "after a failing tool" })), "after a failing tool");
  const wrong = await client.callTool("add", { a: "one" });
  check(wrong.isError && /\ba\b/.test(textOf(wrong)), textOf(wrong));
  same((await failure(client.callTool("no-such-tool"))).code, -32602);
  same((await failure(client.getPrompt("no-such-prompt"))).code, -32602);
  same((await failure(client.readResource("behaviour://nothing"))).code, client.isStateless ? -32602 : -32002);
  same((await failure(client.request("no/such/method"))).code, -32601);
  same(textOf(await client.callTool("echo", { text: "after refusals" })), "after refusals");
});

when("recovers after bad messages", async ({ client, rubbish }) => {
  if (!rubbish) return;
  /** @type {any} */
  const deep = {};
  let inner = deep;
  for (let depth = 0; depth < 500; depth++) inner = inner.deeper = {};
  const poison = JSON.parse('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"polluted":1}}}');
  for (
    const bad of [
      "not JSON",
      {},
      [],
      null,
      7,
      { jsonrpc: "1.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: {}, method: "ping" },
      { jsonrpc: "2.0", id: 1, method: 5 },
      { jsonrpc: "2.0", method: "notifications/behaviour", params: [1] },
      { jsonrpc: "2.0", id: "deep", method: "ping", params: deep },
      { jsonrpc: "2.0", id: "null", method: "tools/list", params: null },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: null },
      { jsonrpc: "2.0", id: 987654, result: {} },
      { jsonrpc: "2.0", id: 987655, error: { code: 1, message: "x" } },
      poison,
    ]
  ) {
    rubbish(bad);
    same(textOf(await client.callTool("echo", { text: "still here" })), "still here");
  }
  same(/** @type {any} */ ({}).polluted, undefined);
});

when("reports progress in order, before the result", async ({ client }) => {
  /** @type {any[]} */
  const heard = [];
  const result = await client.callTool("steps", { count: 5 }, {
    onProgress: ({ progress, total }) => heard.push([progress, total]),
  });
  same(textOf(result), "5");
  same(heard, [[1, 5], [2, 5], [3, 5], [4, 5], [5, 5]]);
});

when("cancels by signal, and the server sees it", async (link) => {
  const { client } = link;
  const controller = new AbortController();
  const call = failure(client.callTool("hold", { name: "signal" }, { signal: controller.signal }));
  await client.callTool("noted", { what: "signal began" });
  controller.abort();
  const error = await call;
  same(error.code, "REQUEST_CANCELLED");
  check(/^Request .+ was cancelled$/.test(error.message), error.message);
  await wasCancelled(link, "signal");
});

when("times out alone", async (link) => {
  const { client } = link;
  const other = client.callTool("wait_for", { name: "other" });
  const error = await failure(client.callTool("hold", { name: "time" }, { timeout: 200 }));
  same(error.code, "REQUEST_TIMEOUT");
  check(/^Request .+ timed out$/.test(error.message), error.message);
  await wasCancelled(link, "time");
  await client.callTool("release", { name: "other" });
  same(textOf(await other), "other");
});

when("closing rejects what is pending, and what comes later", async ({ client }) => {
  const calls = [1, 2, 3].map(() => failure(client.callTool("hold", { name: "pending" })));
  await client.callTool("noted", { what: "pending began" });
  client.close();
  for (const error of [...await Promise.all(calls), await failure(client.callTool("echo", { text: "too late" }))]) {
    same([error.message, error.code], ["Transport is closed", "TRANSPORT_CLOSED"]);
  }
  same(client.isConnected, false);
});

when("carries a megabyte both ways", async ({ client }) => {
  const text = "ü".repeat(MEGABYTE / 2);
  check(textOf(await client.callTool("echo", { text })) === text, "it came back otherwise");
  same(textOf(await client.callTool("big", { size: 2 * MEGABYTE })).length, 2 * MEGABYTE);
});

when("refuses what is too large, and goes on", async ({ client, transport }) => {
  const text = "x".repeat(transport.limit);
  same((await failure(client.callTool("echo", { text }))).code, "INVALID_MESSAGE");
  same(textOf(await client.callTool("echo", { text: "small" })), "small");
});

when("carries any JSON", async ({ client }) => {
  const value = {
    text: 'a\u0000b\u2028c \u{1f514} \\ " / \n',
    numbers: [0, -1, 2 ** 53, 1.5, 1e-9],
    empty: [{}, [], "", null, true, false],
    deep: JSON.parse("[".repeat(80) + "]".repeat(80)),
  };
  same(JSON.parse(textOf(await client.callTool("mirror", { value }))), value);
});

when("a buffer arrives, or is refused by name, and is never made something else", async ({ client }) => {
  const value = { data: new Uint8Array([1, 2, 3]).buffer };
  const told = [client.callTool("mirror", { value }), client.request("behaviour/echo", { value })];
  for (const one of told) {
    const outcome = await one.then(({ structuredContent, params }) => {
      const { data } = params?.value ?? structuredContent;
      return data instanceof ArrayBuffer ? new Uint8Array(data).join() : JSON.stringify(data);
    }, (error) => error.message);
    check(outcome == "1,2,3" || / is a ArrayBuffer$/.test(outcome), outcome);
  }
});

when("reads bytes", async ({ client }) => {
  const { contents: [{ blob }] } = await client.readResource("behaviour://bytes");
  same(Array.from(atob(blob), (one) => one.charCodeAt(0)), Array.from({ length: 256 }, (_, index) => index));
});

when("fills in prompts and completes arguments", async ({ client }) => {
  const { messages } = await client.getPrompt("greet", { name: "Ada" });
  same(messages[0].content.text, "Say hello to Ada.");
  const params = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "a" } };
  same((await client.request("completion/complete", params)).completion.values, ["Ada", "Alan"]);
});

when("answers methods of the server's own, and a ping", async ({ client }) => {
  same((await client.request("behaviour/echo", { a: [1, 2] })).params, { a: [1, 2] });
  await client.ping();
});

when("tells of changed resources", async ({ client }) => {
  const inbox = new Inbox();
  const stop = await client.subscribe("behaviour://count", { onChange: inbox.put });
  await client.callTool("touch");
  same((await inbox.next()).uri, "behaviour://count");
  same((await client.readResource("behaviour://count")).contents[0].text, "1");
  await stop();
  await client.callTool("touch");
  await client.callTool("echo", { text: "a round trip later" });
  same(inbox.items, []);
});

when("asks the user, the model and for roots", async ({ client }) => {
  same(textOf(await client.callTool("ask", { question: "Who?" })), "accept Ada");
  same(textOf(await client.callTool("ask", { question: "Say no please" })), "decline");
  same(textOf(await client.callTool("think", { prompt: "bells" })), "thought about bells");
  check(textOf(await client.callTool("look_around")).includes(ROOT));
});

when("writes to the client's log", async ({ client }) => {
  /** @type {any[]} */
  const logged = [];
  client.onNotification("notifications/message", ({ data }) => logged.push(data));
  const level = "info";
  if (!client.isStateless) await client.request("logging/setLevel", { level });
  const _meta = { "io.modelcontextprotocol/logLevel": level };
  await client.request("tools/call", { name: "log", arguments: { text: "careful" }, _meta });
  await client.callTool("echo", { text: "a round trip later" });
  same(logged, ["careful"]);
});
