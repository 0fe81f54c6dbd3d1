// @ts-check
import assert from "node:assert/strict";
import * as dialects from "../../src/cloche/web/dialects.js";
import { connect, ExtAppsAdapter } from "../../src/cloche/web/view.js";
import { Page } from "./page.js";

/** The modules, and the one-file script that Python made of them. */
const oneFile = Deno.env.get("CLOCHE_BRIDGE");
if (!oneFile) throw new Error("CLOCHE_BRIDGE names the script to test: run these tests with make");
const script = await Deno.readTextFile(oneFile);
const forms = {
  modules: () => connect(),
  "one file": () => (new Function(script)(), /** @type {any} */ (globalThis).cloche),
};

const today = {
  protocolVersion: "2026-01-26",
  hostInfo: { name: "host", version: "1" },
  hostCapabilities: { serverTools: {}, logging: {} },
  hostContext: { theme: "dark", styles: { variables: { "--color-text-primary": "red", color: "blue" } } },
};

/**
 * A host that answers ui/initialize so, and everything else with what it was asked.
 *
 * @param {any} initialized
 */
const host = (initialized = today) => (/** @type {any} */ { id, method, params }) => {
  if (id === undefined) return undefined;
  return { result: method === "ui/initialize" ? initialized : { method, params } };
};

/** Everything that was under way has happened: nothing here waits for more than promises. */
async function settled() {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

/**
 * @param {string} name
 * @param {(page: Page, start: () => any, form: string) => Promise<void>} body
 * @param {import("./page.js").PageOptions} [options]
 */
function test(name, body, options = { reply: host() }) {
  for (const [form, start] of Object.entries(forms)) {
    Deno.test({
      name: `${name} (${form})`,
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        const page = new Page(options);
        try {
          await body(page, start, form);
          await settled();
        } finally {
          page.close();
        }
      },
    });
  }
}

test("the handshake has all required members, and initialized comes before everything else", async (page, start) => {
  const app = start();
  const asked = app.callTool("early", {});
  await app.ready;
  await asked;
  const [[hello], [initialized], ...rest] = page.posted;
  assert.equal(hello.method, "ui/initialize");
  assert.ok(hello.id);
  assert.deepEqual(Object.keys(hello.params).sort(), ["appCapabilities", "appInfo", "protocolVersion"]);
  assert.deepEqual(initialized, { jsonrpc: "2.0", method: "ui/notifications/initialized" });
  assert.ok(rest.some(([{ method }]) => method === "tools/call"));
  assert.deepEqual(page.events.map(([name]) => name), ["bridge:ready"]);
  assert.equal(app.adapter, "ext-apps");
  assert.equal(/** @type {any} */ (globalThis).FrontMcpBridge, app);
});

test("theme and style variables are applied, and nothing that is not a variable", async (page, start) => {
  await start().ready;
  assert.equal(page.root.dataset.theme, "dark");
  assert.equal(page.root.style.colorScheme, "dark");
  assert.deepEqual([...page.variables], [["--color-text-primary", "red"]]);
});

test("what the host tells arrives as property, event and for those who come late", async (page, start) => {
  const app = start();
  await app.ready;
  /** @type {any[]} */
  const own = [];
  app.ontoolinput = (/** @type {any} */ input) => own.push(input);
  page.say({ method: "ui/notifications/tool-input-partial", params: { arguments: { a: 0 } } });
  page.say({ method: "ui/notifications/tool-input", params: { arguments: { a: 1 } } });
  page.say({ method: "ui/notifications/tool-result", params: { content: [], structuredContent: { b: 2 } } });
  page.say({ method: "ui/notifications/tool-cancelled", params: { reason: "user" } });
  assert.deepEqual(app.toolInputPartial, { a: 0 });
  assert.deepEqual(app.toolInput, { a: 1 });
  assert.deepEqual(app.toolResult.structuredContent, { b: 2 });
  assert.deepEqual(own, [{ a: 1 }]);
  assert.deepEqual(page.events.slice(1).map(([name]) => name), [
    "tool:input-partial",
    "tool:input",
    "tool:result",
    "tool:cancelled",
  ]);
  assert.deepEqual(await new Promise((resolve) => app.on("tool:input", resolve)), { a: 1 });
});

