// @ts-check
import assert from "node:assert/strict";
import { ResumableChannel } from "../../../src/cloche/web/host/channel.js";

/** A channel over a socket that only keeps what is sent. */
function opened() {
  /** @type {any[]} */
  const sent = [];
  /** @type {any[]} */
  const got = [];
  /** @type {any} */
  const socket = { base: "http://host.invalid/", send: (/** @type {any} */ frame) => sent.push(frame), drop: () => {} };
  const channel = new ResumableChannel(socket, 1, () => ({ ticket: "t" }), {
    mounted: (packet) => got.push(packet),
    frame: (frame) => got.push(frame.message ?? frame),
    failed: (code) => got.push(code),
  });
  channel.connected();
  return { channel, sent, got };
}

Deno.test("an opened channel numbers what it sends", () => {
  const { channel, sent } = opened();
  channel.receive({ view: 1, mount: { id: "m", key: "k" } });
  channel.send({ event: "a" });
  channel.send({ event: "b" });
  assert.deepEqual(sent, [{ open: 1, ticket: "t" }, { view: 1, n: 1, event: "a" }, { view: 1, n: 2, event: "b" }]);
  channel.close();
});

Deno.test("what was not acknowledged is sent again, in order, and nothing else", () => {
  const { channel, sent } = opened();
  channel.receive({ view: 1, mount: { id: "m", key: "k" } });
  for (const event of ["a", "b", "c"]) channel.send({ event });
  channel.receive({ view: 1, got: 1 });
  channel.disconnected(1, "");
  channel.send({ event: "d" });
  sent.splice(0);
  channel.connected();
  assert.deepEqual(sent, [{ open: 1, resume: "m", key: "k", got: 0 }]);
  channel.receive({ view: 1, resumed: 2 });
  const again = /** @type {any[]} */ (sent.slice(1));
  assert.deepEqual(again.map(({ n, event }) => [n, event]), [[3, "c"], [4, "d"]]);
  channel.close();
});

Deno.test("what came twice is taken once, and a gap is not skipped", () => {
  const { channel, got } = opened();
  channel.receive({ view: 1, mount: { id: "m", key: "k" } });
  got.splice(0);
  for (const n of [1, 1, 2, 4, 2, 3]) channel.receive({ view: 1, n, message: n });
  assert.deepEqual(got, [1, 2, 3]);
  channel.close();
});

Deno.test("a view that was only being opened begins anew", () => {
  const { channel, sent, got } = opened();
  channel.receive({ view: 1, n: 1, ask: "q" });
  channel.send({ answer: "q", value: true });
  channel.disconnected(1, "");
  channel.connected();
  channel.receive({ view: 1, n: 1, ask: "q2" });
  assert.deepEqual(got.map(({ ask }) => ask), ["q", "q2"]);
  assert.deepEqual(sent.filter(({ open }) => open).length, 2);
  channel.close();
});

Deno.test("a frame larger than the host takes is not sent", () => {
  const { channel, sent } = opened();
  channel.receive({ view: 1, mount: { id: "m", key: "k" } });
  assert.equal(channel.send({ message: "x".repeat(1_000_000) }), false);
  assert.equal(channel.send({ message: "ü".repeat(400_000) }), true);
  assert.equal(channel.send({ message: "\u0001".repeat(200_000) }), false);
  assert.equal(sent.length, 2);
  channel.close();
});

Deno.test("an error of the host ends the channel", () => {
  const { channel, got } = opened();
  channel.receive({ view: 1, error: { code: "ticket", message: "expired" } });
  channel.receive({ view: 1, n: 1, message: "late" });
  assert.deepEqual(got, ["ticket"]);
});

Deno.test("a channel that talks to nobody for too long gives up", () => {
  const { channel, got } = opened();
  channel.receive({ view: 1, mount: { id: "m", key: "k" } });
  channel.disconnected(1, "");
  for (let count = 0; count < 2001; count++) channel.send({ event: "x" });
  assert.equal(got.at(-1), "overflow");
});
