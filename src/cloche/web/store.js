// @ts-check
/**
 * A server's store in a page: its state as plain JSON, kept up to date while somebody listens, and changed by path. It
 * needs no window, and any transport will do.
 *
 * @typedef {import("./client.js").McpClient} McpClient
 * @typedef {import("./store-copy.js").Operation} Operation
 * @typedef {import("./store-copy.js").Head} Head
 * @typedef {string | readonly (string | number)[]} Path `"items.0.name"`, `"/items/0/name"`, or `["items", 0, "name"]`
 */
import { connectionOf } from "./connection.js";
import { RpcError } from "./rpc.js";
import { Source } from "./source.js";
import { at, partsOf, pointerTo, StoreCopy, StoreRefusedError } from "./store-copy.js";

export { StoreRefusedError };

/** A path in any spelling. @param {Path} path */
export const pathOf = (path) =>
  typeof path != "string" ? path.map(String) : !path || path[0] == "/" ? partsOf(path) : path.split(".");

/**
 * A value in which everything that is equal to what was there before is the same object as before.
 *
 * @template T
 * @param {any} before @param {T} now @returns {T}
 */
export function keep(before, now) {
  if (Object.is(before, now)) return now;
  if (!(before instanceof Object && now instanceof Object) || Array.isArray(before) != Array.isArray(now)) return now;
  if (!Array.isArray(now) && Object.getPrototypeOf(now) != Object.prototype) return now;
  const names = Object.keys(now);
  let isSame = names.length == Object.keys(before).length;
  /** @type {any} */
  const made = Array.isArray(now) ? [] : {};
  for (const name of names) {
    const old = at(before, [name]);
    const value = keep(old, /** @type {any} */ (now)[name]);
    isSame &&= Object.is(value, old) && Object.hasOwn(before, name);
    Object.defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return isSame ? before : made;
}

/** Nobody changes a snapshot. What is frozen already was frozen with all that is in it. @param {any} value */
function freeze(value) {
  if (value instanceof Object && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** One store of a server. `openStore(client, name)` gives the same one to everybody. @extends {Source<any>} */
export class StoreClient extends Source {
  /** @type {"loading" | "ready" | "error"} */
  status = "loading";
  /** Why it could not be read, or is followed no more. @type {Error | undefined} */
  error;
  #copy;
  /** @type {Promise<any> | undefined} */
  #loading;

  /** @param {McpClient} client @param {string} name */
  constructor(client, name) {
    super(undefined);
    this.client = client;
    this.name = name;
    this.uri = "store://" + name;
    // The server waits 20 seconds at most, which every client does.
    this.#copy = new StoreCopy(name, (tool, args) => client.callTool(tool, { ...args }), () => this.#arrived());
  }

  /** The version of the state that the snapshot is; undefined before it was read. */
  get version() {
    return this.#copy.head.version;
  }

  /** What the snapshot is, for `{ base }` of a change that is made from it and sent later; undefined before it was read. */
  get base() {
    return this.version === undefined ? undefined : this.#copy.head;
  }

  /** What is at a path now; undefined where nothing is, and before the state was read. @param {Path} [path] */
  get(path = "") {
    return at(this.getSnapshot(), pathOf(path));
  }

  /** Read the state, unless that was done already. @returns {Promise<any>} the state */
  load() {
    this.#loading ??= this.#copy.sync().catch((error) => {
      this.#loading = undefined;
      this.#failed(error);
      throw error;
    });
    return this.#loading.then(() => this.getSnapshot());
  }

  /**
   * Call `fn` with what is at a path whenever it changes, until the function that is returned is called.
   *
   * @param {Path} path @param {(value: any, before: any) => void} fn
   */
  subscribeKey(path, fn) {
    const parts = pathOf(path);
    return this.select((state) => at(state, parts), fn);
  }

  /**
   * Call `fn` with what a function makes of the state whenever that is another value, until the function that is returned
   * is called.
   *
   * @template T
   * @param {(state: any) => T} selector @param {(value: T, before: T) => void} fn
   */
  select(selector, fn) {
    let before = selector(this.getSnapshot());
    return this.subscribe(() => {
      const now = keep(before, selector(this.getSnapshot()));
      if (Object.is(now, before)) return;
      const last = before;
      before = now;
      fn(now, last);
    });
  }

  /**
   * Set what is at a path. Rejects with `StoreRefusedError` when the server refuses, or when what is there was changed
   * by somebody else after the snapshot of this moment, or of `base`.
   *
   * @param {Path} path @param {unknown} value @param {{base?: Head}} [options]
   */
  async set(path, value, { base = this.base } = {}) {
    await this.load();
    await this.#copy.set(pathOf(path), value, base);
  }

  /** Remove what is at a path. @param {Path} path @param {{base?: Head}} [options] */
  remove(path, options) {
    return this.patch([{ op: "remove", path: pointerTo(pathOf(path)) }], options);
  }

  /**
   * Change several things at once: all of them, or none.
   *
   * @param {Operation[]} patch a JSON Patch (RFC 6902) @param {{base?: Head}} [options]
   */
  async patch(patch, { base = this.base } = {}) {
    await this.load();
    await this.#copy.sync(patch, base);
  }

  /** Ask for what was missed. */
  async refresh() {
    await this.#copy.sync();
  }

  /** @override */
  start() {
    let isOver = false;
    /** @type {(() => Promise<void>) | undefined} */
    let unsubscribe;
    const connection = connectionOf(this.client);
    let { status } = connection.getSnapshot();
    const unwatch = connection.subscribe(() => {
      const before = status;
      status = connection.getSnapshot().status;
      // Another server may be there, and nobody tells of what changed meanwhile.
      if (before == "reconnecting" && status == "connected") this.refresh().catch((error) => this.#failed(error));
    });
    const follow = async () => {
      await this.load();
      try {
        unsubscribe = await this.client.subscribe(this.uri, {
          onChange: () => this.refresh().catch((error) => isOver || this.#failed(error)),
          onError: (error) => isOver || this.#failed(error),
        });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return isOver || this.#copy.poll(() => isOver);
      }
      if (isOver) await unsubscribe();
      else await this.refresh(); // what changed before the subscription
    };
    follow().catch((error) => isOver || this.#failed(error));
    return () => {
      isOver = true;
      unwatch();
      unsubscribe?.().catch(() => {});
    };
  }

  #arrived() {
    const isNews = this.status != "ready";
    this.status = "ready";
    this.error = undefined;
    const before = this.getSnapshot();
    this.#copy.value = freeze(keep(before, this.#copy.value));
    if (Object.is(before, this.#copy.value)) isNews && this.tell();
    else this.put(this.#copy.value);
  }

  /** @param {Error} error */
  #failed(error) {
    this.status = "error";
    this.error = error;
    this.tell();
  }
}

/** @type {WeakMap<McpClient, Map<string, StoreClient>>} */
const opened = new WeakMap();

/**
 * A server's store, by its name: the same object for everybody who asks.
 *
 * @param {McpClient} client @param {string} name
 * @returns {StoreClient}
 */
export function openStore(client, name) {
  const stores = opened.get(client) ?? new Map();
  opened.set(client, stores);
  const found = stores.get(name) ?? new StoreClient(client, name);
  stores.set(name, found);
  return found;
}
