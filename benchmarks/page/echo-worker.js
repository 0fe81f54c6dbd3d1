// The same server in JavaScript, in a worker of its own.
import { createServer } from "/web/server.js";
import { PortTransport } from "/web/transports/port.js";

const server = createServer({ name: "echo", version: "1.0" });
server.registerTool("echo", {
  description: "The same text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
}, ({ text }) => text);
server.connect(new PortTransport(self));
