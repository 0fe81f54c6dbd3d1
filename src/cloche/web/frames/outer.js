// @ts-check
/**
 * The page that has the window: it loads the other page into a frame or a popup, first to set it up, then to connect.
 * Whether it is the MCP client or the MCP server does not matter here.
 *
 * @typedef {import("./side.js").SideOptions} SideOptions
 * @typedef {import("./side.js").Details} Details
 * @typedef {import("./side.js").Heard} Heard
 * @typedef {import("./messages.js").FrameMessage} FrameMessage
 * @typedef {import("./permissions.js").Permission} Permission
 * @typedef {import("./permissions.js").Consent} Consent
 * @typedef {import("./window-controls.js").OuterWindowControl} OuterWindowControl
 * @typedef {{requirement: "required" | "optional" | "hidden", description?: string}} Visibility
 * @typedef {{reason: string, message: string, canContinue: boolean}} SetupRequired
 * @typedef {{
 *   sessionId: string, protocolVersion: string, origin: string, displayName: string, ephemeralMessage?: string,
 *   transportVisibility: Visibility, permissions: Permission[],
 * }} SetupResult what to keep of a server, all but `ephemeralMessage`, and to give to the transport that connects to it
 * @typedef {SideOptions & {
 *   url: string | URL, sessionId?: string, versions?: readonly string[], allowedOrigins?: string[],
 *   transportVisibility?: Visibility, permissions?: Permission[], onPermissionRequest?: Consent,
 *   onSetupRequired?: (what: SetupRequired) => void, onVisibilityChange?: (isVisible: boolean) => void,
 * }} OuterOptions
 */
import { attempt } from "../transports/base.js";
import { generateSessionId, getSetupUrl, getTransportUrl, plainOrigins } from "./addresses.js";
import { FrameError, onWire } from "./errors.js";
import { NAVIGATIONS, OUTER, OUTER_DEADLINES, SUPPORTED_VERSIONS } from "./facts.js";
import { Logger } from "./logger.js";
import { isPostMessageProtocol } from "./messages.js";
import { Permissions } from "./permissions.js";
import { FrameSide } from "./side.js";
import { compareVersions, highestWithin } from "./versions.js";

const ANNOUNCEMENTS = { setup: "MCP_SETUP_HANDSHAKE", transport: "MCP_TRANSPORT_HANDSHAKE" };

export class OuterFrameTransport extends FrameSide {
  /** @type {Visibility} */
  transportVisibility = { requirement: "hidden" };
  /** @type {((what: SetupRequired) => void) | undefined} */
  onSetupRequired;
  /** @type {((isVisible: boolean) => void) | undefined} */
  onVisibilityChange;
  isVisible = false;
  /** The origin of the page in the window, once it has announced itself. @type {string | undefined} */
  origin;
  #announced = /** @type {Heard} */ ({});
  /** The document that has the session. @type {string | undefined} */
  #document;
  #navigations = 0;
  /** Decisions that are under way: of an earlier one the result counts for nothing. */
  #decisions = 0;
  /** @type {(() => void)[]} */
  #leave = [];
  /** @type {Permissions} */
  #permissions;

  /** @param {OuterWindowControl} control @param {OuterOptions} options */
  constructor(control, { url, sessionId, versions = SUPPORTED_VERSIONS, allowedOrigins, permissions, ...options }) {
    const { onPermissionRequest = control.onPermissionRequest, ...rest } = options;
    super(OUTER, OUTER_DEADLINES, { logger: new Logger("OUTER"), ...rest });
    this.control = control;
    this.url = new URL(url, globalThis.document?.baseURI);
    this.sessionId = sessionId ?? generateSessionId();
    this.versions = versions;
    this.allowedOrigins = plainOrigins(allowedOrigins ?? [this.url.origin]);
    this.transportVisibility = options.transportVisibility ?? { requirement: "hidden" };
    this.onSetupRequired = options.onSetupRequired;
    this.onVisibilityChange = options.onVisibilityChange;
    this.#permissions = new Permissions(control, onPermissionRequest, permissions);
    /** @type {Record<string, (details: Details) => unknown>} */
    this.effects = {
      navigate: () => this.#navigate(),
      decide: (details) => this.#decide(details),
      reply: (details) => this.#reply(details),
      "take up": () => this.#reply(this.#announced),
      complete: (details) => this.#complete(details),
      connect: (details) => this.#connect(details),
      deliver: ({ message }) => this.deliver(message?.payload),
      "tell of setup": ({ message }) => this.#tellOfSetup(message),
      "require setup": ({ message }) => this.#requireSetup(message),
      remember: (details) => void (this.#announced = details),
      lose: (details) => this.#lose(details),
      refuse: (details) => this.#refuse(details),
      "give up": (details) => this.#giveUp(details),
    };
  }

  /**
   * Load the server's setup, and wait until it is done. With a popup, call it in a click.
   *
   * @param {{signal?: AbortSignal}} [options] whose end cancels the setup
   * @returns {Promise<SetupResult>}
   */
  setup({ signal } = {}) {
    return this.#run("setup", signal);
  }

  /** Load the server, and wait until it is connected. @param {{signal?: AbortSignal}} [options] @returns {Promise<void>} */
  prepareToConnect({ signal } = {}) {
    return this.#run("connect", signal);
  }

  /** Give up what is under way; the other page is told. @param {string} [message] */
  cancel(message = "The user cancelled it") {
    this.fail("USER_CANCELLED", message);
  }

  /** Show or hide a page whose visibility is `optional`. @param {boolean} isVisible */
  setVisible(isVisible) {
    const { requirement } = this.transportVisibility;
    if (requirement != "optional" && isVisible != (requirement == "required")) {
      throw new FrameError(`The visibility of this server is ${requirement}: it cannot be changed`, "NOT_NOW");
    }
    this.#show(isVisible);
  }

  /** End it, in whichever state it is; the other page is told. @override */
  close() {
    this.step("close", { error: new FrameError("The page closed the connection", "USER_CANCELLED") });
    this.#rest();
    this.ended();
  }

  // Steps

  /** @param {"setup" | "connect"} event @param {AbortSignal} [signal] */
  #run(event, signal) {
    this.require(event);
    this.phase = event == "setup" ? "setup" : "transport";
    this.#navigations = 0;
    // A frame without an origin may show anything now: only what is loaded again is known to be the server.
    const isUnknown = this.state == "reloaded" && this.origin == "null";
    const stop = () => this.cancel();
    const outcome = this.begin(isUnknown && event == "connect" ? "load again" : event).finally(() =>
      signal?.removeEventListener("abort", stop)
    );
    outcome.catch(() => {});
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
    return outcome;
  }

