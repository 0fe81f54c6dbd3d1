// @ts-check
// The page between host and view, on an origin of its own. Its response carries the policy, which the view inherits.

const hostOrigin = new URLSearchParams(location.search).get("host") ?? "";

/** @type {HTMLIFrameElement | null} */
let inner = null;

let loads = 0;

/** @param {unknown} message */
function toHost(message) {
  parent.postMessage(message, hostOrigin);
}

/** @param {string} name @param {object} params */
function tellHost(name, params) {
  toHost({ jsonrpc: "2.0", method: `ui/notifications/sandbox-${name}`, params });
}

/** @param {{html: string, allow?: string}} resource */
function show(resource) {
  inner = document.createElement("iframe");
  // No allow-same-origin: the view's origin is opaque, it has no storage and reaches no other page.
  inner.setAttribute("sandbox", "allow-scripts allow-forms");
  inner.allow = resource.allow ?? "";
  inner.addEventListener("load", () => tellHost("view-loaded", { loads: ++loads }));
  inner.srcdoc = resource.html;
  document.body.append(inner);
}

addEventListener("message", (event) => {
  const isSandbox = String(event.data?.method).startsWith("ui/notifications/sandbox-");
  if (event.source === parent && event.origin === hostOrigin) {
    if (isSandbox) show(event.data.params);
    else inner?.contentWindow?.postMessage(event.data, "*"); // an opaque origin cannot be named
  } else if (inner !== null && event.source === inner.contentWindow && !isSandbox) {
    toHost(event.data);
  }
});

tellHost("proxy-ready", {});
