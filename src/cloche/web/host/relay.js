// @ts-check
/**
 * One server and the clients that it has one after the other: when the host was started anew, a new client takes the
 * place of the old one, and the server must not notice. It is greeted once; requests have ids of their own here, so
 * that what the old client asked is never taken for an answer to the new one.
 *
 * @typedef {import("../transports/base.js").Message} Message
 * @typedef {{id: unknown, token: unknown, isGreeting: boolean}} Asked what the client called it
 */

const INITIALIZED = "notifications/initialized";

export class Relay {
  /** What was asked and not answered, by the id that the server knows. @type {Map<number, Asked>} */
  #asked = new Map();
  #count = 0;
  /** The server's answer to `initialize`. @type {Message | null} */
  #greeting = null;
  #isInitialized = false;

  /** @param {(message: Message) => void} toServer @param {(message: Message) => void} toHost */
  constructor(toServer, toHost) {
    this.toServer = toServer;
    this.toHost = toHost;
  }

  /** @param {Message} message */
  fromHost(message) {
    const { id, method, params } = message;
    if (method === INITIALIZED && this.#isInitialized) return;
    if (method === INITIALIZED) this.#isInitialized = true;
    if (method === "initialize" && this.#isGreeted(id)) return;
    if (method === "notifications/cancelled") return this.#cancelled(message);
    if (!method || id === undefined) return this.toServer(message);
    const own = ++this.#count;
    const token = params?._meta?.progressToken;
    this.#asked.set(own, { id, token, isGreeting: method === "initialize" });
    const told = token === undefined ? params : { ...params, _meta: { ...params._meta, progressToken: own } };
    this.toServer({ ...message, id: own, ...(told ? { params: told } : {}) });
  }

  /**
   * The server's first answer is for every client, also for one that comes while it is still waited for.
   *
   * @param {unknown} id
   */
  #isGreeted(id) {
    if (this.#greeting) this.toHost({ ...this.#greeting, id });
    const waiting = [...this.#asked.values()].find(({ isGreeting }) => isGreeting);
    if (waiting) waiting.id = id;
    return this.#greeting !== null || waiting !== undefined;
  }

  /** @param {Message} message */
  #cancelled(message) {
    const [own] = [...this.#asked].find(([, { id }]) => id === message.params?.requestId) ?? [];
    if (own === undefined) return;
    this.#asked.delete(own);
    this.toServer({ ...message, params: { ...message.params, requestId: own } });
  }

  /** @param {Message} message */
  fromServer(message) {
    if (message.method === "notifications/progress") {
      const asked = this.#asked.get(message.params?.progressToken);
      return asked && this.toHost({ ...message, params: { ...message.params, progressToken: asked.token } });
    }
    if (message.method) return this.toHost(message);
    const asked = this.#asked.get(message.id);
    if (!asked) return;
    this.#asked.delete(message.id);
    if (asked.isGreeting && message.result) this.#greeting = message;
    this.toHost({ ...message, id: asked.id });
  }

  /** The client is gone: nobody waits for what it asked, but for the greeting. */
  forget() {
    for (const [own, { isGreeting }] of [...this.#asked]) {
      if (isGreeting) continue;
      this.#asked.delete(own);
      const params = { requestId: own, reason: "The host is gone" };
      this.toServer({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }
}