  #navigate() {
    this.#navigations++;
    this.#rest();
    this.#announced = {};
    this.origin = undefined;
    const { phase, control } = this;
    // Whoever listens only after it has navigated misses the announcement of a page that is quick.
    this.#leave = [
      control.onMessage((event) => this.#heard(event)),
      control.onGone?.(() => this.#gone()) ?? (() => {}),
      control.onLoad?.(() => this.doubt()) ?? (() => {}),
    ];
    const url = phase == "setup" ? getSetupUrl(this.url) : getTransportUrl(this.url);
    this.logger.request("navigate", { url });
    this.#show(phase == "transport" && this.transportVisibility.requirement == "required");
    control.navigate(url, { allow: this.#permissions.load(phase) });
  }

  /** @param {{data: any, origin: string, ports?: readonly MessagePort[]}} event */
  #heard({ data, origin, ports }) {
    if (!isPostMessageProtocol(data)) return;
    const isAnnouncement = data.type === ANNOUNCEMENTS[this.phase];
    // Beside the port only a new document counts.
    if (this.port && !isAnnouncement) return this.drop(String(data.type).slice(0, 60), "it came beside the port");
    if (!this.#isExpected(origin)) return this.#strange(origin, isAnnouncement);
    // The receipt came by the port, and overtook an announcement of the same document.
    if (this.state == "connected" && data.documentId && data.documentId === this.#document) return;
    this.hear({ data, origin, ports });
  }

  /** @param {string} origin */
  #isExpected(origin) {
    if (this.origin) return origin === this.origin;
    if (this.control.isOpaque) return origin === "null";
    return origin !== "null" && (this.allowedOrigins.includes("*") || this.allowedOrigins.includes(origin));
  }

  /** A page of another origin is in the window. @param {string} origin @param {boolean} isAnnouncement */
  #strange(origin, isAnnouncement) {
    this.violated(origin);
    if (!isAnnouncement) return;
    this.#announced = { origin };
    const expected = this.origin ?? (this.control.isOpaque ? "null" : this.allowedOrigins.join(" or "));
    this.fail(
      "ORIGIN_MISMATCH",
      `The page that answered has the origin ${origin}, and ${expected} was expected: ` +
        "use the URL that the server redirects to, or add its origin to allowedOrigins",
    );
  }

  /** @override @param {FrameMessage} message @param {Heard} heard */
  examine({ type, protocolVersion, sessionId }, { port, origin }) {
    if (origin && ANNOUNCEMENTS[this.phase] === type) this.#announced = { origin };
    // What is posted to "null" reaches whatever is in the frame by then, so the port is the only way.
    else if (this.control.isOpaque && !port) {
      return new FrameError("A frame without origin has to use the port that came with the reply", "CONFIG_ERROR");
    }
    if (type == "MCP_TRANSPORT_HANDSHAKE" && !this.versions.some((one) => !compareVersions(one, protocolVersion))) {
      return new FrameError(`Incompatible protocol version: ${protocolVersion}`, "VERSION_MISMATCH");
    }
    if (type == "MCP_TRANSPORT_ACCEPTED" && sessionId !== this.sessionId) {
      return new FrameError(`Session ID mismatch: ${sessionId.slice(0, 60)}`, "CONFIG_ERROR");
    }
  }

  /** @param {Details} details */
  async #decide({ message, origin }) {
    const { minProtocolVersion: least, maxProtocolVersion: most, requestedPermissions = [] } = message ?? {};
    const turn = ++this.#decisions;
    this.origin = origin;
    this.protocolVersion = highestWithin(this.versions, least, most);
    if (!this.protocolVersion) {
      const ours = this.versions.join(", ");
      const told = `No compatible protocol version. Server supports: ${least}-${most}, Client supports: ${ours}`;
      return this.fail("VERSION_MISMATCH", told);
    }
    const denied = await this.#permissions.decide(requestedPermissions);
    if (turn != this.#decisions || this.state != "deciding") return;
    const isLate = this.#permissions.needsLoad("setup");
    if (denied) this.fail("INSUFFICIENT_PERMISSIONS", denied);
    else if (isLate && this.#navigations < NAVIGATIONS) this.step("load again");
    else this.step("grant", { message, origin });
  }

  /** @param {Details} details */
  #reply({ message, origin = "" }) {
    const { phase, sessionId } = this;
    this.origin = origin;
    if (phase == "transport") this.protocolVersion = message?.protocolVersion ?? this.protocolVersion;
    else if (message) this.#show(message.requiresVisibleSetup);
    this.#announced = { origin, message };
    this.#document = message?.documentId;
    const { protocolVersion } = this;
    const { port1, port2 } = new MessageChannel();
    this.listenTo(port1);
    this.#send({ type: ANNOUNCEMENTS[phase] + "_REPLY", sessionId, protocolVersion }, origin, [port2]);
  }

  /** @param {Details} details */
  #complete({ message }) {
    const { displayName, ephemeralMessage, transportVisibility } = message ?? {};
    const { sessionId, protocolVersion, origin } = this;
    this.transportVisibility = transportVisibility;
    this.#show(false);
    this.#rest();
    this.settle({
      ...{ sessionId, protocolVersion, origin, displayName, transportVisibility },
      ...ephemeralMessage !== undefined && { ephemeralMessage },
      permissions: this.#permissions.granted,
    });
  }

