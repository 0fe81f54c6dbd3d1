// @ts-check
import { make } from "../elements.js";
import { button, FrameElement } from "./frame-element.js";
import { pageDialog } from "./page-dialog.js";

/**
 * `<mcp-server ticket="…">`: a server by URL, in a frame of this page. The host's model can call its tools when the
 * person at this page allows it.
 *
 * Its ticket is from `session.server_element(name)`. Its event: `statechange`, after which `state` is "idle",
 * "connecting" (to the host), "new" (it has to be set up), "setup", "loading", "ready" or "error".
 *
 * @typedef {import("./framed-server.js").Setup} Setup
 */
export class McpServerElement extends FrameElement {
  /** How the server was set up. @type {Setup | null} */
  setup = null;

  #name = "";
  #isVisible = false;
  #notice = "";

  #setupTitle = make("strong");
  #setupOrigin = make("span");
  #setupFrame = make("iframe", { title: "Setup" });
  #dialog = make("dialog", { class: "setup", "aria-label": "Set up a server" });
  /** @type {Record<"toggle" | "back" | "again" | "away", HTMLElement>} */
  #buttons;

  constructor() {
    const buttons = {
      toggle: button("Show", () => this.setVisible(!this.#isVisible)),
      back: button("Reconnect", () => this.reconnect()),
      again: button("Set up", () => this.setUp()),
      away: button("Remove", () => this.forget()),
    };
    super("Server", Object.values(buttons));
    this.#buttons = buttons;
    const cancel = button("Cancel", () => this.framed?.cancel());
    const over = make("div", "bar", make("div", "origin whose", this.#setupTitle, this.#setupOrigin), cancel);
    this.#dialog.append(over, this.#setupFrame);
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.framed?.cancel();
    });
    this.root.append(this.#dialog);
    this.draw();
  }

  /** Whether the server's page is shown. */
  get isVisible() {
    return this.#isVisible;
  }

  /** Show or hide a server whose visibility is optional. @param {boolean} isVisible */
  setVisible(isVisible) {
    this.framed?.setVisible(isVisible);
  }

  /** Have the person set the server up, and connect to it. */
  async setUp() {
    const server = this.framed;
    if (!server) return;
    this.#lose("it is being set up");
    this.become("setup");
    try {
      const setup = await server.setUp(this.setup);
      if (!setup || server !== this.framed) return;
      this.setup = setup;
      this.tell("setup", { setup });
    } catch (error) {
      return this.fail(server, error);
    }
    await this.reconnect();
  }

  /** Connect to the server as it was set up last. */
  async reconnect() {
    const server = this.framed;
    if (!server || !this.setup) return;
    this.#lose("it is being loaded");
    this.become("loading");
    try {
      if (!await server.connect(this.setup) || server !== this.framed) return;
      this.tell("connected");
      this.become("ready");
    } catch (error) {
      this.fail(server, error);
    }
  }

  /** Remove the server: its setup is forgotten here and at the host. What it stored itself stays in the browser. */
  forget() {
    if (!this.framed) return;
    this.framed.close();
    this.setup = null;
    this.#notice = "";
    this.tell("removed");
    this.become("new");
  }

  /** @override @param {string} ticket */
  request(ticket) {
    return { offer: ticket, visible: !document.hidden };
  }

  /** @override @param {{url: string, server: string, setup: Setup | null}} told */
  mounted({ url, server, setup }) {
    this.#name = server;
    this.speakWith(url, {
      setupFrame: this.#setupFrame,
      showSetup: (isVisible) => this.#showSetup(isVisible),
      allow: (wanted) => this.#allow(new URL(url).origin, wanted),
      notice: (text) => {
        this.#notice = text;
        this.draw();
      },
    });
    // A host that was started anew may have forgotten what this page knows.
    if (!setup && this.setup) this.tell("setup", { setup: this.setup });
    this.setup = setup ?? this.setup;
    if (this.setup) this.reconnect();
    else this.become("new");
  }

  /**
   * What the server's page may use of the browser, the person says over the page.
   *
   * @param {string} origin
   * @param {import("./framed-server.js").PermissionRequirement[]} wanted
   */
  async #allow(origin, wanted) {
    const details = wanted.map(({ name, purpose }) => `${name}: ${purpose}`).join("\n");
    const question = { title: `Allow ${origin} to use this?`, details, accept: "Allow", seconds: CONSENT_SECONDS };
    return await pageDialog().ask({}, question, undefined, this) === true;
  }

  /** The connection that there is ends, for a reason that the host is told. @param {string} message */
  #lose(message) {
    if (this.state === "ready") this.tell("lost", { message });
    this.error = null;
  }

  /** @param {boolean} isVisible */
  #showSetup(isVisible) {
    if (isVisible && !this.#dialog.open) this.#dialog.showModal();
    else if (!isVisible && this.#dialog.open) this.#dialog.close();
  }

  /** @override @param {boolean} isVisible */
  show(isVisible) {
    this.#isVisible = isVisible;
    super.show(isVisible);
  }

  /** @override */
  draw() {
    const { setup, state, framed } = this, { toggle, back, again, away } = this.#buttons;
    const isOptional = setup?.transportVisibility.requirement === "optional";
    this.say(setup?.displayName ?? this.#name, this.#notice || TEXTS[state]);
    this.#setupTitle.textContent = this.titled.textContent;
    this.#setupOrigin.textContent = this.origin.textContent;
    toggle.textContent = this.#isVisible ? "Hide" : "Show";
    toggle.title = setup?.transportVisibility.description ?? "";
    toggle.hidden = state !== "ready" || !isOptional;
    again.textContent = setup ? "Set up again" : "Set up";
    again.hidden = !framed || state === "setup" || state === "loading";
    back.hidden = state !== "error" || !setup || !framed;
    away.hidden = !framed || !setup;
  }
}

/** Seconds for an answer about permissions: fewer than the server's page waits. */
const CONSENT_SECONDS = 24;

/** @type {Record<string, string>} */
const TEXTS = {
  idle: "",
  connecting: "Connecting…",
  new: "Set the server up to use it.",
  setup: "Being set up…",
  loading: "Loading…",
  ready: "Connected",
  error: "",
};

if (!customElements.get("mcp-server")) customElements.define("mcp-server", McpServerElement);
