// @ts-check
import { isObject } from "../json.js";
import { openLink, safeLink, saveFiles } from "./actions.js";
import { calm } from "./calm.js";
import { Dialog } from "./dialog.js";
import { keyboard } from "./keyboard.js";
import { isLeaky, isNewlyLeaky } from "./leaks.js";
import { Mount } from "./mount.js";
import { forgetAsker, pageDialog } from "./page-dialog.js";
import { EarlyView } from "./preload.js";
import "./questions.js";
import { listen } from "./sign-in.js";
import { BASE, socketTo } from "./socket.js";
import { Surface } from "./surface.js";
import { changes, contextOf, themeOf, watchTheme } from "./theme.js";
export { createAppHost } from "./app-host.js";
export { createAppChild } from "./app-child.js";
export { AppConnectionError, AppLoadError, AppTimeoutError, OriginNotAllowedError } from "./app-errors.js";

const FOREIGN_BASE = "The attribute base names an origin that is neither this page's nor its script's. " +
  "Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(…).";
const LEAKY =
  "This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.";

/** Milliseconds after which a view hears of a change around it. */
const LOOK_AFTER = 50;

/**
 * `<mcp-app ticket="…">`: one view of an MCP server, on this page and under glass.
 *
 * Attributes: `ticket`, from `call.embed()`; or `server`, `tool` and `arguments` (JSON), for tools that the host opens to
 * pages; `theme` ("light" or "dark"), else the page's own; `locale`, else the browser's; `base`, where the host answers,
 * on an origin of `McpApp.origins`, else where this script is from. Its events: `statechange`, after which `state` is "loading", "ready", "error" or "closed".
 */
export class McpApp extends HTMLElement {
  /** Origins that `base` may name. Scripts of the page add to it, markup cannot: `McpApp.origins.add("https://…")`. */
  static origins = new Set([location.origin, new URL(BASE).origin]);
  static observedAttributes = ["ticket", "server", "tool", "arguments", "theme", "locale"];

  /** @type {"idle" | "loading" | "ready" | "error" | "closed"} */
  state = "idle";
  /** What went wrong: a word, and a sentence. @type {{code: string, message: string} | null} */
  error = null;
  /** @type {"inline" | "fullscreen"} */
  displayMode = "inline";

  /** @type {Surface} */
  #surface;
  /** @type {Dialog} */
  #dialog;
  /** @type {import("./channel.js").ResumableChannel | null} */
  #channel = null;
  /** @type {Mount | null} */
  #mount = null;
  /** The view while the host still looks at its ticket, when this page is ready for it. @type {EarlyView | null} */
  #early = null;
  /** What opens the same view again without calling the tool again. @type {string | null} */
  #ticket = null;
  /** @type {Record<string, unknown>} */
  #context = {};
  /** @type {(() => void)[]} */
  #watches = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #looking;
  /** Since when a view that still loads is to have the keyboard: unless the person does something else meanwhile. */
  #wantsFocusAt = NaN;

