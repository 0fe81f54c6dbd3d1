// @ts-check
import { make } from "../elements.js";
import { size, tabs } from "./elements.js";
import { tree } from "./tree.js";

/**
 * What came of a call: its view, its content, its JSON.
 *
 * @typedef {{
 *   result?: any, error?: string, ticket?: string | null, milliseconds?: number, pending?: boolean,
 * }} Outcome
 */
export class Results {
  /**
   * @param {HTMLElement} place
   * @param {import("./problems.js").Trouble} trouble what is wrong with the view
   * @param {import("./controls.js").HostControls} controls
   * @param {() => void} cancel
   */
  constructor(place, trouble, controls, cancel) {
    this.place = place;
    this.trouble = trouble;
    this.controls = controls;
    this.cancel = cancel;
    this.list = make("div", { role: "tablist", "aria-label": "Result" });
    this.status = make("p", { class: "status", role: "status" });
    // A frame that is moved loads anew: the view stays where it is, and is hidden while something else is looked at.
    this.stage = make("div", "stage");
    this.pane = make("div", {}, controls.element, this.stage);
    this.other = make("div");
    /** @type {HTMLElement | null} */
    this.view = null;
    /** @type {Outcome | null} */
    this.outcome = null;
    place.append(make("div", "bar", this.list, this.status), trouble.element, this.pane, this.other);
  }

  /** @param {Outcome} outcome */
  show(outcome) {
    const before = this.outcome;
    this.outcome = outcome;
    this.place.hidden = false;
    this.#say(outcome);
    if (outcome.ticket && outcome.ticket !== before?.ticket) this.#open(outcome.ticket);
    if (!outcome.ticket) this.#close();
    /** @type {[string, string][]} */
    const names = [["content", "Content"], ["json", "JSON"]];
    if (outcome.ticket) names.unshift(["view", "View"]);
    const select = tabs(this.list, names, (name) => this.#select(name));
    const wanted = outcome.ticket && outcome.error === undefined ? "view" : "content";
    const keep = before?.pending && this.selected && names.some(([name]) => name === this.selected);
    select(keep ? String(this.selected) : wanted);
  }

  /** @param {string} ticket */
  #open(ticket) {
    this.#close();
    this.view = document.createElement("mcp-app");
    this.view.setAttribute("ticket", ticket);
    this.controls.attach(this.view, this.stage);
    this.stage.append(this.view);
  }

  #close() {
    this.view?.remove();
    this.view = null;
  }

  /** Show the same call with the page as it is now. @param {string} ticket */
  reopen(ticket) {
    if (!this.outcome) return;
    this.outcome = { ...this.outcome, ticket };
    this.#open(ticket);
  }

  /** @param {Outcome} outcome */
  #say({ pending, error, result, milliseconds }) {
    const failed = error !== undefined || result?.isError;
    this.status.className = `status${failed ? " failed" : ""}`;
    if (pending) {
      const cancel = make("button", { type: "button", onclick: () => this.cancel() }, "Cancel");
      this.status.replaceChildren("Running … ", cancel);
    } else this.status.textContent = `${failed ? "Failed" : "Done"} in ${milliseconds ?? 0} ms`;
  }

  /** @param {string} name */
  #select(name) {
    this.selected = name;
    this.pane.hidden = name !== "view";
    this.other.hidden = name === "view";
    const { result, error, pending } = /** @type {Outcome} */ (this.outcome);
    if (error !== undefined) this.other.replaceChildren(make("pre", "problem", error));
    else if (pending) this.other.replaceChildren(make("p", "about", "Waiting for the result."));
    else if (name === "json") this.other.replaceChildren(tree(result));
    else this.other.replaceChildren(...contentOf(result));
  }
}

/** @param {any} result @returns {HTMLElement[]} */
function contentOf(result) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const shown = blocks.map(blockOf);
  if (result?.structuredContent !== undefined) {
    shown.push(make("h3", {}, "Structured content"), tree(result.structuredContent));
  }
  return shown.length ? shown : [make("p", "about", "The result is empty.")];
}

/** @param {any} block @returns {HTMLElement} */
export function blockOf(block) {
  const { type, text, data, mimeType, resource, uri, name, title } = block ?? {};
  if (type === "text") return make("pre", "text", String(text));
  if (type === "image") return make("img", { src: `data:${mimeType};base64,${data}`, alt: "The tool's image" });
  if (type === "audio") return make("audio", { src: `data:${mimeType};base64,${data}`, controls: true });
  if (type === "resource_link") return make("p", {}, make("code", {}, String(uri)), ` ${title ?? name ?? ""}`);
  if (type === "resource" && typeof resource?.text === "string") {
    const about = make("p", "about", `${resource.uri} · ${resource.mimeType ?? ""} · ${size(resource.text.length)}`);
    return make("div", {}, about, make("pre", "text", resource.text.slice(0, 20_000)));
  }
  return tree(block);
}
