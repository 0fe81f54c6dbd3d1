// @ts-check
import { SessionStorage } from "../frames/storage.js";
import { KeptFiles } from "./kept-files.js";

/**
 * The settings that a person entered, kept in this browser for one session: what is secret apart from the rest. Servers
 * that are published beside each other, on one origin, have different paths and so different places.
 *
 * @typedef {Record<string, any>} Values
 */
export class KeptSettings {
  #plain;
  #secret;
  #kept;
  /** @type {Values} */
  #tried = {};
  /** Files that were picked here, by the paths that Python opens. @type {Map<string, File>} */
  #picked = new Map();

  /**
   * @param {{sessionId: string, origin: string}} session
   * @param {import("./about.js").Setup} [setup]
   */
  constructor(session, setup) {
    this.secrets = setup?.secrets ?? [];
    /** The names of settings that are files. */
    this.files = Object.entries(setup?.schema.properties ?? {}).filter(([, { format }]) => format === "picked-file")
      .map(([name]) => name);
    // "/site/" and "/site/index.html" are one server.
    const place = location.pathname.replace(/[^/]*$/, "");
    this.#plain = new SessionStorage({ ...session, name: `settings ${place}` });
    this.#secret = new SessionStorage({ ...session, name: `secrets ${place}` });
    this.#kept = new KeptFiles(this.#plain.prefix);
    /** What views have kept: forgotten with the settings. */
    this.states = new SessionStorage({ ...session, name: `views ${place}` });
  }

  /** Fetch the files. */
  load() {
    return this.#kept.load(this.files);
  }

  /** A person picked this file, which Python opens by that path. @param {string} path @param {File} file */
  picked(path, file) {
    this.#picked.set(path, file);
  }

  /** Whether they outlive this page. */
  get isPersistent() {
    return this.#plain.isPersistent;
  }

  /** All of them; undefined when nothing was entered yet, or a file is gone. @returns {Values | undefined} */
  get values() {
    const plain = this.#plain.get("values");
    const isWhole = plain && this.files.every((name) => !plain[name] || this.#kept.get(name));
    return isWhole ? { ...plain, ...this.hidden } : undefined;
  }

  /** The same for another Python, which gets the files once more. @param {(file: File) => string} add gives a file a path */
  valuesFor(add) {
    const { values } = this;
    for (const name of this.files) {
      const file = values?.[name] && this.#kept.get(name);
      if (!values || !file) continue;
      values[name] = add(file);
      this.picked(values[name], file);
    }
    if (values) this.#plain.set("values", this.#apart(values, false));
    return values;
  }

  /** Those that may be shown. @returns {Values | undefined} */
  get shown() {
    const plain = this.#plain.get("values");
    const isThere = (/** @type {[string, any]} */ [name]) => !this.files.includes(name) || this.#kept.get(name);
    return plain && Object.fromEntries(Object.entries(plain).filter(isThere));
  }

  /** @returns {Values} */
  get hidden() {
    return this.#secret.get("values") ?? {};
  }

  /** Every secret that Python knows: those that are kept, and those of a setup that is being tried. @returns {Values} */
  get withheld() {
    return { ...this.hidden, ...this.#tried };
  }

  /** A person entered these, and Python is about to look at them. @param {Values} values */
  try(values) {
    this.#tried = this.#apart(values, true);
  }

  /** What the server called the setup. @returns {string} */
  get name() {
    return this.#plain.get("name") ?? "";
  }

  /** @param {Values} values @param {string} [name] */
  async keep(values, name = "") {
    for (const one of this.files) {
      const file = this.#picked.get(values[one]);
      if (file) await this.#kept.keep(one, file);
    }
    this.#plain.set("values", this.#apart(values, false));
    this.#plain.set("name", name);
    this.#secret.set("values", this.#apart(values, true));
  }

  /** @param {Values} values @param {boolean} isSecret @returns {Values} */
  #apart(values, isSecret) {
    return Object.fromEntries(Object.entries(values).filter(([name]) => this.secrets.includes(name) === isSecret));
  }

  async forget() {
    this.#tried = {};
    this.#plain.clear();
    this.#secret.clear();
    this.states.clear();
    if (this.files.length) await this.#kept.forget();
  }
}
