// @ts-check
/**
 * The reference server in a dedicated worker: one for each type of messages that the page names, so that one worker,
 * which takes its time to start, does for every case.
 */
import { PortTransport } from "../../../../src/cloche/web/transports/port.js";
import { referenceServer } from "../reference_server.js";

self.addEventListener("message", ({ data: { open } }) => {
  if (open) referenceServer().connect(new PortTransport(self, { messageType: open }));
});
referenceServer().connect(new PortTransport(self));