test("a change of the host's context is merged; an own __proto__ is refused", async (page, start) => {
  const app = start();
  await app.ready;
  page.say({ method: "ui/notifications/host-context-changed", params: { locale: "de", theme: "light" } });
  assert.equal(app.hostContext.locale, "de");
  assert.equal(app.hostContext.theme, "light");
  assert.ok(app.hostContext.styles);
  page.say({ method: "ui/notifications/host-context-changed", params: JSON.parse('{"__proto__": {"polluted": 1}}') });
  assert.equal(app.hostContext.polluted, undefined);
  assert.equal(page.events.at(-1)?.[0], "bridge:error");
});

test("only the parent window is heard", async (page, start) => {
  const app = start();
  await app.ready;
  for (const stranger of [null, {}, globalThis]) {
    page.say({ method: "ui/notifications/tool-input", params: { arguments: { evil: 1 } } }, stranger);
  }
  assert.equal(app.toolInput, undefined);
});

test("requests of the host: ping, teardown, tools, and nothing inherited", async (page, start) => {
  const app = start();
  await app.ready;
  app.registerTool("double", "Doubles", { type: "object" }, (/** @type {any} */ { n }) => ({ n: 2 * n }));
  app.registerTool("fail", { description: "Fails" }, undefined, () => {
    throw new Error("no");
  });
  let torn = false;
  app.onteardown = async () => {
    await Promise.resolve();
    torn = true;
  };
  const ask = async (/** @type {string} */ method, /** @type {any} */ params = {}) => {
    const id = "h" + page.posted.length;
    page.say({ id, method, params });
    await settled();
    return page.posted.map(([message]) => message).find((message) => message.id === id);
  };
  assert.deepEqual((await ask("ping")).result, {});
  assert.deepEqual((await ask("tools/list")).result.tools.map((/** @type {any} */ tool) => tool.name), [
    "double",
    "fail",
  ]);
  assert.deepEqual(
    (await ask("tools/call", { name: "double", arguments: { n: 4 } })).result.content[0].text,
    '{"n":8}',
  );
  assert.equal((await ask("tools/call", { name: "fail" })).result.isError, true);
  assert.equal((await ask("tools/call", { name: "toString" })).error.code, -32602);
  for (const name of ["constructor", "toString", "__proto__", "elicitation/create"]) {
    assert.equal((await ask(name)).error.code, -32601);
  }
  assert.deepEqual((await ask("ui/resource-teardown", { reason: "bye" })).result, {});
  assert.ok(torn);
  assert.ok(page.sent("notifications/tools/list_changed").length >= 2);
});

test("what a view asks for has today's shapes", async (page, start) => {
  const app = start();
  await app.ready;
  await app.sendMessage("hello");
  await app.updateModelContext("text");
  await app.updateModelContext({ a: 1 });
  await app.openLink("https://example.com/");
  await app.downloadFile({ name: "a b.csv", mimeType: "text/csv", text: "1,2" });
  await app.readResource("ui://x/y.html");
  assert.equal(await app.requestDisplayMode("fullscreen"), "fullscreen");
  app.close();
  app.log("info", "said", { more: 1 });
  await settled();
  const sent = (/** @type {string} */ method) => page.sent(method).map(({ params }) => params);
  const text = [{ type: "text", text: "hello" }];
  assert.deepEqual(sent("ui/message"), [{ role: "user", content: text }]);
  assert.deepEqual(sent("ui/update-model-context"), [{ content: [{ type: "text", text: "text" }] }, {
    structuredContent: { a: 1 },
  }]);
  assert.deepEqual(sent("ui/open-link"), [{ url: "https://example.com/" }]);
  assert.deepEqual(sent("ui/download-file")[0].contents[0].resource, {
    uri: "file:///a%20b.csv",
    mimeType: "text/csv",
    text: "1,2",
  });
  assert.deepEqual(sent("ui/notifications/request-teardown"), [{}]);
  assert.deepEqual(sent("notifications/message").at(-1).data, { message: "said", data: { more: 1 } });
});

for (
  const url of ["javascript:alert(1)", "data:text/html,x", " javascript:alert(1)", "file:///etc/passwd", "/relative"]
) {
  test(`openLink refuses ${JSON.stringify(url)}`, async (page, start) => {
    const app = start();
    await app.ready;
    await assert.rejects(app.openLink(url), TypeError);
    assert.deepEqual(page.sent("ui/open-link"), []);
  });
}

