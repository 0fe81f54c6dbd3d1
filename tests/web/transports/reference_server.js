// @ts-check
/**
 * The server that the behaviour cases talk to, with what `cloche.testing.behaviour` has in Python: the same cases run
 * against both. What a tool did is noted, and a client reads the notes with the tool `noted`.
 */
import { createServer } from "../../../src/cloche/web/server.js";

/** What happened, and waiting for it to happen. */
class Notes {
  /** @type {Map<string, number>} */
  #counts = new Map();
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {string} what */
  add(what) {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#waiting.splice(0).forEach((go) => go());
  }

  /** @param {string} what @returns {Promise<number>} how often it happened, once it has */
  async seen(what) {
    while (!this.#counts.get(what)) await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    return this.#counts.get(what) ?? 0;
  }
}

/** @param {Record<string, string>} properties the type of each argument @param {string[]} [optional] */
const takes = (properties, optional = []) => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const INTEGER = { type: "integer" };
const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

/** @param {number} [pageSize] */
export function referenceServer(pageSize = 4) {
  const server = createServer({ name: "behaviour", version: "1.0", instructions: "For tests.", pageSize });
  const notes = new Notes();
  addTools(server, notes);
  addToolsThatTakeTime(server, notes);
  addToolsThatAsk(server);
  addResources(server);
  return server;
}

/** @typedef {import("../../../src/cloche/web/server.js").McpServer} Server */

/** @param {Server} server @param {Notes} notes */
function addTools(server, notes) {
  const text = takes({ text: "string" });
  server.registerTool("echo", { description: "The text, as it came.", inputSchema: text }, ({ text }) => text);
  const numbers = takes({ a: "integer", b: "integer" }, ["b"]);
  Object.assign(numbers.properties.b, { description: "The second number.", default: 0 });
  server.registerTool(
    "add",
    { description: "The sum.", inputSchema: numbers, outputSchema: INTEGER },
    ({ a, b = 0 }) => a + b,
  );
  const any = takes({ value: "object" });
  server.registerTool("mirror", { description: "Any object, as it came.", inputSchema: any }, ({ value }) => value);
  server.registerTool("fail", { description: "Fails.", inputSchema: takes({ message: "string" }) }, ({ message }) => {
    throw new Error(message);
  });
  server.registerTool("big", {
    description: "A text of so many characters.",
    inputSchema: takes({ size: "integer" }),
  }, ({ size }) => "x".repeat(size));
  server.registerTool("grow", { description: "Adds a tool.", inputSchema: takes({ name: "string" }) }, ({ name }) => {
    server.registerTool(name, { description: "The text, as it came.", inputSchema: text }, ({ text }) => text);
    return name;
  });
  server.registerTool("noted", {
    description: "How often something happened, once it has.",
    inputSchema: takes({ what: "string" }),
    outputSchema: INTEGER,
  }, ({ what }) => notes.seen(what));
  server.registerTool("announce", {
    description: "Sends a notification to every client that keeps a connection.",
    inputSchema: text,
  }, ({ text }) => {
    server.notify("notifications/behaviour", { text });
    return text;
  });
  server.registerMethod("behaviour/echo", ({ _meta, ...params }) => ({ params }));
  server.onNotification("notifications/behaviour", ({ text = "" }) => notes.add(text));
}

/** @param {Server} server @param {Notes} notes */
function addToolsThatTakeTime(server, notes) {
  const name = takes({ name: "string" });
  const gates = new Notes();
  server.registerTool("hold", {
    description: "Never ends by itself; what becomes of it is noted.",
    inputSchema: name,
  }, ({ name }, { signal }) => {
    notes.add(`${name} began`);
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        notes.add(`${name} was cancelled`);
        reject(signal.reason);
      })
    );
  });
  server.registerTool("wait_for", {
    description: "Ends when `release` is called with the same name.",
    inputSchema: name,
  }, async ({ name }) => {
    await gates.seen(name);
    return name;
  });
  server.registerTool(
    "release",
    { description: "Ends `wait_for` of the same name.", inputSchema: name },
    ({ name }) => {
      gates.add(name);
      return name;
    },
  );
  server.registerTool("steps", {
    description: "Reports progress.",
    inputSchema: takes({ count: "integer" }),
    outputSchema: INTEGER,
  }, ({ count }, context) => {
    for (let step = 1; step <= count; step++) context.progress(step, count, `step ${step}`);
    return count;
  });
  server.registerTool("log", {
    description: "Writes to the client's log.",
    inputSchema: takes({ text: "string" }),
  }, ({ text }, context) => {
    context.log("warning", text);
    context.log("debug", `not ${text}`);
    return text;
  });
}

/** @param {Server} server */
function addToolsThatAsk(server) {
  server.registerTool("ask", {
    description: "Asks the user.",
    inputSchema: takes({ question: "string" }),
  }, async ({ question }, context) => {
    const { action, content } = await context.elicit(question, FORM);
    return content ? `${action} ${content.name}` : action;
  });
  server.registerTool("think", {
    description: "Asks the client's model.",
    inputSchema: takes({ prompt: "string" }),
  }, async ({ prompt }, context) => (await context.sample(prompt)).content.text);
  server.registerTool("look_around", {
    description: "Asks for the client's roots.",
    inputSchema: takes({}),
  }, async (_, context) => (await context.roots()).map(({ uri }) => uri));
}

/** @param {Server} server */
function addResources(server) {
  let touched = 0;
  server.registerResource("behaviour://count", { description: "How often `touch` was called." }, () => `${touched}`);
  server.registerResource(
    "behaviour://greeting/{name}",
    { description: "A family of resources." },
    (_, { name }) => `Hello, ${name}!`,
  );
  server.registerResource(
    "behaviour://bytes",
    { description: "All of them.", mimeType: "application/octet-stream" },
    () => Uint8Array.from({ length: 256 }, (_, index) => index),
  );
  server.registerTool("touch", {
    description: "Changes the resource behaviour://count.",
    outputSchema: INTEGER,
  }, () => {
    touched++;
    server.resourceUpdated("behaviour://count");
    return touched;
  });
  server.registerPrompt(
    "greet",
    { description: "Says hello.", arguments: [{ name: "name", required: true }] },
    ({ name }) => `Say hello to ${name}.`,
  );
  const names = ["Ada", "Alan", "Grace"];
  server.registerCompletion(
    "greet",
    "name",
    (typed) => names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase())),
  );
}
