// @ts-check
/**
 * A server in a page that comes and goes, with a client in another tab: its session survives that the page is
 * reloaded, or left for another page of the same origin that makes a `TabServerTransport` too, and that the visitor
 * goes back and forward. The tab keeps which session is its own; the client tells the next page's server what the
 * session is, as session.js says, so that any server survives without knowing.
 *
 * Envelopes are those of broadcast.js. The server is that of `sessionId`, and its epoch is the number of the page.
 * When a page was kept while it was left, and serves again, `knows` in `mcp:here` is what its server is subscribed to. And:
 *
 *     {type: "mcp:who", instanceId, sessionId}         does anybody serve this session?
 *     {type: "mcp:taken", instanceId, to, sessionId}   yes: what you know of it is a copy
 */
import { attempt } from "./base.js";
import { BroadcastChannelTransport, ClientConnection, Station } from "./broadcast.js";
import { hold, watch } from "./presence.js";
import { Session } from "./session.js";

/**
 * @typedef {import("./base.js").Message} Message
 * @typedef {import("./broadcast.js").Envelope} Envelope
 * @typedef {{
 *   sessionId: string, protocolVersion?: string, serverCapabilities: Message, clientCapabilities: Message,
 *   subscriptions: string[], lastMessageId: string | number, epoch: number, client?: string,
 * }} TabSessionState what the tab keeps
 */

/** Milliseconds that a page waits for the one before it to let go of the session; then it begins one of its own. */
export const CLAIM_TIMEOUT = 2000;
/** Milliseconds that a client waits for its page to come back, before it looks for another one, and ends without one. */
export const AWAY_TIMEOUT = 30_000;

/** The server's end. It ends when its client does; for the next client make another one. */
export class TabServerTransport extends ClientConnection {
  channelName = "";
  storagePrefix = "mcp-tab";
  /** @type {(() => void) | undefined} Called when a page takes up the session of one before it. */
  onReconnecting;
  /** @type {(() => void) | undefined} Called when its client is there again. */
  onReconnected;
  sessionId = "";
  /** How many pages have served this session. What earlier ones say counts no more. */
  epoch = 0;
  /** The `id` of the client's newest request. @type {string | number} */
  lastMessageId = 0;
  /** What the tab keeps of the session, from earlier pages. @type {string | undefined} */
  protocolVersion;
  /** @type {Message} */
  serverCapabilities = {};
  /** @type {Message} */
  clientCapabilities = {};
  #session = new Session();
  #again = false;
  /** @type {any} */
  #joined;
  /** Aborted when somebody serves the session; none when it is this page. @type {AbortController | undefined} */
  #claim;

  /** @param {import("./broadcast.js").BroadcastOptions & {storagePrefix?: string}} options */
  constructor(options) {
    super(options);
    Object.assign(this, { carriesBuffers: !options.seal, ...options });
    // The page is left, perhaps only for a while.
    addEventListener("pagehide", () => {
      this.saveState();
      this.station.close();
    }, this.over);
    addEventListener("pageshow", ({ persisted }) => persisted && this.#begin(), this.over);
    this.#begin();
  }

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
   *
   * @returns {Promise<boolean>}
   */
  reconnect() {
    return this.#joined;
  }

  /** Keep what the session is. It happens by itself, when the client comes and when the page is left. */
  saveState() {
    const { sessionId, lastMessageId, epoch, client } = this;
    // What an earlier page knew holds until the client says something else.
    /** @type {TabSessionState} */
    const state = { sessionId, ...this.#session.facts(this), lastMessageId, epoch, client };
    if (epoch) sessionStorage.setItem(this.storageKey, JSON.stringify(state));
  }

  #begin() {
    this.station = new Station(this, this);
    this.#joined = this.#join(this.station);
    this.#joined.catch(() => {});
  }

  /** @param {Station} station */
  async #join(station) {
    // In Chromium, a page that was kept waits in vain for a lock that is taken, unless it has got a free one before.
    const { signal } = station;
    await hold(station.id, signal);
    this.sessionId = sessionStorage.getItem(this.idKey) ?? crypto.randomUUID();
    const claim = this.#claim = new AbortController();
    station.post("mcp:who", undefined, { sessionId: this.sessionId });
    const patience = AbortSignal.any([signal, claim.signal, AbortSignal.timeout(CLAIM_TIMEOUT)]);
    await hold(this.sessionId, signal, patience).catch((error) => {
      if (signal.aborted) throw error;
      // Somebody lives under this id: a tab that was opened from another one has a copy of what that one keeps.
      return hold(this.sessionId = crypto.randomUUID(), signal);
    });
    this.#claim = undefined;
    sessionStorage.setItem(this.idKey, this.sessionId);
    const stored = sessionStorage.getItem(this.storageKey);
    // This page was kept while it was left, and meanwhile the session has ended.
    if (this.client && !stored) return this.ended(), false;
    Object.assign(this, JSON.parse(stored ?? "{}"));
    this.epoch++;
    this.saveState();
    this.#again = !!this.client;
    if (this.client) {
      attempt(() => this.onReconnecting?.());
      this.#watch(this.client);
    }
    this.#here();
    return this.#again;
  }

  /** @param {string} client */
  #watch(client) {
    watch(client, this.station.signal, () => this.#forget());
  }

  /** @param {string} [client] */
  #here(client) {
    const { sessionId, epoch } = this;
    const knows = this.#session.asked && [...this.#session.subscriptions];
    this.station.post("mcp:here", client, { sessionId, epoch, knows });
  }

  /** @param {Envelope} envelope */
  heard({ type, instanceId, sessionId, epoch, payload }) {
    if (sessionId == this.sessionId) {
      if (type == "mcp:taken") this.#claim?.abort();
      if (type == "mcp:who" && !this.#claim) this.station.post("mcp:taken", instanceId, { sessionId });
      // The session has gone on without this page.
      if (type == "mcp:here" && epoch > this.epoch) return this.ended();
    }
    if (type == "mcp:hello" && this.epoch && !this.client) {
      this.client = instanceId;
      this.saveState();
      this.#watch(instanceId);
    }
    if (instanceId != this.client) return;
    if (type == "mcp:hello") {
      this.#here(instanceId);
      if (this.#again) attempt(() => this.onReconnected?.());
      this.#again = false;
    }
    if (type == "mcp") {
      if (payload?.method) this.lastMessageId = payload.id ?? this.lastMessageId;
      this.#session.asks(payload ?? {});
      this.deliver(payload);
    }
  }

  /** @override @param {Envelope} envelope */
  say(envelope) {
    this.#session.answers(envelope.payload ?? {});
    super.say(envelope);
  }

  /** The client is gone, and the session with it. */
  #forget() {
    sessionStorage.removeItem(this.storageKey);
    sessionStorage.removeItem(this.idKey);
    this.ended();
  }

  /** @override */
  farewell() {
    super.farewell();
    this.#forget();
  }

  /** @override */
  release() {
    this.station.close();
  }
}

/**
 * The client's end, in another tab. It keeps to the first page that is free, or to that of `sessionId`. When that does not
 * come back within `awayTimeout`, it keeps to another one that is free, unless it was given a `sessionId`, or ends.
 */
export class TabClientTransport extends BroadcastChannelTransport {
  /** @param {import("./broadcast.js").BroadcastOptions & {sessionId?: string, awayTimeout?: number}} options */
  constructor(options) {
    super({ sessionId: undefined, isOpen: false, awayTimeout: AWAY_TIMEOUT, ...options });
  }
}
