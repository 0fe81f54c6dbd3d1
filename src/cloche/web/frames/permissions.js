// @ts-check
/**
 * What an inner page may use of the browser: nothing that nobody was asked about, in no phase it was not asked for, and
 * from the moment on that its page is loaded: `allow` has no effect on a document that is there already.
 *
 * @typedef {"setup" | "transport"} Phase
 * @typedef {{name: string, phase: Phase[]}} Permission
 * @typedef {Permission & {required: boolean, purpose: string}} PermissionRequirement
 * @typedef {(wanted: PermissionRequirement[]) => boolean | string[] | Promise<boolean | string[]>} Consent
 *   who is asked: all of it, nothing, or the names that are allowed
 */

export class Permissions {
  /** What was allowed. @type {Permission[]} */
  granted;
  /** @type {Map<string, PermissionRequirement>} What somebody was asked about, with the phases that were asked for. */
  #asked = new Map();
  /** @type {string[]} What the page that is loaded has. */
  #loaded = [];
  /** @type {(answer: false) => void} */
  #stop = () => {};

  /**
   * @param {{grantsPermissions?: boolean, isOpaque?: boolean}} control
   * @param {Consent} [ask]
   * @param {Permission[]} [granted] what was allowed when the server was set up
   */
  constructor(control, ask = () => false, granted = []) {
    this.control = control;
    this.ask = ask;
    this.granted = granted;
  }

  /** Names for the page that is about to be loaded. @param {Phase} phase */
  load(phase) {
    return this.#loaded = this.#of(phase);
  }

  /** Whether something was allowed that the loaded page has not got. @param {Phase} phase */
  needsLoad(phase) {
    return !!this.control.grantsPermissions && this.#of(phase).some((name) => !this.#loaded.includes(name));
  }

  /** @param {Phase} phase */
  #of(phase) {
    return this.granted.filter((one) => one.phase.includes(phase)).map(({ name }) => name);
  }

  /**
   * Ask about what nobody was asked about yet.
   *
   * @param {PermissionRequirement[]} wanted
   * @returns {Promise<string>} why it is not enough; empty when it is
   */
  async decide(wanted) {
    // In a popup the browser itself asks, when the page uses something.
    if (!this.control.grantsPermissions) return "";
    const isOpaque = this.control.isOpaque;
    wanted = merged(wanted);
    const fresh = wanted.filter(({ name, phase }) =>
      phase.some((one) => !this.#asked.get(name)?.phase.includes(one) && !this.#of(one).includes(name))
    );
    const answer = isOpaque || !fresh.length ? false : await this.#answer(fresh);
    for (const one of fresh) {
      this.#asked.set(one.name, one);
      const isAllowed = answer === true || Array.isArray(answer) && answer.includes(one.name);
      this.granted = this.granted.filter(({ name }) => name != one.name);
      if (isAllowed) this.granted.push({ name: one.name, phase: [...one.phase] });
    }
    const missing = wanted.filter(({ name, required }) => required && !this.granted.some((one) => one.name == name));
    if (!missing.length) return "";
    const names = missing.map(({ name }) => name).join(", ");
    return isOpaque
      ? `A frame without origin cannot be given ${names}: put the server on an origin of its own`
      : `Required permissions were not approved: ${names}`;
  }

  /** Nobody answers. */
  stopAsking() {
    this.#stop(false);
  }

  /** Who fails to answer has not allowed it. @param {PermissionRequirement[]} fresh */
  async #answer(fresh) {
    try {
      const stopped = new Promise((resolve) => this.#stop = resolve);
      return await Promise.race([this.ask(fresh.map((one) => ({ ...one, phase: [...one.phase] }))), stopped]);
    } catch (error) {
      console.error(error);
      return false;
    }
  }
}

/** One entry for each name. @param {PermissionRequirement[]} wanted */
function merged(wanted) {
  /** @type {Map<string, PermissionRequirement>} */
  const found = new Map();
  for (const one of wanted) {
    const { phase = [], required = false } = found.get(one.name) ?? {};
    found.set(one.name, { ...one, phase: [...new Set([...phase, ...one.phase])], required: required || one.required });
  }
  return [...found.values()];
}
