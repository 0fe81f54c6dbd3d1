// @ts-check
import { make } from "../elements.js";
import { FormError, SchemaForm } from "../form/form.js";

/**
 * The form for the settings of the server. It needs nothing but the schema, so it is there before Python is.
 *
 * @typedef {import("./about.js").Setup} Setup
 * @typedef {import("./kept.js").KeptSettings} KeptSettings
 * @typedef {import("../python/start.js").SetupOutcome} SetupOutcome
 */
export class SettingsForm {
  /**
   * @param {Setup} setup
   * @param {KeptSettings} kept
   * @param {{
   *   enter: (values: Record<string, any>) => Promise<SetupOutcome>, done: (outcome: SetupOutcome) => void,
   *   forget: () => unknown, cancel?: () => void, pick: (file: File) => string,
   * }} handlers
   */
  constructor(setup, kept, { enter, done, forget, cancel, pick }) {
    this.setup = setup;
    this.kept = kept;
    this.enter = enter;
    this.done = done;
    /** @param {File} file */
    this.pick = (file) => {
      const path = pick(file);
      kept.picked(path, file);
      return path;
    };
    this.reason = make("p", { class: "reason", role: "status" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.room = make("div");
    this.save = make("button", { class: "main", type: "submit" }, "Save");
    this.forget = make(
      "button",
      { type: "button", onclick: async () => (await forget(), this.draw()) },
      "Forget settings",
    );
    const close = cancel && make("button", { type: "button", onclick: cancel }, "Cancel");
    this.form = make(
      "form",
      { noValidate: true, autocomplete: "off" },
      this.room,
      this.problem,
      make("div", "actions", this.save, close, this.forget),
    );
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    const where = kept.isPersistent
      ? "Settings are kept in this browser, for the tools of this server."
      : "This browser stores nothing for this page: settings are forgotten when it is loaded again.";
    this.element = make(
      "section",
      { class: "panel", id: "setup", "aria-label": "Setup" },
      make("h2", {}, "Setup"),
      this.reason,
      this.form,
      make("p", "about where", where),
    );
    this.draw();
  }

  /** Begin again with what is kept. Secrets are not shown: a field that is left empty keeps its own. */
  draw() {
    const { schema } = this.setup;
    const kept = Object.keys(this.kept.hidden);
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) =>
        kept.includes(name) ? [name, { ...one, description: keptText(one.description) }] : [name, one]
      ),
    );
    const required = (schema.required ?? []).filter((/** @type {string} */ name) => !kept.includes(name));
    this.fields = new SchemaForm({ ...schema, properties, required }, undefined, this.pick);
    const shown = this.kept.shown;
    if (shown) this.fields.write(shown);
    this.forget.hidden = !shown;
    this.problem.textContent = "";
    this.room.replaceChildren(this.fields.element);
  }

  /** @param {string} text why it is asked for */
  because(text) {
    this.reason.textContent = text;
  }

  async #submit() {
    this.problem.textContent = "";
    const values = this.#read();
    if (!values) return;
    this.kept.try(values);
    this.save.disabled = true;
    this.save.textContent = "Checking …";
    /** @type {SetupOutcome} */
    const outcome = await this.enter(values).catch((error) => ({ problem: String(error.message ?? error) }));
    this.save.disabled = false;
    this.save.textContent = "Save";
    if (outcome.problem) return this.#refuse(outcome);
    await this.kept.keep(values, outcome.displayName);
    this.because("");
    this.draw();
    this.done(outcome);
  }

  #read() {
    try {
      const entered = this.fields?.read() ?? {};
      const { hidden } = this.kept;
      const untouched = Object.entries(hidden).filter(([name]) => !entered[name]);
      return { ...entered, ...Object.fromEntries(untouched) };
    } catch (error) {
      if (error instanceof FormError) return undefined; // the form says it
      throw error;
    }
  }

  /** @param {SetupOutcome} outcome */
  #refuse({ problem = "", field }) {
    if (!field || !this.fields?.refuse(field, problem)) this.problem.textContent = problem;
  }
}

/** @param {string} [description] */
const keptText = (description) => [description, "Kept; leave it empty to keep it."].filter(Boolean).join(" ");
