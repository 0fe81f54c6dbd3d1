/** Ways to the reference server in Python: ports into the worker of the lab, and every transport to a frame. */
import {
  BroadcastChannelTransport,
  IframeParentTransport,
  PortTransport,
  TabClientTransport,
  WindowTransport,
} from "/src/cloche/web/transports/index.js";

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

export async function startFrame() {
  frame = document.createElement("iframe");
  frame.src = "/pages/everywhere.html";
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
