// @ts-check
/**
 * The windows that an outer page has: a frame, or a popup.
 *
 * @typedef {import("./inner-control.js").WindowMessage} WindowMessage
 * @typedef {import("./permissions.js").Consent} Consent
 * @typedef {{
 *   navigate: (url: string, options?: {allow?: string[]}) => void,
 *   postMessage: (message: any, targetOrigin: string, transfer?: Transferable[]) => void,
 *   onMessage: (handler: (event: WindowMessage) => void) => () => void,
 *   onGone?: (handler: () => void) => () => void, onLoad?: (handler: () => void) => () => void,
 *   setVisible: (isVisible: boolean) => void,
 *   destroy?: () => void,
 *   isOpaque?: boolean, grantsPermissions?: boolean, onPermissionRequest?: Consent,
 * }} OuterWindowControl `isOpaque`: its pages have the origin "null"; `grantsPermissions`: `allow` has an effect
 * @typedef {{
 *   iframe: HTMLIFrameElement, setVisible?: (isVisible: boolean) => void, sandbox?: string | null,
 *   onNavigate?: (url: string) => void, onLoad?: () => void, onPermissionRequest?: Consent,
 * }} IframeOptions `sandbox` are the words of that attribute, or null for a frame without it
 * @typedef {{features?: string, onClose?: () => void}} PopupOptions
 */
import { FrameError } from "./errors.js";

/** Milliseconds between two looks at a window: nothing tells that it was closed. */
const LOOK_EVERY = 250;
/** Milliseconds between two looks at a popup that is emptied. */
const BLANK_EVERY = 20;
const POPUP = { width: 800, height: 600 };
const SANDBOX = "allow-scripts allow-forms allow-modals";

/** @param {string} url */
function webAddress(url) {
  const found = new URL(url, document.baseURI);
  if (!/^https?:$/.test(found.protocol)) {
    throw new FrameError("The URL of a server begins with https:// or http://", "CONFIG_ERROR");
  }
  return found;
}

/** What frames and popups have in common. */
class WindowControl {
  #over = new AbortController();

  /** @returns {Window | null} */
  get target() {
    return null;
  }

  /** Whether it will show nothing more. */
  get isGone() {
    return false;
  }

  /** @param {any} message @param {string} targetOrigin @param {Transferable[]} [transfer] */
  postMessage(message, targetOrigin, transfer = []) {
    this.check();
    const { target } = this;
    if (!target) throw new FrameError("The window is not available", "WINDOW_GONE");
    target.postMessage(message, targetOrigin, transfer);
  }

