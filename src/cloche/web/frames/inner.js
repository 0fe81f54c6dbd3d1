// @ts-check
/**
 * The page in the frame or popup. It announces itself to the page around it, takes the session that it is given, and from
 * then on listens to that page's origin only. Whether it is the MCP server or the MCP client does not matter here.
 *
 * @typedef {import("./side.js").SideOptions} SideOptions
 * @typedef {import("./side.js").Details} Details
 * @typedef {import("./side.js").Heard} Heard
 * @typedef {import("./messages.js").FrameMessage} FrameMessage
 * @typedef {import("./outer.js").Visibility} Visibility
 * @typedef {import("./permissions.js").PermissionRequirement} PermissionRequirement
 * @typedef {import("./inner-control.js").InnerWindowControl} InnerWindowControl
 * @typedef {{sessionId: string, protocolVersion: string, origin: string}} Session
 * @typedef {SideOptions & {
 *   requiresVisibleSetup?: boolean, requestedPermissions?: PermissionRequirement[], minProtocolVersion?: string,
 *   maxProtocolVersion?: string,
 * }} InnerOptions
 */
import { attempt } from "../transports/base.js";
import { FrameError, onWire } from "./errors.js";
import { ANNOUNCE_AFTER, INNER, INNER_DEADLINES, PROTOCOL_VERSION } from "./facts.js";
import { Logger } from "./logger.js";
import { isPostMessageProtocol, readMessage } from "./messages.js";
import { FrameSide } from "./side.js";
import { SessionStorage } from "./storage.js";
import { compareVersions, highestWithin } from "./versions.js";

const HIDDEN = /** @type {Visibility} */ ({ requirement: "hidden" });
const REPLIES = { setup: "MCP_SETUP_HANDSHAKE_REPLY", transport: "MCP_TRANSPORT_HANDSHAKE_REPLY" };

export class InnerFrameTransport extends FrameSide {
  /** Aborted when the outer page gives the setup up. */
  setupSignal = new AbortController().signal;
  #setup = new AbortController();
  /** @type {any} */
  #announcing;
  /** @type {(() => void)[]} */
  #leave = [];

  /** @param {InnerWindowControl} control @param {InnerOptions} [options] */
  constructor(control, {
    requiresVisibleSetup = false,
    requestedPermissions,
    minProtocolVersion = PROTOCOL_VERSION,
    maxProtocolVersion = PROTOCOL_VERSION,
    ...options
  } = {}) {
    super(INNER, INNER_DEADLINES, { logger: new Logger("INNER"), ...options });
    this.control = control;
    this.range = [minProtocolVersion, maxProtocolVersion];
    /** @type {Record<"setup" | "transport", FrameMessage>} */
    this.announcements = {
      setup: {
        type: "MCP_SETUP_HANDSHAKE",
        minProtocolVersion,
        maxProtocolVersion,
        requiresVisibleSetup,
        ...requestedPermissions && { requestedPermissions },
      },
      transport: { type: "MCP_TRANSPORT_HANDSHAKE", protocolVersion: PROTOCOL_VERSION },
    };
    checkOutgoing(this.announcements.setup);
    /** @type {Record<string, (details: Details) => unknown>} */
    this.effects = {
      announce: () => this.#announce(),
      pin: (details) => this.#pin(details),
      accept: (details) => this.#accept(details),
      send: ({ message }) => this.say(message),
      deliver: ({ message }) => this.deliver(message?.payload),
      tell: (details) => this.#tell(details),
      "give up": (details) => this.#giveUp(details),
      end: () => this.#end(),
    };
  }

  /** The origin of the outer page, once it has replied. */
  get pinnedOrigin() {
    return this.control.pinnedOrigin;
  }

  /** Announce the setup phase, and wait for the session. @returns {Promise<Session>} */
  prepareSetup() {
    this.require("setup");
    this.phase = "setup";
    this.#setup = new AbortController();
    this.setupSignal = this.#setup.signal;
    return this.begin("setup");
  }

  /**
   * Say that the setup is done.
   *
   * @param {{displayName: string, transportVisibility?: Visibility, ephemeralMessage?: string}} result
   */
  // deno-lint-ignore require-await
  async completeSetup({ displayName, transportVisibility = HIDDEN, ephemeralMessage }) {
    const about = { displayName, transportVisibility, ...ephemeralMessage !== undefined && { ephemeralMessage } };
    const message = { type: "MCP_SETUP_COMPLETE", status: "success", ...about };
    checkOutgoing(message);
    this.require("complete");
    this.step("complete", { message });
    this.#rest();
  }

  /**
   * Say that the setup came to nothing.
   *
   * @param {string} code one of `SETUP_ERROR_CODES`
   * @param {string} message for the person
   */
  failSetup(code, message) {
    this.require("complete");
    this.fail(code, message);
  }

  /** Announce the transport phase, and wait for the session. @returns {Promise<Session>} */
  prepareToConnect() {
    this.require("connect");
    this.phase = "transport";
    return this.begin("connect");
  }

  /**
   * Say that the server has to be set up again; the connection ends, unless it can continue meanwhile.
   *
   * @param {{reason?: string, message: string, canContinue?: boolean}} why `reason` is one of `SETUP_REASONS`
   */
  requireSetup({ reason = "OTHER", message: text, canContinue = false }) {
    const message = { type: "MCP_SETUP_REQUIRED", reason, message: text, canContinue };
    checkOutgoing(message);
    const event = canContinue ? "require setup" : "require setup now";
    this.require(event);
    this.step(event, { message });
    if (!canContinue) this.#rest(true);
  }

