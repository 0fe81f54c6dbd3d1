// @ts-check
/**
 * A client's end that outlives the server it speaks to: the tab, the worker or the connection behind it goes, another
 * one comes, and whoever uses the transport need not know.
 *
 * - What is sent while nobody is there waits, up to a limit; more is refused with the code `OUTBOX_FULL`.
 * - What the one that went had not answered ends with the error `SERVER_GONE`: whether it was carried out, nobody
 *   knows, and nothing is done twice. Only what is about the session itself is asked again.
 * - The next one is told what the session is (`initialize`, the log level, subscriptions) before anything else; its
 *   answers to that are nobody's.
 */
import { CONNECTION_CLOSED, MAX_LENGTH, META } from "../protocol.js";
import { generateRequestId } from "../rpc.js";
import { attempt, Transport, TransportError, weigh } from "./base.js";

/**
 * @typedef {import("./base.js").Message} Message
 * @typedef {[message: Message, transfer: Transferable[], length: number]} Waiting
 */

/** The code of the answer to a request whose server went away before it answered. */
export const SERVER_GONE = CONNECTION_CLOSED;
/** What a message counts for at least while it waits for a server, so that there are at most 1,024. */
const SMALLEST = MAX_LENGTH / 1024;

const ABOUT_SESSION = /^(initialize|ping|server|logging|subscriptions|resources.(un)?subscribe)/;

/** @param {unknown} id @param {string} message */
export const refusal = (id, message) => ({ jsonrpc: "2.0", id, error: { code: SERVER_GONE, message } });

/** What a client and its server have agreed on, read from what they say to each other. */
export class Session {
  /** @type {Map<unknown, Message>} Requests of the client that have no answer yet. */
  waiting = new Map();
  /** @type {Set<string>} */
  subscriptions = new Set();
  /** @type {Message | undefined} What `initialize` asked for, in the version that was agreed on, and its answer. */
  asked;
  /** @type {Message | undefined} */
  agreed;
  /** @type {Message | undefined} */
  initialized;
  /** @type {Message | undefined} */
  level;
  /** @type {Message | undefined} What the newest request of the era without a handshake says of its client. */
  client;
  /** @type {Message | undefined} What the server was found to be there. */
  found;
  /** @type {Map<unknown, (result: Message | undefined) => void>} */
  #told = new Map();

  /** The client says this. @param {Message} message */
  asks(message) {
    const { id, method, params } = message;
    if (method && id != null) this.waiting.set(id, message);
    if (params?._meta?.[META + "protocolVersion"]) this.client = params._meta;
    if (method == "notifications/initialized") this.initialized = message;
    if (method == "notifications/cancelled") this.waiting.delete(params?.requestId);
  }

  /**
   * Take a message from the server. True for answers to requests that we replayed: the client must not see them.
   *
   * @param {Message} message
   */
  answers({ id, method, result }) {
    if (method) return false;
    const request = this.waiting.get(id);
    this.waiting.delete(id);
    if (request && result) this.#learn(request, result);
    this.#told.get(id)?.(result);
    return this.#told.delete(id);
  }

  /** @param {Message} request @param {Message} result */
  #learn({ method, params }, result) {
    if (method == "initialize") {
      this.agreed = result;
      this.asked = { ...params, protocolVersion: result.protocolVersion };
    }
    if (method == "server/discover") this.found = result;
    if (method == "logging/setLevel") this.level = params;
    if (method == "resources/subscribe") this.subscriptions.add(params.uri);
    if (method == "resources/unsubscribe") this.subscriptions.delete(params.uri);
  }

  /**
   * What a tab keeps of it, in whichever era it is.
   *
   * @param {{protocolVersion?: string, serverCapabilities: Message, clientCapabilities: Message}} before what is known
   *   from earlier
   */
  facts(before) {
    const { asked, agreed, client, found, subscriptions } = this;
    const streams = [...this.waiting.values()].filter(({ method }) => method == "subscriptions/listen");
    const followed = streams.flatMap(({ params }) => params.notifications?.resourceSubscriptions ?? []);
    return {
      protocolVersion: agreed?.protocolVersion ?? client?.[META + "protocolVersion"] ?? before.protocolVersion,
      serverCapabilities: (agreed ?? found)?.capabilities ?? before.serverCapabilities,
      clientCapabilities: asked?.capabilities ?? client?.[META + "clientCapabilities"] ?? before.clientCapabilities,
      subscriptions: [...new Set([...subscriptions, ...followed])],
    };
  }

  /**
   * Tell another server. Resolves when it has answered; false when it did not take up the session.
   *
   * @param {(message: Message) => void} tell
   * @param {string[]} [knows] what it is subscribed to, when it knows the session since earlier
   */
  async replay(tell, knows) {
    /** @param {string} method @param {Message} params @returns {Promise<Message | undefined>} */
    const ask = (method, params) =>
      new Promise((resolve) => {
        const id = generateRequestId();
        this.#told.set(id, resolve);
        tell({ jsonrpc: "2.0", id, method, params });
      });
    if (this.asked && !knows) {
      if (!await ask("initialize", this.asked)) return false;
      if (this.initialized) tell(this.initialized);
    }
    const rest = [...this.subscriptions].map((uri) => ask("resources/subscribe", { uri }));
    knows?.forEach((uri) => this.subscriptions.has(uri) || rest.push(ask("resources/unsubscribe", { uri })));
    if (this.level) rest.push(ask("logging/setLevel", this.level));
    await Promise.all(rest);
    return true;
  }
}