  /** Hear what is in this window, and nobody else. @param {(event: WindowMessage) => void} handler */
  onMessage(handler) {
    this.check();
    const stop = new AbortController();
    addEventListener("message", (event) => {
      if (event.source && event.source === this.target) handler(event);
    }, { signal: AbortSignal.any([stop.signal, this.#over.signal]) });
    return () => stop.abort();
  }

  /** @param {() => void} handler */
  onGone(handler) {
    const look = setInterval(() => this.isGone && handler(), LOOK_EVERY);
    this.#over.signal.addEventListener("abort", () => clearInterval(look));
    return () => clearInterval(look);
  }

  check() {
    if (this.#over.signal.aborted) throw new FrameError("WindowControl has been destroyed", "NOT_NOW");
  }

  destroy() {
    this.#over.abort();
  }
}

/**
 * A frame. Each navigation is a new window for the browser: what an earlier page said or still says comes from another
 * one, and `#setup` alone never turns into a jump within the same page.
 */
export class IframeWindowControl extends WindowControl {
  grantsPermissions = true;
  isOpaque = false;

  /** @param {IframeOptions} options */
  constructor({ iframe, setVisible, sandbox, onNavigate, onLoad, onPermissionRequest }) {
    super();
    this.iframe = iframe;
    this.sandbox = sandbox;
    this.show = setVisible ?? ((/** @type {boolean} */ isVisible) => iframe.hidden = !isVisible);
    this.onNavigate = onNavigate;
    this.onPermissionRequest = onPermissionRequest;
    if (onLoad) this.onLoad(onLoad);
  }

  /** @override */
  get target() {
    return this.iframe.contentWindow;
  }

  /** @override */
  get isGone() {
    return !this.iframe.isConnected;
  }

  /** @param {() => void} handler called when a page has loaded */
  onLoad(handler) {
    this.iframe.addEventListener("load", handler);
    return () => this.iframe.removeEventListener("load", handler);
  }

  /** @param {string} url @param {{allow?: string[]}} [options] names of permissions for this page */
  navigate(url, { allow = [] } = {}) {
    this.check();
    const { iframe } = this;
    const { parentNode, nextSibling } = iframe;
    if (!iframe.isConnected || !parentNode) {
      throw new FrameError("Put the frame into the page before it is navigated", "WINDOW_GONE");
    }
    const address = webAddress(url);
    const words = this.#words(address.origin);
    this.isOpaque = words != null && !words.split(/\s+/).includes("allow-same-origin");
    iframe.remove();
    if (words == null) iframe.removeAttribute("sandbox");
    else iframe.setAttribute("sandbox", words);
    iframe.setAttribute("allow", allow.map((name) => `${name} ${address.origin}`).join("; "));
    iframe.removeAttribute("srcdoc");
    iframe.src = address.href;
    this.onNavigate?.(address.href);
    parentNode.insertBefore(iframe, nextSibling);
  }

  /** @param {string} origin */
  #words(origin) {
    if (this.sandbox !== undefined) return this.sandbox;
    // A page of our own origin could take the sandbox off; one of another origin needs its own to store anything.
    return origin == location.origin ? SANDBOX : `${SANDBOX} allow-same-origin allow-storage-access-by-user-activation`;
  }

  /** @param {boolean} isVisible */
  setVisible(isVisible) {
    this.show(isVisible);
  }

  /** Hear nothing more, and empty the frame. @override */
  destroy() {
    super.destroy();
    this.iframe.removeAttribute("src");
    if (this.iframe.contentWindow) this.iframe.src = "about:blank";
  }
}

/** A popup: a window of its own, for pages that must not be framed. Browsers open one in a click only. */
export class PopupWindowControl extends WindowControl {
  /** The browser itself asks for what a page in a popup uses. */
  grantsPermissions = false;
  isOpaque = false;
  /** @type {Window | null} */
  #popup = null;
  #navigations = 0;
  /** @type {any} */
  #closing;

  /** @param {PopupOptions} [options] */
  constructor({ features, onClose } = {}) {
    super();
    this.features = features;
    this.onClose = onClose;
  }

  /** @override */
  get target() {
    return this.#popup;
  }

  /** @override */
  get isGone() {
    return !!this.#popup?.closed;
  }

  /** @param {string} url */
  navigate(url) {
    this.check();
    const address = webAddress(url).href;
    const turn = ++this.#navigations;
    if (this.#popup && !this.#popup.closed) return void this.#again(this.#popup, address, turn);
    const { width, height } = POPUP;
    const left = Math.round(screenX + (outerWidth - width) / 2);
    const top = Math.round(screenY + (outerHeight - height) / 2);
    const features = this.features ?? `popup,width=${width},height=${height},left=${left},top=${top}`;
    // A name of its own: two servers must not share a window.
    this.#popup = open(address, "mcp-" + crypto.randomUUID(), features);
    if (!this.#popup) {
      throw new FrameError("The browser blocked the popup: open it when the user clicks", "POPUP_BLOCKED");
    }
    clearInterval(this.#closing);
    this.#closing = setInterval(() => {
      if (!this.#popup?.closed) return;
      clearInterval(this.#closing);
      this.onClose?.();
    }, LOOK_EVERY);
  }

  /** From a page to its own `#setup` is a jump, not a load: an empty page comes between. @param {Window} popup @param {string} address @param {number} turn */
  #again(popup, address, turn) {
    popup.location.replace("about:blank");
    const look = setInterval(() => {
      if (popup.closed || turn != this.#navigations) return clearInterval(look);
      try {
        if (popup.location.href != "about:blank") return;
      } catch {
        return; // the page before is still there
      }
      clearInterval(look);
      popup.location.replace(address);
    }, BLANK_EVERY);
  }

  /** @param {boolean} isVisible */
  setVisible(isVisible) {
    if (isVisible) this.#popup?.focus();
    else if (this.#popup && !this.#popup.closed) focus();
  }

  /** Hear nothing more, and close the window. @override */
  destroy() {
    super.destroy();
    clearInterval(this.#closing);
    this.#popup?.close();
  }
}