  /** What this page keeps for the session. @param {string} [name] of what it is for */
  storage(name) {
    const { sessionId, pinnedOrigin: origin } = this;
    if (!sessionId || !origin) throw new FrameError("There is no session yet", "NOT_NOW");
    return new SessionStorage({ sessionId, origin, name });
  }

  /** End it, in whichever state it is. @override */
  close() {
    this.step("close", { error: new FrameError("The page closed", "USER_CANCELLED") });
    this.#rest(true);
    this.ended();
  }

  // Steps

  #announce() {
    this.#rest(true);
    const { control } = this;
    control.unpin();
    this.#leave = [
      control.onMessage((event) => this.#heard(event)),
      control.onGone?.(() => this.step("gone", { error: gone() })) ?? (() => {}),
      control.onHide?.(() => this.hangUp()) ?? (() => {}),
    ];
    const message = { ...this.announcements[this.phase], documentId: crypto.randomUUID() };
    let turn = 0;
    const again = () => {
      if (turn >= ANNOUNCE_AFTER.length) return;
      this.#announcing = setTimeout(() => {
        this.logger.request(message.type, { turn });
        attempt(() => control.postMessage(message));
        again();
      }, ANNOUNCE_AFTER[turn++]);
    };
    again();
  }

  /** @param {{data: any, origin: string, ports?: readonly MessagePort[]}} event */
  #heard({ data, origin, ports }) {
    if (!isPostMessageProtocol(data)) return;
    // Beside the port only a refusal counts: the outer page does not know yet which port was taken.
    if (this.port && data.type !== REPLIES[this.phase]) {
      return this.drop(String(data.type).slice(0, 60), "it came beside the port");
    }
    const { control } = this;
    // Nobody is pinned before the reply that is waited for: whatever else a page says, it does not become the other side.
    if (control.pinnedOrigin ? origin === control.pinnedOrigin : control.allows(origin)) {
      this.hear({ data, origin, ports });
    } else this.#strange(origin, data.type === REPLIES[this.phase]);
  }

  /** @param {string} origin @param {boolean} isReply */
  #strange(origin, isReply) {
    this.violated(origin);
    if (!isReply || this.control.pinnedOrigin) return;
    const allowed = this.control.allowedOrigins.join(" and ");
    const error = new FrameError(
      `The page around this one has the origin ${origin}, and only ${allowed} is allowed: ` +
        "add that origin to the allowed ones if the page may use this server",
      "ORIGIN_MISMATCH",
    );
    // It learns that it is not allowed, and not who is.
    this.step("fail", { error, origin });
  }

  /** @override @param {FrameMessage} message @param {Heard} heard */
  examine({ type, error, protocolVersion }, { origin }) {
    if (type !== REPLIES[this.phase] || error || this.control.pinnedOrigin) return;
    const fits = this.phase == "setup"
      ? highestWithin([protocolVersion], this.range[0], this.range[1])
      : !compareVersions(protocolVersion, PROTOCOL_VERSION);
    if (fits) return;
    this.control.pin(origin ?? "");
    return new FrameError(`Incompatible protocol version: ${protocolVersion}`, "VERSION_MISMATCH");
  }

  /** @param {Details} details */
  #pin({ message, origin = "", ports: [port] = [] }) {
    clearTimeout(this.#announcing);
    this.control.pin(origin);
    this.sessionId = message?.sessionId;
    this.protocolVersion = message?.protocolVersion;
    if (port) {
      this.listenTo(port);
      this.keep(port);
    }
    this.settle({ sessionId: this.sessionId, protocolVersion: this.protocolVersion, origin });
  }

  /** @param {Details} details */
  #accept(details) {
    this.#pin(details);
    this.say({ type: "MCP_TRANSPORT_ACCEPTED", sessionId: this.sessionId });
  }

  /** @param {Details} details */
  #tell({ error = new FrameError("It failed", "CONFIG_ERROR"), origin }) {
    const told = error.code == "ORIGIN_MISMATCH"
      ? { code: "CONFIG_ERROR", message: `This server does not allow the origin ${origin}` }
      : onWire(error);
    const message = this.phase == "setup"
      ? { type: "MCP_SETUP_COMPLETE", status: "error", displayName: "", transportVisibility: HIDDEN, error: told }
      : { type: "MCP_SETUP_REQUIRED", reason: "OTHER", message: told.message, canContinue: false, error: told };
    if (this.port) this.port.postMessage(message);
    else attempt(() => this.control.postMessage(message, origin));
    this.#giveUp({ error });
  }

  /** @param {Details} details */
  #giveUp({ error, message }) {
    const { code, message: told } = message?.error ?? {};
    error ??= new FrameError(`The page around this one refused: ${told}`, code);
    this.#rest();
    this.settleWith(error);
    this.#setup.abort(error);
    if (this.phase == "transport") this.ended();
  }

  #end() {
    this.#rest(true);
    this.ended();
  }

  // Parts

  /** @override */
  late() {
    return "No page around this one replied";
  }

  /** @override @param {any} message @param {Transferable[]} [transfer] */
  say(message, transfer = []) {
    this.logger.request(message.type);
    if (this.port) this.port.postMessage(message, transfer);
    else this.control.postMessage(message, undefined, transfer);
  }

  /** Hear nothing more. What was posted by the port arrives before it is closed. @param {boolean} [hangsUp] */
  #rest(hangsUp = false) {
    clearTimeout(this.#announcing);
    this.#leave.splice(0).forEach((leave) => leave());
    if (hangsUp) this.keep();
  }
}

/** A mistake of the program is its own, and not the other page's to find. @param {FrameMessage} message */
function checkOutgoing(message) {
  const { flaw } = readMessage(message);
  if (flaw) throw new TypeError(`${message.type}: ${flaw}`);
}

const gone = () => new FrameError("The page around this one is gone", "WINDOW_GONE");
