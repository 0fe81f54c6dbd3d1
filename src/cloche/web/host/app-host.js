// @ts-check
import { AppLoadError, OriginNotAllowedError } from "./app-errors.js";
import { Listeners } from "../listeners.js";
import { LoadedApp } from "./loaded-app.js";

/**
 * Apps by URL, in frames of a page, without a host in Python: the page itself answers what they ask.
 *
 * @typedef {{
 *   alwaysConfirm?: string[], neverConfirm?: string[], confirmationTimeout?: number,
 *   onConfirmationRequired: (request: {name: string, arguments: unknown, app: string}) => boolean | Promise<boolean>,
 * }} Hitl which tool calls a person is asked about; no answer means no
 * @typedef {{
 *   container: Element | string,
 *   allowedOrigins: string[],
 *   sandbox?: string[],
 *   csp?: string,
 *   style?: Record<string, string>,
 *   connectionTimeout?: number,
 *   hitl?: Hitl,
 *   authContext?: unknown,
 *   onPermissionRequest?: (request: {permission: string, app: string}) => boolean | Promise<boolean>,
 *   onToolCall?: (name: string, args: any) => unknown,
 *   onResourceRequest?: (uri: string) => unknown,
 *   onAppMessage?: (message: any) => void,
 *   onAppError?: (error: Error) => void,
 *   onError?: (error: Error) => void,
 * }} AppHostOptions
 * @typedef {{
 *   src: string, id?: string, name?: string, sandbox?: string[], width?: string | number, height?: string | number,
 *   attributes?: Record<string, string>, initialData?: unknown, autoConnect?: boolean,
 * }} LoadOptions
 */

/** Nothing but scripts: an app has no origin, no storage and no forms unless the page says so. */
const DEFAULT_SANDBOX = ["allow-scripts"];

/** Permissions that would let an app leave its frame, or take it off. */
const FORBIDDEN = /^allow-(top-navigation.*|popups-to-escape-sandbox)$/i;

/** @param {AppHostOptions} options `allowedOrigins` must name the origins that apps may come from @returns {AppHost} */
export const createAppHost = (options) => new AppHost(options);

/** `on` hears of "load", "unload", "message" and "error". */
export class AppHost extends Listeners {
  /** @type {Map<string, LoadedApp>} */
  #apps = new Map();
  #count = 0;

  /** @param {AppHostOptions} options */
  constructor(options) {
    super();
    this.options = { connectionTimeout: 30_000, sandbox: DEFAULT_SANDBOX, ...options };
    const { container, allowedOrigins } = options;
    const place = typeof container === "string" ? document.querySelector(container) : container;
    if (!(place instanceof Element)) throw new TypeError("container: there is no such element on this page");
    this.container = place;
    this.allowedOrigins = checkedOrigins(allowedOrigins);
    this.authContext = options.authContext;
  }

  /** Load one app, instead of the one that `loadApp` loaded before. @param {string} url */
  async loadApp(url) {
    this.unloadApp();
    return await this.load({ src: url, id: "app" });
  }

  /** Take the app of `loadApp` off the page. */
  unloadApp() {
    this.unload("app");
  }

  /**
   * Load an app in a frame of its own. Resolves when it has connected, or with `autoConnect: false` when it has loaded.
   *
   * @param {LoadOptions} wanted
   * @returns {Promise<LoadedApp>}
   */
  async load(wanted) {
    const url = new URL(wanted.src, document.baseURI);
    if (!this.allowedOrigins.includes(url.origin)) {
      throw new OriginNotAllowedError(`${url.origin} is not one of allowedOrigins`);
    }
    const sandbox = checkedSandbox(wanted.sandbox ?? this.options.sandbox, url);
    const id = wanted.id ?? `app-${++this.#count}`;
    if (this.#apps.has(id)) throw new AppLoadError(`There is an app with the id ${id} already`);
    const app = new LoadedApp(this, { ...wanted, id, url, sandbox });
    this.#apps.set(id, app);
    try {
      await app.open(this.container);
    } catch (error) {
      this.unload(id);
      this.failed(/** @type {Error} */ (error));
      throw error;
    }
    this.tell("load", app);
    return app;
  }

  /** @param {string} id */
  unload(id) {
    const app = this.#apps.get(id);
    if (!app) return;
    this.#apps.delete(id);
    app.disconnect();
    this.tell("unload", app);
  }

  /** Take every app off the page. */
  unloadAll() {
    for (const id of [...this.#apps.keys()]) this.unload(id);
  }

  /** @param {string} id */
  get(id) {
    return this.#apps.get(id);
  }

  /** Every app that is loaded. */
  list() {
    return [...this.#apps.values()];
  }

  /** @param {unknown} context who the user is, for apps that are told so */
  updateAuthContext(context) {
    this.authContext = context;
    for (const app of this.#apps.values()) app.refreshAuth(context);
  }

  /** Take everything off the page; the host is over. */
  destroy() {
    this.unloadAll();
    this.clear();
  }

  /** @param {Error} error */
  failed(error) {
    this.options.onAppError?.(error);
    this.options.onError?.(error);
    this.tell("error", error);
  }

  /**
   * Whether a tool may be called: a person is asked where `hitl` says so.
   *
   * @param {string} name
   * @param {unknown} given
   * @param {string} app
   * @returns {Promise<boolean>}
   */
  async mayCall(name, given, app) {
    const { hitl } = this.options;
    if (!hitl || hitl.neverConfirm?.includes(name) && !hitl.alwaysConfirm?.includes(name)) return true;
    return await this.#isYes(() => hitl.onConfirmationRequired({ name, arguments: given, app }));
  }

  /**
   * Whether an app may have a permission that it asked for: `onPermissionRequest` asks a person; without it, no.
   *
   * @param {string} permission
   * @param {string} app
   * @returns {Promise<boolean>}
   */
  async mayUse(permission, app) {
    const { onPermissionRequest } = this.options;
    return !!onPermissionRequest && await this.#isYes(() => onPermissionRequest({ permission, app }));
  }

  /** Only a yes is a yes: silence and a question that fails are none. @param {() => boolean | Promise<boolean>} ask */
  async #isYes(ask) {
    const wait = this.options.hitl?.confirmationTimeout ?? 30_000;
    const late = new Promise((resolve) => setTimeout(resolve, wait, false));
    try {
      return await Promise.race([ask(), late]) === true;
    } catch (/** @type {any} */ error) {
      this.failed(error);
      return false;
    }
  }
}

/** @param {unknown} origins @returns {string[]} */
function checkedOrigins(origins) {
  if (!Array.isArray(origins) || origins.length === 0) {
    throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");
  }
  for (const origin of origins) {
    if (typeof origin !== "string" || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new TypeError(
        `allowedOrigins: ${JSON.stringify(origin)} is not an origin, such as https://app.example.com`,
      );
    }
  }
  return [...origins];
}

/** @param {string[]} tokens @param {URL} url */
function checkedSandbox(tokens, url) {
  const wrong = tokens.find((token) => FORBIDDEN.test(token));
  if (wrong) throw new TypeError(`sandbox: ${wrong} lets an app out of its frame`);
  const isOpen = tokens.includes("allow-same-origin") && tokens.includes("allow-scripts");
  if (isOpen && url.origin === location.origin) {
    throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");
  }
  return tokens;
}
