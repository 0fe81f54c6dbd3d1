// @ts-check
import { SessionStorage } from "../frames/storage.js";

/**
 * The settings that a person entered, kept in this browser for one session: what is secret apart from the rest. Servers
 * that are published beside each other, on one origin, have different paths and so different places.
 *
 * @typedef {Record<string, any>} Values
 */
export class KeptSettings {
  #plain;
  #secret;
  /** @type {Values} */
  #tried = {};

  /** @param {{sessionId: string, origin: string, secrets?: string[]}} options `secrets` are the names of those settings */
  constructor({ secrets = [], ...session }) {
    this.secrets = secrets;
    this.#plain = new SessionStorage({ ...session, name: `settings ${location.pathname}` });
    this.#secret = new SessionStorage({ ...session, name: `secrets ${location.pathname}` });
  }

  /** Whether they outlive this page. */
  get isPersistent() {
    return this.#plain.isPersistent;
  }

  /** All of them; undefined when nothing was entered yet. @returns {Values | undefined} */
  get values() {
    const plain = this.#plain.get("values");
    return plain && { ...plain, ...this.hidden };
  }

  /** Those that may be shown. @returns {Values | undefined} */
  get shown() {
    return this.#plain.get("values");
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
  keep(values, name = "") {
    this.#plain.set("values", this.#apart(values, false));
    this.#plain.set("name", name);
    this.#secret.set("values", this.#apart(values, true));
  }

  /** @param {Values} values @param {boolean} isSecret @returns {Values} */
  #apart(values, isSecret) {
    return Object.fromEntries(Object.entries(values).filter(([name]) => this.secrets.includes(name) === isSecret));
  }

  forget() {
    this.#tried = {};
    this.#plain.clear();
    this.#secret.clear();
  }
}
