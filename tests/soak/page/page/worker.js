// @ts-check
/** The server in a worker of the page. */
import { PortTransport } from "../../../../src/cloche/web/transports/port.js";
import { soakServer } from "./server.js";

soakServer().connect(new PortTransport(self));
