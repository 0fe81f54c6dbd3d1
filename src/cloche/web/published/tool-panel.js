// @ts-check
import { contentOf } from "../dev/results.js";
import { make } from "../elements.js";
import { FormError, SchemaForm } from "../form/form.js";
import { takePictureFile } from "./camera.js";
import { savesOf } from "./written-files.js";

/**
 * One tool: what it does, its form, and what came of the last call.
 *
 * @typedef {import("./about.js").Tool} Tool
 * @typedef {(name: string, values: Record<string, any>, options?: {signal?: AbortSignal}) => Promise<any>} Call
 * @typedef {import("./written-files.js").Files} Files
 */
export class ToolPanel {
  /**
   * @param {Tool} tool
   * @param {Call} call
   * @param {Files} files
   * @param {boolean} isOpen
   * @param {import("./views.js").ViewRoom} [views] where its views stand
   */
  constructor(tool, call, files, isOpen, views) {
    this.views = views;
    this.tool = tool;
    this.call = call;
    this.files = files;
    this.fields = new SchemaForm(tool.inputSchema, undefined, pickOf(files));
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
      views?.element,
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
    await this.run(values).catch(() => {}); // the panel shows it
    this.button.disabled = false;
  }

  /**
   * Call the tool, and show what comes of it.
   *
   * @param {Record<string, any>} values
   * @param {{by?: string, signal?: AbortSignal}} [options] `by` says who calls, when it is not the person at this page
   */
  async run(values, { by = "", signal } = {}) {
    this.#say(`${by}Running …`);
    const started = performance.now();
    this.outcome.hidden = false;
    const shown = this.views?.begin(this.tool, values);
    try {
      const result = await this.call(this.tool.name, values, { signal });
      const took = Math.round(performance.now() - started);
      this.#say(`${by}${result.isError ? "Failed" : "Done"} in ${took} ms`, result.isError);
      const content = contentOf(result);
      const isShown = shown?.finish(result) && !result.isError;
      const told = isShown ? [make("details", {}, make("summary", {}, "Result"), ...content)] : content;
      this.outcome.replaceChildren(...told, ...savesOf(result, this.files));
      return result;
    } catch (error) {
      shown?.cancel("The call failed");
      this.#say(`${by}Failed`, true);
      this.outcome.replaceChildren(make("p", "problem", String(/** @type {any} */ (error)?.message ?? error)));
      throw error;
    }
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

/** What a field for a file does with it, or with the camera. @param {Files} files */
const pickOf = (files) =>
  Object.assign((/** @type {File} */ file) => files.addFile(file), { takePicture: takePictureFile });
