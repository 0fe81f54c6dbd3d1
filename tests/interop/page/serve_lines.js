// @ts-check
/** The reference server of JavaScript over stdio, for clients in other languages. */
import { referenceServer } from "../../web/transports/reference_server.js";
import { LinesTransport } from "./lines.js";

/** As Python's server has it, which the cases know. */
const LIMIT = 4 * 1024 * 1024;

// What it says beside the protocol goes where nobody takes it for a message.
console.warn = console.error;
const transport = new LinesTransport(Deno.stdin.readable, Deno.stdout.writable, { limit: LIMIT });
transport.onClose(() => Deno.exit(0));
referenceServer().connect(transport);
