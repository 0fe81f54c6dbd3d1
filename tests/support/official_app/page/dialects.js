// Host pages that speak the two dialects before today's MCP Apps, as their documents describe them. They know no other
// method: what a view says in another dialect is answered with -32601, as a host of that time would.

const host = { received: [], sent: [], handled: [], tools: {}, tools_of_view: {}, frame: null };

const keep = (name, params, answer = {}) => {
  host.handled.push([name, params ?? null]);
  return answer;
};

function callTool({ name, arguments: given }) {
  const { result, error, echo } = host.tools[name] ?? { error: { code: -32001, message: `Tool not found: ${name}` } };
  if (error) throw error;
  return echo ? { content: [], structuredContent: given } : result;
}

const DIALECTS = {
  // FrontMCP's: camelCase requests, boolean capabilities, no hostInfo, nobody waits for `initialized`.
  camel: {
    requests: {
      "ui/initialize": () => ({
        protocolVersion: "2025-11-21",
        hostCapabilities: {
          serverToolProxy: true,
          openLink: true,
          modelContextUpdate: true,
          widgetTools: true,
          displayModes: ["inline", "fullscreen"],
          logging: true,
        },
        hostContext: { theme: "light", displayMode: "inline" },
      }),
      "ui/callServerTool": callTool,
      "ui/updateModelContext": (params) => keep("updatemodelcontext", params),
      "ui/openLink": (params) => keep("openlink", params),
      "ui/setDisplayMode": (params) => keep("requestdisplaymode", params),
      "ui/close": (params) => keep("requestteardown", params),
      "ui/log": (params) => keep("loggingmessage", params),
      "ui/registerTool": (params) => ((host.tools_of_view[params.name] = params), keep("registertool", params)),
      "ui/unregisterTool": (params) => (delete host.tools_of_view[params.name], keep("unregistertool", params)),
    },
    notifications: {
      input: "ui/notifications/tool-input",
      partial: "ui/notifications/tool-input-partial",
      result: "ui/notifications/tool-result",
      cancelled: "ui/notifications/cancelled",
      context: "ui/notifications/host-context-changed",
    },
  },
  // The early ext-apps guide's: its sample answer to `ui/initialize` has no hostContext, and names are short.
  guide: {
    requests: {
      "ui/initialize": () => ({
        protocolVersion: "2025-01-01",
        hostInfo: { name: "guide-host", version: "1.0.0" },
        hostCapabilities: { tools: {}, resources: {} },
      }),
      "tools/call": callTool,
      "ui/open-link": (params) => keep("openlink", params),
      "ui/message": (params) => keep("message", params),
    },
    notifications: {
      input: "ui/toolInput",
      result: "ui/toolResult",
      cancelled: "ui/tool-cancelled",
      context: "ui/host-context-change",
      teardown: "ui/teardown",
    },
  },
};

/** A parent that hears and says nothing. */
DIALECTS.silent = null;

/** Show a view: `{html, dialect}`. */
host.open = ({ html, dialect }) => {
  host.dialect = DIALECTS[dialect];
  const frame = (host.frame = document.createElement("iframe"));
  frame.style.cssText = "width: 600px; height: 300px; border: 0";
  frame.setAttribute("sandbox", "allow-scripts");
  document.body.append(frame);
  addEventListener("message", (event) => {
    if (event.source === frame.contentWindow) receive(event.data);
  });
  frame.srcdoc = html;
};

function receive(message) {
  host.received.push(message);
  if (host.dialect === null || message.id === undefined || message.method === undefined) return;
  const handler = host.dialect.requests[message.method];
  if (!handler) return answer(message, { error: { code: -32601, message: `Unknown method: ${message.method}` } });
  try {
    answer(message, { result: handler(message.params) });
  } catch (error) {
    answer(message, { error });
  }
}

const answer = ({ id }, outcome) => post({ jsonrpc: "2.0", id, ...outcome });

function post(message) {
  host.sent.push(message);
  host.frame.contentWindow.postMessage(message, "*");
}

/** Send one of the dialect's notifications by its plain name. */
host.tell = (what, params) => post({ jsonrpc: "2.0", method: host.dialect.notifications[what], params });

/** Send a request of the dialect's; the answer appears in `received`. */
host.ask = (id, method, params) => post({ jsonrpc: "2.0", id, method, params });
