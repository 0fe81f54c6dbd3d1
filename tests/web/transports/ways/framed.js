// @ts-check
/** The reference server in a frame of the page `?parent=ORIGIN`, for one connection after the other; `&kind=window` knows no ports. */
import { IframeChildTransport } from "../../../../src/cloche/web/transports/iframe.js";
import { listenForWindows } from "../../../../src/cloche/web/transports/window.js";
import { referenceServer } from "../reference_server.js";

const options = new URLSearchParams(location.search);
const parentOrigin = options.get("parent") ?? "";

async function serve() {
  const transport = new IframeChildTransport({ parentOrigin });
  transport.onClose(serve);
  await transport.connect();
  referenceServer().connect(transport);
}

if (options.get("kind") == "window") {
  listenForWindows({ origins: [parentOrigin] }, (transport) => referenceServer().connect(transport));
} else serve();
