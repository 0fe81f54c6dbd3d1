// @ts-check
// A copilot made with our two scripts. Its address says which pages it works for (`allow`), `to` where it has moved, and
// `loops` that it reloads itself as soon as it is connected.
import { McpClient } from "/client.js";
import { InnerFrameTransport, PostMessageInnerControl } from "/frames.js";

const given = new URLSearchParams(location.search);
const to = given.get("to");
if (to) location.replace(to);
else {
  const transport = new InnerFrameTransport(new PostMessageInnerControl([given.get("allow") ?? ""]));
  const client = new McpClient(transport, { name: "copilot", version: "1" });
  /** @type {any} */ (globalThis).copilot = {
    session: transport.prepareToConnect().then(async (session) => {
      await client.connect();
      if (given.has("loops")) location.reload();
      return session;
    }),
    names: async () => (await client.listTools()).map(({ name }) => name),
    call: (/** @type {string} */ name, /** @type {any} */ args) =>
      client.callTool(name, args).then(
        ({ structuredContent, content }) => structuredContent ?? content[0].text,
        ({ message }) => message,
      ),
    visits: () => {
      const kept = transport.storage("visits");
      const count = (kept.get("count") ?? 0) + 1;
      kept.set("count", count);
      return count;
    },
  };
}
