// @ts-check
/**
 * Both sides with a network that loses, repeats, delays and reorders, and with forged messages: of strangers, and of the
 * other side itself. Whatever happens, no side takes what it may not, and each ends in a state that says what became of it.
 */
import assert from "node:assert/strict";
import * as F from "../../../src/cloche/web/frames.js";
import { INNER, OUTER, Windows } from "./windows.js";

const [BATCHES, RUNS] = [6, 100];
const STRANGER = "https://stranger.example";
const SESSION = "mcp-the-session";
const WAITING = ["loading setup", "deciding", "configuring", "loading", "replied", "announcing setup", "announcing"];
const logger = new F.Logger("OUTER", "test", () => {});

/** Numbers that are the same in each run with the same seed. @param {number} seed */
function chance(seed) {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Any of the eight messages, right, nearly right or wrong. @param {() => number} random @returns {any} */
function forged(random) {
  const one = (/** @type {any[]} */ ...all) => all[Math.floor(random() * all.length)];
  const sessionId = one(SESSION, "forged", "", 7);
  const error = one(undefined, undefined, { code: one("TIMEOUT", "ELSE"), message: "forged" });
  const version = one("1.0", "1.0", "9.9", "x", undefined);
  return one(
    {
      type: "MCP_SETUP_HANDSHAKE",
      minProtocolVersion: version,
      maxProtocolVersion: version,
      requiresVisibleSetup: one(true, 3),
    },
    { type: "MCP_SETUP_HANDSHAKE_REPLY", protocolVersion: version, sessionId, error },
    {
      type: "MCP_SETUP_COMPLETE",
      status: one("success", "error", "else"),
      displayName: one("forged", 4),
      transportVisibility: { requirement: one("hidden", "always") },
      error,
    },
    { type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: version },
    { type: "MCP_TRANSPORT_HANDSHAKE_REPLY", protocolVersion: version, sessionId, error },
    { type: "MCP_TRANSPORT_ACCEPTED", sessionId },
    { type: "MCP_MESSAGE", payload: one({ jsonrpc: "2.0", method: "notifications/forged" }, "x", undefined), error },
    {
      type: "MCP_SETUP_REQUIRED",
      reason: one("OTHER", "ELSE"),
      message: "forged",
      canContinue: one(true, false),
      error,
    },
    { type: "MCP_ELSE" },
    { type: 3 },
    "MCP_MESSAGE",
    null,
  );
}

/** @param {number} seed */
async function run(seed) {
  const random = chance(seed);
  const isHostile = random() < 0.4;
  /** Whether a page of another origin is in the window, or around it: that ends what waits for the right one. */
  const isElsewhere = random() < 0.3;
  /** What was really delivered to each side, in order. @type {{to: string, data: any, origin: string}[]} */
  const delivered = [];
  const trouble = random() * 0.3;
  const windows = new Windows((_, deliver) => {
    const copies = random() < trouble ? Math.floor(random() * 3) : 1;
    for (let i = 0; i < copies; i++) setTimeout(deliver, random() < trouble ? random() * 20 : 0);
  });
  const { deliver } = windows;
  windows.deliver = (letter) => {
    delivered.push({ to: letter.to, data: letter.event.data, origin: letter.event.origin });
    deliver.call(windows, letter);
  };
  const wants = random() < 0.3 ? [{ name: "camera", phase: ["setup"], required: random() < 0.5, purpose: "" }] : [];
  const isHonest = !isHostile && !isElsewhere && !wants.length;
  // Pages that mean well find each other long before: only a busy machine keeps them waiting.
  const patience = isHonest ? 5000 : 150;
  const timeouts = { handshake: patience, consent: 20, setup: patience };
  const outer = new F.OuterFrameTransport(windows.outer({ grantsPermissions: random() < 0.5 }), {
    ...{ url: INNER, sessionId: SESSION, logger, timeouts },
    onPermissionRequest: () => random() < 0.3 ? new Promise(() => {}) : random() < 0.7,
  });
  /** @type {F.InnerFrameTransport[]} */
  const inners = [];
  windows.onLoad = async (loaded) => {
    const inner = new F.InnerFrameTransport(windows.inner(), {
      ...{ logger, timeouts, requestedPermissions: /** @type {any} */ (wants) },
      maxProtocolVersion: random() < 0.1 ? "0.9" : "1.1",
      minProtocolVersion: "0.1",
    });
    inners.push(inner);
    if (F.getServerPhase(loaded) == "transport") return void inner.prepareToConnect().catch(() => {});
    try {
      await inner.prepareSetup();
      if (random() < 0.1) inner.failSetup("AUTH_FAILED", "no");
      else await inner.completeSetup({ displayName: "real" });
    } catch {
      // It ends in a state that says so.
    }
  };
  /** What the outer side took for granted must have been said, by the inner page, after the reply. @param {string} state */
  const check = (state) => {
    const type = state == "configured" ? "MCP_SETUP_COMPLETE" : state == "connected" ? "MCP_TRANSPORT_ACCEPTED" : "";
    if (!type) return;
    const isSaid = delivered.some(({ to, data, origin }) => to == "outer" && data?.type == type && origin == INNER) ||
      inners.some((inner) => inner.state == "configured" || inner.state == "connected" || inner.sessionId == SESSION);
    assert.ok(isSaid, `${seed}: ${state} without ${type}`);
    const announced = delivered.some(({ to, data, origin }) =>
      to == "outer" && /_HANDSHAKE$/.test(data?.type) && origin == INNER
    );
    assert.ok(announced, `${seed}: ${state} without an announcement`);
  };
  outer.onStateChange = check;
  outer.onMessage(() => assert.equal(outer.state, "connected", `${seed}: a message while ${outer.state}`));
  const forging = setInterval(() => {
    const to = random() < 0.5 ? "outer" : "inner";
    const real = to == "outer" ? INNER : OUTER;
    const origin = isHostile && random() < 0.5 ? real : STRANGER;
    const data = forged(random);
    if (origin == STRANGER && !isElsewhere && /_HANDSHAKE(_REPLY)?$/.test(data?.type)) return;
    windows.deliver({ to, targetOrigin: "*", event: { data, origin } });
  }, 2);
  for (const phase of /** @type {("setup" | "prepareToConnect")[]} */ (["setup", "prepareToConnect"])) {
    const outcome = await outer[phase]().then(() => "", (/** @type {any} */ error) => error);
    if (outcome) {
      assert.ok(outcome instanceof F.FrameError && outcome.message.length > 5, `${seed}: ${outcome}`);
      assert.equal(outer.error, outcome);
    }
    assert.ok(!WAITING.includes(outer.state), `${seed}: still ${outer.state}`);
  }
  clearInterval(forging);
  await new Promise((done) => setTimeout(done, 170));
  // A person may take any time: the outer page ends it, or nobody does.
  const isWaiting = (/** @type {F.InnerFrameTransport} */ { state }) =>
    WAITING.includes(state) && state != "configuring";
  // A page whose outer side has failed goes on for as long as its own patience lasts.
  const end = Date.now() + patience;
  while (inners.some(isWaiting) && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
  for (const inner of inners) {
    assert.ok(!isWaiting(inner), `${seed}: still ${inner.state}`);
    assert.ok([undefined, OUTER].includes(inner.pinnedOrigin), `${seed}: pinned ${inner.pinnedOrigin}`);
  }
  for (const { to, targetOrigin, event } of windows.posted) {
    const { type, error, sessionId } = event.data;
    if (to == "inner") assert.notEqual(targetOrigin, "*", `${seed}: ${type} to anybody`);
    if (to == "inner" && sessionId) assert.equal(targetOrigin, INNER, `${seed}: the session to ${targetOrigin}`);
    const isOpen = /_HANDSHAKE$/.test(type) || error;
    if (to == "outer" && !isOpen) assert.equal(targetOrigin, OUTER, `${seed}: ${type} to ${targetOrigin}`);
  }
  const { state } = outer;
  outer.close();
  for (const inner of inners) inner.close();
  assert.deepEqual(
    [windows.handlers.outer.size, windows.handlers.inner.size],
    [0, 0],
    `${seed}: somebody still listens`,
  );
  return { isHonest, state };
}

Deno.test("whatever the network and strangers do, both sides end in a stated outcome", async () => {
  const seed = Number(Deno.env.get("CLOCHE_SEED") ?? 1);
  /** @type {{isHonest: boolean, state: string}[]} */
  const outcomes = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const seeds = Array.from({ length: RUNS }, (_, index) => seed + batch * RUNS + index);
    outcomes.push(...await Promise.all(seeds.map(run)));
  }
  // Whatever the network does, a second announcement included, pages that mean well find each other.
  const honest = outcomes.filter(({ isHonest }) => isHonest);
  const [connected, failed] = ["connected", "failed"].map((one) => honest.filter(({ state }) => state == one).length);
  assert.ok(connected > 0.8 * honest.length, `${connected} of ${honest.length} were connected`);
  assert.ok(connected + failed == honest.length, `${honest.length - connected - failed} were lost again`);
  assert.ok(outcomes.filter(({ state }) => state == "failed").length > RUNS / 10, "hardly anything fails");
});
