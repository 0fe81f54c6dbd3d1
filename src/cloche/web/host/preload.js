// @ts-check
import { DEFAULT_LIMITS, isMessage, objection } from "../sandbox/limits.js";
import { SandboxFrame } from "./frame.js";
import { fetchText } from "./channel.js";
import { greetingOf, methodOf } from "./greeting.js";
import { withinLimits } from "./mount.js";
import { BASE, socketTo } from "./socket.js";
import { contextOf } from "./theme.js";

/**
 * Views that this page gets ready for before their tools are called, as `session.preload(…)` told it: the connection to
 * the host, the browser's processes for the server's site and for a view, the view's page, and a sandbox to show it in.
 */

/** Not `display: none`: a browser gives a process whose frames are all hidden less of its time. */
const UNSEEN = "position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0";

/** Milliseconds without a view that loads, before the sandbox for the next one does. */
const RENEW_AFTER = 1000;

/** When a view was last loaded on this page. */
let loadedAt = -Infinity;

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

  /** A view of it is on screen: once no other loads, there is time to get ready for the next. */
  shown() {
    loadedAt = performance.now();
    this.#renewInCalm(RENEW_AFTER);
  }

  /** @param {number} wait in milliseconds */
  #renewInCalm(wait) {
    setTimeout(() => {
      const left = loadedAt + RENEW_AFTER - performance.now();
      if (left > 0) this.#renewInCalm(left);
      else this.renew();
    }, wait);
  }

  /**
   * What a view of this call will be told by the host, as far as the host has said it: nothing of it is from markup but
   * the call's id, and the view that was told a wrong one is taken away.
   *
   * @param {string} call the attribute of the element: the call's id, and the tool
   */
  greeting(call) {
    const [id, tool] = call.split(/ (.*)/s);
    const greetings = this.packet.greetings ?? {};
    if (!Object.hasOwn(greetings, tool ?? "")) return null;
    const initialize = greetings[tool], { toolInfo } = initialize.hostContext;
    if (!toolInfo) return initialize;
    return { ...initialize, hostContext: { ...initialize.hostContext, toolInfo: { ...toolInfo, id } } };
  }

  remove() {
    this.#isOver = true;
    this.#spare?.frame.remove();
  }
}

/**
 * What the element does for a view that loads early: its attribute `call`, how the page looks, and room for the view.
 *
 * @typedef {{call: string, context: () => Record<string, unknown>, resized: (height: number) => void}} EarlyStage
 */

/**
 * A view that loads while the host still looks at its ticket. All that is used here came from the host, not from markup,
 * and the view stays only when the host has it loaded and greeted exactly like this. Nothing that it says is passed on
 * before that.
 */
export class EarlyView {
  /** How the page looked when the view was greeted. @type {Record<string, unknown> | null} */
  context = null;
  /** What the view was told. @type {Record<string, any> | null} */
  #greeting = null;
  /** @type {EarlyStage | null} */
  #stage = null;
  /** The height that the view asked for. @type {number | undefined} */
  height;
  /** What the view said and what happened to it meanwhile. @type {((mount: import("./mount.js").Mount) => void)[]} */
  #held = [];
  /** @type {import("./mount.js").Mount | undefined} */
  #mount;

  /** @param {PreparedView} view @param {Promise<string>} [html] @param {string} [theme] */
  constructor(view, html, theme = "light") {
    this.view = view;
    this.frame = view.frame(html, theme, {
      message: (message, gesture) => {
        if (!this.#mount && this.#greet(message)) return;
        this.#pass(({ handlers }) => handlers.message(message, gesture));
      },
      event: (event) => {
        if (event.event === "loaded") view.shown();
        this.#pass(({ handlers }) => handlers.event(event));
      },
      ended: (why, facts) => this.#pass(({ handlers }) => handlers.ended(why, facts)),
    });
  }

  /**
   * Load the view of an element, when this page is ready for it.
   *
   * @param {string | null} name
   * @param {Element} place
   * @param {string} theme
   * @param {EarlyStage} stage
   */
  static open(name, place, theme, stage) {
    const view = prepared.get(name ?? "");
    if (!view?.packet.early) return null;
    const early = view.show(place, theme);
    early.#stage = stage;
    return early;
  }

  /** Whether the view is what the host would have on the page now. @param {any} packet */
  fits({ early, initialize }) {
    const isGreetedSo = !this.#greeting || JSON.stringify(this.#greeting) === JSON.stringify(initialize);
    return this.view.packet.early === early && isGreetedSo;
  }

  /** Answer the view's hello, and make room for it. Whether the message is dealt with. @param {any} message */
  #greet(message) {
    const { limits } = this.frame.options;
    if (!this.#stage || objection(message, limits) || !isMessage(message)) return false;
    const method = methodOf(message), params = message.params ?? {};
    if (method === "ui/notifications/size-changed") this.#resize(params, limits);
    if (method !== "ui/initialize" || message.id === undefined || this.#greeting) return false;
    const initialize = this.view.greeting(this.#stage.call);
    if (!initialize) return false;
    this.#greeting = initialize;
    this.context = this.#stage.context();
    const result = greetingOf({ ...this.view.packet, initialize }, this.context, params);
    this.frame.post({ jsonrpc: "2.0", id: message.id, result });
    this.#pass((mount) => mount.greeted(params));
    return true;
  }

  /** Now, so that nothing moves any more when the result is there. @param {any} size @param {any} limits */
  #resize(size, limits) {
    const { height } = withinLimits(size, limits.maxHeight);
    if (height === undefined) return;
    this.height = height;
    this.#stage?.resized(height);
  }

  /** @param {(mount: import("./mount.js").Mount) => void} call */
  #pass(call) {
    if (this.#mount) call(this.#mount);
    else this.#held.push(call);
  }

  /** The host has opened the view: what it said goes on to this. @param {import("./mount.js").Mount} mount */
  handOver(mount) {
    this.#mount = mount;
    for (const call of this.#held.splice(0)) call(mount);
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