test("a host that refuses the handshake is reported, and so is one that answers nonsense", async (page, start) => {
  const app = start();
  const asked = app.callTool("early");
  await assert.rejects(app.ready, { code: -32000, message: "go away" });
  await assert.rejects(asked, { code: -32000, message: "go away" });
  await settled();
  assert.deepEqual(page.sent("tools/call"), []);
  assert.ok(page.events.some(([name, error]) => name === "bridge:error" && /go away/.test(String(error))));
  assert.equal(page.sent("notifications/message")[0].params.data, "go away");
}, { reply: ({ id }) => id && { error: { code: -32000, message: "go away" } } });

const olderHost = {
  protocolVersion: "2025-01-01",
  hostCapabilities: { serverToolProxy: true, widgetTools: true },
  hostContext: {},
};

for (const [older, now] of Object.entries(dialects.toView)) {
  test(`${older} is heard as ${now}`, async (page, start) => {
    const app = start();
    await app.ready;
    const before = page.events.length;
    page.say({ id: now === "ui/resource-teardown" ? "t" : undefined, method: now, params: { a: 1 } });
    const expected = page.events.slice(before);
    page.say({ id: now === "ui/resource-teardown" ? "u" : undefined, method: older, params: { a: 1 } });
    assert.equal(expected.length, 1);
    assert.deepEqual(page.events.slice(before + 1), expected);
  });
}

/** @type {Record<string, [(app: any) => any, any]>} what a view does, and what an older host then hears */
const said = {
  "tools/call": [(app) => app.callTool("x", { a: 1 }), { name: "x", arguments: { a: 1 } }],
  "ui/update-model-context": [(app) => app.updateModelContext({ a: 1 }), {
    structuredContent: { a: 1 },
    context: { a: 1 },
  }],
  "ui/open-link": [(app) => app.openLink("https://a.example/"), { url: "https://a.example/" }],
  "ui/request-display-mode": [(app) => app.requestDisplayMode("pip"), { mode: "pip" }],
  "ui/notifications/request-teardown": [(app) => app.close(), {}],
  "notifications/message": [
    (app) => app.log("info", "hi", { b: 2 }),
    { level: "info", logger: "view", message: "hi", data: { b: 2 } },
  ],
};

for (const [now, older] of Object.entries(dialects.toHost)) {
  test(`to an older host ${now} is said as ${older}, a request`, async (page, start) => {
    const app = start();
    await app.ready;
    const [act, params] = said[now];
    await act(app);
    await settled();
    assert.deepEqual(page.sent(older)[0].params, params);
    assert.ok(page.sent(older)[0].id);
    assert.deepEqual(page.sent(now), []);
  }, { reply: host(olderHost) });
}

for (const capability of Object.keys(dialects.capabilities)) {
  test(`the capability ${capability} shows an older host`, async (page, start) => {
    const app = start();
    await app.ready;
    await app.callTool("x");
    assert.equal(page.sent("ui/callServerTool").length, 1);
  }, { reply: host({ hostCapabilities: { [capability]: true } }) });
}

test("an older host is told of a view's tools", async (page, start) => {
  const app = start();
  await app.ready;
  app.registerTool("t", "about", { type: "object" });
  app.unregisterTool("t");
  await settled();
  assert.deepEqual(page.sent("ui/registerTool")[0].params, {
    name: "t",
    description: "about",
    inputSchema: { type: "object" },
  });
  assert.deepEqual(page.sent("ui/unregisterTool")[0].params, { name: "t" });
}, { reply: host(olderHost) });

test(
  "the reply of the early guide, without a context and with another version, is good enough",
  async (page, start) => {
    const app = start();
    await app.ready;
    assert.deepEqual(app.hostContext, {});
    assert.equal(page.events[0][0], "bridge:ready");
  },
  {
    reply: host({
      protocolVersion: "2025-01-01",
      hostCapabilities: { tools: {}, resources: {} },
      hostInfo: { name: "MyHost", version: "1.0.0" },
    }),
  },
);

