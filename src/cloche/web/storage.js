// @ts-check
/**
 * Where a page keeps states: IndexedDB, localStorage, or memory where a browser denies both. Each keeps states by name, a
 * member at a time, each member as JSON text; a write happens as a whole or not at all. One tab has a storage at a time.
 *
 * @typedef {{version: number, schema: number, members: Record<string, string>}} Saved
 * @typedef {Record<string, string | null>} Members null for one that is dropped
 * @typedef {"indexeddb" | "localstorage" | "memory"} Mode
 * @typedef {{
 *   mode: Mode, load: () => Promise<Record<string, Saved>>, close: () => void,
 *   write: (state: string, version: number, schema: number, members: Members) => Promise<void>,
 * }} PageStorage
 */

/** The version of what is written. */
const FORMAT = 1;
/** Milliseconds for the tab before this one, which may be this one before a reload, to let go. */
const PATIENCE = 5000;

/** A storage is in use, full, damaged or too new; what is in it is left as it is. */
export class StorageError extends Error {}

const tooNew = () =>
  new StorageError(
    "The browser's storage was written by a newer version of Cloche: update Cloche, or choose another name",
  );

/** @param {any} error @param {string} what */
function blamed(error, what) {
  if (error instanceof StorageError) return error;
  return new StorageError(
    error?.name == "QuotaExceededError"
      ? "The browser's storage is full: the last changes are in memory only"
      : `The browser's storage cannot be ${what} (${error?.message ?? error})`,
  );
}

/**
 * The states after a write, which leaves those before it as they were.
 *
 * @param {Record<string, Saved>} states @param {string} state @param {number} version @param {number} schema
 * @param {Members} members
 * @returns {Record<string, Saved>}
 */
function written(states, state, version, schema, members) {
  /** @type {Record<string, any>} */
  const all = { ...states[state]?.members, ...members };
  const kept = Object.entries(all).filter(([, text]) => text !== null);
  return { ...states, [state]: { version, schema, members: Object.fromEntries(kept) } };
}

/** @implements {PageStorage} */
class MemoryStorage {
  mode = /** @type {Mode} */ ("memory");
  /** @type {Record<string, Saved>} */
  #states = {};

  load() {
    return Promise.resolve(this.#states);
  }

  /** @param {string} state @param {number} version @param {number} schema @param {Members} members */
  write(state, version, schema, members) {
    this.#states = written(this.#states, state, version, schema, members);
    return Promise.resolve();
  }

  close() {}
}

/** Everything under one key, which the browser replaces as a whole. @implements {PageStorage} */
class LocalStorage {
  mode = /** @type {Mode} */ ("localstorage");
  /** @type {Record<string, Saved>} */
  #states = {};

  /** @param {string} key */
  constructor(key) {
    this.key = key;
    this.storage = localStorage; // throws where there is none
    const probe = key + " probe";
    this.storage.setItem(probe, "");
    this.storage.removeItem(probe);
  }

  // deno-lint-ignore require-await
  async load() {
    const text = this.storage.getItem(this.key);
    if (text !== null) {
      let found;
      try {
        found = JSON.parse(text);
      } catch {
        throw new StorageError(
          `The browser's storage is damaged: remove ${JSON.stringify(this.key)} from localStorage`,
        );
      }
      if (found.format > FORMAT) throw tooNew();
      this.#states = found.states;
    }
    return this.#states;
  }

