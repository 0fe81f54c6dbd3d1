/** Ways to the reference server in Python: ports into the worker of the lab, and every transport to a frame; and back. */
import {
  BroadcastChannelTransport,
  BroadcastListener,
  IframeParentTransport,
  listenForWindows,
  PortTransport,
  TabClientTransport,
  TabServerTransport,
  WindowTransport,
  withSecret,
} from "/src/cloche/web/transports/index.js";
import { referenceServer } from "/tests/web/transports/reference_server.js";

export function port() {
  const port = /** @type {any} */ (globalThis).lab.port("lab");
  return {
    transport: new PortTransport(port),
    rubbish: (/** @type {any} */ payload) => port.postMessage({ type: "mcp", payload }),
  };
}

/** Python on the thread of a frame, which has started. @type {HTMLIFrameElement} */
let frame;

/** @param {string} said what the frame is waited for to say */
const heard = (said) =>
  new Promise((resolve) => {
    addEventListener("message", function hear({ data, source }) {
      if (data !== said || source !== frame.contentWindow) return;
      removeEventListener("message", hear);
      resolve(undefined);
    });
  });

/** @param {string} page */
export async function startFrame(page) {
  frame = document.createElement("iframe");
  frame.src = `/pages/${page}.html`;
  const started = heard("started");
  document.body.append(frame);
  await started;
}

/** The frame's Python makes its end first. @param {string} kind @param {Transferable[]} [ports] */
async function asked(kind, ports = []) {
  const opened = heard("opened");
  frame.contentWindow?.postMessage({ open: kind }, location.origin, ports);
  await opened;
}

export const everywhere = {
  async port() {
    const { port1, port2 } = new MessageChannel();
    await asked("port", [port2]);
    return {
      transport: new PortTransport(port1),
      rubbish: (/** @type {any} */ payload) => port1.postMessage({ type: "mcp", payload }),
    };
  },
  async window() {
    await asked("window");
    const messageType = "mcp-window";
    const target = frame.contentWindow;
    return {
      transport: new WindowTransport(target, { origin: location.origin, messageType }),
      rubbish: (/** @type {any} */ payload) => target?.postMessage({ type: messageType, payload }, location.origin),
    };
  },
  async frame() {
    await asked("frame");
    const options = { iframe: frame, targetOrigin: location.origin, messageType: "mcp-frame" };
    const transport = new IframeParentTransport(options);
    await transport.connect();
    return { transport };
  },
  broadcast: () => ({ transport: new BroadcastChannelTransport({ channelName: "python" }) }),
  async tab() {
    await asked("tab");
    return { transport: new TabClientTransport({ channelName: "python-tab" }) };
  },
  shared: () => ({ transport: new PortTransport(new SharedWorker("/pages/shared.js", { type: "module" })) }),
};

/** What Python's reference server takes at most. */
export const limit = 4 * 1024 * 1024;

/** The reference server in JavaScript, for whatever connects. */
export function serveEverywhere() {
  const serve = (/** @type {any} */ transport) => void referenceServer().connect(transport);
  new BroadcastListener({ channelName: "javascript", limit }).onConnection(serve);
  const seal = withSecret("known to both");
  new BroadcastListener({ channelName: "javascript-sealed", seal, limit }).onConnection(serve);
  listenForWindows({ origins: [location.origin], messageType: "javascript-window", limit }, serve);
  addEventListener("message", ({ data, ports }) => {
    if (data === "serve this port") serve(new PortTransport(ports[0], { limit }));
  });
  const serveTab = () => {
    const transport = new TabServerTransport({ channelName: "javascript-tab", limit });
    serve(transport);
    transport.onClose(serveTab);
  };
  serveTab();
}

/** What the frame's Python finds out about one of them. @param {string} ask @param {string} version @returns {Promise<string>} */
export function askedByPython(ask, version) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    frame.contentWindow?.postMessage({ ask, version }, location.origin, [port2]);
  });
}
