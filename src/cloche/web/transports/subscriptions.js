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
 * @typedef {{
 *   subscribers: Set<Subscriber>, ready: Promise<() => Promise<void>>, forget: () => boolean, stale?: boolean, reading?: boolean,
 * }} Watched
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
    const { subscribers, ready, forget } = this.#watched.get(uri) ?? this.#watch(uri);
    // Before the server has answered: the first update may be right behind its answer.
    subscribers.add(subscriber);
    const stop = await ready;
    const unsubscribe = async () => {
      if (subscribers.delete(subscriber) && !subscribers.size && forget()) await stop();
    };
    return { uri, unsubscribe };
  }

  /** @param {string} uri @returns {Watched} */
  #watch(uri) {
    /** @type {Set<Subscriber>} */
    const subscribers = new Set();
    const forget = () => this.#watched.get(uri) == watched && this.#watched.delete(uri);
    const ready = this.client.subscribe(uri, {
      onChange: () => this.#refresh(uri),
      onError: (error) => {
        forget();
        this.#failed(subscribers, error);
      },
    });
    ready.catch(forget);
    /** @type {Watched} */
    const watched = { subscribers, ready, forget };
    this.#watched.set(uri, watched);
    return watched;
  }

  /** @param {string} uri */
  #refresh = async (uri) => {
    const watched = this.#watched.get(uri);
    if (!watched) return;
    watched.stale = true;
    if (watched.reading) return;
    watched.reading = true;
    while (watched.stale && watched.subscribers.size) {
      watched.stale = false;
      try {
        const { contents } = await this.client.readResource(uri);
        for (const { onChange } of watched.subscribers) attempt(() => onChange(uri, contents ?? []));
      } catch (error) {
        if (this.client.isConnected) this.#failed(watched.subscribers, error);
      }
    }
    watched.reading = false;
  };

  /** @param {Set<Subscriber>} subscribers @param {any} error */
  #failed(subscribers, error) {
    for (const { onError } of subscribers) attempt(() => onError?.(error));
  }
}
