// @ts-check
/** Resources that are read again whenever they change, over a transport without a client. */
import { attempt, TransportClosedError } from "./base.js";
import { ResumingTransport } from "./session.js";

/**
 * Many listeners, one subscription at the server for each resource. An update that arrives while the resource is read
 * makes it be read once more; after a new server took up the session, everything is.
 *
 * @typedef {{onChange: (uri: string, contents: any[]) => void, onError?: (error: Error) => void}} Subscriber
 * @typedef {{subscribers: Set<Subscriber>, ready: Promise<any>, stale?: boolean, reading?: boolean}} Watched
 */
export class ResourceSubscriptionManager {
  /** @type {Map<string, Watched>} */
  #watched = new Map();

  /** @param {import("./base.js").Transport} transport */
  constructor(transport) {
    this.transport = transport;
    transport.onMessage(({ method, params }) => {
      if (method == "notifications/resources/updated") this.#refresh(params?.uri);
    });
    if (transport instanceof ResumingTransport) {
      const { onReconnected } = transport;
      transport.onReconnected = () => {
        onReconnected?.();
        [...this.#watched.keys()].forEach(this.#refresh);
      };
    }
    transport.onClose(() => {
      for (const { subscribers } of this.#watched.values()) this.#failed(subscribers, new TransportClosedError());
      this.#watched.clear();
    });
  }

  /**
   * Call `onChange` with what the resource contains whenever it changed, and `onError` when it could not be read or the
   * connection is over. Rejects when the server refuses.
   *
   * @param {string} uri
   * @param {Subscriber} subscriber
   */
  async subscribe(uri, { onChange, onError }) {
    const subscriber = { onChange, onError };
    const watched = this.#watched.get(uri) ?? { subscribers: new Set(), ready: this.#ask("resources/subscribe", uri) };
    this.#watched.set(uri, watched);
    // Before the server has answered: the first update may be right behind its answer.
    watched.subscribers.add(subscriber);
    const unsubscribe = async () => {
      if (!watched.subscribers.delete(subscriber) || watched.subscribers.size || this.#watched.get(uri) != watched) {
        return;
      }
      this.#watched.delete(uri);
      if (this.transport.isConnected) await this.#ask("resources/unsubscribe", uri);
    };
    try {
      await watched.ready;
    } catch (error) {
      watched.subscribers.delete(subscriber);
      if (this.#watched.get(uri) == watched) this.#watched.delete(uri);
      throw error;
    }
    return { uri, unsubscribe };
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
        const { contents } = await this.#ask("resources/read", uri);
        for (const { onChange } of watched.subscribers) attempt(() => onChange(uri, contents ?? []));
      } catch (error) {
        if (this.transport.isConnected) this.#failed(watched.subscribers, error);
      }
    }
    watched.reading = false;
  };

  /** @param {Set<Subscriber>} subscribers @param {any} error */
  #failed(subscribers, error) {
    for (const { onError } of subscribers) attempt(() => onError?.(error));
  }

  /** @param {string} method @param {string} uri */
  async #ask(method, uri) {
    const { result, error } = await this.transport.request({ method, params: { uri } });
    if (error) throw Object.assign(Error(error.message), error);
    return result;
  }
}
