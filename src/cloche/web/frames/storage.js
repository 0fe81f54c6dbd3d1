// @ts-check
/**
 * What an inner page keeps for one session: under the session's id and the outer page's origin, so that another page that
 * comes to know the id finds nothing. Where the browser denies storage (frames of another site in most browsers, frames
 * without an origin in all), values are kept in memory for as long as the page is loaded, and `isPersistent` is false.
 */
export class SessionStorage {
  /** @type {Storage | undefined} */
  #area;
  /** @type {Map<string, string>} */
  #memory = new Map();

  /** @param {{sessionId: string, origin: string, name?: string}} options */
  constructor({ sessionId, origin, name = "" }) {
    this.prefix = ["mcp", origin, sessionId, name, ""].map(encodeURIComponent).join(":");
    try {
      const area = localStorage;
      area.getItem(this.prefix);
      this.#area = area;
    } catch {
      // Denied.
    }
  }

  /** Whether values outlive this page. */
  get isPersistent() {
    return !!this.#area;
  }

  /** @param {string} key @returns {any} undefined when there is nothing */
  get(key) {
    const found = this.#area ? this.#area.getItem(this.prefix + key) : this.#memory.get(key);
    try {
      return found == null ? undefined : JSON.parse(found);
    } catch {
      return undefined;
    }
  }

  /** @param {string} key @param {unknown} value any JSON */
  set(key, value) {
    const text = JSON.stringify(value);
    if (this.#area) this.#area.setItem(this.prefix + key, text);
    else this.#memory.set(key, text);
  }

  /** @param {string} key */
  remove(key) {
    this.#area?.removeItem(this.prefix + key);
    this.#memory.delete(key);
  }

  /** Forget everything of this session. */
  clear() {
    this.#memory.clear();
    const area = this.#area;
    if (!area) return;
    const keys = Array.from({ length: area.length }, (_, index) => area.key(index) ?? "");
    for (const key of keys) if (key.startsWith(this.prefix)) area.removeItem(key);
  }
}
