// @ts-check
import { make } from "../elements.js";
import { failure } from "./channel.js";
import { FramedServer } from "./framed-server.js";
import { forgetAsker, pageDialog } from "./page-dialog.js";
import { BASE, socketTo } from "./socket.js";
import { styleSheet } from "./styles.js";

/**
 * `<mcp-server ticket="…">`: a server by URL, in a frame of this page. The host's model can call its tools when the
 * person at this page allows it.
 *
 * Its ticket is from `session.server_element(name)`. Its event: `statechange`, after which `state` is "idle",
 * "connecting" (to the host), "new" (it has to be set up), "setup", "loading", "ready" or "error".
 *
 * @typedef {import("./framed-server.js").Setup} Setup
 * @typedef {"idle" | "connecting" | "new" | "setup" | "loading" | "ready" | "error"} State
 */
export class McpServerElement extends HTMLElement {
  static observedAttributes = ["ticket"];

  /** @type {State} */
  state = "idle";
  /** What went wrong: a word, and a sentence. @type {{code: string, message: string} | null} */
  error = null;
  /** How the server was set up. @type {Setup | null} */
  setup = null;

  /** @type {import("./channel.js").ResumableChannel | null} */
  #channel = null;
  /** @type {FramedServer | null} */
  #server = null;
  #name = "";
  #isVisible = false;
  #notice = "";

