// @ts-check
/** The client that a page's components share, and what becomes of its connection: for React and Vue alike. */
import { connectionOf } from "./connection.js";
import { Source } from "./source.js";
import { openStore } from "./store.js";

/**
 * @typedef {import("./client.js").McpClient} McpClient
 * @typedef {import("./store.js").StoreClient} StoreClient
 * @typedef {McpClient | (() => McpClient | Promise<McpClient>)} ClientOrMaker a function is called in the browser only, when
 *   the page is shown; what it makes is closed when the page's part goes
 * @typedef {{
 *   client?: McpClient, status: import("./connection.js").TransportStatus, error?: Error,
 *   store: (name: string) => StoreClient,
 * }} Mcp `client` is undefined until there is one, and while a page is rendered on a server
 */

/** @param {McpClient | undefined} client @returns {(name: string) => StoreClient} */
const storesOf = (client) => (name) => {
  if (!client) throw Error("There is no client yet: use store() after the page was shown, such as in a click handler");
  return openStore(client, name);
};

/** @extends {Source<Mcp>} */
export class Provided extends Source {
  /** @param {ClientOrMaker} given */
  constructor(given) {
    const client = typeof given == "function" ? undefined : given;
    super({ client, status: "connecting", store: storesOf(client) });
    this.given = given;
  }

  /** @override */
  start() {
    const { given } = this;
    if (typeof given != "function") return this.#follow(given);
    let isOver = false;
    /** @type {(() => void) | undefined} */
    let stop;
    Promise.resolve().then(() => isOver ? undefined : given()).then((client) => {
      if (!client) return;
      if (isOver) return client.close();
      this.merge({ client, store: storesOf(client) });
      const unfollow = this.#follow(client);
      stop = () => {
        unfollow();
        client.close();
      };
    }, (error) => isOver || this.merge({ status: "failed", error }));
    return () => {
      isOver = true;
      stop?.();
      this.put(this.getInitial());
    };
  }

  /** @param {McpClient} client */
  #follow(client) {
    const connection = connectionOf(client);
    const told = () => {
      const { status, error } = connection.getSnapshot();
      this.merge({ status, error });
    };
    const stop = connection.subscribe(told);
    told();
    return stop;
  }
}
