// @ts-check
import { make } from "../elements.js";
import { blockOf } from "./blocks.js";
import { tabs } from "./elements.js";
import { copyButton, saveButton } from "./files.js";
import { ProgressBar } from "./progress.js";
import { TaskState } from "./tasks.js";
import { tree } from "./tree.js";

/**
 * What came of a call: its view, its content, its JSON.
 *
 * @typedef {{
 *   result?: any, error?: string, ticket?: string | null, milliseconds?: number, pending?: boolean, cancelled?: boolean,
 *   server?: string,
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
    this.progress = new ProgressBar();
    /** What the server's task is that the call became. */
    this.task = new TaskState({ isBeside: true });
    // A frame that is moved loads anew: the view stays where it is, and is hidden while something else is looked at.
    this.stage = make("div", "stage");
    this.pane = make("div", {}, controls.element, this.stage);
    this.other = make("div");
    /** @type {HTMLElement | null} */
    this.view = null;
    /** @type {Outcome | null} */
    this.outcome = null;
    const bar = make("div", "bar", this.list, this.status);
    place.append(bar, this.task.element, this.progress.element, trouble.element, this.pane, this.other);
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
    const names = [["content", outcome.result?.messages ? "Conversation" : "Content"], ["json", "JSON"]];
    if (outcome.ticket) names.unshift(["view", "View"]);
    const select = tabs(this.list, names, (name) => this.#select(name));
    const wanted = outcome.ticket && outcome.error === undefined ? "view" : "content";
    const keep = before?.pending && this.selected && names.some(([name]) => name === this.selected);
    select(keep ? String(this.selected) : wanted);
  }

  /** Nothing is shown. */
  clear() {
    this.outcome = null;
    this.task.show(null);
    this.place.hidden = true;
    this.#close();
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
  #say({ pending, error, result, milliseconds = 0, cancelled }) {
    const failed = !cancelled && (error !== undefined || result?.isError);
    this.status.className = `status${failed ? " failed" : ""}`;
    this.progress.clear();
    if (pending) {
      const cancel = make("button", { type: "button", onclick: () => this.cancel() }, "Cancel");
      this.status.replaceChildren("Running … ", cancel);
    } else {
      const word = cancelled ? "Cancelled after" : failed ? "Failed in" : "Done in";
      this.status.textContent = `${word} ${took(milliseconds)}`;
    }
  }

  /** @param {string} name */
  #select(name) {
    this.selected = name;
    this.pane.hidden = name !== "view";
    this.other.hidden = name === "view";
    const { result, error, pending, cancelled, server } = /** @type {Outcome} */ (this.outcome);
    if (cancelled) this.other.replaceChildren(make("p", "about", "The call was cancelled: there is no result."));
    else if (error !== undefined) this.other.replaceChildren(make("pre", "problem", error));
    else if (pending) this.other.replaceChildren(make("p", "about", "Waiting for the result."));
    else if (name === "json") this.other.replaceChildren(...jsonOf(result));
    else this.other.replaceChildren(...contentOf(result, server));
  }
}

/** @param {number} milliseconds */
const took = (milliseconds) => milliseconds < 10_000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** @param {any} result */
function jsonOf(result) {
  return [make("div", "block-actions", ...jsonActions(result)), tree(result)];
}

/** @param {any} value */
function jsonActions(value) {
  const text = () => JSON.stringify(value, null, 2);
  return [copyButton(text), saveButton(text, "application/json", "result.json")];
}

/** What a result holds, for a person. @param {any} result @param {string} [server] @returns {HTMLElement[]} */
export function contentOf(result, server) {
  if (Array.isArray(result?.messages)) return result.messages.map((/** @type {any} */ one) => turnOf(one, server));
  const blocks = Array.isArray(result?.contents)
    ? result.contents.map((/** @type {any} */ resource) => ({ type: "resource", resource }))
    : Array.isArray(result?.content)
    ? result.content
    : [];
  const shown = blocks.map((/** @type {any} */ one) => blockOf(one, server));
  if (result?.structuredContent !== undefined) {
    const actions = make("span", "actions", ...jsonActions(result.structuredContent));
    shown.push(make("h3", "with-actions", "Structured content", actions), tree(result.structuredContent));
  }
  return shown.length ? shown : [make("p", "about", "The result is empty.")];
}

/** One message of a prompt. @param {any} message @param {string} [server] */
function turnOf({ role, content }, server) {
  const blocks = Array.isArray(content) ? content : [content];
  const name = role === "user" ? "User" : role === "assistant" ? "Assistant" : String(role);
  const side = role === "assistant" ? "assistant" : "user";
  return make("article", `turn ${side}`, make("h3", {}, name), ...blocks.map((one) => blockOf(one, server)));
}
