// @ts-check
import { forgetAsker, pageDialog } from "./page-dialog.js";
import { BASE, socketTo } from "./socket.js";

/**
 * `<mcp-questions ticket="…">`: what servers ask the person at this page, over the page, also while no view is open.
 *
 * Its ticket is from `session.questions_element()`. It takes no room. Its event: `statechange`, after which `state` is
 * "idle", "connecting", "ready" or "error".
 */
export class McpQuestions extends HTMLElement {
  static observedAttributes = ["ticket"];

  /** @type {"idle" | "connecting" | "ready" | "error"} */
  state = "idle";
  /** What went wrong: a word, and a sentence. @type {{code: string, message: string} | null} */
  error = null;

  /** @type {import("./channel.js").ResumableChannel | null} */
  #channel = null;

  connectedCallback() {
    this.style.display = "none";
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

  #open() {
    const ticket = this.getAttribute("ticket");
    if (!ticket || this.#channel) return;
    this.error = null;
    this.#become("connecting");
    let wasReady = false;
    this.#channel = socketTo(BASE).open(() => ({ questions: ticket }), {
      mounted: () => {
        wasReady = true;
        this.#become("ready");
      },
      frame: (frame) => this.#act(frame),
      failed: (code, message) => {
        if (code === "unreachable") return; // the channel goes on trying
        this.#close();
        // The host was started anew, or waited too long for this page: it takes the same ticket again.
        if (code === "gone" && wasReady) return this.#open();
        this.error = { code, message };
        this.#become("error");
      },
    });
  }

  /** @param {import("./channel.js").Frame} frame */
  #act(frame) {
    if (frame.ask !== undefined) this.#channel?.ask(pageDialog(), frame.ask, frame.question);
    else if (frame.unask !== undefined) pageDialog().unask(frame.unask);
  }

  #close() {
    if (this.#channel) forgetAsker(this.#channel);
    this.#channel?.close();
    this.#channel = null;
  }

  /** @param {McpQuestions["state"]} state */
  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

if (!customElements.get("mcp-questions")) customElements.define("mcp-questions", McpQuestions);
