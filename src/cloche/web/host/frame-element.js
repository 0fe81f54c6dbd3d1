// @ts-check
import { make } from "../elements.js";
import { failure } from "./channel.js";
import { FramedServer } from "./framed-server.js";
import { forgetAsker, pageDialog } from "./page-dialog.js";
import { BASE, socketTo } from "./socket.js";
import { styleSheet } from "./styles.js";

/** @typedef {import("../transports/base.js").Message} Message */

/**
 * Base of the elements that have a page of somebody else in a frame, with whom the host speaks over this page's socket:
 * servers by URL, which are the host's servers, and copilots, which are its clients. `ticket` says which one.
 */
export class FrameElement extends HTMLElement {
  static observedAttributes = ["ticket"];

  /** @type {string} */
  state = "idle";
  /** What went wrong: a word, and a sentence. @type {{code: string, message: string} | null} */
  error = null;

  /** @type {import("./channel.js").ResumableChannel | null} */
  channel = null;
  /** The two-phase protocol with the page in the frame. @type {FramedServer | null} */
  framed = null;

  titled = make("strong");
  origin = make("span");
  status = make("p", { role: "status" });
  frame = make("iframe", { hidden: true });
  root = this.attachShadow({ mode: "open" });

  /** @param {string} what the frame is for those who do not see it @param {HTMLElement[]} buttons */
  constructor(what, buttons) {
    super();
    this.frame.title = what;
    this.root.adoptedStyleSheets = [styleSheet()];
    const bar = make("div", "bar", make("div", "origin whose", this.titled, this.origin), ...buttons);
    this.root.append(make("div", "server", bar, this.status, this.frame));
  }

  connectedCallback() {
    this.open();
  }

  disconnectedCallback() {
    this.close();
    this.become("idle");
  }

  attributeChangedCallback() {
    if (!this.isConnected) return;
    this.close();
    this.open();
  }

  // What differs

  /** What is said to the host to open it. @param {string} _ticket @returns {object} */
  request(_ticket) {
    return {};
  }

  /** The host knows the ticket. @param {any} _packet */
  mounted(_packet) {}

  /** What the bar shows now. */
  draw() {}

  // What they have in common

  open() {
    const ticket = this.getAttribute("ticket");
    if (!ticket || this.channel) return;
    this.error = null;
    this.become("connecting");
    let wasMounted = false;
    this.channel = socketTo(BASE).open(() => this.request(ticket), {
      mounted: (packet) => {
        wasMounted = true;
        this.mounted(packet);
      },
      frame: (frame) => this.#act(frame),
      failed: (code, message) => {
        if (code === "unreachable") return; // the channel goes on trying
        this.close();
        // The host was started anew, or waited too long for this page: it takes the same ticket again.
        if (code === "gone" && wasMounted) return this.open();
        this.error = { code, message };
        this.become("error");
      },
    });
  }

  close() {
    this.framed?.close();
    this.framed = null;
    if (this.channel) forgetAsker(this.channel);
    forgetAsker(this);
    this.channel?.close();
    this.channel = null;
  }

  /** Speak with the page at this URL. @param {string} url @param {Partial<import("./framed-server.js").Surroundings>} around */
  speakWith(url, around) {
    /** @type {FramedServer} */
    const framed = this.framed = new FramedServer(url, {
      frame: this.frame,
      show: (isVisible) => this.show(isVisible),
      message: (message) => this.channel?.pass(message),
      lost: (error) => this.fail(framed, error),
      notice: () => {},
      ...around,
    });
  }

  /** @param {boolean} isVisible */
  show(isVisible) {
    this.frame.hidden = !isVisible;
    this.draw();
  }

  /** Tell the host what becomes of the frame. @param {string} event @param {object} [value] */
  tell(event, value) {
    this.channel?.send({ event, ...value });
  }

  /** @param {FramedServer | null} framed of which it is @param {any} error */
  fail(framed, error) {
    if (framed !== this.framed) return;
    const { code = "CONFIG_ERROR", message = String(error) } = error ?? {};
    this.error = { code, message };
    this.tell("lost", { message });
    this.become("error");
  }

  /** @param {string} state */
  become(state) {
    this.state = state;
    this.draw();
    this.dispatchEvent(new Event("statechange"));
  }

  /** What the bar says. @param {string} title @param {string} text */
  say(title, text) {
    this.titled.textContent = title;
    this.origin.textContent = this.framed ? new URL(this.framed.url).origin : "";
    this.status.textContent = this.error?.message ?? text;
    this.status.className = this.error ? "danger" : "";
  }

  /** @param {import("./channel.js").Frame} frame */
  #act(frame) {
    if (frame.bytes) this.#toFrame(JSON.parse(new TextDecoder().decode(frame.bytes)));
    else if (frame.message) this.#toFrame(frame.message);
    else if (frame.ask !== undefined) this.channel?.ask(pageDialog(), frame.ask, frame.question);
    else if (frame.unask !== undefined) pageDialog().unask(frame.unask);
  }

  /** @param {Message} message */
  #toFrame(message) {
    try {
      if (!this.framed) throw new Error("The page is not connected to the frame");
      this.framed.send(message);
    } catch (error) {
      if (message.method && message.id !== undefined) this.channel?.pass(failure(message.id, `${error}`));
    }
  }
}

/** @param {string} text @param {() => void} onclick */
export const button = (text, onclick) => make("button", { class: "small", type: "button", onclick }, text);
