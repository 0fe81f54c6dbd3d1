// The official TypeScript client against server.js: node page_server.mjs MODE COMMAND ARGUMENT...
// Prints one line of JSON: what it saw.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, command, ...args] = process.argv.slice(2);
const client = new Client(
    { name: "official", version: "1.0" },
    {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: mode === "legacy" || mode === "auto" ? mode : { pin: mode } },
    },
);
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
const updated = new Promise((resolve) =>
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri))
);
const text = (result) => result.content.map((block) => block.text).join("|");

await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const modern = client.getProtocolEra() === "modern";
const { tools } = await client.listTools();
// It checks structured results against the schemas that it has listed.
const sum = await client.callTool({ name: "add", arguments: { a: 2, b: 40 } });
const wrong = await client.callTool({ name: "add", arguments: { a: "two" } });
const unknown = await client.callTool({ name: "nothing" }).catch(({ code }) => code);
const asked = text(await client.callTool({ name: "ask", arguments: { question: "Who?" } }));
const { contents } = await client.readResource({ uri: "behaviour://greeting/Ada" });
const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
const argument = { name: "name", value: "a" };
const { completion } = await client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument });
await (modern
    ? client.listen({ resourceSubscriptions: ["behaviour://count"] })
    : client.subscribeResource({ uri: "behaviour://count" }));
await client.callTool({ name: "touch" });
console.log(JSON.stringify({
    version: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion(),
    tools: tools.length,
    sum: [text(sum), sum.structuredContent],
    wrong: [wrong.isError, text(wrong)],
    unknown,
    asked,
    read: contents[0].text,
    prompt: messages[0].content.text,
    completed: completion.values,
    updated: await updated,
}));
await client.close();
