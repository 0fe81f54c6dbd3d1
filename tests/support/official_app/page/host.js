// A host page made of the official AppBridge: it shows one view, keeps everything that passes, and answers from a script.
// The bundle of the official library stands before this in the page, as the global `official`.

/** What a host with every feature announces. */
const CAPABILITIES = {
  openLinks: {},
  downloadFile: {},
  serverTools: { listChanged: true },
  serverResources: {},
  logging: {},
  updateModelContext: { text: {}, structuredContent: {} },
  message: { text: {} },
};

const host = {
  /** Messages from the view, as they came. */
  received: [],
  /** Messages to the view, as they went. */
  sent: [],
  /** What the sandbox proxy said; empty with a single frame. */
  fromProxy: [],
  /** `[handler, params]`: what the official library checked and handed to the host's code. */
  handled: [],
  /** Complaints of the official library. */
  errors: [],
  /** Tool name -> `{result}`, `{error: {code, message}}`, `{progress: [...], result}` or `{echo: true}`. */
  tools: {},
  /** URI -> text. */
  resources: {},
  bridge: null,
  frame: null,
};

/** Show a view: `{html, proxy?, sandbox?, context?, capabilities?}`; with `proxy`, its URL, two frames. */
host.open = async (options) => {
  const frame = document.createElement("iframe");
  host.frame = frame;
  frame.style.cssText = "width: 600px; height: 300px; border: 0";
  const sandbox = options.sandbox ?? "allow-scripts";
  frame.setAttribute("sandbox", options.proxy ? "allow-scripts allow-same-origin" : sandbox);
  document.body.append(frame);
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow) return;
    const kept = event.data?.method?.startsWith("ui/notifications/sandbox-") ? host.fromProxy : host.received;
    kept.push(event.data);
  });
  host.bridge = makeBridge(options);
  const transport = new official.PostMessageTransport(frame.contentWindow, frame.contentWindow);
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    host.sent.push(message);
    return send(message, ...rest);
  };
  await host.bridge.connect(transport);
  if (options.proxy) frame.src = options.proxy;
  else frame.srcdoc = options.html;
};

function makeBridge(options) {
  const bridge = new official.AppBridge(
    null,
    { name: "official-host", version: "1.0.0" },
    options.capabilities ?? CAPABILITIES,
    {
      hostContext: options.context ??
        { theme: "light", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] },
    },
  );
  const keep = (name, params, answer = {}) => {
    host.handled.push([name, params ?? null]);
    return answer;
  };
  bridge.onerror = (error) => host.errors.push(String(error));
  bridge.onsandboxready = () =>
    bridge.sendSandboxResourceReady({ html: options.html, sandbox: options.sandbox ?? "allow-scripts" });
  for (const name of ["initialized", "sizechange", "loggingmessage", "requestteardown"]) {
    bridge.addEventListener(name, (params) => keep(name, params));
  }
  bridge.onmessage = async (params) => keep("message", params);
  bridge.onopenlink = async (params) =>
    keep("openlink", params, params.url.includes("refused") ? { isError: true } : {});
  bridge.ondownloadfile = async (params) => keep("downloadfile", params);
  bridge.onupdatemodelcontext = async (params) => keep("updatemodelcontext", params);
  bridge.onrequestdisplaymode = async (params) => keep("requestdisplaymode", params, { mode: params.mode });
  bridge.onreadresource = async (params) => {
    keep("readresource", params);
    return { contents: [{ uri: params.uri, mimeType: "text/plain", text: host.resources[params.uri] }] };
  };
  bridge.oncalltool = async (params) => {
    keep("calltool", params);
    return callTool(params);
  };
  return bridge;
}

async function callTool(params) {
  // A real server, where the test has one.
  if (window.callServer) return window.callServer(params);
  const { result, error, progress = [], echo } = host.tools[params.name] ?? {};
  for (const step of progress) {
    const params_ = { ...step, progressToken: params._meta.progressToken };
    await host.bridge.notification({ method: "notifications/progress", params: params_ });
  }
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  if (echo) return { content: [], structuredContent: params.arguments };
  return result;
}
