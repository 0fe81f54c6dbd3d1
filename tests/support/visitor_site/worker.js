// The visitor's own server, in a worker: what it does leaves a trace that the page can see.
import { createServer } from "/cloche/web/server.js";
import { PortTransport } from "/cloche/web/transports/port.js";

const name = new URL(self.location.href).searchParams.get("name");
const server = createServer({ name: "notes", version: "1" });
const object = { type: "object" };
let release = () => {};

server.registerTool("write", { inputSchema: object }, ({ text }) => {
  self.postMessage({ wrote: text });
  return `${name} wrote ${text}`;
});
server.registerTool("read", { inputSchema: object, annotations: { readOnlyHint: true } }, () => `${name} reads`);
server.registerTool("wipe", { inputSchema: object, annotations: { destructiveHint: true } }, () => `${name} wiped`);
server.registerTool("big", { inputSchema: object }, ({ size }) => "x".repeat(size));
server.registerTool("hold", { inputSchema: object }, async (_args, context) => {
  context.signal.addEventListener("abort", () => self.postMessage({ wrote: "aborted" }));
  self.postMessage({ wrote: "holding" });
  await new Promise((resolve) => release = () => resolve(undefined));
  return `${name} held on`;
});
server.registerTool("talk", { inputSchema: object }, async ({ about, message, form, url }, context) => {
  if (about === "form") return JSON.stringify(await context.elicit(message, form));
  if (about === "url") return JSON.stringify(await context.elicitUrl(message, url));
  if (about === "sample") return (await context.sample("Name a bread.", { maxTokens: 20 })).content.text;
  return JSON.stringify((await context.roots()).map((root) => root.uri));
});
server.registerTool("work", { inputSchema: object }, async (_args, context) => {
  context.progress(1, 4, "heating");
  context.log("warning", { disk: "full" }, "disks");
  await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
  self.postMessage({ wrote: "cancelled" });
});
self.addEventListener("message", ({ data }) => data.type === "release" && release());
server.connect(new PortTransport());
