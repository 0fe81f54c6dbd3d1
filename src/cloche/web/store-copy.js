// @ts-check
/**
 * A store's state in a page, and how far it is. Views (bind.js) and a page's client (store.js) stand on it.
 *
 * @typedef {{op: string, path: string, value?: any}} Operation one of a JSON Patch: `add`, `replace` or `remove`
 * @typedef {(tool: string, args: object) => Promise<any>} CallTool
 * @typedef {{epoch?: string, version?: number}} Head which life of the state, and the version in it; empty before it was read
 */
const TOOL = "store_sync";
const WAIT = 20;
const POLL = 2000;

/** Nothing is inherited: names come from the state. @param {any} value @param {string[]} parts */
export const at = (value, parts) =>
  parts.reduce(
    (holder, part) => holder instanceof Object && Object.hasOwn(holder, part) ? holder[part] : undefined,
    value,
  );

/** The JSON Pointer to a path. @param {string[]} parts */
export const pointerTo = (parts) => parts.map((part) => "/" + part.replace(/~/g, "~0").replace(/\//g, "~1")).join("");

/** The path that a JSON Pointer names. @param {string} pointer */
export const partsOf = (pointer) =>
  pointer.split("/").slice(1).map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));

/**
 * A value after one change: what did not change is the same object as before.
 *
 * @param {any} value @param {string[]} parts @param {string} op @param {any} given @returns {any}
 */
function changed(value, [name, ...rest], op, given) {
  if (name == null) return given;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (!rest.length && Array.isArray(copy)) {
    copy.splice(+name, op == "add" ? 0 : 1, ...(op == "remove" ? [] : [given]));
  } else if (!rest.length && op == "remove") delete copy[name];
  else {
    const inner = changed(at(value, [name]), rest, op, given);
    Object.defineProperty(copy, name, { value: inner, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/**
 * A value after a patch, which leaves the value before it as it was.
 *
 * @param {any} value @param {Operation[]} patch
 */
export const patched = (value, patch) =>
  patch.reduce((before, { op, path, value: given }) => changed(before, partsOf(path), op, given), value);

/** The server refused a change. `isConflict` says that somebody else was faster. */
export class StoreRefusedError extends Error {
  /** @param {{message: string, conflict?: boolean}} refused */
  constructor({ message, conflict = false }) {
    super(message);
    this.isConflict = conflict;
  }
}

/** A copy of one store's state. Its values are never changed in place. */
export class StoreCopy {
  /** @type {any} undefined until it was read */
  value;
  /** What the value is; another object with every answer. @type {Head} */
  head = {};
  /** What this copy wrote itself is nothing unseen. */
  #writer = Math.random() + "";
  /** The exchange under way: one after the other. @type {Promise<any>} */
  #last = Promise.resolve();

  /** @param {string} name @param {CallTool} callTool @param {() => void} tell is called when it may have changed */
  constructor(name, callTool, tell) {
    this.name = name;
    this.callTool = callTool;
    this.tell = tell;
  }

  /** @param {object} [more] */
  async #ask(more) {
    const { isError, content, structuredContent } = await this.callTool(TOOL, {
      store: this.name,
      ...this.head,
      ...more,
    });
    if (isError) throw new StoreRefusedError({ message: content?.[0]?.text });
    return structuredContent;
  }

  /** @param {object} [more] */
  async #exchange(more) {
    const { patch, value, epoch, version, refused } = await this.#ask(more);
    this.value = patch ? patched(this.value, patch) : value;
    this.head = { epoch, version };
    this.tell();
    if (refused) throw new StoreRefusedError(refused);
  }

  /**
   * Bring it up to date, and send a patch along: what changed since `base`, and this copy did not write, is not
   * overwritten.
   *
   * @param {Operation[]} [patch] @param {Head} [base] what its writer had before them @returns {Promise<void>}
   */
  sync(patch, base = this.value && this.head) {
    return this.#last = this.#last.catch(() => {}).then(async () => {
      if (patch && !this.value) await this.#exchange();
      await this.#exchange(patch && { patch, base, writer: this.#writer });
    });
  }

  /**
   * Set what is at a path; rejects when the server refuses, or somebody else was faster.
   *
   * @param {string[]} parts @param {any} value @param {Head} [base]
   */
  set(parts, value, base) {
    const op = Array.isArray(at(this.value, parts.slice(0, -1))) && parts.at(-1) != "-" ? "replace" : "add";
    return this.sync([{ op, path: pointerTo(parts), value }], base);
  }

  /** Where nobody tells of changes: ask and wait for one, else ask now and then. @param {() => boolean} [isOver] */
  async poll(isOver) {
    for (let wait = WAIT; !isOver?.();) {
      const began = Date.now();
      const { head } = this;
      try {
        // A writer must not wait for the one that waits, so this is not one of the exchanges in a row.
        if (wait) await this.#ask({ wait });
      } catch {
        wait = 0; // the host has no patience
      }
      try {
        await this.sync();
      } catch {
        wait = WAIT; // the server is gone, and so it was not the host's patience
      }
      // A host that answers at once, whatever it is asked, is asked no more often than one without long calls.
      if (!wait || (this.head.version == head.version && Date.now() - began < 1e3)) {
        await new Promise((done) => setTimeout(done, POLL));
      }
    }
  }
}