Deno.test("with trusted origins nobody else is heard or spoken to", async () => {
  const page = new Page({ reply: host() });
  try {
    const app = connect({ trustedOrigins: ["https://host.example", "https://other.example"] });
    page.say({ id: 1, result: today }, page.parent, "https://evil.example");
    page.say({ id: 1, result: today }, page.parent, "null");
    assert.deepEqual(page.posted.map(([, target]) => target), ["https://host.example", "https://other.example"]);
    await app.ready;
    assert.equal(page.posted.at(-1)[1], "https://host.example");
    page.say(
      { method: "ui/notifications/tool-input", params: { arguments: {} } },
      page.parent,
      "https://other.example",
    );
    assert.equal(app.toolInput, undefined, "the origin that answered first stays the only one");
    await settled();
  } finally {
    page.close();
  }
});

Deno.test("an adapter alone: canHandle, initialize, callTool", async () => {
  const page = new Page({ reply: host() });
  try {
    const adapter = new ExtAppsAdapter({ options: { trustedOrigins: ["https://host.example"] } });
    assert.ok(adapter.canHandle());
    assert.deepEqual((await adapter.initialize()).hostInfo, today.hostInfo);
    assert.equal((await adapter.callTool("weather", { city: "NYC" })).params.name, "weather");
  } finally {
    page.close();
  }
});

test("a page that nobody embeds is ready, and says why it cannot", async (page, start) => {
  Object.assign(globalThis, { parent: globalThis });
  const app = start();
  await app.ready;
  assert.equal(app.adapter, "generic");
  assert.equal(page.events[0][0], "bridge:ready");
  await assert.rejects(app.callTool("x"), { code: -32601, message: /Not available.*tools.call/ });
  assert.equal(await app.setState({ a: 1 }), false);
  assert.deepEqual(app.getState(), { a: 1 });
});

test("state is the host's where it keeps one", async (page, start) => {
  const app = start();
  await app.ready;
  assert.deepEqual(app.getState(), { page: 3 });
  assert.equal(await app.setState({ page: 4 }), true);
  assert.deepEqual(page.sent("cloche/set-state")[0].params, { value: { page: 4 }, model: false });
  assert.deepEqual(app.getState(), { page: 4 });
}, {
  reply: host({
    ...today,
    hostCapabilities: { experimental: { "cloche/state": {} } },
    hostContext: { "cloche/state": { page: 3 } },
  }),
});

test("the state stays where the host tells the model nothing, and onerror hears of it", async (page, start) => {
  const app = start();
  await app.ready;
  assert.equal(await app.setState({ page: 4 }, { model: true }), false);
  assert.deepEqual(app.getState(), { page: 4 });
  assert.deepEqual(page.events.filter(([name]) => name == "bridge:error").map(([, error]) => String(error)), [
    "Error: Not available",
  ]);
}, {
  reply: (message) =>
    message.method == "ui/update-model-context"
      ? { error: { code: -32601, message: "Not available" } }
      : host()(message),
});

test("connect and callServerTool, as the official App has them", async (page, start) => {
  const app = start();
  assert.deepEqual(await app.connect(), today);
  assert.equal(page.sent("ui/initialize").length, 1);
  await app.callServerTool({ name: "add", arguments: { a: 1 } });
  await app.callServerTool({ name: "list" });
  assert.deepEqual(page.sent("tools/call").map(({ params }) => params), [
    { name: "add", arguments: { a: 1 } },
    { name: "list", arguments: {} },
  ]);
});

test("a buffer is refused, and never sent as nothing", async (page, start) => {
  const app = start();
  await assert.rejects(app.callTool("add", { data: new ArrayBuffer(3) }), {
    code: -32600,
    message: "data is not JSON",
  });
  await app.callTool("add", { at: new Date(0) });
  assert.deepEqual(page.sent("tools/call").map(({ params }) => params.arguments), [{ at: "1970-01-01T00:00:00.000Z" }]);
  app.registerTool("bytes", "Bytes", {}, () => ({ content: [], structuredContent: { data: new Uint8Array(3) } }));
  page.say({ id: "x", method: "tools/call", params: { name: "bytes" } });
  await settled();
  const answer = page.posted.map(([message]) => message).find(({ id }) => id == "x");
  assert.equal(answer.error.message, "data is not JSON");
});