/** Base of the transports of a client whose server may be replaced: they have `put` instead of `post`, or `say`. */
export class ResumingTransport extends Transport {
  session = new Session();
  /** @type {((attempt: number) => void) | undefined} Called when the server is gone. */
  onReconnecting;
  /** @type {(() => void) | undefined} Called when another one has taken up the session. */
  onReconnected;
  /** @type {(() => void) | undefined} Called when no other one is looked for any more. */
  onReconnectFailed;
  /** @type {Waiting[] | null} What waits for a server, and how long it is; null while there is one. */
  #outbox = [];
  #turn = 0;
  #again = false;

  /** @override @param {Message} message @param {Transferable[]} transfer */
  post(message, transfer) {
    const { method, params } = message;
    if (!this.#outbox) this.#send(message, transfer);
    else if (method == "notifications/cancelled") {
      this.#outbox = this.#outbox.filter(([{ id }]) => id !== params.requestId);
    } else this.#wait(this.#outbox, message, transfer);
  }

  /** @param {Waiting[]} outbox @param {Message} message @param {Transferable[]} transfer */
  #wait(outbox, message, transfer) {
    const length = Math.max(weigh(message).length, SMALLEST);
    if (outbox.reduce((sum, [, , length]) => sum + length, length) > MAX_LENGTH) {
      throw new TransportError("Too much waits for a server", "OUTBOX_FULL");
    }
    outbox.push([message, transfer, length]);
  }

  /** @param {Message} message @param {Transferable[]} transfer */
  #send(message, transfer) {
    this.session.asks(message);
    this.put(message, transfer);
  }

  // For transports

  /** Put a message on its way to the server that is there. @param {Message} message @param {Transferable[]} transfer */
  put(message, transfer) {
    super.post(message, transfer);
  }

  /** Takes a message from the server; answers to requests that were replayed are not passed on. @param {any} message */
  arrived(message) {
    if (!message || !this.session.answers(message)) this.deliver(message);
  }

  /** Another server is looked for, and those who want to know are told. @param {number} number */
  reconnecting(number) {
    this.#again = true;
    attempt(() => this.onReconnecting?.(number));
  }

  /**
   * The server is gone; `unheard` when there was none, so that everything can be asked again.
   *
   * @param {boolean} [unheard]
   */
  lost(unheard) {
    this.#turn++;
    this.#outbox ??= [];
    const waiting = [...this.session.waiting.values()];
    this.session.waiting.clear();
    for (const message of waiting.reverse()) {
      if (unheard || ABOUT_SESSION.test(message.method)) this.#outbox.unshift([message, [], SMALLEST]);
      else this.deliver(refusal(message.id, "The server is gone; it may have done what was asked"));
    }
  }

  /** No server comes back any more: it is over, and those who want to know are told. */
  abandon() {
    attempt(() => this.onReconnectFailed?.());
    this.ended();
  }

  /**
   * There is a server: tell it what the session is, then send what waits.
   *
   * @param {string[]} [knows] what it is subscribed to, when it knows the session already
   */
  async resume(knows) {
    const turn = ++this.#turn;
    const taken = await this.session.replay((message) => this.put(message, []), knows);
    if (turn != this.#turn || !this.isConnected) return;
    if (!taken) return this.close();
    const waiting = this.#outbox ?? [];
    this.#outbox = null;
    for (const [message, transfer] of waiting) attempt(() => this.#send(message, transfer));
    if (this.#again) attempt(() => this.onReconnected?.());
    this.#again = false;
  }
}
