// @ts-check
import { DEFAULT_LIMITS } from "../sandbox/limits.js";
import { SandboxFrame } from "./frame.js";
import { fetchText } from "./channel.js";
import { BASE, socketTo } from "./socket.js";
import { contextOf } from "./theme.js";

/**
 * Views that this page gets ready for before their tools are called, as `session.preload(…)` told it: the connection to
 * the host, the browser's processes for the server's site and for a view, the view's page, and a sandbox to show it in.
 */

/** Not `display: none`: a browser gives a process whose frames are all hidden less of its time. */
const UNSEEN = "position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0";

/** Milliseconds that a view has to itself after it was loaded, before the sandbox for the next one is. */
const RENEW_AFTER = 1000;

/** By the name that elements have in their attribute `view`. @type {Map<string, PreparedView>} */
const prepared = new Map();

/** What the host said of a view, and the sandbox that the next one of it is shown in. */
class PreparedView {
  /** A sandbox without a view, its handshake done. @type {EarlyView | undefined} */
  #spare;
  #isOver = false;

  /** @param {any} packet @param {ShadowRoot} root where it has its frames */
  constructor(packet, root) {
    this.packet = packet;
    this.root = root;
    this.html = fetchText(new URL(packet.html, BASE).href);
  }

  /** @param {Promise<string> | undefined} html @param {string} theme @param {import("./frame.js").SandboxHandlers} handlers */
  frame(html, theme, handlers) {
    const { sandbox, frame } = this.packet;
    const limits = { ...DEFAULT_LIMITS, ...this.packet.limits };
    return new SandboxFrame({ sandbox, frame, limits, html, theme }, handlers);
  }

  /** Load a sandbox for the next view, where a loaded frame can be moved. */
  renew() {
    if (this.#spare || this.#isOver || !this.packet.early || !("moveBefore" in Element.prototype)) return;
    this.#spare = new EarlyView(this);
    this.#spare.frame.start(this.root);
  }

  /** @param {Element} stage where the view is shown @param {string} theme */
  show(stage, theme) {
    const spare = this.#spare;
    this.#spare = undefined;
    const isFit = spare && !spare.frame.isOver && stage.getRootNode({ composed: true }) === document;
    const view = isFit ? spare : new EarlyView(this, this.html, theme);
    if (isFit) view.frame.show(stage, this.html, theme);
    else view.frame.start(stage);
    return view;
  }

  /** A view of it is on screen: now there is time to get ready for another. */
  shown() {
    setTimeout(() => this.renew(), RENEW_AFTER);
  }

  remove() {
    this.#isOver = true;
    this.#spare?.frame.remove();
  }
}

/**
 * A view that loads while the host still looks at its ticket. All that is used here came from the host, not from markup;
 * nobody answers the view before the host has opened it, and then only when it is to be loaded exactly like this.
 */
export class EarlyView {
  /** What the view said and what happened to it meanwhile. @type {(() => void)[]} */
  #held = [];
  /** @type {import("./frame.js").SandboxHandlers | undefined} */
  #handlers;

  /** @param {PreparedView} view @param {Promise<string>} [html] @param {string} [theme] */
  constructor(view, html, theme = "light") {
    this.early = view.packet.early;
    this.frame = view.frame(html, theme, {
      message: (message, gesture) => this.#pass((handlers) => handlers.message(message, gesture)),
      event: (event) => {
        if (event.event === "loaded") view.shown();
        this.#pass((handlers) => handlers.event(event));
      },
      ended: (why, facts) => this.#pass((handlers) => handlers.ended(why, facts)),
    });
  }

  /**
   * Load the view of an element, when this page is ready for it.
   *
   * @param {string | null} name
   * @param {Element} stage
   * @param {string} theme
   */
  static open(name, stage, theme) {
    const view = prepared.get(name ?? "");
    return view?.packet.early ? view.show(stage, theme) : null;
  }

  /** @param {(handlers: import("./frame.js").SandboxHandlers) => void} call */
  #pass(call) {
    if (this.#handlers) call(this.#handlers);
    else this.#held.push(() => this.#handlers && call(this.#handlers));
  }

  /** The host has opened the view: what it said goes on to these. @param {import("./frame.js").SandboxHandlers} handlers */
  handOver(handlers) {
    this.#handlers = handlers;
    for (const call of this.#held.splice(0)) call();
  }
}

/** `<mcp-app-preload ticket="…">`, from `session.preload(…)`: is not seen. `ready` resolves when the page is. */
export class McpAppPreload extends HTMLElement {
  /** @type {() => void} */
  #settle = () => {};
  /** Resolves when the page is ready for the view, or cannot be. */
  ready = new Promise((resolve) => this.#settle = () => resolve(undefined));
  /** @type {import("./channel.js").ResumableChannel | null} */
  #channel = null;
  /** Views that nobody sees: an empty one of the same server keeps the browser's processes for it. @type {SandboxFrame[]} */
  #frames = [];
  /** @type {PreparedView | undefined} */
  #view;
  #root = this.attachShadow({ mode: "closed" });

  connectedCallback() {
    this.inert = true;
    this.ariaHidden = "true";
    this.style.cssText = UNSEEN;
    this.#channel = socketTo(BASE).open(() => ({ preload: this.getAttribute("ticket") ?? "" }), {
      mounted: (packet) => this.#take(packet),
      frame: () => {},
      failed: () => this.#settle(),
    });
  }

  disconnectedCallback() {
    if (this.#view) this.#forget(this.#view);
    for (const frame of this.#frames.splice(0)) frame.remove();
    this.#channel?.close();
    this.#channel = null;
  }

  /** @param {PreparedView} view */
  #forget(view) {
    view.remove();
    if (prepared.get(view.packet.view) === view) prepared.delete(view.packet.view);
  }

  /** @param {any} packet */
  #take(packet) {
    const view = this.#view = new PreparedView(packet, this.#root);
    contextOf(this, { displayMode: "inline", width: 0 }); // the first look at dates and time zones takes a while
    prepared.set(packet.view, view);
    view.html.catch(() => this.#forget(view)); // then it is fetched with the view, which says why it cannot be
    this.#load(view, Promise.resolve(""), (empty) => {
      this.#frames = [empty];
      view.renew();
      // Once, unseen and unheard: what the browser has compiled then, it need not compile when the view is shown.
      this.#load(view, view.html, (rehearsal) => {
        rehearsal.remove();
        this.#settle();
      });
    });
  }

  /** @param {PreparedView} view @param {Promise<string>} html @param {(frame: SandboxFrame) => void} loaded */
  #load(view, html, loaded) {
    const frame = view.frame(html, "light", {
      message: () => {},
      event: ({ event }) => event === "loaded" && loaded(frame),
      ended: () => this.#settle(),
    });
    this.#frames.push(frame);
    frame.start(this.#root);
  }
}

if (!customElements.get("mcp-app-preload")) customElements.define("mcp-app-preload", McpAppPreload);
