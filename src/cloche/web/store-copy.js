// @ts-check
/**
 * A store's state in a page, and how far it is. Views (bind.js) and a page's client (store.js) stand on it.
 *
 * @typedef {{op: string, path: string, value?: any}} Operation one of a JSON Patch: `add`, `replace` or `remove`
 * @typedef {(tool: string, args: object) => Promise<any>} CallTool
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
  /** @type {string | undefined} which life of the state the version counts in */
  epoch;
  /** @type {number | undefined} */
  version;
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
    const { name: store, epoch, version } = this;
    const { isError, content, structuredContent } = await this.callTool(TOOL, { store, epoch, version, ...more });
    if (isError) throw new StoreRefusedError({ message: content?.[0]?.text });
    return structuredContent;
  }

  /** Bring it up to date, and send a patch along. @param {{patch?: Operation[]}} [more] @returns {Promise<void>} */
  sync(more) {
    return this.#last = this.#last.catch(() => {}).then(async () => {
      const told = await this.#ask(more);
      this.value = told.patch ? patched(this.value, told.patch) : told.value;
      this.epoch = told.epoch;
      this.version = told.version;
      this.tell();
      if (told.refused) throw new StoreRefusedError(told.refused);
    });
  }

  /** Set what is at a path; rejects when the server refuses, or somebody else was faster. @param {string[]} parts @param {any} value */
  set(parts, value) {
    const op = Array.isArray(at(this.value, parts.slice(0, -1))) && parts.at(-1) != "-" ? "replace" : "add";
    return this.sync({ patch: [{ op, path: pointerTo(parts), value }] });
  }

  /** Where nobody tells of changes: ask and wait for one, else ask now and then. @param {() => boolean} [isOver] */
  async poll(isOver) {
    for (let wait = WAIT; !isOver?.();) {
      const began = Date.now();
      const { version } = this;
      try {
        // A writer must not wait for the one that waits, so this is not one of the exchanges in a row.
        if (wait) await this.#ask({ wait });
        await this.sync();
      } catch {
        wait = 0; // the host has no patience, or is gone
      }
      // A host that answers at once, whatever it is asked, is asked no more often than one without long calls.
      if (!wait || (this.version == version && Date.now() - began < 1e3)) {
        await new Promise((done) => setTimeout(done, POLL));
      }
    }
  }
}
