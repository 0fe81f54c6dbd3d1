// @ts-check
/** The reference server for every page that connects; it counts them. */
import { listenForPorts } from "../../../../src/cloche/web/transports/port.js";
import { referenceServer } from "../reference_server.js";

let pages = 0;
listenForPorts((transport) => {
  const server = referenceServer();
  pages++;
  transport.onClose(() => void pages--);
  server.registerMethod("pages", () => ({ pages }));
  server.connect(transport);
});