  /** @param {string} state @param {number} version @param {number} schema @param {Members} members */
  // deno-lint-ignore require-await
  async write(state, version, schema, members) {
    const states = written(this.#states, state, version, schema, members);
    this.storage.setItem(this.key, JSON.stringify({ format: FORMAT, states }));
    this.#states = states;
  }

  close() {}
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A record for each member, and one transaction for each write. @implements {PageStorage} */
class IndexedDBStorage {
  mode = /** @type {Mode} */ ("indexeddb");

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /** @param {string} key */
  static async open(key) {
    const request = indexedDB.open(key, FORMAT); // throws where there is none
    request.onupgradeneeded = () => {
      request.result.createObjectStore("states");
      request.result.createObjectStore("members");
    };
    try {
      return new IndexedDBStorage(await answered(request));
    } catch (/** @type {any} */ error) {
      throw error.name == "VersionError" ? tooNew() : error;
    }
  }

  async load() {
    const reading = this.database.transaction(["states", "members"]);
    /** @param {string} name @returns {Promise<[any[], any[]]>} */
    const all = (name) => {
      const store = reading.objectStore(name);
      return Promise.all([answered(store.getAllKeys()), answered(store.getAll())]);
    };
    const [[names, heads], [places, texts]] = await Promise.all([all("states"), all("members")]);
    const states = Object.fromEntries(names.map((name, at) => [name, { ...heads[at], members: {} }]));
    places.forEach(([state, member], at) => states[state].members[member] = texts[at]);
    return states;
  }

  /** @param {string} state @param {number} version @param {number} schema @param {Members} members @returns {Promise<void>} */
  write(state, version, schema, members) {
    return new Promise((resolve, reject) => {
      const writing = this.database.transaction(["states", "members"], "readwrite", { durability: "strict" });
      writing.oncomplete = () => resolve();
      writing.onabort = () => reject(writing.error);
      writing.objectStore("states").put({ version, schema }, state);
      const store = writing.objectStore("members");
      for (const [member, text] of Object.entries(members)) {
        text === null ? store.delete([state, member]) : store.put(text, [state, member]);
      }
    });
  }

  close() {
    this.database.close();
  }
}

/** @type {Record<Mode, (key: string) => PageStorage | Promise<PageStorage>>} */
const WAYS = {
  indexeddb: (key) => IndexedDBStorage.open(key),
  localstorage: (key) => new LocalStorage(key),
  memory: () => new MemoryStorage(),
};

/** Keep other tabs out until the function that is returned is called. @param {string} key @returns {Promise<() => void>} */
function locked(key) {
  // Pages that are not served securely have no locks.
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE);
    navigator.locks.request(key, { signal }, () => new Promise((release) => resolve(() => release(undefined)))).catch(
      (error) =>
        reject(
          signal.aborted
            ? new StorageError("Another tab has the browser's storage: close it, and reload this one")
            : error,
        ),
    );
  });
}

/**
 * The first storage that works here, in the order of `modes`; memory at the last. What a storage refuses because it is
 * in use, damaged or too new is an error, and nothing else is tried: the states are there.
 *
 * @param {string} [name] pages of one origin share what is under one name
 * @param {Mode[]} [modes]
 * @returns {Promise<PageStorage & {reasons: string[]}>} `reasons` says why those before it do not work here
 */
export async function openStorage(name = "state", modes = ["indexeddb", "localstorage", "memory"]) {
  const key = "cloche:" + name;
  /** @type {string[]} */
  const reasons = [];
  for (const mode of modes) {
    if (!WAYS[mode]) {
      throw new StorageError(`There is no mode ${JSON.stringify(mode)}: it is one of ${Object.keys(WAYS)}`);
    }
    let release = () => {};
    /** @type {PageStorage} */
    let storage;
    try {
      if (mode != "memory") release = await locked(key);
      storage = await WAYS[mode](key);
    } catch (/** @type {any} */ error) {
      release();
      if (error instanceof StorageError) throw error;
      reasons.push(`${mode}: ${error?.message ?? error}`);
      continue;
    }
    const close = () => {
      storage.close();
      release();
    };
    try {
      await storage.load();
      const load = () => storage.load();
      /** @type {PageStorage["write"]} */
      const write = (...what) => storage.write(...what).catch((error) => Promise.reject(blamed(error, "written")));
      return { mode, reasons, load, write, close };
    } catch (error) {
      close();
      throw blamed(error, "read");
    }
  }
  throw new StorageError(`No storage works here (${reasons.join("; ")}): add "memory" to the modes`);
}

/**
 * How much room this page's origin has in the browser, in bytes, and whether the browser may clear it by itself when the
 * disk is full. Undefined is what the browser does not say.
 *
 * @typedef {{used?: number, free?: number, isPersistent: boolean}} Room
 * @returns {Promise<Room>}
 */
export async function storageRoom() {
  const { storage } = navigator; // pages that are not served securely have none
  const { usage, quota } = await storage?.estimate?.() ?? {};
  const free = usage === undefined || quota === undefined ? undefined : Math.max(0, quota - usage);
  return { used: usage, free, isPersistent: await storage?.persisted?.() ?? false };
}

/**
 * Ask the browser to clear this origin's storage only when the person says so. It may ask the person, so do it after a
 * click that makes sense of the question.
 *
 * @returns {Promise<boolean>} whether it will
 */
export const persistStorage = async () => await navigator.storage?.persist?.() ?? false;

/** For Python, which gets and gives texts. @param {string} name @param {string} modes as JSON */
export async function openStorageOfTexts(name, modes) {
  const { mode, reasons, load, write, close } = await openStorage(name, JSON.parse(modes));
  return {
    mode,
    states: JSON.stringify(await load()),
    reasons: JSON.stringify(reasons),
    /** @param {string} state @param {number} version @param {number} schema @param {string} members as JSON */
    write: (state, version, schema, members) => write(state, version, schema, JSON.parse(members)),
    close,
  };
}
