// A host as the official basic-host is designed: AppBridge and an MCP client over HTTP in the page itself.
// The bundle of the official libraries stands before this in the page, as the global `official`.
const CAPABILITIES = { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} };
const now = () => performance.timeOrigin + performance.now();
const clients = new Map();

function client(server) {
  if (!clients.has(server)) clients.set(server, connect(server));
  return clients.get(server);
}

async function connect(server) {
  const made = new official.Client({ name: "basic-host", version: "1.0.0" });
  await made.connect(new official.StreamableHTTPClientTransport(new URL(`/mcp/${server}`, location.href)));
  const { tools } = await made.listTools();
  return { made, uri: tools.find(({ name }) => name === "show")._meta.ui.resourceUri };
}

/** Connect to a server beforehand, as a host does that lists its tools for the model. */
window.warm = async (servers) => void await Promise.all(servers.map(client));

/** Call the tool and show its view; gives the moment at which that began. */
window.openView = async (server) => {
  const begun = now();
  const { made, uri } = await client(server);
  const calling = made.callTool({ name: "show", arguments: { text: "Paris" } });
  const reading = made.readResource({ uri });
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.style.cssText = "display: block; width: 100%; height: 150px; border: 0";
  document.body.append(frame);
  const bridge = new official.AppBridge(made, { name: "basic-host", version: "1.0.0" }, CAPABILITIES, {
    hostContext: { theme: "light", displayMode: "inline" },
  });
  bridge.onsandboxready = async () => {
    const { contents: [{ text }] } = await reading;
    await bridge.sendSandboxResourceReady({ html: text, sandbox: "allow-scripts allow-forms" });
  };
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: { text: "Paris" } });
    await bridge.sendToolResult(await calling);
  };
  await bridge.connect(new official.PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = document.querySelector("meta[name=sandbox]").content;
  return begun;
};

const [, shown] = location.search.split("show=");
if (shown) addEventListener("DOMContentLoaded", () => openView(shown));
