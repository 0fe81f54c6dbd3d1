// @ts-check
/**
 * A server by URL in a frame of this page: set up in one frame, used in another. What was set up is kept by the host.
 *
 * @typedef {import("../frames/outer.js").SetupResult} SetupResult
 * @typedef {Omit<SetupResult, "ephemeralMessage">} Setup
 * @typedef {import("../frames/permissions.js").PermissionRequirement} PermissionRequirement
 * @typedef {{
 *   frame: HTMLIFrameElement, show: (isVisible: boolean) => void,
 *   setupFrame?: HTMLIFrameElement, showSetup?: (isVisible: boolean) => void,
 *   allow?: (wanted: PermissionRequirement[]) => Promise<boolean>, returned?: () => void,
 *   message: (message: import("../transports/base.js").Message) => void,
 *   lost: (error: {code: string, message: string}) => void,
 *   notice: (text: string) => void,
 * }} Surroundings without a setup frame there is none, and `returned` is for a page that may be reloaded: its frame is not
 *   emptied when it is left, and it is called when another page of the same origin announces itself there
 */
import { BASE } from "./socket.js";

/** @type {Promise<typeof import("../frames.js")> | undefined} */
let loading;

/**
 * The protocol's script, loaded when the first server needs it.
 *
 * @returns {Promise<typeof import("../frames.js")>}
 */
const protocol = () => loading ??= import(new URL("frames.js", BASE).href);

export class FramedServer {
  /** @type {import("../frames/outer.js").OuterFrameTransport | null} */
  #transport = null;
  /** @type {import("../frames/window-controls.js").IframeWindowControl | null} */
  #control = null;
  /** Of an attempt that another one has replaced nothing counts. */
  #turn = 0;

  /** @param {string} url @param {Surroundings} around */
  constructor(url, around) {
    this.url = url;
    this.around = around;
  }

  get isConnected() {
    return this.#transport?.isConnected === true;
  }

  /**
   * Have the person set it up. Resolves with what to keep; with null when another attempt took its place.
   *
   * @param {Setup | null} before
   * @returns {Promise<Setup | null>}
   */
  async setUp(before) {
    const { setupFrame, showSetup, notice, allow } = this.around;
    if (!setupFrame) throw new Error("There is no setup");
    const turn = this.#begin();
    const { IframeWindowControl, OuterFrameTransport, Logger } = await protocol();
    if (turn !== this.#turn) return null;
    const control = this.#control = new IframeWindowControl({ iframe: setupFrame, setVisible: showSetup });
    const transport = this.#transport = new OuterFrameTransport(control, {
      url: this.url,
      sessionId: before?.sessionId,
      onPermissionRequest: allow,
      logger: new Logger("OUTER", "setup", () => {}),
    });
    try {
      const { ephemeralMessage, ...setup } = await transport.setup();
      if (turn !== this.#turn) return null;
      notice(ephemeralMessage ?? "");
      return setup;
    } catch (error) {
      if (turn !== this.#turn) return null;
      throw error;
    } finally {
      if (turn === this.#turn) this.close();
    }
  }

  /** The person gives the setup up; the server is told. */
  cancel() {
    this.#transport?.cancel();
  }

  /**
   * Load and connect to it. False when another attempt took its place.
   *
   * @param {Pick<Setup, "sessionId" | "transportVisibility" | "permissions">} setup
   */
  async connect(setup) {
    const { frame, show, message, lost, notice, returned } = this.around;
    const turn = this.#begin();
    const { IframeWindowControl, OuterFrameTransport, Logger } = await protocol();
    if (turn !== this.#turn) return false;
    const control = this.#control = new IframeWindowControl({ iframe: frame, setVisible: show });
    const transport = this.#transport = new OuterFrameTransport(control, {
      url: this.url,
      sessionId: setup.sessionId,
      transportVisibility: setup.transportVisibility,
      permissions: setup.permissions,
      onSetupRequired: ({ canContinue, message }) => canContinue && turn === this.#turn && notice(message),
      logger: new Logger("OUTER", "transport", () => {}),
    });
    transport.onMessage((said) => turn === this.#turn && message(said));
    try {
      await transport.prepareToConnect();
    } catch (error) {
      if (turn !== this.#turn) return false;
      this.close();
      throw error;
    }
    transport.onClose(() => {
      if (turn !== this.#turn) return;
      const { code = "WINDOW_GONE", message = "The server's page was reloaded, left or closed" } = transport.error ??
        {};
      if (!returned) this.close();
      lost({ code, message });
    });
    // In a moment: the end of the connection before is told first.
    transport.onStateChange = () =>
      queueMicrotask(() => transport.state === "reloaded" && turn === this.#turn && returned?.());
    return turn === this.#turn;
  }

  /** Go on with the page that announced itself in the place of the one before. False when another attempt took over. */
  async takeUp() {
    const turn = this.#turn;
    try {
      await this.#transport?.prepareToConnect();
    } catch (error) {
      if (turn !== this.#turn) return false;
      this.close();
      throw error;
    }
    return turn === this.#turn;
  }

  /** @param {import("../transports/base.js").Message} message */
  send(message) {
    if (!this.#transport) throw new Error("The page is not connected to the server");
    this.#transport.send(message);
  }

  /** Show or hide a server whose visibility is optional. @param {boolean} isVisible */
  setVisible(isVisible) {
    this.#transport?.setVisible(isVisible);
  }

  /** End what there is; the server is told, and its frame emptied. */
  close() {
    this.#begin();
  }

  /** The number of a new attempt; nothing is left of the one before. */
  #begin() {
    const turn = ++this.#turn;
    const [transport, control] = [this.#transport, this.#control];
    this.#transport = this.#control = null;
    transport?.close();
    control?.setVisible(false);
    control?.destroy();
    return turn;
  }
}
