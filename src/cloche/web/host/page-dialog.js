// @ts-check
import { Dialog } from "./dialog.js";
import { make } from "../elements.js";
import { styleSheet } from "./styles.js";
import { themeOf, watchTheme } from "./theme.js";

/**
 * Questions that no view has caused, over the whole page. As a modal dialog, because that is above everything that a
 * view can show, and nothing behind it can be clicked meanwhile. One question may come by several elements of the page:
 * it is shown once, for as long as one of them is there.
 *
 * @typedef {{said: Promise<import("./dialog.js").Said>, seen: Map<object, () => void>}} Shared
 */
class PageDialog {
  stopWatching = () => {};
  /** The questions, by their keys. @type {Map<unknown, Shared>} */
  #shared = new Map();

  constructor() {
    this.host = make("div");
    const root = this.host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    this.panel = make("dialog", "over");
    const stage = make("div");
    root.append(this.panel);
    this.dialog = new Dialog(this.panel, stage, () => {});
    // The browser's dialog is the one that is announced, by the name of its question: there are not two, one in the other.
    for (const name of ["role", "aria-modal", "aria-labelledby", "aria-describedby"]) {
      this.panel.setAttribute(name, this.dialog.box.getAttribute(name) ?? "");
      this.dialog.box.removeAttribute(name);
    }
    // Escape, and what a phone has for it, refuses one question; what closes the dialog all the same refuses all.
    this.panel.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.dialog.dismiss();
    });
    this.panel.addEventListener("close", () => this.panel.open || this.dialog.clear());
  }

  /**
   * @param {unknown} key
   * @param {import("./dialog.js").Question} question
   * @param {() => void} [seen] the person could see it
   * @param {object} [asker] through whom the question came
   * @returns {Promise<import("./dialog.js").Said>}
   */
  ask(key, question, seen = () => {}, asker = {}) {
    const known = this.#shared.get(key);
    const seenBy = known?.seen ?? new Map();
    seenBy.set(asker, seen);
    if (known) return known.said;
    const said = this.#ask(key, question, () => seenBy.forEach((tell) => tell()));
    this.#shared.set(key, { said, seen: seenBy });
    return said;
  }

  /**
   * @param {unknown} key
   * @param {import("./dialog.js").Question} question
   * @param {() => void} seen
   */
  async #ask(key, question, seen) {
    if (!this.host.isConnected) document.body.append(this.host);
    const asked = this.dialog.ask(key, question, seen);
    if (!this.panel.open) {
      this.#dress();
      this.stopWatching = watchTheme(() => this.#dress());
      this.panel.showModal();
      // Nobody's next key is an answer.
      this.dialog.box.focus();
    }
    const said = await asked;
    this.#shared.delete(key);
    if (this.dialog.shade.hidden) {
      this.stopWatching();
      this.panel.close();
      this.host.remove();
    }
    return said;
  }

  /** @param {unknown} key */
  unask(key) {
    this.dialog.unask(key);
  }

  /** An element left the page: what came through it alone cannot be answered any more. @param {object} asker */
  forget(asker) {
    for (const [key, { seen }] of [...this.#shared]) {
      if (seen.delete(asker) && seen.size === 0) this.unask(key);
    }
  }

  #dress() {
    this.panel.style.colorScheme = themeOf(document.body);
  }
}

/** @type {PageDialog | undefined} */
let shown;

/** The one for this page. */
export const pageDialog = () => shown ??= new PageDialog();

/** An element left the page. @param {object} asker */
export const forgetAsker = (asker) => shown?.forget(asker);
