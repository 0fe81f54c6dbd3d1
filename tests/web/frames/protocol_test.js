// @ts-check
/** Both sides without a browser: what they send, to whom, and what they refuse. */
import assert from "node:assert/strict";
import * as F from "../../../src/cloche/web/frames.js";
import * as facts from "../../../src/cloche/web/frames/facts.js";
import { readMessage } from "../../../src/cloche/web/frames/messages.js";
import { INNER, OUTER, Windows } from "./windows.js";

const url = INNER + "/server.html?a=1";
/** @type {import("../../../src/cloche/web/frames/logger.js").Entry[]} */
const entries = [];
const logger = new F.Logger("OUTER", "test", (entry) => entries.push(entry));

/** @param {any} [outerOptions] @param {any} [innerOptions] */
function scene(outerOptions = {}, { allowedOrigins, ...innerOptions } = /** @type {any} */ ({})) {
  const windows = new Windows();
  const outer = new F.OuterFrameTransport(windows.outer(), { url, logger, ...outerOptions });
  const inner = () => new F.InnerFrameTransport(windows.inner(allowedOrigins), { logger, ...innerOptions });
  const posted = () => windows.posted.map(({ to, targetOrigin, event }) => [event.data.type, to, targetOrigin]);
  return { windows, outer, inner, posted };
}

Deno.test("both phases: every message, every field, and to whom", async () => {
  const permission = { name: "camera", phase: ["transport"], required: false, purpose: "Pictures" };
  const { windows, outer, inner } = scene(
    { sessionId: "mine", onPermissionRequest: () => true },
    { requestedPermissions: [permission], requiresVisibleSetup: true, maxProtocolVersion: "1.2" },
  );
  /** @type {any} */
  let connected;
  windows.onLoad = async (loaded) => {
    if (F.getServerPhase(loaded) == "setup") {
      const one = inner();
      assert.deepEqual(await one.prepareSetup(), { sessionId: "mine", protocolVersion: "1.0", origin: OUTER });
      // As a page that takes no port.
      one.port?.close();
      one.port = undefined;
      await one.completeSetup({ displayName: "Sums", ephemeralMessage: "Hi" });
    } else await (connected = inner()).prepareToConnect();
  };
  const { permissions, ...result } = await outer.setup();
  assert.deepEqual(permissions, [{ name: "camera", phase: ["transport"] }]);
  assert.deepEqual(result.transportVisibility, { requirement: "hidden" });
  await outer.prepareToConnect();
  assert.deepEqual(windows.navigations, [
    { url: `${INNER}/server.html?a=1#setup`, allow: [] },
    { url: `${INNER}/server.html?a=1`, allow: ["camera"] },
  ]);
  assert.deepEqual(
    windows.posted.map(({ event: { data: { documentId: _, ...data } }, targetOrigin }) => [targetOrigin, data]),
    [
      ["*", {
        type: "MCP_SETUP_HANDSHAKE",
        minProtocolVersion: "1.0",
        maxProtocolVersion: "1.2",
        requiresVisibleSetup: true,
        requestedPermissions: [permission],
      }],
      [INNER, { type: "MCP_SETUP_HANDSHAKE_REPLY", sessionId: "mine", protocolVersion: "1.0" }],
      [OUTER, {
        type: "MCP_SETUP_COMPLETE",
        status: "success",
        displayName: "Sums",
        transportVisibility: { requirement: "hidden" },
        ephemeralMessage: "Hi",
      }],
      ["*", { type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: "1.0" }],
      [INNER, { type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId: "mine", protocolVersion: "1.0" }],
      // From here on by the port.
    ],
  );
  const got = new Promise((done) => connected.onMessage(done));
  outer.send({ jsonrpc: "2.0", method: "notifications/x", params: { secret: 1 } });
  assert.deepEqual((await got).params, { secret: 1 });
  assert.doesNotMatch(JSON.stringify(entries), /secret/);
  const required = new Promise((done) => outer.onSetupRequired = done);
  connected.requireSetup({ reason: "CONFIG_CHANGED", message: "Another file", canContinue: true });
  assert.deepEqual(await required, { reason: "CONFIG_CHANGED", message: "Another file", canContinue: true });
  const closed = new Promise((done) => connected.onClose(() => done(connected.error.code)));
  outer.close();
  assert.equal(await closed, "USER_CANCELLED");
});