  #title = make("strong");
  #origin = make("span");
  #setupTitle = make("strong");
  #setupOrigin = make("span");
  #status = make("p", { role: "status" });
  #frame = make("iframe", { title: "Server", hidden: true });
  #setupFrame = make("iframe", { title: "Setup" });
  #dialog = make("dialog", { class: "setup", "aria-label": "Set up a server" });
  #again = button("Set up", () => this.setUp());
  #back = button("Reconnect", () => this.reconnect());
  #toggle = button("Show", () => this.setVisible(!this.#isVisible));
  #away = button("Remove", () => this.forget());

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    const cancel = button("Cancel", () => this.#server?.cancel());
    const over = make("div", "bar", make("div", "origin whose", this.#setupTitle, this.#setupOrigin), cancel);
    this.#dialog.append(over, this.#setupFrame);
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#server?.cancel();
    });
    const buttons = [this.#toggle, this.#back, this.#again, this.#away];
    const bar = make("div", "bar", make("div", "origin whose", this.#title, this.#origin), ...buttons);
    root.append(make("div", "server", bar, this.#status, this.#frame), this.#dialog);
    this.#draw();
  }

  connectedCallback() {
    this.#open();
  }

  disconnectedCallback() {
    this.#close();
    this.#become("idle");
  }

  attributeChangedCallback() {
    if (!this.isConnected) return;
    this.#close();
    this.#open();
  }

  /** Whether the server's page is shown. */
  get isVisible() {
    return this.#isVisible;
  }

  /** Show or hide a server whose visibility is optional. @param {boolean} isVisible */
  setVisible(isVisible) {
    this.#server?.setVisible(isVisible);
  }

  /** Have the person set the server up, and connect to it. */
  async setUp() {
    const server = this.#server;
    if (!server) return;
    this.#lose("it is being set up");
    this.#become("setup");
    try {
      const setup = await server.setUp(this.setup);
      if (!setup || server !== this.#server) return;
      this.setup = setup;
      this.#tell("setup", { setup });
    } catch (error) {
      return this.#fail(server, error);
    }
    await this.reconnect();
  }

  /** Connect to the server as it was set up last. */
  async reconnect() {
    const server = this.#server;
    if (!server || !this.setup) return;
    this.#lose("it is being loaded");
    this.#become("loading");
    try {
      if (!await server.connect(this.setup) || server !== this.#server) return;
      this.#tell("connected", {});
      this.#become("ready");
    } catch (error) {
      this.#fail(server, error);
    }
  }

  /** Remove the server: its setup is forgotten here and at the host. What it stored itself stays in the browser. */
  forget() {
    if (!this.#server) return;
    this.#server.close();
    this.setup = null;
    this.#notice = "";
    this.#tell("removed", {});
    this.#become("new");
  }

  #open() {
    const ticket = this.getAttribute("ticket");
    if (!ticket || this.#channel) return;
    this.error = null;
    this.#become("connecting");
    let wasMounted = false;
    this.#channel = socketTo(BASE).open(() => ({ offer: ticket, visible: !document.hidden }), {
      mounted: (packet) => {
        wasMounted = true;
        this.#mounted(packet);
      },
      frame: (frame) => this.#act(frame),
      failed: (code, message) => {
        if (code === "unreachable") return; // the channel goes on trying
        this.#close();
        // The host was started anew, or waited too long for this page: it takes the same ticket again.
        if (code === "gone" && wasMounted) return this.#open();
        this.error = { code, message };
        this.#become("error");
      },
    });
  }

  /** @param {{url: string, server: string, setup: Setup | null}} told */
  #mounted({ url, server, setup }) {
    this.#name = server;
    this.#server = new FramedServer(url, {
      ...{ setupFrame: this.#setupFrame, frame: this.#frame },
      showSetup: (isVisible) => this.#showSetup(isVisible),
      show: (isVisible) => this.#show(isVisible),
      allow: (wanted) => this.#allow(new URL(url).origin, wanted),
      message: (message) => this.#channel?.pass(message),
      lost: (error) => this.#fail(this.#server, error),
      notice: (text) => this.#say(text),
    });
    // A host that was started anew may have forgotten what this page knows.
    if (!setup && this.setup) this.#tell("setup", { setup: this.setup });
    this.setup = setup ?? this.setup;
    if (this.setup) this.reconnect();
    else this.#become("new");
  }

  /** @param {import("./channel.js").Frame} frame */
  #act(frame) {
    if (frame.bytes) this.#toServer(JSON.parse(new TextDecoder().decode(frame.bytes)));
    else if (frame.message) this.#toServer(frame.message);
    else if (frame.ask !== undefined) this.#channel?.ask(pageDialog(), frame.ask, frame.question);
    else if (frame.unask !== undefined) pageDialog().unask(frame.unask);
  }

  /** @param {import("../transports/base.js").Message} message */
  #toServer(message) {
    try {
      if (!this.#server) throw new Error("The page is not connected to the server");
      this.#server.send(message);
    } catch (error) {
      if (message.method && message.id !== undefined) this.#channel?.pass(failure(message.id, `${error}`));
    }
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

  /** @param {string} event @param {object} value */
  #tell(event, value) {
    this.#channel?.send({ event, ...value });
  }

  /** The connection that there is ends, for a reason that the host is told. @param {string} message */
  #lose(message) {
    if (this.state === "ready") this.#tell("lost", { message });
    this.error = null;
  }

  /** @param {FramedServer | null} server @param {any} error */
  #fail(server, error) {
    if (server !== this.#server) return;
    const { code = "CONFIG_ERROR", message = String(error) } = error ?? {};
    this.error = { code, message };
    this.#tell("lost", { message });
    this.#become("error");
  }

  #close() {
    this.#server?.close();
    this.#server = null;
    if (this.#channel) forgetAsker(this.#channel);
    forgetAsker(this);
    this.#channel?.close();
    this.#channel = null;
  }

  /** @param {boolean} isVisible */
  #showSetup(isVisible) {
    if (isVisible && !this.#dialog.open) this.#dialog.showModal();
    else if (!isVisible && this.#dialog.open) this.#dialog.close();
  }

  /** @param {boolean} isVisible */
  #show(isVisible) {
    this.#isVisible = isVisible;
    this.#frame.hidden = !isVisible;
    this.#draw();
  }

  /** @param {string} text */
  #say(text) {
    this.#notice = text;
    this.#draw();
  }

  /** @param {State} state */
  #become(state) {
    this.state = state;
    this.#draw();
    this.dispatchEvent(new Event("statechange"));
  }

  #draw() {
    const { setup, state } = this;
    const origin = this.#server ? new URL(this.#server.url).origin : "";
    const isOptional = setup?.transportVisibility.requirement === "optional";
    this.#title.textContent = this.#setupTitle.textContent = setup?.displayName ?? this.#name;
    this.#origin.textContent = this.#setupOrigin.textContent = origin;
    this.#status.textContent = this.error?.message ?? (this.#notice || TEXTS[state]);
    this.#status.className = this.error ? "danger" : "";
    this.#toggle.textContent = this.#isVisible ? "Hide" : "Show";
    this.#toggle.title = setup?.transportVisibility.description ?? "";
    this.#toggle.hidden = state !== "ready" || !isOptional;
    this.#again.textContent = setup ? "Set up again" : "Set up";
    this.#again.hidden = !this.#server || state === "setup" || state === "loading";
    this.#back.hidden = state !== "error" || !setup || !this.#server;
    this.#away.hidden = !this.#server || !setup;
  }
}

/** @param {string} text @param {() => void} onclick */
const button = (text, onclick) => make("button", { class: "small", type: "button", onclick }, text);

/** Seconds for an answer about permissions: fewer than the server's page waits. */
const CONSENT_SECONDS = 24;

/** @type {Record<State, string>} */
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
