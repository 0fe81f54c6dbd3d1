// @ts-check
/** A session of `connect()` and a client at its other end, over each transport that a page has. */
import { McpClient } from "../../../src/cloche/web/client.js";
import { BroadcastChannelTransport, BroadcastListener } from "../../../src/cloche/web/transports/broadcast.js";
import { createLinkedPair } from "../../../src/cloche/web/transports/event.js";
import { IframeChildTransport, IframeParentTransport } from "../../../src/cloche/web/transports/iframe.js";
import { PortTransport } from "../../../src/cloche/web/transports/port.js";
import { TabClientTransport, TabServerTransport } from "../../../src/cloche/web/transports/tab.js";
import { listenForWindows, WindowTransport } from "../../../src/cloche/web/transports/window.js";
import { connect } from "../../../src/cloche/web/webmcp-session.js";

/** @typedef {import("../../../src/cloche/web/transports/base.js").Transport} Transport */

/** What the page, frame or worker with the session does. @param {Transport} transport */
export async function offer(transport) {
  const session = await connect({ serverInfo: { name: "MyApp", version: "1.0.0" }, transport });
  session.registerTool("who", { handler: () => ({ client: session.clientInfo?.name, state: session.state }) });
  session.registerTool("search", {
    inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    handler: ({ query }) => ({ results: [query] }),
  });
  session.registerResource("docs", { handler: () => ({ contents: [{ text: "all" }] }) });
  session.registerTool("end", { handler: () => (setTimeout(() => session.disconnect(), 50), "it ends") });
}

/** What the client saw of it. @param {Transport} transport */
export async function use(transport) {
  const client = new McpClient(transport, { name: "agent", version: "1" });
  await client.connect();
  // The session registers its tools when the client has connected.
  while (!(await client.listTools()).some(({ name }) => name == "end"));
  const who = await client.callTool("who", {});
  const found = await client.callTool("search", { query: "a" });
  const wrong = await client.callTool("search", { query: 1 });
  const { contents } = await client.readResource("resource://docs");
  const last = await client.callTool("end", {});
  const over = new Promise((resolve) => transport.onClose(() => resolve("closed")));
  const late = await Promise.race([
    over,
    new Promise((resolve) => setTimeout(resolve, 10_000, "it never learned of the end")),
  ]);
  const after = await client.callTool("search", { query: "a" }).then(() => "answered", ({ message }) => message);
  return [
    ...[who.structuredContent, found.structuredContent, wrong.content[0].text, contents[0].text],
    ...[last.content[0].text, late, after],
  ];
}

/** @param {string} name */
const at = (name) => new URL(name, import.meta.url);
const worker = () => new Worker(at("session_worker.js"), { type: "module" });

/** Each gives back what the client saw. @type {Record<string, () => Promise<any>>} */
export const ways = {
  emitter() {
    const [client, server] = createLinkedPair();
    offer(server);
    return use(client);
  },
  channel() {
    const { port1, port2 } = new MessageChannel();
    offer(new PortTransport(port2));
    return use(new PortTransport(port1));
  },
  "session in a worker"() {
    const made = worker();
    made.postMessage({ part: "offer" });
    return use(new PortTransport(made));
  },
  "client in a worker"() {
    const made = worker();
    offer(new PortTransport(made));
    const seen = new Promise((resolve) =>
      made.addEventListener("message", ({ data }) => data.seen && resolve(data.seen))
    );
    made.postMessage({ part: "use" });
    return seen;
  },
  "a port that a worker was given"() {
    const made = worker();
    const { port1, port2 } = new MessageChannel();
    made.postMessage({ part: "offer", port: port2 }, [port2]);
    return use(new PortTransport(port1));
  },
  "shared worker": () => use(new PortTransport(new SharedWorker(at("session_worker.js"), { type: "module" }))),
  broadcast() {
    const channelName = crypto.randomUUID();
    new BroadcastListener({ channelName }).onConnection(offer);
    return use(new BroadcastChannelTransport({ channelName }));
  },
  tab() {
    const channelName = crypto.randomUUID();
    offer(new TabServerTransport({ channelName }));
    return use(new TabClientTransport({ channelName }));
  },
  async frame() {
    const iframe = document.createElement("iframe");
    iframe.src = `${at("session_frame.html")}?parent=${origin}`;
    document.body.append(iframe);
    const transport = new IframeParentTransport({ iframe, targetOrigin: origin });
    await transport.connect();
    return await use(transport);
  },
  async "window"() {
    const iframe = document.createElement("iframe");
    iframe.src = `${at("session_frame.html")}?parent=${origin}&kind=window`;
    const loaded = new Promise((resolve) => iframe.addEventListener("load", resolve));
    document.body.append(iframe);
    await loaded;
    return await use(new WindowTransport(iframe.contentWindow, { origin }));
  },
};

/** The frame's part. */
export async function offerInside() {
  const options = new URLSearchParams(location.search);
  const parentOrigin = options.get("parent") ?? "";
  if (options.get("kind") == "window") return void listenForWindows({ origins: [parentOrigin] }, offer);
  const transport = new IframeChildTransport({ parentOrigin });
  await transport.connect();
  await offer(transport);
}
