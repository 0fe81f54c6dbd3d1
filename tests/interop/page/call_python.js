// @ts-check
/**
 * client.js against Python's reference server, whose URL is the argument: every case in both eras, a line of JSON for
 * each. With a command in the place of the URL, that server over stdio, without a version given.
 */
import { McpClient } from "../../../src/cloche/web/client.js";
import { WebSocketTransport } from "../../../src/cloche/web/transports/websocket.js";
import { ANSWERS } from "../../web/transports/cases.js";
import { runCases } from "../../web/transports/runner.js";
import { LinesTransport } from "./lines.js";

const [target, ...args] = Deno.args;
if (target.startsWith("ws:")) {
  const outcomes = await runCases(async () => {
    const transport = await WebSocketTransport.open(target);
    return {
      transport,
      rubbish: (/** @type {any} */ value) => transport.socket.send(JSON.stringify(value)),
    };
  });
  for (const outcome of outcomes) console.log(JSON.stringify(outcome));
} else {
  const process = new Deno.Command(target, { args, stdin: "piped", stdout: "piped" }).spawn();
  const client = new McpClient(new LinesTransport(process.stdout, process.stdin), ANSWERS);
  await client.connect();
  const { content } = await client.callTool("ask", { question: "Who?" });
  console.log(JSON.stringify({ version: client.protocolVersion, server: client.serverInfo, content }));
  client.close();
  await process.status;
}
