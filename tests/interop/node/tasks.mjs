// The tasks of @modelcontextprotocol/sdk 1.x: node tasks.mjs URL | node tasks.mjs COMMAND ARGUMENT...
// The last line is what the client saw, as JSON.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http://")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env });
const client = new Client(
  { name: "interop-tasks", version: "1.32.2" },
  { capabilities: { elicitation: { form: {} }, tasks: { list: {}, cancel: {} } } },
);

const seen = { asked: [] };
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  seen.asked.push(params.message);
  return { action: "accept", content: { name: "Ada" } };
});

await client.connect(transport);
const tasks = client.experimental.tasks;
const { tools } = await client.listTools();
seen.support = Object.fromEntries(tools.map((tool) => [tool.name, tool.execution?.taskSupport]));

async function call(name, input) {
  const found = { kinds: [] };
  for await (const message of tasks.callToolStream({ name, arguments: input }, undefined, { task: { ttl: 60_000 } })) {
    found.kinds.push(message.type);
    found[message.type] = message.task ?? message.result ?? message.error?.message;
  }
  return found;
}

seen.bake = await call("bake", { loaves: 4 });
seen.ask = await call("ask", {});
const holding = tasks.callToolStream({ name: "hold", arguments: {} }, undefined, { task: {} });
const { value } = await holding.next();
seen.cancelled = (await tasks.cancelTask(value.task.taskId)).status;
seen.listed = (await tasks.listTasks()).tasks.length;
seen.missing = await tasks.getTask("unknown").then(() => 0, (error) => error.code);
await client.close();
console.log(JSON.stringify(seen));
process.exit(0);
