// @ts-check
import { button, FrameElement } from "./frame-element.js";

/**
 * `<mcp-copilot ticket="…">`: an assistant of somebody else, in a frame of this page, which calls tools of the host that
 * its ticket lets it have. The host asks the person about those that change something.
 *
 * Its ticket is from `session.copilot_element(name)`. Its event: `statechange`, after which `state` is "idle",
 * "connecting" (to the host), "loading", "ready" or "error".
 */
export class McpCopilotElement extends FrameElement {
  #title = "";
  #session = "";
  #again;
  /** How often it was left lately. */
  #times = 0;
  #lostAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;

  constructor() {
    const again = button("Reconnect", () => this.reconnect());
    super("Copilot", [again]);
    this.#again = again;
    this.root.querySelector(".server")?.classList.add("copilot");
    this.draw();
  }

  /** Load the copilot again, and connect to it. */
  reconnect() {
    this.#times = 0;
    return this.#connect((framed) =>
      framed.connect({
        sessionId: this.#session,
        transportVisibility: { requirement: "required" },
        permissions: [],
      })
    );
  }

  /** @override @param {string} ticket */
  request(ticket) {
    return { copilot: ticket };
  }

  /** @override @param {{url: string, title: string, session: string}} told */
  mounted({ url, title, session }) {
    this.#title = title;
    this.#session = session;
    this.speakWith(url, {
      lost: (error) => this.#lost(error),
      // It was reloaded, or went to another page of its own.
      returned: () => this.#connect((framed) => framed.takeUp()),
    });
    this.reconnect();
  }

  /** @override */
  close() {
    clearTimeout(this.#waiting);
    super.close();
  }

  /** @override */
  draw() {
    const { state, framed } = this;
    this.say(this.#title, TEXTS[state] ?? "");
    this.status.hidden = state === "ready";
    this.#again.hidden = state !== "error" || !framed;
  }

  /** @param {(framed: import("./framed-server.js").FramedServer) => Promise<boolean>} how */
  async #connect(how) {
    const { framed } = this;
    if (!framed) return;
    clearTimeout(this.#waiting);
    this.error = null;
    this.become("loading");
    try {
      if (!await how(framed) || framed !== this.framed) return;
      this.tell("connected");
      this.become("ready");
    } catch (error) {
      this.fail(framed, error);
    }
  }

  /** The connection ended; a page that was only left may come back. @param {{code: string, message: string}} error */
  #lost(error) {
    const { framed } = this;
    const now = performance.now();
    if (now - this.#lostAt > CALM) this.#times = 0;
    this.#lostAt = now;
    if (error.code !== "WINDOW_GONE" || this.#times++ >= TIMES) {
      framed?.close();
      return this.fail(framed, error);
    }
    this.tell("lost", error);
    this.become("loading");
    this.#waiting = setTimeout(() => {
      framed?.close();
      this.fail(framed, error);
    }, RETURNS_WITHIN);
  }
}

/** How often a copilot may reload itself, each time within CALM of the last, until somebody presses a button for it. */
const TIMES = 10;
/** Milliseconds. */
const CALM = 30_000;
/** Milliseconds within which a page that was left is followed by another one of the same copilot. */
const RETURNS_WITHIN = 10_000;

/** @type {Record<string, string>} */
const TEXTS = { connecting: "Connecting…", loading: "Loading…" };

if (!customElements.get("mcp-copilot")) customElements.define("mcp-copilot", McpCopilotElement);
