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

  /** What the server called the setup. @returns {string} */
  get name() {
    return this.#plain.get("name") ?? "";
  }

  /** @param {Values} values @param {string} [name] */
  keep(values, name = "") {
    const entries = Object.entries(values);
    const apart = (/** @type {boolean} */ isSecret) =>
      Object.fromEntries(entries.filter(([name]) => this.secrets.includes(name) === isSecret));
    this.#plain.set("values", apart(false));
    this.#plain.set("name", name);
    this.#secret.set("values", apart(true));
  }

  forget() {
    this.#plain.clear();
    this.#secret.clear();
  }
}
