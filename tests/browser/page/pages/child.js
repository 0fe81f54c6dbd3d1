/** The reference server for the page around, and for the next one that calls. */
import { IframeChildTransport } from "/src/cloche/web/transports/index.js";
import { referenceServer } from "/tests/web/transports/reference_server.js";

const messageType = "javascript-frame";
const transport = new IframeChildTransport({ parentOrigin: location.origin, messageType, limit: 4 * 1024 * 1024 });

async function serve() {
  await transport.connect();
  referenceServer().connect(transport);
}

transport.onClose(serve);
serve();
