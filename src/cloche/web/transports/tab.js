// @ts-check
/**
 * A server in a page that comes and goes, with a client in another tab: its session survives that the page is
 * reloaded, or left for another page of the same origin that makes a `TabServerTransport` too, and that the visitor
 * goes back and forward. The tab keeps what the session is; the next page's server is told it as if the client had said
 * it, so that any server survives without knowing.
 *
 * The client's calls that the page had not answered when it was left end with the error `SERVER_GONE`; what is sent
 * while no page is there waits. Envelopes are those of broadcast.js, and:
 *
 *     {type: "mcp:here", …, sessionId, restored}   the page of this session; the higher epoch counts
 *     {type: "mcp:away", instanceId}               it is being left
 *     {type: "mcp:who", instanceId, sessionId}     does anybody live under this id?
 *     {type: "mcp:taken", instanceId, to, sessionId}   yes: yours is a copy
 */
import { attempt, Transport } from "./base.js";
import { BroadcastChannelTransport, Station } from "./broadcast.js";
import { hold } from "./presence.js";
import { refusal, Session } from "./session.js";

/**
 * @typedef {import("./base.js").Message} Message
 * @typedef {import("./broadcast.js").Envelope} Envelope
 * @typedef {{
 *   sessionId: string, protocolVersion?: string, serverCapabilities: Message, clientCapabilities: Message,
 *   subscriptions: string[], lastMessageId: number, epoch: number, client?: string, asked?: Message,
 *   initialized?: Message, level?: Message,
 * }} TabSessionState what the tab keeps
 */

/** Milliseconds that a page waits for the one before it to let go of the session; then it begins one of its own. */
export const CLAIM_TIMEOUT = 5000;
/** Milliseconds that a client waits for a page to come back. */
export const AWAY_TIMEOUT = 30_000;

/** The server's end. It ends when its client does; for the next client make another one. */
export class TabServerTransport extends Transport {
  sessionId = "";
  /** How many pages have served this session. What earlier ones say counts no more. */
  epoch = 0;
  /** The `id` of the client's newest request, when it is a number. */
  lastMessageId = 0;
  /** @type {string | undefined} */
  client;
  #session = new Session();
  /** @type {Message[] | null} What waits until the client knows of this page. */
  #held = [];
  /** @type {AbortController | undefined} */
  #claiming;
  #unwatch = () => {};

  /**
   * @param {import("./broadcast.js").BroadcastOptions & {storagePrefix?: string}} options
   */
  constructor({ channelName, storagePrefix = "mcp-tab", secret, onReconnecting, onReconnected, ...options }) {
    super(options);
    this.channelName = channelName;
    this.storagePrefix = storagePrefix;
    this.secret = secret;
    this.onReconnecting = onReconnecting;
    this.onReconnected = onReconnected;
    addEventListener("pagehide", this.#leave);
    addEventListener("pageshow", this.#back);
    this.station = this.#station();
    this.#joined = this.#join(this.station);
    this.#joined.catch(() => {});
  }

  /** @type {Promise<boolean>} */
  #joined;

  /** Where the tab keeps what the session is. */
  get storageKey() {
    return this.storagePrefix + "-session-" + this.sessionId;
  }

  /** Where the tab keeps which session is its own. */
  get idKey() {
    return this.storagePrefix + "-id-" + this.channelName;
  }

  /**
   * Find the session of this tab again, which begins by itself. Resolves when `sessionId` is certain: true when there
   * was a session.
   */
  reconnect() {
    return this.#joined;
  }

  /** Keep what the session is. It happens by itself, whenever that changes and when the page is left. */
  saveState() {
    if (this.epoch) sessionStorage.setItem(this.storageKey, JSON.stringify(this.#state()));
  }

  /** @returns {TabSessionState} */
  #state() {
    const { asked, agreed, subscriptions, initialized, level } = this.#session;
    const { sessionId, epoch, client, lastMessageId } = this;
    return {
      sessionId,
      protocolVersion: agreed?.protocolVersion,
      serverCapabilities: agreed?.capabilities ?? {},
      clientCapabilities: asked?.capabilities ?? {},
      subscriptions: [...subscriptions],
      lastMessageId,
      ...{ epoch, client, asked, initialized, level },
    };
  }

  /** @param {TabSessionState} state */
  #take({ protocolVersion, serverCapabilities, subscriptions, asked, initialized, level, ...rest }) {
    const agreed = protocolVersion && { protocolVersion, capabilities: serverCapabilities };
    Object.assign(this.#session, { asked, agreed, initialized, level, subscriptions: new Set(subscriptions) });
    [this.client, this.epoch, this.lastMessageId] = [rest.client, rest.epoch, rest.lastMessageId];
  }

  #station() {
    return new Station({ channelName: this.channelName, secret: this.secret }, this);
  }

  /** @param {Station} station @param {boolean} [alive] whether this page served the session before */
  async #join(station, alive) {
    const before = alive && this.#session.asked && new Set(this.#session.subscriptions);
    this.sessionId = sessionStorage.getItem(this.idKey) ?? crypto.randomUUID();
    await station.present;
    if (!await this.#claim(station)) {
      this.sessionId = crypto.randomUUID();
      await this.#claim(station);
    }
    sessionStorage.setItem(this.idKey, this.sessionId);
    const stored = sessionStorage.getItem(this.storageKey);
    if (stored) this.#take(JSON.parse(stored));
    else if (alive) return this.ended(), false;
    this.epoch++;
    this.saveState();
    if (stored) attempt(() => this.onReconnecting?.());
    this.#serve(station, !!stored, before || undefined);
    return !!stored;
  }

  /**
   * Tell this page's server what the session is, and the client that the page is there.
   *
   * @param {Station} station
   * @param {boolean} again
   * @param {Set<string>} [before] what a server that knows the session is subscribed to
   */
  async #serve(station, again, before) {
    /** @param {Message} message */
    const tell = (message) => this.deliver(message);
    if (again && !await this.#session.replay(tell, before)) return this.close();
    if (station.signal.aborted) return;
    if (this.client) this.#unwatch = station.watch(this.client, () => this.#forget());
    const { sessionId, epoch, client } = this;
    station.post("mcp:here", client, { sessionId, epoch, restored: true });
    const held = this.#held ?? [];
    this.#held = null;
    for (const message of held) this.post(message);
    if (again) attempt(() => this.onReconnected?.());
  }

  /**
   * Get hold of the session. False when somebody lives under its id: a tab that was opened or duplicated from another
   * one has a copy of what that one keeps.
   *
   * @param {Station} station
   */
  async #claim(station) {
    const stop = this.#claiming = new AbortController();
    const timer = setTimeout(() => stop.abort(), CLAIM_TIMEOUT);
    station.post("mcp:who", undefined, { sessionId: this.sessionId });
    try {
      await hold(this.storagePrefix + ":" + this.sessionId, AbortSignal.any([stop.signal, station.signal]));
    } catch (error) {
      if (station.signal.aborted) throw error;
    }
    clearTimeout(timer);
    this.#claiming = undefined;
    return !stop.signal.aborted;
  }

