// @ts-check
// The host's page of cloche.testing: it shows one view and carries messages. What may happen is decided in Python.

/** @type {HTMLIFrameElement | null} */
let frame = null;

let sandboxOrigin = "";

/** Which showing it is: what an earlier view still had on its way is not taken for this one's. */
let life = 0;

/** Reports to Python; see watch.js. @type {(kind: string, value: string, life: number) => void} */
const report = Reflect.get(globalThis, "clocheReport");

/**
 * Show the sandbox at `url`, which will ask for the view with sandbox-proxy-ready.
 * @param {{url: string, life: number, width: number, height: number, allow: string}} options
 */
function show(options) {
  remove();
  life = options.life;
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
  if (event.source === null) return; // its frame is gone
  const isKnown = event.source === frame?.contentWindow && event.origin === sandboxOrigin;
  if (!isKnown) return report("foreign", event.origin, life);
  try {
    report("message", JSON.stringify(event.data) ?? "null", life);
  } catch (error) {
    report("unreadable", String(error), life);
  }
});

Object.assign(globalThis, { host: { show, resize, post, remove } });
