// @ts-check
import { calm } from "./calm.js";
import { icon, make } from "../elements.js";
import { styleSheet } from "./styles.js";

/**
 * What an element shows of itself: the frame around a view, the bar that says whose it is, and what stands there while
 * there is no view.
 *
 * @typedef {{retry: () => void, leave: () => void, allowQuestions: () => void}} Controls
 */

const ARC = "M8 2a6 6 0 1 1-6 6";
const ALERT = "M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2";
/** The mark: a glass bell. */
const BELL = "M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5";
/** Pixels that a view has before it says how many it needs, where the host said nothing. */
const FIRST_HEIGHT = 400;

export class Surface {
  /** @param {HTMLElement} host @param {Controls} controls */
  constructor(host, controls) {
    this.host = host;
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    this.name = make("span", "name");
    this.server = make("strong");
    this.origin = make("span", "origin", icon(BELL), make("span", {}, "App from ", this.server));
    this.leave = make("button", { class: "leave", onclick: controls.leave }, "Leave full screen");
    this.questionsOff = make(
      "button",
      { class: "small", hidden: true, onclick: controls.allowQuestions, title: "You declined three times in a row" },
      "Questions are off: allow",
    );
    const whose = make("div", "whose", this.name, this.origin);
    this.stage = make("div", "stage");
    this.loading = make(
      "div",
      { class: "note loading", role: "status" },
      icon(ARC),
      make("div", {}, "Loading the app"),
    );
    this.hint = make("p");
    this.retry = make("button", { onclick: controls.retry }, "Try again");
    this.problem = make(
      "div",
      { class: "note problem", role: "alert" },
      icon(ALERT),
      make("div", {}, make("p", "danger", "The app cannot be shown"), this.hint),
      this.retry,
    );
    // The server's own word on how far its tool is: around the view and not in it, so that it is there without one, too.
    this.meter = make("progress", { max: 1, "aria-label": "Progress" });
    this.step = make("span");
    this.progress = make("div", { class: "progress", role: "status", hidden: true }, this.meter, this.step);
    const lost = "The connection is lost. Trying again; what you do here is kept.";
    this.lost = make("div", { class: "lost", role: "status" }, lost);
    this.inside = make(
      "div",
      { class: "inside", role: "group" },
      make("header", "bar", whose, this.questionsOff, this.leave),
      this.progress,
      this.stage,
      this.loading,
      this.problem,
      this.lost,
    );
    // A dialog, because only that fills the window over everything without moving the frame, which would load it anew. It
    // may have no other role, so what is inside is the group that the app is while it stands in the page.
    this.panel = make("dialog", { class: "panel bordered" }, this.inside);
    this.origin.part.add("origin");
    root.append(this.panel);
    this.panel.addEventListener("cancel", (event) => {
      event.preventDefault();
      controls.leave();
    });
    this.setState("idle", null);
    this.setWaiting(false);
  }

  /** @param {any} packet @param {number} [height] that the view has already */
  describe({ title, tool, server, border, size, limits }, height) {
    const name = String(title || tool || "App");
    this.name.textContent = name;
    // The product's own word for the server: what a view looks like is the server's choice, and this is not.
    this.server.textContent = String(server ?? "");
    this.origin.hidden = !server;
    this.inside.setAttribute("aria-label", name);
    this.panel.setAttribute("aria-label", name);
    this.panel.classList.toggle("bordered", border !== false);
    this.setHeight(height ?? size?.height ?? limits?.firstHeight ?? FIRST_HEIGHT);
  }

  /** @param {string} state @param {{code: string, message: string} | null} error */
  setState(state, error) {
    this.loading.hidden = state !== "loading";
    this.problem.hidden = state !== "error";
    this.panel.hidden = state === "idle" || state === "closed";
    this.stage.hidden = state === "idle" || state === "closed" || state === "error";
    this.stage.toggleAttribute("data-covered", state === "loading");
    // Not on the element itself: one that is made by a script must come without attributes.
    this.inside.setAttribute("aria-busy", String(state === "loading"));
    this.hint.textContent = error?.message ?? "";
  }

  /** Whether what the server asks is kept from the person. @param {boolean} areOff */
  setQuestionsOff(areOff) {
    this.questionsOff.hidden = !areOff;
  }

  /**
   * How far the tool is; nothing once it is over.
   *
   * @param {{fraction?: number | null, step?: string | null} | null} report
   */
  setProgress(report) {
    this.progress.hidden = report === null;
    if (typeof report?.fraction === "number") this.meter.value = report.fraction;
    else this.meter.removeAttribute("value");
    this.step.textContent = report?.step ?? "";
  }

  /** @param {boolean} waits for a connection */
  setWaiting(waits) {
    this.lost.hidden = !waits;
  }

  /** @param {number} height */
  setHeight(height) {
    calm.when(this, "height", () => this.stage.style.setProperty("--height", `${height}px`));
  }

  /** @param {string} theme */
  setTheme(theme) {
    this.panel.style.colorScheme = theme;
  }

  /** @param {boolean} large @returns {boolean} whether the focus was in the view, and has to be given back to it */
  setLarge(large) {
    const root = /** @type {ShadowRoot} */ (this.host.shadowRoot);
    const inView = root.activeElement?.localName === "iframe";
    this.panel.classList.toggle("large", large);
    if (large) this.panel.showModal();
    else if (this.panel.open) this.panel.close();
    return inView;
  }

  /** The room that a view has; without a height when it may choose one. */
  room() {
    const isLarge = this.panel.classList.contains("large");
    const { width, height } = (isLarge ? this.stage : this.host).getBoundingClientRect();
    return isLarge ? { width: Math.round(width), height: Math.round(height) } : { width: Math.round(width) };
  }
}
