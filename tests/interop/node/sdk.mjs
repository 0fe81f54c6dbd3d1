// @modelcontextprotocol/sdk 1.x: node sdk.mjs MODE URL | node sdk.mjs MODE COMMAND ARGUMENT...
// It speaks the handshake era only, so MODE is "legacy".

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Mailbox, runSteps } from "./steps.mjs";

const [mode, target, ...args] = process.argv.slice(2);
if (mode !== "legacy") {
  throw new Error(`the sdk has no mode ${mode}`);
}
const http = target.startsWith("http://");
const transport = http
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env });

const client = new Client(
  { name: "interop-sdk", version: "1.32.2" },
  { capabilities: { elicitation: { form: {} } } },
);

const updates = new Mailbox();
const questions = new Mailbox();
const answers = [];
client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updates.put(params.uri));
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  questions.put(params);
  return answers.shift();
});

let negotiated;
transport.setProtocolVersion = ((original) => (version) => {
  negotiated = version;
  original?.call(transport, version);
})(transport.setProtocolVersion);

await runSteps(
  {
    async connect() {
      await client.connect(transport);
      return {
        version: negotiated,
        era: "legacy",
        server: client.getServerVersion(),
        instructions: client.getInstructions(),
        capabilities: client.getServerCapabilities(),
      };
    },
    listTools: async () => (await client.listTools()).tools,
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    listPrompts: async () => (await client.listPrompts()).prompts,
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (name, argument, value) =>
      (await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument, value } })).completion,
    async subscribe(uri) {
      await client.subscribeResource({ uri });
      return {};
    },
    unsubscribe: async (uri) => void (await client.unsubscribeResource({ uri })),
    async close() {
      if (http) {
        await transport.terminateSession();
      }
      await client.close();
    },
  },
  { updates, questions, answers },
);
