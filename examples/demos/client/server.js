// @ts-check
/**
 * One server by URL: set up once in a dialog, then used in a frame of this page.
 *
 * @typedef {import("./kept.js").Kept} Kept
 * @typedef {"setup" | "connecting" | "ready" | "failed" | "removed"} State
 * @typedef {{name: string, title?: string, description?: string, inputSchema: any, annotations?: any}} Tool
 * @typedef {{
 *   dialog: import("./dialogs.js").SetupDialog, frame: HTMLIFrameElement, show: (isVisible: boolean) => void,
 *   changed: () => void, notice: (text: string) => void,
 * }} Surroundings
 */
import { McpClient } from "../../../src/cloche/web/client.js";
import { IframeWindowControl, OuterFrameTransport } from "../../../src/cloche/web/frames.js";
import { Logger } from "../../../src/cloche/web/frames/logger.js";
import { askPermission } from "./dialogs.js";

/** A page with Python in it takes its time on a slow line. */
const TIMEOUTS = { handshake: 90_000 };

export class UsedServer {
  /** @type {State} */
  state = "setup";
  problem = "";
  isVisible = false;
  /** @type {Tool[]} */
  tools = [];
  /** @type {Kept["setup"] | undefined} */
  setup;
  /** @type {McpClient | undefined} */
  client;
  /** @type {OuterFrameTransport | undefined} */
  #transport;

  /** @param {string} url @param {Surroundings} around @param {Kept["setup"]} [setup] of an earlier visit */
  constructor(url, around, setup) {
    this.url = url;
    this.around = around;
    this.setup = setup;
  }

  get origin() {
    return new URL(this.url).origin;
  }

  get name() {
    return this.setup?.displayName ?? new URL(this.url).host;
  }

  get visibility() {
    return this.setup?.transportVisibility.requirement ?? "hidden";
  }

  /** Have the person set it up. Raises when that came to nothing; then what was there before still is. */
  async setUp() {
    const { dialog } = this.around;
    this.#leave();
    this.#change("setup");
    const frame = dialog.open(this.origin, () => transport.cancel());
    const control = new IframeWindowControl({ iframe: frame, setVisible: (isVisible) => dialog.show(isVisible) });
    const transport = new OuterFrameTransport(control, { ...this.#options("setup"), sessionId: this.setup?.sessionId });
    try {
      const { ephemeralMessage, ...setup } = await transport.setup();
      this.setup = setup;
      if (ephemeralMessage) this.around.notice(ephemeralMessage);
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      transport.close();
      control.destroy();
      dialog.close();
    }
  }

  /** Load the server's page, and ask it for its tools. */
  async connect() {
    this.#leave();
    this.#change("connecting");
    const control = new IframeWindowControl({ iframe: this.around.frame, setVisible: (one) => this.#show(one) });
    const { sessionId, transportVisibility, permissions } = this.setup ?? {};
    const transport = this.#transport = new OuterFrameTransport(control, {
      ...this.#options("transport"),
      ...{ sessionId, transportVisibility, permissions },
      onSetupRequired: ({ message }) => this.around.notice(message),
    });
    try {
      await transport.prepareToConnect();
      const client = this.client = new McpClient(transport, { name: "demo-client" });
      await client.connect();
      this.tools = /** @type {Tool[]} */ ((await client.listTools()).filter(isForPeople));
    } catch (error) {
      if (transport === this.#transport) this.#fail(error);
      return;
    }
    if (transport !== this.#transport) return;
    transport.onClose(() => {
      if (transport === this.#transport) this.#fail(transport.error ?? new Error("The server’s page was left"));
    });
    this.#change("ready");
  }

  /** @param {boolean} isVisible */
  setVisible(isVisible) {
    this.#transport?.setVisible(isVisible);
  }

  /** End it: the server is told, and its frame is emptied. */
  remove() {
    this.#leave();
    this.#change("removed");
  }

  /** @param {string} phase */
  #options(phase) {
    return {
      url: this.url,
      timeouts: TIMEOUTS,
      logger: new Logger("OUTER", phase, () => {}),
      onPermissionRequest: (/** @type {any[]} */ wanted) => askPermission(this.origin, wanted),
    };
  }

  #leave() {
    const transport = this.#transport;
    this.#transport = undefined;
    this.client = undefined;
    transport?.close();
    transport?.control.destroy?.();
    this.#show(false);
  }

  /** @param {boolean} isVisible */
  #show(isVisible) {
    this.isVisible = isVisible;
    this.around.show(isVisible);
    this.around.changed();
  }

  /** @param {any} error */
  #fail(error) {
    this.#leave();
    this.problem = String(error?.message ?? error);
    this.#change("failed");
  }

  /** @param {State} state */
  #change(state) {
    this.state = state;
    if (state !== "failed") this.problem = "";
    this.around.changed();
  }
}

/** Not one that only views call. @param {any} tool */
const isForPeople = ({ _meta }) => _meta?.ui?.visibility?.includes("model") ?? true;
