// @ts-check
/**
 * The frame of one view in the page of a published server. In it is `stage.html`, which has no origin, and in that the view:
 * neither gets at what this page has stored. The stage says hello with a number that nobody else knows, gets a port, and is
 * spoken to by that alone.
 *
 * @typedef {{
 *   message: (message: any) => void, loaded: () => void, ended: (why: "navigated" | "flood" | "silent") => void,
 * }} StageHandlers
 */
import { themeOf } from "../host/theme.js";
import { generateRequestId } from "../rpc.js";
import { endOfDoctype } from "../sandbox/doctype.js";
import { DEFAULT_LIMITS, isMessage, objection } from "../sandbox/limits.js";

const OWN = "ui/notifications/sandbox-";
/** What the stage may do, and the view in it: nothing with an origin, so no storage, no camera and no cookies. */
const SANDBOX = "allow-scripts allow-forms";
/** Milliseconds in which the stage says hello, and in which the one does that the service worker keeps. */
const READY_WITHIN = 20_000;
const KEPT_WITHIN = 5000;

export class Stage {
  #nonce = generateRequestId();
  /** @type {MessagePort | undefined} */
  #port;
  #over = new AbortController();
  #loads = 0;

  /**
   * @param {{html: string, policy: string, title: string}} view `policy` is what the view may load
   * @param {StageHandlers} handlers
   */
  constructor({ html, policy, title }, handlers) {
    this.html = withPolicy(html, policy);
    this.handlers = handlers;
    this.element = document.createElement("iframe");
    this.element.className = "view";
    this.element.referrerPolicy = "no-referrer";
    this.element.title = title;
  }

  /** Listen, and then load. @param {Element} place */
  open(place) {
    const { signal } = this.#over;
    addEventListener("message", (event) => this.#greeted(event), { signal });
    this.element.addEventListener("load", () => ++this.#loads > 1 && this.#end("navigated"), { signal });
    this.#load(!!navigator.serviceWorker?.controller);
    place.append(this.element);
  }

  /**
   * Browsers ask no service worker for a frame that is said to have no origin. What the worker keeps says so itself
   * (keeper.js), and is heard only if it is so; where it is not, the frame says it, and the stage comes from the network.
   *
   * @param {boolean} isKept
   */
  #load(isKept) {
    this.#loads = 0;
    if (isKept) this.element.removeAttribute("sandbox");
    else this.element.setAttribute("sandbox", SANDBOX);
    const late = () => isKept ? this.#load(false) : this.#end("silent");
    this.timer = setTimeout(late, isKept ? KEPT_WITHIN : READY_WITHIN);
    this.element.src = `${new URL("stage.html", document.baseURI).href}${isKept ? "?kept" : ""}#${this.#nonce}`;
  }

  /** To the view. @param {unknown} message */
  post(message) {
    this.#port?.postMessage({ message });
  }

  setTheme() {
    this.#port?.postMessage({ theme: themeOf(this.element) });
  }

  /** Take it off the page; nothing is heard of it any more. */
  remove() {
    this.#over.abort();
    clearTimeout(this.timer);
    this.#port?.close();
    this.#port = undefined;
    this.element.remove();
  }

  /** @param {MessageEvent} event another view knows the words, and not the number; and its window is another one */
  #greeted({ source, origin, data }) {
    const isStage = origin === "null" && source !== null && source === this.element.contentWindow;
    if (this.#port || !isStage || data?.method !== OWN + "proxy-ready" || data.params?.nonce !== this.#nonce) return;
    clearTimeout(this.timer);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#heard(data);
    const welcome = { jsonrpc: "2.0", method: OWN + "port", params: { nonce: this.#nonce } };
    // What has no origin cannot be addressed. The policy of this page lets nothing from elsewhere into the frame.
    /** @type {Window} */ (source).postMessage(welcome, "*", [port2]);
    this.setTheme();
    port1.postMessage({ html: this.html, frame: { sandbox: SANDBOX, allow: "" }, limits: DEFAULT_LIMITS });
  }

  /** @param {any} data from the stage */
  #heard(data) {
    if (data === null || typeof data !== "object") return;
    if (data.event === "navigated" || data.event === "flood") this.#end(data.event);
    else if (data.event === "loaded") this.handlers.loaded();
    else if (data.event === "violation") console.warn(`The view may not load ${data.blocked}: ${data.directive}`);
    else if (data.event === "error") console.warn(`The view failed: ${data.message}`);
    else if (isMessage(data.message) && !objection(data.message, DEFAULT_LIMITS)) this.handlers.message(data.message);
  }

  /** @param {"navigated" | "flood" | "silent"} why */
  #end(why) {
    if (this.#over.signal.aborted) return;
    this.remove();
    this.handlers.ended(why);
  }
}

/**
 * A view's HTML with its policy in front of everything else in it. The stage's own policy allows what any view of the
 * server declares.
 *
 * @param {string} html
 * @param {string} policy
 */
function withPolicy(html, policy) {
  const place = endOfDoctype(html);
  const text = policy.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `${html.slice(0, place)}<meta http-equiv="Content-Security-Policy" content="${text}">${html.slice(place)}`;
}
