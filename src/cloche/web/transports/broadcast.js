// @ts-check
/**
 * Tabs of one origin that share a channel. Every tab hears everything, so a server answers through a
 * `BroadcastListener`: one of them per channel at a time, and the next one takes over when its tab is gone. A
 * `BroadcastChannelTransport` is a client of it; where there is none, it is an end that everybody hears.
 *
 *     {type: "mcp", instanceId, to?, payload}      a message; without `to` it is for everybody
 *     {type: "mcp:hello", instanceId}              who answers here?
 *     {type: "mcp:here", instanceId, to?, epoch}   I do; the higher epoch counts
 *     {type: "mcp:close", instanceId, to}          goodbye
 *
 * Every script of the origin may speak on a channel. With a `secret` that only the right ones know, what others say is
 * dropped: each envelope carries `counter` and `mac`, the HMAC-SHA-256 of its JSON without `mac`.
 */
import { attempt, flawOf, MESSAGE_LIMIT, Transport, TransportError } from "./base.js";
import { hold, watch } from "./presence.js";
import { ResumingTransport } from "./session.js";

/**
 * @typedef {Record<string, any>} Envelope
 * @typedef {{channelName: string, instanceId?: string, secret?: string}} StationOptions
 * @typedef {import("./base.js").TransportOptions & StationOptions & {
 *   onReconnecting?: () => void, onReconnected?: () => void,
 * }} BroadcastOptions
 * @typedef {{heard: (envelope: Envelope) => void, violations: number, dropped: number, limit?: number}} Hearer
 */

/** Milliseconds that a client looks for a listener before it speaks to everybody. */
export const LISTENER_TIMEOUT = 250;

/** One speaker on a channel, with a name that it keeps as long as it lives. */
export class Station {
  #over = new AbortController();
  /** @type {Promise<CryptoKey> | undefined} */
  #key;
  /** @type {Map<unknown, number>} */
  #counters = new Map();
  #counter = 0;
  // One after the other: signing and checking take time, and messages keep their order.
  #out = Promise.resolve();
  #in = Promise.resolve();

  /**
   * @param {StationOptions} options
   * @param {Hearer} hearer
   */
  constructor({ channelName, instanceId = crypto.randomUUID(), secret }, hearer) {
    this.id = instanceId;
    this.hearer = hearer;
    this.born = Date.now();
    this.channel = new BroadcastChannel(channelName);
    this.channel.addEventListener("message", ({ data }) => this.#heard(data));
    this.channel.addEventListener("messageerror", () => void hearer.dropped++);
    if (secret != null) {
      const kind = { name: "HMAC", hash: "SHA-256" };
      this.#key = crypto.subtle.importKey("raw", bytes(secret), kind, false, ["sign", "verify"]);
    }
    /** Resolves when others can notice the end of this one. */
    this.present = hold("mcp:" + this.id, this.signal);
    this.present.catch(() => {});
  }

  /** Aborted when this one is closed. */
  get signal() {
    return this.#over.signal;
  }

  /**
   * @param {string} type
   * @param {string} [to]
   * @param {Envelope} [more]
   */
  post(type, to, more) {
    /** @type {Envelope} */
    const envelope = { type, instanceId: this.id, ...(to && { to }), ...more };
    if (!this.#key) return this.channel.postMessage(envelope);
    envelope.counter = this.#counter = Math.max(Date.now(), this.#counter + 1);
    const text = signedText(envelope);
    this.#out = this.#out.then(async () => {
      envelope.mac = await crypto.subtle.sign("HMAC", await /** @type {any} */ (this.#key), bytes(text));
      this.channel.postMessage(envelope);
    });
  }

  /**
   * Call `gone` when the page of another one is gone.
   *
   * @param {string} id
   * @param {() => void} gone
   */
  watch(id, gone) {
    const stop = new AbortController();
    watch("mcp:" + id, AbortSignal.any([stop.signal, this.signal]), gone);
    return () => stop.abort();
  }

  close() {
    this.#over.abort();
    this.#out.then(() => this.channel.close());
  }

  /** @param {any} envelope */
  #heard(envelope) {
    const { type, instanceId, to } = envelope ?? {};
    const forOthers = instanceId === this.id || (to ?? this.id) !== this.id;
    if (forOthers || typeof instanceId != "string" || typeof type != "string" || !/^mcp(:|$)/.test(type)) return;
    if (!this.#key) return this.hearer.heard(envelope);
    this.#in = this.#in.then(async () => {
      const checked = await this.#checked(envelope).catch(() => null);
      if (!checked) this.hearer.violations++;
      else if (!this.signal.aborted) this.hearer.heard(checked);
    });
  }