  /** @param {Details} details */
  #connect({ port }) {
    this.keep(port);
    this.settle();
  }

  /** @param {FrameMessage} [message] */
  #tellOfSetup({ reason, message, canContinue } = { type: "" }) {
    attempt(() => this.onSetupRequired?.({ reason, message, canContinue }));
  }

  /** @param {FrameMessage} [message] */
  #requireSetup(message) {
    const told = `The server has to be set up again (${message?.reason}): ${message?.message}`;
    this.#giveUp({ error: new FrameError(told, "SETUP_REQUIRED") });
    this.#tellOfSetup(message);
  }

  /** Another document is in the window, or none. @param {Details} details */
  #lose(details) {
    this.keep();
    if (details.message) this.#announced = details;
    this.ended();
  }

  #gone() {
    const error = new FrameError("The window was closed, or its frame removed", "WINDOW_GONE");
    this.step("gone", { error });
  }

  /** @param {Details} details */
  #refuse({ error = new FrameError("It failed", "CONFIG_ERROR") }) {
    const { origin = this.origin } = this.#announced;
    const message = { type: ANNOUNCEMENTS[this.phase] + "_REPLY", error: onWire(error) };
    if (this.port) this.port.postMessage(message);
    else if (origin) attempt(() => this.#send(message, origin));
    this.#giveUp({ error });
  }

  /** @param {Details} details */
  #giveUp({ error, message }) {
    const { code, message: told } = message?.error ?? {};
    const isSetup = message?.type == "MCP_SETUP_COMPLETE";
    error ??= new FrameError(`${isSetup ? "The setup failed" : `${this.origin} gave up`}: ${told}`, code);
    this.#show(false);
    this.#rest();
    this.settleWith(error);
    if (this.phase == "transport") this.ended();
  }

  // Parts

  /** Who was asked and says nothing has said no. @override @param {string} state @param {number} wait */
  expired(state, wait) {
    if (state == "deciding") this.#permissions.stopAsking();
    else super.expired(state, wait);
  }

  /** @override @param {string} state */
  late(state) {
    if (state == "configuring") return "The setup was not completed";
    if (state == "replied") return `The page at ${this.url.origin} took no session`;
    return `No page at ${this.url.origin} announced itself as an MCP server`;
  }

  /** @param {boolean} isVisible */
  #show(isVisible) {
    this.control.setVisible(isVisible);
    if (this.isVisible == isVisible) return;
    this.isVisible = isVisible;
    attempt(() => this.onVisibilityChange?.(isVisible));
  }

  /** @param {FrameMessage} message @param {string} origin @param {Transferable[]} [transfer] */
  #send(message, origin, transfer) {
    this.logger.request(message.type, { origin });
    // "null" is not an address: whoever is in that window gets it.
    this.control.postMessage(message, origin == "null" ? "*" : origin, transfer);
  }

  /** @override @param {any} message @param {Transferable[]} [transfer] */
  say(message, transfer = []) {
    if (this.port) this.port.postMessage(message, transfer);
    else this.#send(message, this.origin ?? "", transfer);
  }

  /** Hear nothing more, and leave nothing behind. */
  #rest() {
    this.#leave.splice(0).forEach((leave) => leave());
    this.keep();
  }
}