test("state that the model may see goes into its context where the host keeps none", async (page, start) => {
  const app = start();
  await app.ready;
  assert.equal(await app.setState({ page: 4 }, { model: true }), false);
  assert.deepEqual(page.sent("ui/update-model-context")[0].params, { structuredContent: { state: { page: 4 } } });
});

test("window.openai: the same view, the same calls", async (page, start) => {
  /** @type {any[]} */
  const calls = [];
  const record = (/** @type {string} */ name) => (/** @type {any[]} */ ...args) => {
    calls.push([name, ...args]);
    return Promise.resolve({ content: [], mode: "pip" });
  };
  const openai = Object.assign(
    Object.fromEntries(
      ["callTool", "sendFollowUpMessage", "requestDisplayMode", "openExternal", "notifyIntrinsicHeight", "requestClose"]
        .map((name) => [name, record(name)]),
    ),
    { theme: "dark", locale: "de", toolInput: { a: 1 }, toolOutput: { b: 2 }, toolResponseMetadata: { c: 3 } },
    { widgetState: /** @type {any} */ ({ seen: true }) },
  );
  Object.assign(openai, { setWidgetState: (/** @type {any} */ state) => void (openai.widgetState = state) });
  Object.assign(globalThis, { openai });
  const app = start();
  const first = new Promise((resolve) => app.on("tool:result", resolve));
  await app.ready;
  assert.equal(app.adapter, "openai");
  assert.deepEqual(await first, { content: [], structuredContent: { b: 2 }, _meta: { c: 3 } });
  assert.deepEqual(app.toolInput, { a: 1 });
  assert.equal(page.root.dataset.theme, "dark");
  assert.deepEqual(app.getState(), { seen: true });
  assert.equal(await app.setState({ page: 1 }), true);
  assert.deepEqual(openai.widgetState, { modelContent: undefined, privateContent: { page: 1 } });
  await app.updateModelContext("look");
  assert.deepEqual(openai.widgetState, { modelContent: "look", privateContent: { page: 1 } });
  await app.setState({ page: 2 }, { model: true });
  assert.deepEqual(openai.widgetState, { modelContent: { page: 2 }, privateContent: { page: 2 } });
  await app.callTool("x", { y: 1 });
  await app.sendMessage("hello");
  await app.openLink("https://a.example/");
  assert.equal(await app.requestDisplayMode("pip"), "pip");
  await assert.rejects(app.readResource("a://b"), { code: -32601 });
  for (
    const call of [
      ["callTool", "x", { y: 1 }],
      ["sendFollowUpMessage", { prompt: "hello" }],
      ["openExternal", { href: "https://a.example/" }],
      ["requestDisplayMode", { mode: "pip" }],
    ]
  ) {
    assert.ok(calls.some((made) => JSON.stringify(made) === JSON.stringify(call)), String(call));
  }
  Object.assign(openai, { theme: "light", toolOutput: { b: 9 } });
  dispatchEvent(
    new CustomEvent("openai:set_globals", { detail: { globals: { theme: "light", toolOutput: { b: 9 } } } }),
  );
  assert.equal(page.root.dataset.theme, "light");
  assert.deepEqual(app.toolResult.structuredContent, { b: 9 });
  assert.deepEqual(page.posted, []);
});

test("window.openai: time-outs, signals, and results of older versions", async (_page, start) => {
  /** @type {Record<string, () => unknown>} */
  const tools = { old: () => ({ result: "text" }), failing: () => Promise.reject(Error("not today")) };
  const callTool = (/** @type {string} */ name) => tools[name]?.() ?? new Promise(() => {});
  Object.assign(globalThis, { openai: { callTool } });
  const app = start();
  assert.deepEqual(await app.callTool("old"), { content: [{ type: "text", text: "text" }] });
  await assert.rejects(app.callTool("failing"), { code: -32603, message: "not today" });
  await assert.rejects(app.callTool("slow", {}, { timeout: 5 }), { code: -32001, message: "tools/call: no answer" });
  const controller = new AbortController();
  const asked = app.callTool("slow", {}, { signal: controller.signal });
  await settled();
  controller.abort(Error("changed my mind"));
  await assert.rejects(asked, /changed my mind/);
});
