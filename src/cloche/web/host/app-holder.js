// @ts-check
import { AppLoadError } from "./app-errors.js";

/**
 * The frame around an app's frame. Its document is this page's own and has one policy, `frame-src` with the app's origin:
 * so the browser itself sees to it that nothing else is ever in the app's frame, not by a redirect and not by a link.
 * An app without `allow-same-origin` has no origin that a message could be addressed to, and no other way to know it.
 *
 * @typedef {import("./app-frame.js").Inside} Inside
 */

const SCRIPT = new URL("./app-frame.js", import.meta.url).href;

export class AppHolder {
  /** @type {Inside | undefined} */
  #inside;
  #over = new AbortController();
  /** What stands on the page. */
  element = document.createElement("iframe");

  /**
   * @param {HTMLIFrameElement} frame the app's own
   * @param {URL} url of the app
   * @param {{received: (event: MessageEvent) => void, left: () => void, moved: () => void}} handlers `left` when the app,
   *   or a redirect, was kept from going to another origin; `moved` when another document has been loaded
   */
  constructor(frame, url, handlers) {
    this.frame = frame;
    this.url = url;
    this.handlers = handlers;
    this.element.srcdoc =
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${url.origin}">`;
  }

  /** Show the app. @param {Element} place @returns {Promise<void>} resolves when it has loaded */
  async open(place) {
    const { signal } = this.#over;
    const made = eventOf(this.element, "load");
    place.append(this.element);
    await made;
    signal.throwIfAborted();
    // Somebody who moves the element on the page makes it load again, and the app is gone.
    this.element.addEventListener("load", () => this.handlers.moved(), { signal });
    const here = /** @type {Window & typeof globalThis & {clocheAppFrame: Inside}} */ (this.element.contentWindow);
    const { document } = here;
    const script = Object.assign(document.createElement("script"), { type: "module", src: SCRIPT });
    const run = eventOf(script, "load");
    document.head.append(script);
    await run;
    signal.throwIfAborted();
    this.#inside = here.clocheAppFrame;
    here.addEventListener("message", this.handlers.received, { signal });
    document.addEventListener("securitypolicyviolation", () => this.handlers.left(), { signal });
    const loaded = eventOf(this.frame, "load");
    loaded.then(() => this.frame.addEventListener("load", () => this.handlers.moved(), { signal }));
    Object.assign(document.body.style, { margin: "0", overflow: "hidden" });
    Object.assign(this.frame.style, { border: "0", display: "block", width: "100vw", height: "100vh" });
    this.frame.src = this.url.href;
    document.body.append(this.frame);
    await loaded;
  }

  /** @param {unknown} message @param {string} origin */
  post(message, origin) {
    this.#inside?.post(this.frame, message, origin);
  }

  /**
   * The page's end of a transport to an app that has an `IframeChildTransport`.
   *
   * @param {string} targetOrigin
   * @param {number} connectionTimeout
   */
  transport(targetOrigin, connectionTimeout) {
    return this.#inside?.transport({ iframe: this.frame, targetOrigin, connectionTimeout });
  }

  close() {
    this.#over.abort(new AppLoadError("The app was unloaded"));
    this.element.remove();
  }
}

/** @param {HTMLElement} element @param {string} type @returns {Promise<void>} */
function eventOf(element, type) {
  return new Promise((resolve, reject) => {
    element.addEventListener(type, () => resolve(), { once: true });
    element.addEventListener("error", () => reject(new AppLoadError(`${SCRIPT} could not be loaded`)), { once: true });
  });
}
