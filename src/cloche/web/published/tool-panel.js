// @ts-check
import { contentOf } from "../dev/results.js";
import { make } from "../elements.js";
import { FormError, SchemaForm } from "../form/form.js";

/**
 * One tool: what it does, its form, and what came of the last call.
 *
 * @typedef {import("./about.js").Tool} Tool
 */
export class ToolPanel {
  /** @param {Tool} tool @param {(name: string, values: Record<string, any>) => Promise<any>} call @param {boolean} isOpen */
  constructor(tool, call, isOpen) {
    this.tool = tool;
    this.call = call;
    this.fields = new SchemaForm(tool.inputSchema);
    this.status = make("span", { class: "status", role: "status" });
    this.button = make("button", { class: "main", type: "submit" }, "Call");
    this.outcome = make("div", { class: "outcome", hidden: true });
    const form = make(
      "form",
      { noValidate: true },
      this.fields.element,
      make("div", "actions", this.button, this.status),
    );
    form.onsubmit = (event) => {
      event.preventDefault();
      this.#call();
    };
    const description = tool.description ?? "";
    this.element = make(
      "details",
      { class: "panel", open: isOpen, "data-tool": tool.name },
      make(
        "summary",
        {},
        make("h2", {}, tool.title ?? tool.name),
        make("span", "first-line", description.split("\n")[0]),
      ),
      description && make("p", "description", description),
      form,
      this.outcome,
    );
  }

  /** @param {boolean} isAllowed whether the server has been set up */
  allow(isAllowed) {
    this.button.disabled = !isAllowed;
    this.button.title = isAllowed ? "" : "Set the server up first";
  }

  async #call() {
    const values = this.#read();
    if (!values || this.button.disabled) return;
    this.button.disabled = true;
    this.#say("Running …");
    const started = performance.now();
    try {
      const result = await this.call(this.tool.name, values);
      const took = Math.round(performance.now() - started);
      this.#say(`${result.isError ? "Failed" : "Done"} in ${took} ms`, result.isError);
      this.outcome.replaceChildren(...contentOf(result));
    } catch (error) {
      this.#say("Failed", true);
      this.outcome.replaceChildren(
        make("p", "problem", String(/** @type {any} */ (error)?.message ?? error)),
      );
    }
    this.outcome.hidden = false;
    this.button.disabled = false;
  }

  #read() {
    try {
      return this.fields.read();
    } catch (error) {
      if (error instanceof FormError) return undefined; // the form says it
      throw error;
    }
  }

  /** @param {string} text @param {boolean} [isBad] */
  #say(text, isBad = false) {
    this.status.textContent = text;
    this.status.classList.toggle("failed", isBad);
  }
}
