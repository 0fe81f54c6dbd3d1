// @ts-check
import { DEFAULT_LIMITS } from "../sandbox/limits.js";
import { SandboxFrame } from "./frame.js";
import { fetchText } from "./channel.js";
import { BASE, socketTo } from "./socket.js";

/**
 * Views that this page gets ready for before their tools are called, as `session.preload(…)` told it: the connection to
 * the host, the browser's processes for the server's site and for a view, and the view's page.
 *
 * @typedef {{packet: any, html: Promise<string>}} Prepared what the host said of a view
 */

/** Not `display: none`: a browser gives a process whose frames are all hidden less of its time. */
const UNSEEN = "position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0";

/** By the name that elements have in their attribute `view`. @type {Map<string, Prepared>} */
const prepared = new Map();

/** @param {Prepared} view @param {string} theme @param {import("./frame.js").SandboxHandlers} handlers */
function frameOf({ packet, html }, theme, handlers) {
  const limits = { ...DEFAULT_LIMITS, ...packet.limits };
  return new SandboxFrame({ sandbox: packet.sandbox, frame: packet.frame, limits, html, theme }, handlers);
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

  /** @param {Prepared} view @param {string} theme */
  constructor(view, theme) {
    this.early = view.packet.early;
    this.frame = frameOf(view, theme, {
      message: (message, gesture) => this.#pass((handlers) => handlers.message(message, gesture)),
      event: (event) => this.#pass((handlers) => handlers.event(event)),
      ended: (why, facts) => this.#pass((handlers) => handlers.ended(why, facts)),
    });
  }

  /** The early view for an element, when this page is ready for it. @param {string | null} name @param {string} theme */
  static of(name, theme) {
    const view = prepared.get(name ?? "");
    return view?.packet.early ? new EarlyView(view, theme) : null;
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
  #name = "";
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
    prepared.delete(this.#name);
    for (const frame of this.#frames.splice(0)) frame.remove();
    this.#channel?.close();
    this.#channel = null;
  }

  /** @param {any} packet */
  #take(packet) {
    const html = fetchText(new URL(packet.html, BASE).href);
    this.#name = packet.view;
    prepared.set(packet.view, { packet, html });
    html.catch(() => prepared.delete(packet.view)); // then it is fetched with the view, which says why it cannot be
    this.#load(Promise.resolve(""), packet, (empty) => {
      this.#frames = [empty];
      // Once, unseen and unheard: what the browser has compiled then, it need not compile when the view is shown.
      this.#load(html, packet, (rehearsal) => {
        rehearsal.remove();
        this.#settle();
      });
    });
  }

  /** @param {Promise<string>} html @param {any} packet @param {(frame: SandboxFrame) => void} loaded */
  #load(html, packet, loaded) {
    const frame = frameOf({ packet, html }, "light", {
      message: () => {},
      event: ({ event }) => event === "loaded" && loaded(frame),
      ended: () => this.#settle(),
    });
    this.#frames.push(frame);
    frame.start(this.#root);
  }
}

if (!customElements.get("mcp-app-preload")) customElements.define("mcp-app-preload", McpAppPreload);
