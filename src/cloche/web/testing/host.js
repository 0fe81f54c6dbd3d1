// @ts-check
// The host's page of cloche.testing: it shows one view and carries messages. What may happen is decided in Python.

/** @type {HTMLIFrameElement | null} */
let frame = null;

let sandboxOrigin = "";

/** Reports to Python; see watch.js. @type {(kind: string, value: string) => void} */
const report = Reflect.get(globalThis, "clocheReport");

/**
 * Show the sandbox at `url`, which will ask for the view with sandbox-proxy-ready.
 * @param {{url: string, width: number, height: number, allow: string}} options
 */
function show(options) {
  remove();
  sandboxOrigin = new URL(options.url).origin;
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.allow = options.allow;
  frame.src = options.url;
  resize(options.width, options.height);
  document.body.append(frame);
}

/** @param {number} width @param {number} height */
function resize(width, height) {
  if (frame === null) return;
  frame.style.width = `${width}px`;
  frame.style.height = `${height}px`;
}

/** @param {unknown} message */
function post(message) {
  frame?.contentWindow?.postMessage(message, sandboxOrigin);
}

function remove() {
  frame?.remove();
  frame = null;
}

addEventListener("message", (event) => {
  const known = frame !== null && event.source === frame.contentWindow && event.origin === sandboxOrigin;
  if (!known) {
    report("foreign", event.origin);
    return;
  }
  try {
    report("message", JSON.stringify(event.data) ?? "null");
  } catch (error) {
    report("unreadable", String(error));
  }
});

Object.assign(globalThis, { host: { show, resize, post, remove } });
