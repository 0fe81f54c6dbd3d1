// @ts-check
import { make } from "../../../src/cloche/web/elements.js";
import { UsedServer } from "./server.js";
import { toolCard } from "./tool-card.js";

/**
 * What the page shows of one server: a line in the list, and a panel with its frame and its tools.
 *
 * @typedef {import("./kept.js").Kept} Kept
 * @typedef {{
 *   dialog: import("./dialogs.js").SetupDialog, notice: (text: string) => void, select: (panel: ServerPanel) => void,
 *   remove: (panel: ServerPanel) => void, changed: () => void,
 * }} Around
 */

/** @type {Record<string, string>} */
const STATES = {
  setup: "Being set up",
  connecting: "Starting …",
  ready: "Connected",
  failed: "Not connected",
  removed: "Removed",
};

export class ServerPanel {
  /** @param {string} url @param {Around} around @param {Kept["setup"]} [setup] */
  constructor(url, around, setup) {
    this.around = around;
    this.frame = make("iframe", { title: `The page of ${new URL(url).origin}` });
    this.mark = make("span", { class: "mark", "aria-hidden": "true" });
    this.label = make("strong");
    this.about = make("small");
    this.line = make(
      "li",
      {},
      make(
        "button",
        { type: "button", onclick: () => around.select(this) },
        this.mark,
        make("span", "names", this.label, this.about),
      ),
    );
    this.title = make("h2", { tabindex: "-1" });
    this.state = make("span", { class: "state", role: "status" });
    this.problem = make("p", { class: "problem", role: "alert" });
    const button = (/** @type {string} */ text, /** @type {() => unknown} */ onclick) =>
      make("button", { type: "button", onclick }, text);
    this.toggle = button("Show", () => this.server.setVisible(!this.server.isVisible));
    this.again = button("Reconnect", () => this.server.connect());
    this.change = button("Set up again", () => this.begin());
    this.seen = make(
      "div",
      "window",
      make("div", "window-bar", make("span", "origin", new URL(url).origin)),
      this.frame,
    );
    this.tools = make("div", "tools");
    this.element = make(
      "section",
      { class: "server", hidden: true },
      make("div", "server-head", make("div", {}, this.title, make("p", "origin", url)), this.state),
      make("div", "actions", this.toggle, this.again, this.change, button("Remove", () => around.remove(this))),
      this.problem,
      this.seen,
      this.tools,
    );
    this.server = new UsedServer(url, {
      dialog: around.dialog,
      notice: around.notice,
      frame: this.frame,
      show: (isVisible) => this.seen.classList.toggle("shown", isVisible),
      changed: () => this.draw(),
    }, setup);
    this.draw();
  }

  /** Set it up, then connect. Raises when the setup came to nothing. */
  async begin() {
    const { setup } = this.server;
    await this.server.setUp().catch((error) => {
      if (!setup) throw error;
      this.around.notice(error.message);
    });
    this.around.changed();
    await this.server.connect();
  }

  draw() {
    const { server } = this;
    if (!server) return;
    const { state, visibility, isVisible, problem, setup } = server;
    this.label.textContent = this.title.textContent = server.name;
    this.mark.textContent = setup ? [...server.name][0]?.toUpperCase() ?? "" : "…";
    this.about.textContent = `${STATES[state]} · ${new URL(server.url).host}`;
    this.line.dataset.state = this.element.dataset.state = state;
    this.state.textContent = STATES[state];
    this.problem.textContent = problem;
    this.toggle.hidden = state !== "ready" || visibility !== "optional";
    this.toggle.textContent = isVisible ? "Hide" : "Show";
    this.toggle.title = setup?.transportVisibility.description ?? "";
    this.again.hidden = state !== "failed" || !setup;
    this.change.hidden = state === "setup" || state === "connecting";
    if (state === "ready" && this.drawn !== server.tools) this.#drawTools();
    this.tools.inert = state !== "ready";
  }

  #drawTools() {
    const { tools } = this.server;
    this.drawn = tools;
    const cards = tools.map((tool, index) => toolCard(tool, () => this.server.client, tools.length < 3 || index === 0));
    this.tools.replaceChildren(...cards);
  }

  /** @param {boolean} isSelected */
  select(isSelected) {
    this.element.hidden = !isSelected;
    const button = this.line.querySelector("button");
    if (isSelected) button?.setAttribute("aria-current", "true");
    else button?.removeAttribute("aria-current");
  }
}
