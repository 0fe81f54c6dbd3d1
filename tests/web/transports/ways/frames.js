// @ts-check
/** Ways between a page and a frame in it. One frame does for every case: each connects to it anew. */
import { IframeChildTransport, IframeParentTransport } from "../../../../src/cloche/web/transports/iframe.js";
import { WindowTransport } from "../../../../src/cloche/web/transports/window.js";
import { referenceServer } from "../reference_server.js";

/** @typedef {{url: string, origin: string, sandbox?: string}} FrameOptions */

/** @type {HTMLIFrameElement | undefined} */
let made;

/** @param {FrameOptions} options */
function frame({ url, sandbox }) {
  if (made) return made;
  made = document.createElement("iframe");
  if (sandbox != null) made.setAttribute("sandbox", sandbox);
  made.src = url;
  document.body.append(made);
  return made;
}

/** @param {WindowTransport} transport */
const way = (transport) => ({
  transport,
  rubbish: (/** @type {any} */ payload) => transport.say({ type: transport.messageType, payload }),
});

/** The server is in the frame. @param {FrameOptions} options */
export async function parent(options) {
  const transport = new IframeParentTransport({ iframe: frame(options), targetOrigin: options.origin });
  await transport.connect();
  return way(transport);
}

/** The server is in the frame, and each speaks to the other's window. @param {FrameOptions} options */
export async function windows(options) {
  const isNew = !made;
  const iframe = frame(options);
  if (isNew) await new Promise((resolve) => iframe.addEventListener("load", resolve));
  return way(new WindowTransport(iframe.contentWindow, { origin: options.origin }));
}

/** The server is in the page, for one connection of the frame after the other. @param {FrameOptions} options */
export async function serve(options) {
  const iframe = frame(options);
  await new Promise((resolve) => iframe.addEventListener("load", resolve));
  const open = async () => {
    const transport = new IframeParentTransport({ iframe, targetOrigin: options.origin, connectionTimeout: 60_000 });
    transport.onClose(open);
    await transport.connect();
    referenceServer().connect(transport);
  };
  open();
}

/** The client's end of that, in the frame. @param {{origin: string}} options */
export async function child({ origin }) {
  const transport = new IframeChildTransport({ parentOrigin: origin });
  await transport.waitForConnection();
  return way(transport);
}