Deno.test("versions are compared by number", () => {
  const highest = F.highestWithin;
  assert.equal(highest(["1.1.0", "1.3.0", "2.0.0"], "1.0.0", "1.2.0"), "1.1.0");
  assert.equal(highest(["1.9", "1.10"], "1.0", "1.10"), "1.10");
  assert.equal(highest(["1.9"], "1.10", "2"), undefined);
  assert.equal(highest(["1.0.0"], "1.0", "1"), "1.0.0");
  assert.equal(highest(["1.5"], "2.0", "1.0"), undefined);
});

Deno.test("announcements are repeated, and end", async () => {
  const windows = new Windows(() => {});
  const inner = new F.InnerFrameTransport(windows.inner(), { logger, timeouts: { handshake: 500 } });
  await assert.rejects(inner.prepareToConnect(), {
    code: "TIMEOUT",
    message: /^No page around this one replied within/,
  });
  const types = windows.posted.map(({ event }) => event.data.type);
  assert.equal(types.pop(), "MCP_SETUP_REQUIRED", "whoever comes to listen late learns that it was too late");
  assert.deepEqual([...new Set(types)], ["MCP_TRANSPORT_HANDSHAKE"]);
  assert.ok(types.length > 1 && types.length < 5, `${types.length} announcements`);
  assert.equal(windows.handlers.inner.size, 0);
});

Deno.test("a reply to a second announcement changes nothing, nor does another session", async () => {
  const { windows, inner } = scene();
  const one = inner();
  const ready = one.prepareToConnect();
  const reply = { type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId: "first", protocolVersion: "1.0" };
  windows.post("inner", { type: "MCP_MESSAGE", payload: { jsonrpc: "2.0", method: "x" } }, "*");
  windows.post("inner", { type: "MCP_SETUP_HANDSHAKE_REPLY", sessionId: "no", protocolVersion: "1.0" }, "*");
  windows.post("inner", { anything: 1 }, "*");
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(one.pinnedOrigin, undefined, "only the reply that is waited for pins");
  windows.post("inner", reply, "*");
  await ready;
  windows.post("inner", { ...reply, sessionId: "second" }, "*");
  windows.outerOrigin = "https://third.example";
  windows.post("inner", { ...reply, sessionId: "third" }, "*");
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual([one.sessionId, one.pinnedOrigin, one.state, one.violations], ["first", OUTER, "connected", 1]);
  one.close();
});

Deno.test("a receipt for another session fails, and the inner page is told", async () => {
  const { windows, outer } = scene();
  windows.onLoad = () => windows.post("outer", { type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: "1.0" }, "*");
  windows.listen("inner", ({ data }) => {
    if (!data.error) windows.post("outer", { type: "MCP_TRANSPORT_ACCEPTED", sessionId: "another-server" }, "*");
  });
  await assert.rejects(outer.prepareToConnect(), { message: "Session ID mismatch: another-server" });
  const { event, targetOrigin } = /** @type {any} */ (windows.posted.at(-1));
  assert.deepEqual([targetOrigin, event.data.error.code], [INNER, "CONFIG_ERROR"]);
  assert.equal(windows.handlers.outer.size, 0);
});

Deno.test("what is waited for and cannot be read fails with what is wrong", async () => {
  const { windows, outer } = scene();
  windows.onLoad = () => windows.post("outer", { type: "MCP_SETUP_HANDSHAKE", minProtocolVersion: 1 }, "*");
  const message = "MCP_SETUP_HANDSHAKE cannot be used: maxProtocolVersion is missing";
  await assert.rejects(outer.setup(), { code: "CONFIG_ERROR", message });
});