  /**
   * The envelope as it was signed, and nothing besides; null when it was not signed by one who knows the secret, or was
   * heard before: counters are times, so what was said before this one was there is old too.
   *
   * @param {Envelope} envelope
   */
  async #checked({ mac, ...envelope }) {
    if (flawOf(envelope, this.hearer.limit ?? MESSAGE_LIMIT)) return null;
    const text = signedText(envelope);
    if (!await crypto.subtle.verify("HMAC", await /** @type {any} */ (this.#key), mac, bytes(text))) return null;
    const { instanceId, counter } = envelope;
    if (!(counter > (this.#counters.get(instanceId) ?? this.born - 1))) return null;
    this.#counters.set(instanceId, counter);
    return JSON.parse(text);
  }
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {Envelope} envelope */
const signedText = (envelope) =>
  JSON.stringify(envelope, (_key, value) => {
    if (!(value instanceof ArrayBuffer)) return value;
    throw new TransportError("A signed message carries no buffers", "INVALID_MESSAGE");
  });

/** A client of the one that listens on the channel; without one, an end that everybody on the channel hears. */
export class BroadcastChannelTransport extends ResumingTransport {
  /** @type {string | undefined} The instance that answers. */
  server;
  /** How often the one that answers has changed, as it counts; what comes from an earlier one is dropped. */
  epoch = 0;
  /** @type {any} */
  timer;
  #unwatch = () => {};

  /** @param {BroadcastOptions} options */
  constructor({ channelName, instanceId, secret, onReconnecting, onReconnected, ...options }) {
    super(options);
    this.channelName = channelName;
    this.onReconnecting = onReconnecting;
    this.onReconnected = onReconnected;
    this.station = new Station({ channelName, instanceId, secret }, this);
    this.instanceId = this.station.id;
    const { station } = this;
    station.present.then(() => station.post("mcp:hello")).catch(() => {}).then(() => {
      this.timer ??= setTimeout(() => this.alone(), LISTENER_TIMEOUT);
    });
  }

  /** @override @param {import("./base.js").Message} payload */
  put(payload) {
    this.station.post("mcp", this.server, { payload });
  }

  /** @param {Envelope} envelope */
  heard(envelope) {
    const { type, instanceId, to, payload } = envelope;
    if (type == "mcp:here") {
      if (this.accepts(envelope)) this.#meet(envelope);
    } else if (!this.speaksWith(instanceId)) {
      // Everybody may speak to everybody; whoever speaks to this one alone and is not its server has no business here.
      if (to) this.violations++;
    } else if (type == "mcp") this.arrived(payload);
    else if (type == "mcp:close" && this.server) this.ended();
    else if (type == "mcp:away") this.#gone(instanceId);
  }

  /** @override */
  farewell() {
    this.station.post("mcp:close", this.server);
  }

  /** @override */
  release() {
    clearTimeout(this.timer);
    this.station.close();
  }

  // What a tab's client does differently

  /** No listener was found. */
  alone() {
    if (!this.server && this.isConnected) this.resume();
  }

  /** @param {Envelope} envelope */
  accepts({ sessionId }) {
    return !sessionId;
  }

  /** @param {string} instanceId */
  speaksWith(instanceId) {
    return (this.server ?? instanceId) == instanceId;
  }

  /** @param {Envelope} envelope */
  async #meet({ instanceId, to, epoch, restored }) {
    if (!(epoch > this.epoch)) return;
    // It said so to everybody: it does not know yet who is there.
    if (!to) this.station.post("mcp:hello", instanceId);
    const again = this.epoch > 0;
    if (again) this.#gone(this.server);
    else this.lost(true);
    clearTimeout(this.timer);
    this.epoch = epoch;
    this.server = instanceId;
    this.#unwatch = this.station.watch(instanceId, () => this.#gone(instanceId));
    if (await this.resume(restored) && again) attempt(() => this.onReconnected?.());
  }

  /** @param {string | undefined} instanceId */
  #gone(instanceId) {
    if (!this.server || this.server != instanceId) return;
    this.server = undefined;
    this.#unwatch();
    attempt(() => this.onReconnecting?.());
    this.lost();
    this.left();
  }

  /** The server is gone. */
  left() {}
}

/** One client of a listener. */
class BroadcastConnection extends Transport {
  /** @type {(() => void) | undefined} */
  unwatch;
  /** What the client asked everybody before it knew who listens: it will ask again. */
  asked = new Set();

  /**
   * @param {BroadcastListener} listener
   * @param {string} instanceId the client
   */
  constructor(listener, instanceId) {
    super(listener.options);
    this.listener = listener;
    this.instanceId = instanceId;
  }

  /** @override @param {import("./base.js").Message} payload */
  post(payload) {
    this.listener.station.post("mcp", this.instanceId, { payload });
  }

  /** @override */
  farewell() {
    this.listener.station.post("mcp:close", this.instanceId);
  }

  /** @override */
  release() {
    this.unwatch?.();
    this.listener.connections.delete(this.instanceId);
  }
}

/** Answers on a channel while it is the one that does: a transport for every client. */
export class BroadcastListener {
  /** @type {Map<string, BroadcastConnection>} */
  connections = new Map();
  /** Whether this one answers. */
  isLeader = false;
  epoch = 0;
  dropped = 0;
  violations = 0;
  /** @type {Set<(transport: Transport) => void>} */
  #handlers = new Set();

  /** @param {import("./base.js").TransportOptions & StationOptions} options */
  constructor({ channelName, instanceId, secret, ...options }) {
    this.channelName = channelName;
    this.options = options;
    this.limit = options.limit;
    this.station = new Station({ channelName, instanceId, secret }, this);
    this.instanceId = this.station.id;
    const { present, signal } = this.station;
    /** Resolves when it is this one's turn to answer. */
    this.leading = present.then(() => hold("mcp-leader:" + channelName, signal)).then(() => this.#lead());
    this.leading.catch(() => {});
  }

  /**
   * Call `handler` with a transport for every client, those that are there included.
   *
   * @param {(transport: Transport) => void} handler
   */
  onConnection(handler) {
    this.#handlers.add(handler);
    for (const connection of this.connections.values()) attempt(() => handler(connection));
    return () => void this.#handlers.delete(handler);
  }

  /** Answer no more; whoever waits for its turn takes over. */
  close() {
    this.isLeader = false;
    this.station.close();
    for (const connection of [...this.connections.values()]) connection.ended();
  }

  /** @param {Envelope} envelope */
  heard({ type, instanceId, to, epoch, payload }) {
    // An epoch that is not higher than that of the one before would be taken for the past.
    if (type == "mcp:here") return void (epoch > this.epoch && (this.epoch = epoch));
    if (!this.isLeader) return;
    if (type == "mcp:close") return this.connections.get(instanceId)?.ended();
    if (type == "mcp:hello") {
      const connection = this.#connection(instanceId);
      connection.unwatch ??= this.station.watch(instanceId, () => connection.ended());
      this.station.post("mcp:here", instanceId, { epoch: this.epoch });
    } else if (type == "mcp") {
      const connection = this.#connection(instanceId);
      const id = payload?.method && payload.id;
      if (!to && connection.unwatch) connection.asked.add(id);
      else if (id != null && connection.asked.delete(id)) return;
      connection.deliver(payload);
    }
  }

  #lead() {
    this.isLeader = true;
    this.epoch = Math.max(Date.now(), this.epoch + 1);
    this.station.post("mcp:here", undefined, { epoch: this.epoch });
  }

  /** @param {string} instanceId */
  #connection(instanceId) {
    let connection = this.connections.get(instanceId);
    if (!connection) {
      const made = connection = new BroadcastConnection(this, instanceId);
      this.connections.set(instanceId, made);
      for (const handler of this.#handlers) attempt(() => handler(made));
    }
    return connection;
  }
}
