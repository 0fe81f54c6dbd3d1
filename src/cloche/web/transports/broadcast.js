// @ts-check
/**
 * Tabs of one origin that share a channel. Every tab hears everything, so a server answers through a
 * `BroadcastListener`: one of them per channel at a time, and the next one takes over when its tab is gone. A
 * `BroadcastChannelTransport` is a client of it; where there is none, it is an end that everybody hears.
 *
 *     {type: "mcp", instanceId, to?, payload}                 a message; without `to` it is for everybody
 *     {type: "mcp:hello", instanceId}                         who answers here?
 *     {type: "mcp:here", instanceId, to?, sessionId, epoch}   I do, say hello; to one who has said so: I am your server
 *     {type: "mcp:close", instanceId, to}                     goodbye
 *
 * Who is there is told by Web Locks: a client holds one with its `instanceId`, the one that answers holds that of its
 * `sessionId`, which is the name of the channel for listeners. A browser releases them when the page is gone, however
 * it went, so a crash is noticed at once and nobody has to ask now and then.
 *
 * Every script of the origin may speak on a channel. With a `seal` that only the right ones can make, what others say is
 * dropped: see seal.js.
 */
import { attempt, Transport } from "./base.js";
import { hold, watch } from "./presence.js";
import { ResumingTransport } from "./session.js";

/**
 * @typedef {Record<string, any>} Envelope
 * @typedef {ReturnType<typeof import("./seal.js").withSecret>} MakeSeal
 * @typedef {{channelName: string, instanceId?: string, seal?: MakeSeal, limit?: number}} StationOptions
 * @typedef {StationOptions & {
 *   onReconnecting?: () => void, onReconnected?: () => void, onReconnectFailed?: () => void,
 * }} BroadcastOptions
 * @typedef {{heard: (envelope: Envelope) => void, violations: number, limit?: number}} Hearer
 */

/** Milliseconds for a free server to answer. */
const SEEK_TIMEOUT = 1000;

/** One speaker on a channel, with a name that it keeps as long as it lives. */
export class Station {
  #over = new AbortController();
  #turn = Promise.resolve();
  /** Aborted when this one is closed. */
  signal = this.#over.signal;

  /** @param {StationOptions} options @param {Hearer} hearer */
  constructor({ channelName, instanceId = crypto.randomUUID(), seal }, hearer) {
    this.id = instanceId;
    this.hearer = hearer;
    this.seal = seal?.(channelName);
    this.channel = new BroadcastChannel(channelName);
    this.channel.onmessage = ({ data }) => this.#heard(data);
  }

  /** @param {string} type @param {string} [to] @param {Envelope} [more] */
  post(type, to, more) {
    if (this.signal.aborted) return;
    const envelope = { type, instanceId: this.id, ...(to && { to }), ...more };
    if (this.seal) this.#next(async () => this.channel.postMessage(await this.seal?.close(envelope)));
    else this.channel.postMessage(envelope);
  }

  close() {
    this.#over.abort();
    this.#next(() => this.channel.close());
  }

  /** @param {any} envelope */
  #heard(envelope) {
    const { instanceId, to = this.id } = envelope ?? {};
    if (!instanceId || instanceId == this.id || to != this.id) return;
    this.#next(async () => {
      const opened = await this.seal?.open(envelope, this.hearer.limit) ?? envelope;
      if (!this.signal.aborted) this.hearer.heard(opened);
    });
  }

  /** One after the other: sealing takes time, and messages keep their order. @param {() => any} step */
  #next(step) {
    this.#turn = this.#turn.then(step).catch(() => void this.hearer.violations++);
  }
}

/** A client of the one that listens on the channel; without one, an end that everybody on the channel hears. */
export class BroadcastChannelTransport extends ResumingTransport {
  channelName = "";
  /** @type {string | undefined} What the one that answers stands for: the channel, or the session of a tab. */
  sessionId;
  /** @type {string | undefined} The instance that answers. */
  server;
  /** When the one that answers began, as it counts; what comes from an earlier one is dropped. */
  epoch = 0;
  /** Whether it speaks with everybody, as long as no one has answered. */
  isOpen = true;
  /** Milliseconds that it waits for a server to come back; 0 is for ever. */
  awayTimeout = 0;
  #watching = false;
  /** @type {any} */
  #timer;

  /** @param {BroadcastOptions & {sessionId?: string, isOpen?: boolean, awayTimeout?: number}} options */
  constructor(options) {
    super(options);
    Object.assign(this, { sessionId: options.channelName, carriesBuffers: !options.seal, ...options });
    /** The one that it keeps to. */
    this.wanted = this.sessionId;
    const station = this.station = new Station(options, this);
    this.instanceId = station.id;
    hold(station.id, station.signal).then(() => {
      station.post("mcp:hello");
      this.#watch();
    }, () => {});
  }