Deno.test("limits of messages", () => {
  const complete = {
    type: "MCP_SETUP_COMPLETE",
    status: "success",
    displayName: "x",
    transportVisibility: { requirement: "hidden" },
  };
  const handshake = {
    type: "MCP_SETUP_HANDSHAKE",
    minProtocolVersion: "1.0",
    maxProtocolVersion: "1.0",
    requiresVisibleSetup: false,
  };
  const camera = { name: "camera", phase: ["setup"], required: true, purpose: "" };
  const cycle = /** @type {any} */ ({});
  cycle.itself = cycle;
  for (const fine of [complete, handshake, { ...complete, error: undefined, more: 1 }]) {
    assert.equal(readMessage(fine).flaw, "");
  }
  for (
    const [odd, flaw] of /** @type {[any, RegExp][]} */ ([
      [{ type: "MCP_ELSE" }, /none of the eight/],
      [{ type: "__proto__" }, /none of the eight/],
      [{ ...complete, displayName: "x".repeat(201) }, /at most 200/],
      [{ ...complete, displayName: "x".repeat(60_000) }, /longer than/],
      [{ ...complete, transportVisibility: cycle }, /deeper than/],
      [{ ...complete, transportVisibility: { requirement: "always" } }, /one of/],
      [{ ...complete, status: "error" }, /error is missing/],
      [{ ...complete, error: { code: "TIMEOUT", message: "" } }, /excludes/],
      [{ ...handshake, maxProtocolVersion: "1.x" }, /match/],
      [{ ...handshake, requestedPermissions: Array(33).fill(camera) }, /at most 32/],
      [{ ...handshake, requestedPermissions: [{ ...camera, name: "camera *; microphone" }] }, /match/],
      [{ ...handshake, requestedPermissions: [{ ...camera, phase: [] }] }, /at least 1/],
      [{ type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId: "s" }, /protocolVersion is missing/],
      [{ type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId: "a b", protocolVersion: "1.0" }, /match/],
      [{ type: "MCP_TRANSPORT_ACCEPTED", sessionId: "s".repeat(201) }, /at most 200/],
      [{ type: "MCP_SETUP_REQUIRED", reason: "BORED", message: "", canContinue: false }, /one of/],
      [{ type: "MCP_MESSAGE", payload: "x" }, /payload/],
    ])
  ) assert.match(readMessage(odd).flaw, flaw);
});

Deno.test("type guards", () => {
  const types = ["MCP_SETUP_HANDSHAKE", "MCP_SETUP_REQUIRED", "MCP_TRANSPORT_ACCEPTED", "MCP_MESSAGE", "mcp"];
  const guards = [F.isPostMessageProtocol, F.isSetupMessage, F.isTransportMessage, F.isMCPMessage];
  assert.deepEqual(types.map((type) => guards.map((guard) => Number(guard({ type }))).join("")), [
    ...["1100", "1010", "1010", "1011", "0000"],
  ]);
  for (const odd of [null, "MCP_", 3, [], { type: 3 }]) assert.ok(!F.isPostMessageProtocol(odd));
});

Deno.test("addresses", () => {
  assert.equal(F.getServerPhase("https://a.example/x#setup"), "setup");
  assert.equal(F.getServerPhase("https://a.example/x#visible,setup"), "setup");
  assert.equal(F.getServerPhase("https://a.example/setup#set-up"), "transport");
  assert.equal(F.getTransportUrl("https://a.example/x?y=1#setup"), "https://a.example/x?y=1");
  assert.equal(F.getSetupUrl("https://a.example/x?y=1"), "https://a.example/x?y=1#setup");
  assert.notEqual(F.generateSessionId(), F.generateSessionId());
});

Deno.test("allowed origins are named, as browsers write them", () => {
  assert.throws(() => new F.PostMessageInnerControl([], {}), /name the origins/);
  assert.throws(() => new F.PostMessageInnerControl(["app.example"], {}), /is not an origin/);
  const control = new F.PostMessageInnerControl(["https://App.example:443/", "http://localhost:3000/x"], {});
  assert.deepEqual(control.allowedOrigins, ["https://app.example", "http://localhost:3000"]);
});

