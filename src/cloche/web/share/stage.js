// @ts-check
import { DEFAULT_LIMITS, Gate } from "../sandbox/limits.js";

/**
 * The page between a shared recording and the view in it. It is made before the recording's page binds itself to a policy
 * that allows its own script only: what stands in a frame inherits the policy of the page that makes it, and views bring
 * scripts of their own. Nothing in here knows the recording.
 */

/** @type {HTMLIFrameElement | null} */
let frame = null;
/** @type {Gate} */
let gate;
/** Tells the messages of this view from those of the one before. */
let number = 0;

/** @param {any} data from the recording's page */
function fromPage(data) {
  if ("html" in data) return show(data);
  if (data.view !== number) return;
  gate.answered(data.message);
  frame?.contentWindow?.postMessage(data.message, "*"); // an opaque origin cannot be named
}

/** @param {{html: string, view: number, theme: string, title: string}} given */
function show({ html, view, theme, title }) {
  frame?.remove();
  number = view;
  gate = new Gate(DEFAULT_LIMITS);
  document.documentElement.style.colorScheme = theme;
  frame = document.createElement("iframe");
  // Without the second word a form's own handler is never called; where a form leads to, the policy forbids.
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  frame.title = title;
  frame.srcdoc = html;
  document.body.append(frame);
}

/** @param {any} message from the view */
function fromView(message) {
  const verdict = gate.judge(message);
  if (verdict === "pass") return parent.postMessage({ view: number, message }, "*");
  if (verdict === "drop") return;
  if (verdict !== "cut") {
    return frame?.contentWindow?.postMessage({ jsonrpc: "2.0", id: message.id, error: verdict }, "*");
  }
  frame?.remove();
  frame = null;
  parent.postMessage({ view: number, flood: true }, "*");
}

addEventListener("message", ({ source, data }) => {
  if (source === parent) fromPage(data);
  else if (frame && source === frame.contentWindow) fromView(data);
});
parent.postMessage({ stage: true }, "*");