  /** @override @param {Envelope} envelope */
  say({ type, payload }) {
    this.station.post(type, this.server, { payload });
  }

  /** @param {Envelope} envelope */
  heard(envelope) {
    const { type, instanceId, to, payload } = envelope;
    if (type == "mcp:here") this.#found(envelope);
    else if (instanceId != this.server && !this.isOpen) {
      // Everybody may speak to everybody; whoever speaks to this one alone and is not its server has no business here.
      if (to) this.violations++;
    } else if (type == "mcp") this.arrived(payload);
    else if (type == "mcp:close" && this.server) this.ended();
  }

  /** @param {Envelope} envelope */
  #found({ instanceId, to, sessionId, epoch, knows }) {
    if ((this.sessionId ?? sessionId) != sessionId || !(epoch > this.epoch)) return;
    this.#gone();
    if (!to) return this.station.post("mcp:hello", instanceId);
    clearTimeout(this.#timer);
    Object.assign(this, { server: instanceId, sessionId, epoch });
    this.#watch();
    this.resume(knows);
  }

  /** Notice when nobody answers any more. */
  #watch() {
    if (this.#watching || !this.sessionId) return;
    this.#watching = true;
    watch(this.sessionId, this.station.signal, () => {
      this.#watching = false;
      if (this.epoch) this.#gone();
      else if (this.isOpen) this.resume();
    });
  }

  /** The server is gone, or there was none. */
  #gone() {
    this.isOpen = false;
    if (this.server) {
      this.server = undefined;
      this.reconnecting(1);
      if (this.awayTimeout) this.#timer = setTimeout(() => this.#seek(), this.awayTimeout);
    }
    this.lost(!this.epoch);
  }

  /** The server has not come back. Another one that is free may take up the session. */
  #seek() {
    this.sessionId = this.wanted;
    this.epoch = 0;
    this.station.post("mcp:hello");
    this.#timer = setTimeout(() => this.abandon(), SEEK_TIMEOUT);
  }

  /** @override */
  release() {
    clearTimeout(this.#timer);
    this.station.close();
  }
}

/** A server's end, for one client. */
export class ClientConnection extends Transport {
  /** @type {any} */
  station;
  /** @type {string | undefined} */
  client;

  /** @override @param {Envelope} envelope */
  say({ type, payload }) {
    if (this.client) this.station.post(type, this.client, { payload });
  }
}

/** Answers on a channel while it is the one that does: a transport for every client. */
export class BroadcastListener {
  /** @type {Map<string, ClientConnection>} */
  connections = new Map();
  /** When this one began to answer; 0 while it does not. */
  epoch = 0;
  violations = 0;
  /** @type {(transport: Transport) => void} */
  #handler = () => {};

  /** Whether this one answers. */
  get isLeader() {
    return this.epoch > 0;
  }

  /** @param {StationOptions} options */
  constructor(options) {
    this.channelName = options.channelName;
    this.limit = options.limit;
    this.carriesBuffers = !options.seal;
    this.station = new Station(options, this);
    /** Resolves when it is this one's turn to answer. */
    this.leading = hold(this.channelName, this.station.signal).then(() => {
      this.epoch = Date.now();
      this.#here();
    });
    this.leading.catch(() => {});
  }

  /**
   * Call `handler`, and nobody else, with a transport for every client, those that are there included.
   *
   * @param {(transport: Transport) => void} handler
   */
  onConnection(handler) {
    this.#handler = handler;
    for (const connection of this.connections.values()) attempt(() => handler(connection));
    return () => void (this.#handler = () => {});
  }

  /** Answer no more; whoever waits for its turn takes over. */
  close() {
    this.epoch = 0;
    this.station.close();
    for (const connection of [...this.connections.values()]) connection.ended();
  }

  /** @param {Envelope} envelope */
  heard(envelope) {
    const { type, instanceId } = envelope;
    let connection = this.connections.get(instanceId);
    if (!this.epoch || !connection && type != "mcp" && type != "mcp:hello") return;
    connection ??= this.#connection(instanceId);
    connection.take(envelope);
    if (type == "mcp:hello") {
      watch(instanceId, this.station.signal, () => connection.ended());
      this.#here(instanceId);
    }
  }

  /** @param {string} [client] */
  #here(client) {
    this.station.post("mcp:here", client, { sessionId: this.channelName, epoch: this.epoch });
  }

  /** @param {string} client */
  #connection(client) {
    const { limit, carriesBuffers, station } = this;
    const connection = Object.assign(new ClientConnection(), { limit, carriesBuffers, station, client });
    this.connections.set(client, connection);
    connection.onClose(() => void this.connections.delete(client));
    attempt(() => this.#handler(connection));
    return connection;
  }
}
