// @ts-check
/** Resources that are read again whenever they change, in both eras, over a client or a transport. */
import { McpClient } from "../client.js";
import { attempt } from "./base.js";
import { ResumingTransport } from "./session.js";

/**
 * Many listeners, one subscription at the server for each resource. An update that arrives while the resource is read
 * makes it be read once more; after a new server took up the session, everything is.
 *
 * @typedef {{onChange: (uri: string, contents: any[]) => void, onError?: (error: Error) => void}} Subscriber
 * @typedef {{subscribers: Set<Subscriber>, stale?: boolean, reading?: boolean}} Watched
 */
export class ResourceSubscriptionManager {
  /** @type {Map<string, Watched>} */
  #watched = new Map();

  /** @param {McpClient | import("./base.js").Transport} peer */
  constructor(peer) {
    // Over a transport somebody else has said hello, if the server wants that.
    this.client = peer instanceof McpClient ? peer : new McpClient(peer, { isGreeted: true });
    const { transport } = this.client;
    if (transport instanceof ResumingTransport) {
      const { onReconnected } = transport;
      transport.onReconnected = () => {
        onReconnected?.();
        [...this.#watched.keys()].forEach(this.#refresh);
      };
    }
  }

  /**
   * Call `onChange` with what the resource contains whenever it changed, and `onError` when it could not be read or the
   * connection is over. Rejects when the server refuses.
   *
   * @param {string} uri
   * @param {Subscriber} given
   */
  async subscribe(uri, given) {
    const subscriber = { ...given };
    /** @type {Watched} */
    const watched = this.#watched.get(uri) ?? { subscribers: new Set() };
    const { subscribers } = watched;
    const forget = () => {
      if (subscribers.delete(subscriber) && !subscribers.size) this.#watched.delete(uri);
    };
    this.#watched.set(uri, watched);
    // Before the server has answered: the first update may be right behind its answer.
    subscribers.add(subscriber);
    const subscribed = this.client.subscribe(uri, {
      onChange: () => this.#refresh(uri),
      onError: (error) => {
        forget();
        given.onError?.(error);
      },
    });
    subscribed.catch(forget);
    const stop = await subscribed;
    const unsubscribe = () => {
      forget();
      return stop();
    };
    return { uri, unsubscribe };
  }

  /** @param {string} uri */
  #refresh = async (uri) => {
    const watched = this.#watched.get(uri);
    if (!watched) return;
    watched.stale = true;
    if (watched.reading) return;
    watched.reading = true;
    await null; // every subscriber is told of one change: it is read once for all of them
    while (watched.stale && watched.subscribers.size) {
      watched.stale = false;
      try {
        const { contents } = await this.client.readResource(uri);
        for (const { onChange } of watched.subscribers) attempt(() => onChange(uri, contents ?? []));
      } catch (error) {
        if (!this.client.isConnected) break;
        for (const { onError } of watched.subscribers) attempt(() => onError?.(/** @type {Error} */ (error)));
      }
    }
    watched.reading = false;
  };
}
