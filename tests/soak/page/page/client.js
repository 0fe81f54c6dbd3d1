// @ts-check
/**
 * The page that calls: one client for each way to a server, two calls at a time, one after the other without end. What
 * becomes of them is noted, and what is done to the servers comes from outside.
 *
 * @typedef {import("../../../../src/cloche/web/transports/base.js").Transport} Transport
 * @typedef {{client: McpClient, transport: Transport, heartbeat?: Heartbeat}} Line
 */
import { McpClient } from "../../../../src/cloche/web/client.js";
import { BroadcastChannelTransport } from "../../../../src/cloche/web/transports/broadcast.js";
import { Heartbeat, ReconnectingTransport } from "../../../../src/cloche/web/transports/care.js";
import { connectToExtension } from "../../../../src/cloche/web/transports/extension.js";
import { IframeParentTransport } from "../../../../src/cloche/web/transports/iframe.js";
import { PortTransport } from "../../../../src/cloche/web/transports/port.js";
import { TabClientTransport } from "../../../../src/cloche/web/transports/tab.js";
import { soakServer } from "./server.js";

/** Quick, because a soak is: the schedule is told to the checker with the rest. */
const SCHEDULE = { baseDelay: 10, backoffMultiplier: 2, maxDelay: 100, maxAttempts: 20 };
const BEAT = { interval: 100, timeout: 400 };

const history = {
  /** @type {[string, string, number][]} */
  began: [],
  /** @type {[string, string, number][]} */
  ended: [],
  /** @type {string[]} */
  executed: [],
  /** @type {[string, string | number, number][]} */
  schedule: [],
};
/** @type {Map<string, Line>} */
const lines = new Map();
/** @type {Record<string, any>} */
const present = {};
let stopped = false;
let number = 0;

const carriedOut = new BroadcastChannel("carried out");
carriedOut.addEventListener("message", ({ data }) => void history.executed.push(data));
/** @param {string} name */
const near = (name) => new URL(name, import.meta.url);

/** @type {Record<string, () => Transport | Promise<Transport>>} */
const open = {
  worker() {
    present.worker?.terminate();
    present.worker = new Worker(near("worker.js"), { type: "module" });
    return new PortTransport(present.worker);
  },
  port() {
    const { port1, port2 } = new MessageChannel();
    present.port = new PortTransport(port2);
    soakServer((id) => history.executed.push(id)).connect(present.port);
    return new PortTransport(port1);
  },
  shared() {
    return new PortTransport(new SharedWorker(near("shared_worker.js"), { type: "module" }));
  },
  async frame() {
    present.frame?.remove();
    const iframe = present.frame = document.createElement("iframe");
    iframe.src = near("serving.html").href;
    document.body.append(iframe);
    const transport = new IframeParentTransport({ iframe, targetOrigin: location.origin, connectionTimeout: 2000 });
    await transport.connect();
    return transport;
  },
  extension: () => connectToExtension(present.extension),
};

/** @param {string} name */
function transportOf(name) {
  /** @param {string | number} what */
  const note = (what) => void history.schedule.push([name, what, performance.now()]);
  if (name == "broadcast") return new BroadcastChannelTransport({ channelName: "soak" });
  if (name == "tab") return new TabClientTransport({ channelName: "soak tab" });
  return new ReconnectingTransport(open[name], {
    ...SCHEDULE,
    onReconnecting: note,
    onReconnected: () => note("again"),
    onReconnectFailed: () => note("failed"),
  });
}

/** @param {string} name @param {Line} line */
async function work(name, line) {
  while (!stopped) {
    const id = name + "-" + ++number;
    let outcome;
    history.began.push([id, name, performance.now()]);
    try {
      const { content } = await line.client.callTool("work", { id, ms: Math.random() * 40 }, { timeout: 15_000 });
      outcome = content[0].text == id ? "result" : "the result of " + content[0].text;
    } catch (/** @type {any} */ error) {
      outcome = "error: " + error.message;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    history.ended.push([id, outcome, performance.now()]);
  }
}

const soak = {
  history,
  SCHEDULE,

  /** @param {string} name @param {string} version @param {string} [extension] */
  async start(name, version, extension) {
    present.extension = extension;
    const transport = transportOf(name);
    const client = new McpClient(transport, { versions: [version], timeout: 15_000 });
    /** @type {Line} */
    const line = { client, transport };
    await client.connect();
    if (transport instanceof ReconnectingTransport) {
      const beat = () => {
        line.heartbeat = new Heartbeat(transport, { ...BEAT, onTimeout: () => (transport.drop(), beat()) });
        line.heartbeat.start();
      };
      beat();
    }
    lines.set(name, line);
    Reflect.set(line, "working", Promise.all([work(name, line), work(name, line)]));
  },

  /** @type {Record<string, (chance: number) => void>} */
  faults: {
    worker: () => present.worker.terminate(),
    port: (chance) => chance < 0.5 ? present.port.close() : present.port.target.close(),
    shared() {
      const channel = new BroadcastChannel("end the worker");
      channel.postMessage("now");
      channel.close();
    },
    frame: (chance) => chance < 0.5 ? present.frame.remove() : present.frame.contentWindow?.location.reload(),
  },

  /** Until a call that was made after this moment has got its result. @param {string} name @param {number} since */
  async works(name, since) {
    for (const end = performance.now() + 20_000; performance.now() < end;) {
      const made = new Set(
        history.began.slice(-400).filter(([, line, at]) => line == name && at > since).map(([id]) => id),
      );
      if (history.ended.slice(-400).some(([id, outcome]) => outcome == "result" && made.has(id))) return true;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return false;
  },

  /** No more calls; resolves when all have ended, and the last fault has been noticed and got over. */
  async rest() {
    stopped = true;
    await Promise.all([...lines.values()].map((line) => Reflect.get(line, "working")));
    await new Promise((resolve) => setTimeout(resolve, BEAT.interval + 2 * BEAT.timeout));
    // From here on a machine that is too busy for a beat loses no line any more: the history is read with all of them open.
    for (const { heartbeat } of lines.values()) heartbeat?.stop();
    const isOpen = (/** @type {string} */ name) =>
      typeof history.schedule.findLast(([line]) => line == name)?.[1] != "number";
    for (const end = performance.now() + 10_000; performance.now() < end && ![...lines.keys()].every(isOpen);) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  },

  /** Nothing may be left of it. */
  close() {
    for (const { client, heartbeat } of lines.values()) {
      heartbeat?.stop();
      client.close();
    }
    present.worker?.terminate();
    present.frame?.remove();
    present.port?.close();
    carriedOut.close();
  },
};
Reflect.set(globalThis, "soak", soak);
document.title = "ready";
