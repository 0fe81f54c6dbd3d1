// @modelcontextprotocol/client: node client.mjs MODE URL | node client.mjs MODE COMMAND ARGUMENT...
// MODE is "legacy", "auto", or a version to pin.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Mailbox, runSteps } from "./steps.mjs";

const [mode, target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http://")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env });

const client = new Client(
  { name: "interop-client", version: "2.4.0" },
  {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: mode === "legacy" || mode === "auto" ? mode : { pin: mode } },
  },
);

const updates = new Mailbox();
const questions = new Mailbox();
const answers = [];
client.setNotificationHandler("notifications/resources/updated", ({ params }) => updates.put(params.uri));
client.setRequestHandler("elicitation/create", ({ params }) => {
  questions.put(params);
  return answers.shift();
});

let subscription;
const modern = () => client.getProtocolEra() === "modern";

await runSteps(
  {
    async connect() {
      await client.connect(transport);
      return {
        version: client.getNegotiatedProtocolVersion(),
        era: client.getProtocolEra(),
        server: client.getServerVersion(),
        instructions: client.getInstructions(),
        capabilities: client.getServerCapabilities(),
      };
    },
    listTools: async () => (await client.listTools()).tools,
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    listPrompts: async () => (await client.listPrompts()).prompts,
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (name, argument, value) =>
      (await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument, value } })).completion,
    async subscribe(uri) {
      if (!modern()) {
        await client.subscribeResource({ uri });
        return {};
      }
      subscription = await client.listen({ resourceSubscriptions: [uri] });
      return subscription.honoredFilter;
    },
    async unsubscribe(uri) {
      await (modern() ? subscription.close() : client.unsubscribeResource({ uri }));
    },
    close: () => client.close(),
  },
  { updates, questions, answers },
);
