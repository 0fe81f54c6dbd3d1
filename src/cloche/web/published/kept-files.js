// @ts-check
/**
 * Files among the settings, kept in this browser for one session: after a reload they are there without being picked again.
 * The browser keeps them in IndexedDB; where it denies that, they are there for as long as the page is.
 */

const DATABASE = "cloche settings";
const FILES = "files";

export class KeptFiles {
  /** By the names of the settings. @type {Map<string, File>} */
  #files = new Map();

  /** @param {string} prefix of the session */
  constructor(prefix) {
    this.prefix = prefix;
  }

  /** @param {string} name */
  get(name) {
    return this.#files.get(name);
  }

  /** Fetch what is kept. @param {string[]} names */
  async load(names) {
    if (!names.length) return;
    const kept = await inStore("readonly", (store) => names.map((name) => store.get(this.prefix + name)));
    for (const [index, name] of names.entries()) {
      const file = kept?.[index];
      if (file instanceof File && await isThere(file)) this.#files.set(name, file);
    }
  }

  /** @param {string} name @param {File} file */
  async keep(name, file) {
    this.#files.set(name, file);
    await inStore("readwrite", (store) => [store.put(file, this.prefix + name)]);
  }

  async forget() {
    this.#files.clear();
    const range = IDBKeyRange.bound(this.prefix, `${this.prefix}\uffff`);
    await inStore("readwrite", (store) => [store.delete(range)]);
  }
}

/**
 * Whether a file can be read: a private window keeps only where it lies, and it may be gone from there, or be another one.
 *
 * @param {File} file
 */
const isThere = (file) => file.slice(0, 1).arrayBuffer().then(() => true, () => false);

/**
 * What became of requests to the store; undefined where the browser denies it.
 *
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest[]} ask
 * @returns {Promise<any[] | undefined>}
 */
async function inStore(mode, ask) {
  try {
    const database = await open();
    try {
      const change = database.transaction(FILES, mode);
      const asked = ask(change.objectStore(FILES));
      await new Promise((resolve, reject) => {
        change.oncomplete = resolve;
        change.onerror = change.onabort = () => reject(change.error);
      });
      return asked.map(({ result }) => result);
    } finally {
      database.close();
    }
  } catch (error) {
    console.warn(`Files are not kept: ${error}`);
  }
}

/** @returns {Promise<IDBDatabase>} */
const open = () =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = opening.onblocked = () => reject(opening.error);
  });
