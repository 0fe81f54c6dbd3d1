// @ts-check
/** A worker that has the session, or the client of one; as a SharedWorker it has a session for each page. */
import { listenForPorts, PortTransport } from "../../../src/cloche/web/transports/port.js";
import { offer, use } from "./session_ways.js";

listenForPorts(offer);
self.addEventListener("message", async ({ data }) => {
  const { part, port } = data;
  if (part == "offer") offer(new PortTransport(port ?? self));
  if (part == "use") self.postMessage({ seen: await use(new PortTransport(self)) });
});