  constructor() {
    super();
    this.#surface = new Surface(this, {
      retry: () => this.reload(),
      leave: () => this.#setMode("inline"),
      allowQuestions: () => this.#mount?.report("allow-questions"),
    });
    const { panel, stage } = this.#surface;
    this.#dialog = new Dialog(panel, stage, () => this.focus());
  }

  connectedCallback() {
    const room = new ResizeObserver(() => this.#lookSoon());
    room.observe(this);
    this.#watches = [
      watchTheme(() => this.#lookSoon()),
      () => room.disconnect(),
      listen((query) => this.#mount?.report("sign-in", { query })),
    ];
    this.#open();
  }

  disconnectedCallback() {
    for (const stop of this.#watches.splice(0)) stop();
    clearTimeout(this.#looking);
    this.#looking = undefined;
    this.#close();
    this.#setState("idle");
  }

  /** Moved with `moveBefore`, which keeps frames as they are. */
  connectedMoveCallback() {}

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    // Attributes that are in the markup are told of before the element is connected.
    if (before === after || this.#watches.length === 0) return;
    if (name === "theme" || name === "locale") return this.#look();
    this.#ticket = null;
    this.reload();
  }

  /** Give the view the whole window, or take it back. @param {"inline" | "fullscreen"} mode */
  setDisplayMode(mode) {
    if (this.#mount) this.#setModeInCalm(mode);
  }

  /** Give the view the keyboard; one that still loads gets it when it is there, unless the person has gone on. @override */
  focus() {
    this.#mount?.frame.focus();
    if (this.state === "loading") this.#wantsFocusAt = keyboard.moment;
  }

  /** Show the view anew; the tool is not called again. */
  reload() {
    this.#close();
    if (this.isConnected) this.#open();
  }

  #open() {
    if (!this.#ticket && !this.hasAttribute("ticket") && !this.hasAttribute("tool")) return;
    this.error = null;
    if (!this.#arguments()) return this.#fail("arguments", "The attribute arguments is not a JSON object.");
    const base = this.#base();
    if (base === null) return this.#fail("base", FOREIGN_BASE);
    this.#setState("loading");
    const theme = themeOf(this);
    this.#surface.setTheme(theme);
    this.#early = base !== BASE ? null : EarlyView.open(this.getAttribute("view"), this.#surface.stage, theme, {
      call: this.getAttribute("call") ?? "",
      context: () => this.#contextNow(),
      resized: (height) => this.#surface.setHeight(height),
    });
    let again = true;
    this.#channel = socketTo(base).open(() => this.#request(), {
      mounted: (packet) => this.#mountedIfTight(packet),
      // A question may come before the view: whether it gets a permission decides where it is shown.
      frame: (frame) => this.#mount ? this.#mount.receive(frame) : this.#act(frame),
      waiting: (waits) => this.#surface.setWaiting(waits && this.#mount !== null),
      failed: (code, message) => {
        // The host was started anew, or waited too long: its record of the view may still open it.
        if (code === "gone" && again && this.#mount) return void (again = false, this.reload());
        this.#fail(code, message);
      },
    });
  }

  /** Where the host answers; null for a place that markup cannot name: sanitizers let attributes of strangers through. */
  #base() {
    const given = this.getAttribute("base");
    if (!given) return BASE;
    const path = given.replace(/\/?$/, "/");
    const address = URL.canParse(path, document.baseURI) ? new URL(path, document.baseURI) : null;
    return address && McpApp.origins.has(address.origin) ? address.href : null;
  }

  /** Of the tool; null where the attribute is not a JSON object. */
  #arguments() {
    try {
      const given = JSON.parse(this.getAttribute("arguments") || "{}");
      return isObject(given) ? given : null;
    } catch {
      return null;
    }
  }

  #close() {
    calm.forget(this);
    this.#dialog.clear();
    if (this.#channel) forgetAsker(this.#channel);
    this.#mount?.remove();
    this.#early?.frame.remove();
    this.#mount = this.#early = null;
    this.#setMode("inline");
    this.#channel?.close();
    this.#channel = null;
    this.#surface.setWaiting(false);
    this.#surface.setProgress(null);
    this.#surface.setQuestionsOff(false);
    this.#wantsFocusAt = NaN;
  }

  /** @returns {import("./channel.js").Frame} */
  #request() {
    // A view that loads already has it from the page, when it is greeted: to measure now would hold up both.
    if (!this.#early) this.#context = this.#contextNow();
    const rest = { context: this.#early ? {} : this.#context, origin: location.origin };
    const ticket = this.#ticket ?? this.getAttribute("ticket");
    if (ticket) return { ticket, ...rest };
    return {
      server: this.getAttribute("server") ?? "",
      tool: this.getAttribute("tool") ?? "",
      arguments: this.#arguments(),
      ...rest,
    };
  }

  /** The product may want to know of a browser that lets views leak, or show none there. @param {any} packet */
  async #mountedIfTight(packet) {
    const { leaky } = packet, refuses = leaky?.do === "refuse";
    if (!refuses) this.#mounted(packet);
    if (!leaky) return;
    const channel = this.#channel;
    const leaks = await (refuses ? isLeaky : isNewlyLeaky)(leaky.probe, this.#surface.stage);
    if (!channel || channel !== this.#channel) return;
    if (leaks) channel.send({ event: "leaky", refused: refuses });
    if (refuses) leaks ? this.#fail("leaky", LEAKY) : this.#mounted(packet);
  }

  /** @param {any} packet */
  #mounted(packet) {
    const channel = this.#channel;
    if (!channel) return;
    this.#ticket = packet.ticket ?? this.#ticket;
    if (this.#early) this.#context = this.#early.context ?? this.#contextNow();
    const early = this.#takeEarly(packet);
    this.#surface.describe(packet, early?.height);
    this.#mount = new Mount(packet, channel, {
      shown: () => this.#shown(),
      resized: ({ height }) => height === undefined || this.#surface.setHeight(height),
      ended: (code, message) => this.#fail(code, message),
      // While it is asked about something, no key of the person's reaches it: then it made that up.
      escaped: () => this.#dialog.isOpen || this.#setMode("inline"),
      act: (frame) => this.#act(frame),
      context: () => this.#context,
    }, early?.frame);
    if (early) early.handOver(this.#mount);
    else this.#mount.frame.start(this.#surface.stage);
  }

  #shown() {
    this.#setState("ready");
    const isWanted = keyboard.isSince(this.#wantsFocusAt);
    this.#wantsFocusAt = NaN;
    if (isWanted) this.focus();
  }

  /** The view that loads already, if the host has it loaded exactly so. @param {any} packet */
  #takeEarly(packet) {
    const early = this.#early;
    this.#early = null;
    if (early?.fits(packet)) return early;
    early?.frame.remove();
    return null;
  }

  /** What the host wants done here. @param {import("./channel.js").Frame} frame */
  #act(frame) {
    if (frame.ask !== undefined) {
      const isOfServer = frame.question?.over === "page";
      this.#channel?.ask(isOfServer ? pageDialog() : this.#dialog, frame.ask, frame.question);
    } else if (frame.unask !== undefined) this.#dialog.unask(frame.unask), pageDialog().unask(frame.unask);
    else if (frame.do === "open-link") this.#openLink(frame.url);
    else if (frame.do === "display-mode") this.#setModeInCalm(frame.mode, true);
    else if (frame.do === "questions") this.#surface.setQuestionsOff(frame.off === true);
    else if (frame.do === "progress") this.#surface.setProgress(frame.over ? null : frame);
    else if (frame.do === "download") {
      saveFiles(frame.files, () => this.#mount?.report("error", { message: "download" }));
    } else if (frame.do === "remove") {
      this.#close();
      this.#setState("closed");
    }
  }

  /** @param {unknown} url */
  async #openLink(url) {
    const link = safeLink(url);
    if (!link) return;
    // Without a click just before, browsers open nothing: so there is one.
    const isAsked = navigator.userActivation?.isActive ?? true;
    const question = { title: `Open ${link.host}?`, details: link.href, accept: "Open", refuse: "Cancel" };
    if (isAsked || await this.#dialog.ask(link, question)) openLink(link);
  }

  /**
   * Not under somebody's pointer: a question on the page is answered first. And what fills the window takes the keyboard,
   * which a view does not get that way from a field of the page.
   *
   * @param {unknown} mode
   * @param {boolean} [isForView] whether the view asked for it
   */
  #setModeInCalm(mode, isForView = false) {
    calm.when(this, "mode", () => {
      const isLarge = mode === "fullscreen" && !(isForView && keyboard.isWriting);
      this.#setMode(isLarge ? "fullscreen" : "inline");
    });
  }

  /** @param {"inline" | "fullscreen"} mode */
  #setMode(mode) {
    if (mode !== this.displayMode) {
      this.displayMode = mode;
      // Opening takes the focus to the first button: who was in the view stays in it.
      if (this.#surface.setLarge(mode === "fullscreen")) this.#mount?.frame.focus();
      this.#look();
    }
    // The host waits for it, also when it was so already.
    this.#mount?.report("display-mode", { mode });
  }

  /** @param {string} code @param {string} message */
  #fail(code, message) {
    this.error = { code, message };
    this.#close();
    this.#setState("error");
  }

  /** @param {McpApp["state"]} state */
  #setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.#surface.setState(state, this.error);
    this.dispatchEvent(new Event("statechange"));
  }

  #contextNow() {
    return contextOf(this, { displayMode: this.displayMode, ...this.#surface.room() });
  }

  /** Once for many changes: a window that is being resized changes with every frame. */
  #lookSoon() {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.#look();
    }, LOOK_AFTER);
  }

  /** The page may look different now: tell the view. */
  #look() {
    this.#surface.setTheme(themeOf(this));
    const now = this.#contextNow();
    const changed = changes(this.#context, now);
    this.#context = now;
    if (!this.#mount || Object.keys(changed).length === 0) return;
    if (changed.theme) this.#mount.frame.setTheme(now.theme);
    this.#mount.report("context", changed);
  }
}

if (!customElements.get("mcp-app")) customElements.define("mcp-app", McpApp);
