// @ts-check
/**
 * A client's end that outlives the server it speaks to: the tab, the worker or the connection behind it goes, another
 * one comes, and whoever uses the transport need not know.
 *
 * - What is sent while nobody is there waits.
 * - What the one that went had not answered ends with the error `SERVER_GONE`: whether it was carried out, nobody
 *   knows, and nothing is done twice. Only what is about the session itself is asked again.
 * - The next one is told what the session is (`initialize`, the log level, subscriptions) before anything else; its
 *   answers to that are nobody's.
 */
import { attempt, Transport, TransportError } from "./base.js";

/** @typedef {import("./base.js").Message} Message */

/** The code of the answer to a request whose server went away before it answered. */
export const SERVER_GONE = -32000;
/** Messages that wait for a server; more are refused. */
export const OUTBOX_LIMIT = 1024;

const ABOUT_SESSION =
  /^(initialize|ping|server.discover|logging.setLevel|subscriptions.listen|resources.(un)?subscribe)$/;

/** @param {unknown} id @param {string} message */
export const refusal = (id, message) => ({ jsonrpc: "2.0", id, error: { code: SERVER_GONE, message } });

/** What a client and its server have agreed on, read from what they say to each other. */
export class Session {
  /** @type {Map<unknown, Message>} Requests of the client that have no answer yet. */
  waiting = new Map();
  /** @type {Set<string>} */
  subscriptions = new Set();
  /** @type {Message | undefined} What `initialize` asked for, and what was answered. */
  asked;
  /** @type {Message | undefined} */
  agreed;
  /** @type {Message | undefined} */
  initialized;
  /** @type {Message | undefined} */
  level;
  /** @type {Map<unknown, (answer: Message) => void>} */
  #told = new Map();
  #count = 0;

  /**
   * The client says this.
   *
   * @param {Message} message
   */
  asks(message) {
    const { id, method, params } = message;
    if (method && id != null) this.waiting.set(id, message);
    if (method == "notifications/initialized") this.initialized = message;
    if (method == "notifications/cancelled") this.waiting.delete(params?.requestId);
  }

  /**
   * The server says this. True when it answers what the client never asked: it is told what it should know.
   *
   * @param {Message} message
   */
  answers({ id, method, result }) {
    if (method) return false;
    const told = this.#told.get(id);
    this.#told.delete(id);
    told?.({ result });
    const request = this.waiting.get(id);
    this.waiting.delete(id);
    if (request && result) this.#learn(request, result);
    return !!told;
  }

  /** @param {Message} request @param {Message} result */
  #learn({ method, params }, result) {
    if (method == "initialize") [this.asked, this.agreed] = [params, result];
    else if (method == "logging/setLevel") this.level = params;
    else if (method == "resources/subscribe") this.subscriptions.add(params.uri);
    else if (method == "resources/unsubscribe") this.subscriptions.delete(params.uri);
  }

  /** The server is gone: the requests that it had not answered. */
  abandon() {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.#told.clear();
    return waiting;
  }

  /**
   * Tell another server. Resolves when it has answered; false when it did not take up the session.
   *
   * @param {(message: Message) => void} tell
   * @param {Set<string>} [before] what it is subscribed to, when it knows of the session since earlier
   */
  async replay(tell, before) {
    /** @param {string} method @param {Message | undefined} params @returns {Promise<Message>} */
    const ask = (method, params) =>
      new Promise((resolve) => {
        const id = "resume-" + ++this.#count;
        this.#told.set(id, resolve);
        tell({ jsonrpc: "2.0", id, method, params });
      });
    if (this.asked && !before) {
      // The version that was agreed on, which need not be the one that was asked for.
      const { protocolVersion } = this.agreed ?? this.asked;
      if (!(await ask("initialize", { ...this.asked, protocolVersion })).result) return false;
    }
    if (this.initialized && !before) tell(this.initialized);
    const rest = [...this.subscriptions].map((uri) => ask("resources/subscribe", { uri }));
    before?.forEach((uri) => this.subscriptions.has(uri) || rest.push(ask("resources/unsubscribe", { uri })));
    if (this.level) rest.push(ask("logging/setLevel", this.level));
    await Promise.all(rest);
    return true;
  }
}

/** Base of the transports of a client whose server may be replaced: they have `put` instead of `post`. */
export class ResumingTransport extends Transport {
  session = new Session();
  /** @type {[Message, Transferable[]][] | null} What waits for a server; null while there is one. */
  #outbox = [];
  /** @type {Set<() => void>} */
  #resumers = new Set();
  #turn = 0;
  #met = false;

  /**
   * Call `handler` whenever another server has taken up the session: what the last one wanted to tell may be lost.
   *
   * @param {() => void} handler
   */
  onResumed(handler) {
    this.#resumers.add(handler);
    return () => void this.#resumers.delete(handler);
  }

  /** @override @param {Message} message @param {Transferable[]} transfer */
  post(message, transfer) {
    if (!this.#outbox) return this.#send(message, transfer);
    if (message.method == "notifications/cancelled") {
      const place = this.#outbox.findIndex(([{ id, method }]) => method && id === message.params.requestId);
      if (place >= 0) return void this.#outbox.splice(place, 1);
    }
    if (this.#outbox.length >= OUTBOX_LIMIT) throw new TransportError("Too much waits for a server", "OUTBOX_FULL");
    this.#outbox.push([message, transfer]);
  }

  /** @param {Message} message @param {Transferable[]} transfer */
  #send(message, transfer) {
    this.session.asks(message);
    this.put(message, transfer);
  }

  // For transports

  /**
   * Put a message on its way to the server that is there.
   *
   * @param {Message} _message
   * @param {Transferable[]} _transfer
   */
  put(_message, _transfer) {}

  /**
   * The server says this.
   *
   * @param {any} message
   */
  arrived(message) {
    if (!message || !this.session.answers(message)) this.deliver(message);
  }

  /**
   * The server is gone; `unheard` when there was none, so that everything can be asked again.
   *
   * @param {boolean} [unheard]
   */
  lost(unheard) {
    this.#turn++;
    const waiting = this.session.abandon();
    /** @param {Message} request */
    const again = ({ method }) => unheard || ABOUT_SESSION.test(method);
    this.#outbox = [...waiting.filter(again).map((one) => /** @type {any} */ ([one, []])), ...this.#outbox ?? []];
    const why = "The server is gone; whether it did what was asked is not known";
    for (const one of waiting) again(one) || this.deliver(refusal(one.id, why));
  }

  /**
   * There is a server; true when it has taken up the session and has been sent what waited.
   *
   * @param {boolean} [restored] it knows the session already
   */
  async resume(restored) {
    const turn = ++this.#turn;
    const taken = restored || await this.session.replay((message) => this.put(message, []));
    if (turn != this.#turn || !this.isConnected) return false;
    if (!taken) return this.close(), false;
    const waiting = this.#outbox ?? [];
    this.#outbox = null;
    for (const [message, transfer] of waiting) attempt(() => this.#send(message, transfer));
    if (this.#met) { for (const handler of this.#resumers) attempt(handler); }
    return this.#met = true;
  }
}
