// @ts-check
/**
 * One view of one call, in the page of a published server: the page is its host, as MCP Apps has it, without a model and
 * without a conversation. What it asks for goes to the server in this tab, and what leads out of the page is asked.
 *
 * @typedef {import("./view-server.js").ViewServer} ViewServer
 * @typedef {import("./asking.js").Asking} Asking
 * @typedef {Record<string, any>} Params
 * @typedef {{get: () => any, set: (value: any) => void}} State what the view has kept
 * @typedef {{html: string, policy: string, tool: any, input: Params, server: ViewServer, asking: Asking, state: State,
 *   room: HTMLElement, ended: (text: string) => void}} ViewOptions
 */
import { greetingOf, methodOf } from "../host/greeting.js";
import { changes, contextOf, watchTheme } from "../host/theme.js";
import { APPS_VERSION, METHOD_NOT_FOUND } from "../protocol.js";
import { RpcError, WindowRpc } from "../rpc.js";
import { DEFAULT_LIMITS } from "../sandbox/limits.js";
import { Stage } from "./stage.js";

/** Milliseconds after which a view that says nothing of being ready is told what it shows. */
const GRACE = 2000;
/** Milliseconds for a view to put its things away. */
const FAREWELL = 500;

const SENTENCES = {
  navigated: "The view went to another page, and was removed.",
  flood: "The view sent too many messages, and was removed.",
  silent: "The view could not be shown: is stage.html there, and does the site send it with a policy of its own?",
};

const OFFERED = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  downloadFile: {},
  logging: {},
  experimental: { "cloche/state": {}, "cloche/subscribe": {} },
};

export class ShownView {
  /** What it is told as soon as it listens. @type {[method: string, params: Params][]} */
  #first;
  #isReady = false;
  /** @type {Map<string, () => unknown>} */
  #followed = new Map();
  /** @type {Params} */
  #context = {};
  /** How tall it wants to be. @type {number | undefined} */
  #height;

  /** @param {ViewOptions} options */
  constructor({ html, policy, tool, input, server, asking, state, room, ended }) {
    this.server = server;
    this.asking = asking;
    this.state = state;
    this.tool = tool;
    this.#first = [["ui/notifications/tool-input", { arguments: input }]];
    this.rpc = new WindowRpc(
      (message) => this.stage.post(message),
      (method) => this.#handler(method),
      (error) => console.warn(`The view said what nobody understands: ${error.message}`),
    );
    this.stage = new Stage({ html, policy, title: `View of ${tool.title ?? tool.name}` }, {
      message: (message) => this.rpc.receive(message),
      loaded: () => {},
      ended: (why) => {
        this.#leave();
        ended(SENTENCES[why]);
      },
    });
    asking.onClosed = () => this.#grow();
    this.unwatch = watchTheme(() => this.#look());
    this.stage.open(room);
  }

  /** The call is over. @param {Params} result */
  finish(result) {
    this.#tell("ui/notifications/tool-result", result);
  }

  /** There will be no result. @param {string} reason */
  cancel(reason) {
    this.#tell("ui/notifications/tool-cancelled", { reason });
  }

  /** Take it off the page, after it has put its things away. */
  async remove() {
    this.stage.element.hidden = true;
    if (this.#isReady) {
      await this.rpc.request("ui/resource-teardown", { reason: "another call" }, { timeout: FAREWELL }).catch(() => {});
    }
    this.#leave();
    this.stage.remove();
  }

  #leave() {
    clearTimeout(this.timer);
    this.unwatch();
    this.asking.forget(this);
    for (const stop of this.#followed.values()) Promise.resolve(stop()).catch(() => {});
    this.#followed.clear();
  }

  /** @param {string} method @param {Params} params */
  #tell(method, params) {
    if (this.#isReady) this.rpc.notify(method, params);
    else this.#first.push([method, params]);
  }

  #begin() {
    clearTimeout(this.timer);
    this.#isReady = true;
    for (const [method, params] of this.#first.splice(0)) this.rpc.notify(method, params);
  }

  /** @param {string} said @returns {import("../rpc.js").Handler | undefined} */
  #handler(said) {
    const method = methodOf({ method: said }) ?? said;
    const { server, asking } = this;
    /** @type {Record<string, import("../rpc.js").Handler>} */
    const known = {
      "ping": () => ({}),
      "ui/initialize": (params) => this.#greet(params),
      "ui/notifications/initialized": () => this.#begin(),
      "ui/notifications/size-changed": (size) => this.#resize(size),
      "ui/notifications/request-teardown": () => void this.remove(),
      "ui/request-display-mode": () => ({ mode: "inline" }),
      "ui/open-link": ({ url }) => asking.openLink(this, url),
      "ui/download-file": ({ contents }) => asking.saveFiles(this, contents),
      "notifications/message": ({ level, data }) => log(level, data),
      "tools/call": (params, signal) => server.call(params, signal),
      "tools/list": async () => ({ tools: await server.tools() }),
      "resources/read": (params) => server.read(params),
      "resources/list": (params) => server.list(method, params),
      "resources/templates/list": (params) => server.list(method, params),
      "prompts/list": (params) => server.list(method, params),
      "resources/subscribe": ({ uri }) =>
        server.follow(this.#followed, uri, (method, params) => this.rpc.notify(method, params)),
      "resources/unsubscribe": ({ uri }) => this.#unfollow(uri),
      "cloche/set-state": ({ value }) => this.state.set(value),
    };
    if (Object.hasOwn(known, method)) return known[method];
    if (method.includes("notifications/")) return () => {};
    return () => {
      throw new RpcError(METHOD_NOT_FOUND, `Not available here: ${said.slice(0, 80)}`);
    };
  }

  /** @param {Params} params */
  #greet(params) {
    this.#context = this.#contextNow();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#begin(), GRACE);
    const state = this.state.get();
    const { name, title } = this.tool;
    const hostContext = {
      toolInfo: { tool: { inputSchema: { type: "object" }, ...this.tool, name, ...title && { title } } },
      availableDisplayModes: ["inline"],
      ...state !== undefined && { "cloche/state": state },
    };
    const initialize = {
      protocolVersion: APPS_VERSION,
      hostInfo: { name: "cloche", version: "1" },
      hostCapabilities: OFFERED,
      hostContext,
    };
    return greetingOf({ initialize, limits: DEFAULT_LIMITS }, this.#context, params);
  }

  /** @param {string} uri */
  async #unfollow(uri) {
    const stop = this.#followed.get(uri);
    this.#followed.delete(uri);
    await stop?.();
  }

  /** @param {any} size */
  #resize({ height }) {
    if (typeof height !== "number" || !(height >= 0)) return;
    this.#height = Math.min(Math.ceil(height), DEFAULT_LIMITS.maxHeight ?? 0);
    this.#grow();
  }

  /** Not under somebody's pointer: a question is answered first. */
  #grow() {
    if (this.#height !== undefined && !this.asking.isOpen) this.stage.element.style.height = `${this.#height}px`;
  }

  #contextNow() {
    const { element } = this.stage;
    return contextOf(element, { displayMode: "inline", width: element.clientWidth });
  }

  #look() {
    const now = this.#contextNow();
    const changed = changes(this.#context, now);
    this.#context = now;
    if (!this.#isReady || !Object.keys(changed).length) return;
    this.stage.setTheme();
    this.rpc.notify("ui/notifications/host-context-changed", changed);
  }
}

/** @param {unknown} level @param {unknown} data */
const log = (level, data) =>
  console[/^(error|critical|alert|emergency)$/.test(String(level)) ? "error" : "info"]("The view says:", data);
