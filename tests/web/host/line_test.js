// @ts-check
import assert from "node:assert/strict";
import { Line } from "../../../src/cloche/web/host/line.js";

/** A line over a socket that only keeps what is sent. */
function opened() {
  /** @type {any[]} */
  const sent = [];
  /** @type {any[]} */
  const got = [];
  /** @type {any} */
  const socket = { base: "http://host.invalid/", send: (/** @type {any} */ frame) => sent.push(frame), drop: () => {} };
  const line = new Line(socket, 1, () => ({ ticket: "t" }), {
    mounted: (packet) => got.push(packet),
    frame: (frame) => got.push(frame.message ?? frame),
    failed: (code) => got.push(code),
  });
  line.connected();
  return { line, sent, got };
}

Deno.test("an opened line numbers what it sends", () => {
  const { line, sent } = opened();
  line.receive({ view: 1, mount: { id: "m", key: "k" } });
  line.send({ event: "a" });
  line.send({ event: "b" });
  assert.deepEqual(sent, [{ open: 1, ticket: "t" }, { view: 1, n: 1, event: "a" }, { view: 1, n: 2, event: "b" }]);
  line.close();
});

Deno.test("what was not acknowledged is sent again, in order, and nothing else", () => {
  const { line, sent } = opened();
  line.receive({ view: 1, mount: { id: "m", key: "k" } });
  for (const event of ["a", "b", "c"]) line.send({ event });
  line.receive({ view: 1, got: 1 });
  line.disconnected(1, "");
  line.send({ event: "d" });
  sent.splice(0);
  line.connected();
  assert.deepEqual(sent, [{ open: 1, resume: "m", key: "k", got: 0 }]);
  line.receive({ view: 1, resumed: 2 });
  const again = /** @type {any[]} */ (sent.slice(1));
  assert.deepEqual(again.map(({ n, event }) => [n, event]), [[3, "c"], [4, "d"]]);
  line.close();
});

Deno.test("what came twice is taken once, and a gap is not skipped", () => {
  const { line, got } = opened();
  line.receive({ view: 1, mount: { id: "m", key: "k" } });
  got.splice(0);
  for (const n of [1, 1, 2, 4, 2, 3]) line.receive({ view: 1, n, message: n });
  assert.deepEqual(got, [1, 2, 3]);
  line.close();
});

Deno.test("a view that was only being opened begins anew", () => {
  const { line, sent, got } = opened();
  line.receive({ view: 1, n: 1, ask: "q" });
  line.send({ answer: "q", value: true });
  line.disconnected(1, "");
  line.connected();
  line.receive({ view: 1, n: 1, ask: "q2" });
  assert.deepEqual(got.map(({ ask }) => ask), ["q", "q2"]);
  assert.deepEqual(sent.filter(({ open }) => open).length, 2);
  line.close();
});

Deno.test("a frame larger than the host takes is not sent", () => {
  const { line, sent } = opened();
  line.receive({ view: 1, mount: { id: "m", key: "k" } });
  assert.equal(line.send({ message: "x".repeat(1_000_000) }), false);
  assert.equal(line.send({ message: "ü".repeat(400_000) }), true);
  assert.equal(line.send({ message: "\u0001".repeat(200_000) }), false);
  assert.equal(sent.length, 2);
  line.close();
});

Deno.test("an error of the host ends the line", () => {
  const { line, got } = opened();
  line.receive({ view: 1, error: { code: "ticket", message: "expired" } });
  line.receive({ view: 1, n: 1, message: "late" });
  assert.deepEqual(got, ["ticket"]);
});

Deno.test("a line that talks to nobody for too long gives up", () => {
  const { line, got } = opened();
  line.receive({ view: 1, mount: { id: "m", key: "k" } });
  line.disconnected(1, "");
  for (let count = 0; count < 2001; count++) line.send({ event: "x" });
  assert.equal(got.at(-1), "overflow");
});
