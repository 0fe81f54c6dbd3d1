// @ts-check
import { make } from "../elements.js";

/**
 * What went wrong, what to do, and where to read more: as `cloche check` says it.
 *
 * @typedef {{code: string, severity: string, title: string, what: string, fix: string, tool?: string}} Problem
 */

/** @param {Problem} problem @returns {HTMLElement} */
export function problemOf({ code, severity, title, what, fix }) {
  return make(
    "article",
    `finding ${severity}`,
    make("h3", {}, make("code", {}, code), ` ${title}`),
    make("p", {}, what),
    make("p", "fix", make("b", {}, "Fix: "), fix),
  );
}

/** A list of them, each once. */
export class Trouble {
  /** @type {Set<string>} */
  #told = new Set();
  element = make("div", { class: "trouble", role: "alert" });

  clear() {
    this.#told.clear();
    this.element.replaceChildren();
  }

  /** It was not so after all. @param {string} code */
  retract(code) {
    for (const one of this.element.querySelectorAll(`[data-code="${code}"]`)) one.remove();
  }

  /** @param {Problem} problem */
  add(problem) {
    const key = `${problem.code} ${problem.what}`;
    if (this.#told.has(key) || this.#told.size > 40) return;
    this.#told.add(key);
    const shown = problemOf(problem);
    shown.dataset.code = problem.code;
    this.element.append(shown);
  }
}