  /** @param {Envelope} envelope */
  heard({ type, instanceId, sessionId, epoch, payload }) {
    const same = sessionId === this.sessionId;
    const { station } = this;
    if (type == "mcp:taken") return same && this.#claiming?.abort();
    if (this.#claiming || !this.epoch) return;
    if (type == "mcp:who") return same && station.post("mcp:taken", instanceId, { sessionId });
    if (type == "mcp:here") return same && epoch > this.epoch && this.ended();
    const free = (this.client ?? instanceId) == instanceId;
    if (type == "mcp:hello") {
      if (!free || this.#held) return;
      station.post("mcp:here", instanceId, { sessionId: this.sessionId, epoch: this.epoch, restored: true });
    } else if (type == "mcp:close") {
      if (this.client == instanceId) this.#forget();
    } else if (type == "mcp" && !free) {
      this.violations++;
      if (payload?.method && payload.id != null) {
        station.post("mcp", instanceId, { payload: refusal(payload.id, "This tab serves another client") });
      }
    } else if (type == "mcp") this.#asked(instanceId, payload);
  }

  /** @param {string} client @param {any} message */
  #asked(client, message) {
    if (!this.client) {
      this.client = client;
      this.#unwatch = this.station.watch(client, () => this.#forget());
    }
    if (typeof message?.id == "number" && message.method) this.lastMessageId = message.id;
    this.#session.asks(message ?? {});
    this.deliver(message);
    if (message?.method == "notifications/initialized") this.saveState();
  }

  /** @override @param {Message} message */
  post(message) {
    const method = this.#session.waiting.get(message.id)?.method;
    if (this.#session.answers(message)) return;
    if (this.#held) return void this.#held.push(message);
    this.station.post("mcp", this.client, { payload: message });
    if (/^(initialize|logging|resources.(un)?subscribe)/.test(method)) this.saveState();
  }

  /** The page is left, perhaps only for a while. */
  #leave = () => {
    this.saveState();
    this.station.post("mcp:away");
    this.station.close();
    this.#session.abandon();
    this.#held = [];
  };

  /** @param {PageTransitionEvent} event */
  #back = ({ persisted }) => {
    if (!persisted) return;
    this.station = this.#station();
    this.#joined = this.#join(this.station, true);
    this.#joined.catch(() => {});
  };

  /** The client is gone, and the session with it. */
  #forget() {
    sessionStorage.removeItem(this.storageKey);
    sessionStorage.removeItem(this.idKey);
    this.ended();
  }

  /** @override */
  farewell() {
    this.station.post("mcp:close", this.client);
    this.#forget();
  }

  /** @override */
  release() {
    removeEventListener("pagehide", this.#leave);
    removeEventListener("pageshow", this.#back);
    this.#unwatch();
    this.station.close();
  }
}

/** The client's end, in another tab. It keeps to the first page that it finds, or to that of `sessionId`. */
export class TabClientTransport extends BroadcastChannelTransport {
  /** @param {import("./broadcast.js").BroadcastOptions & {sessionId?: string, awayTimeout?: number}} options */
  constructor({ sessionId, awayTimeout = AWAY_TIMEOUT, ...options }) {
    super(options);
    this.sessionId = sessionId;
    this.awayTimeout = awayTimeout;
  }

  /** @override */
  alone() {}

  /** @override @param {Envelope} envelope */
  accepts({ sessionId }) {
    return !!sessionId && (this.sessionId ??= sessionId) == sessionId;
  }

  /** @override @param {string} instanceId */
  speaksWith(instanceId) {
    return this.server == instanceId;
  }

  /** @override */
  left() {
    this.timer = setTimeout(() => this.ended(), this.awayTimeout);
  }
}