Deno.test("a program's own mistakes are found before anything is sent", async () => {
  const { inner, windows } = scene();
  assert.throws(
    () => new F.InnerFrameTransport(windows.inner(), /** @type {any} */ ({ maxProtocolVersion: "two" })),
    /match/,
  );
  const one = inner();
  await assert.rejects(one.completeSetup({ displayName: "x" }), { message: "Must call prepareSetup() first" });
  assert.throws(() => one.requireSetup({ message: "x" }), { message: "Must call prepareToConnect() first" });
  assert.throws(() => one.storage(), { message: "There is no session yet" });
  const ready = one.prepareSetup();
  windows.post("inner", { type: "MCP_SETUP_HANDSHAKE_REPLY", sessionId: "s", protocolVersion: "1.0" }, "*");
  await ready;
  await assert.rejects(one.completeSetup(/** @type {any} */ ({ displayName: 3 })), /displayName must be string/);
  await one.completeSetup({ displayName: "x" });
  await assert.rejects(one.completeSetup({ displayName: "x" }), { message: "Setup already completed" });
  one.close();
  assert.throws(() => one.prepareToConnect(), { message: "Transport already closed: make another one" });
});

Deno.test("what is kept for a session is found under its id and its outer page only", () => {
  const kept = new Map();
  const area = {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
    removeItem: (/** @type {string} */ key) => kept.delete(key),
    key: (/** @type {number} */ index) => [...kept.keys()][index],
    get length() {
      return kept.size;
    },
  };
  const own = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: () => area });
  try {
    const ids = { sessionId: "s", origin: OUTER };
    const mine = new F.SessionStorage({ ...ids, name: "keys" });
    mine.set("token", { a: 1 });
    assert.deepEqual([mine.isPersistent, mine.get("token")], [true, { a: 1 }]);
    const others = [
      ...[{ ...ids, name: "else" }, { ...ids, sessionId: "t", name: "keys" }, { ...ids, origin: INNER, name: "keys" }],
      ...[{ ...ids, name: "" }, { ...ids, sessionId: "s:keys" }],
    ];
    assert.deepEqual(others.map((one) => new F.SessionStorage(one).get("token")), Array(5).fill(undefined));
    kept.set("of somebody else", "stays");
    mine.clear();
    assert.deepEqual([...kept.keys()], ["of somebody else"]);
  } finally {
    if (own) Object.defineProperty(globalThis, "localStorage", own);
  }
});

Deno.test("every effect of the tables is one that the side has", () => {
  const windows = new Windows();
  const sides = [
    new F.OuterFrameTransport(windows.outer(), { url, logger }),
    new F.InnerFrameTransport(windows.inner(), { logger }),
  ];
  for (const side of sides) {
    const wanted = Object.values(side.table).flatMap((row) => Object.values(row).map(([, effect]) => effect));
    assert.deepEqual([...new Set(wanted)].filter(Boolean).sort(), Object.keys(side.effects).sort());
  }
  assert.equal(Object.values(facts.SCHEMAS.$defs).length, 8 + 3);
});

Deno.test("the logger's entries", () => {
  /** @type {any[]} */
  const kept = [];
  const log = new F.Logger("SERVER-SDK", "setup", (entry) => kept.push(entry));
  log.init("begins");
  log.request("asks", { id: 1 });
  log.for("transport").response("answers");
  log.error("fails");
  assert.deepEqual(
    kept.map((
      { context, component, operation, message, details },
    ) => [context, component, operation, message, details]),
    [
      ["SERVER-SDK", "setup", "INIT", "begins", undefined],
      ["SERVER-SDK", "setup", "REQ", "asks", { id: 1 }],
      ["SERVER-SDK", "transport", "RESP", "answers", undefined],
      ["SERVER-SDK", "setup", "ERROR", "fails", undefined],
    ],
  );
});
