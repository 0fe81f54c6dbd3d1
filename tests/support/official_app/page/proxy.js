// The sandbox proxy of MCP Apps: says that it is ready, shows the resource in an opaque frame, and passes everything else on.
// It identifies both sides by their windows, as the views and the host do.
let inner = null;

addEventListener("message", (event) => {
  if (event.source === window.parent) {
    if (event.data?.method === "ui/notifications/sandbox-resource-ready") show(event.data.params);
    else inner?.contentWindow.postMessage(event.data, "*");
  } else if (inner !== null && event.source === inner.contentWindow) {
    if (!event.data?.method?.startsWith("ui/notifications/sandbox-")) window.parent.postMessage(event.data, "*");
  }
});

function show({ html, sandbox }) {
  inner = document.createElement("iframe");
  inner.setAttribute("sandbox", sandbox ?? "allow-scripts");
  inner.style.cssText = "position: fixed; inset: 0; width: 100%; height: 100%; border: 0";
  document.body.append(inner);
  inner.srcdoc = html;
}

window.parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
