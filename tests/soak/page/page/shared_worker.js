// @ts-check
/** The server in a worker that pages share. It can be told to end, as a browser may do that runs out of memory. */
import { listenForPorts } from "../../../../src/cloche/web/transports/port.js";
import { soakServer } from "./server.js";

new BroadcastChannel("end the worker").addEventListener("message", () => self.close());
listenForPorts((transport) => soakServer().connect(transport));
