// @ts-check
/**
 * A UI resource in a frame of a page: what a tool's result embeds, or a `ui://` resource that a server has. Made for
 * resources of your own servers. Apps of others belong into `<mcp-app>`, whose host keeps them from sending data away.
 *
 * @typedef {import("./client.js").McpClient} McpClient
 * @typedef {"display" | "form" | "stateful" | "full"} Preset
 * @typedef {{
 *   client?: McpClient, sandbox?: Preset, title?: string, autoResize?: boolean, input?: Record<string, any>,
 *   onLoad?: () => void, onError?: (error: Error) => void, onMessage?: (message: any) => void,
 * }} UIResourceOptions
 * @typedef {{frame: HTMLIFrameElement, close: () => void}} ShownUIResource
 */
import { isObject } from "./json.js";
import { APPS_VERSION } from "./protocol.js";
import { UIResourceSource } from "./sources.js";

/**
 * What the frame may do. None has `allow-same-origin`: with it, and scripts, what is in the frame would be this page.
 * "stateful" keeps what the view says with `cloche.setState`; "full" opens windows and dialogs, saves files, and calls
 * the tools of `client` too.
 *
 * @type {Readonly<Record<Preset, string>>}
 */
export const SANDBOX_PRESETS = Object.freeze({
  display: "allow-scripts",
  form: "allow-scripts allow-forms",
  stateful: "allow-scripts allow-forms",
  full: "allow-scripts allow-forms allow-popups allow-modals allow-downloads",
});

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
  "media-src data: blob:; font-src data:; form-action 'none'";
const MAX_HEIGHT = 10_000;
const STATE = "cloche:view ";
const UNKNOWN_METHOD = -32601;
const FAILED = -32603;

/** @param {string} key @param {unknown} [value] without it: what was kept */
function kept(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(STATE + key) ?? "null");
    localStorage.setItem(STATE + key, JSON.stringify(value));
  } catch {
    return null; // the browser denies it: the state is gone with the page
  }
}

/** One frame, and what its view asks for. */
class Showing {
  /** @type {unknown} */
  #state;

  /** @param {HTMLIFrameElement} frame @param {any} of @param {string} uri @param {UIResourceOptions} options */
  constructor(frame, of, uri, options) {
    this.frame = frame;
    this.of = of;
    this.uri = uri;
    this.options = options;
    const { sandbox = "display" } = options;
    this.keepsState = sandbox == "stateful" || sandbox == "full";
    this.tools = sandbox == "full" ? options.client : undefined;
    this.hear = this.#hear.bind(this);
  }

  /** @param {object} message */
  #post(message) {
    // A frame without an origin of its own cannot be named in another way.
    this.frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  /** @param {MessageEvent} event */
  #hear({ source, data }) {
    if (source !== this.frame.contentWindow) return;
    this.options.onMessage?.(data);
    if (!isObject(data) || data.jsonrpc !== "2.0" || typeof data.method != "string") return;
    const params = isObject(data.params) ? data.params : {};
    if (data.id === undefined) return this.#told(data.method, params);
    Promise.resolve().then(() => this.#asked(/** @type {string} */ (data.method), params)).then(
      (result) => this.#post({ id: data.id, result }),
      ({ message, code = FAILED }) => this.#post({ id: data.id, error: { code, message: String(message) } }),
    );
  }

  /** @param {string} method @param {Record<string, any>} params */
  #told(method, { height }) {
    if (method == "ui/notifications/initialized") {
      this.#post({ method: "ui/notifications/tool-input", params: { arguments: this.options.input ?? {} } });
      if (isObject(this.of) && Array.isArray(this.of.content)) {
        this.#post({ method: "ui/notifications/tool-result", params: this.of });
      }
    } else if (method == "ui/notifications/size-changed" && this.options.autoResize && height > 0) {
      this.frame.style.height = `${Math.min(Math.ceil(height), MAX_HEIGHT)}px`;
    }
  }

  /** @param {string} method @param {Record<string, any>} params */
  #asked(method, params) {
    if (method == "ping") return {};
    if (method == "ui/initialize") return this.#greeting();
    if (method == "cloche/set-state" && this.keepsState) {
      kept(this.uri, this.#state = params.value ?? null);
      return {};
    }
    if (method == "tools/call" && this.tools) return this.tools.callTool(params.name, params.arguments);
    throw Object.assign(Error(`This page does not answer ${method.slice(0, 60)}`), { code: UNKNOWN_METHOD });
  }

  #greeting() {
    const { colorScheme } = getComputedStyle(this.frame);
    const isDark = colorScheme == "dark" ||
      (colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches);
    return {
      protocolVersion: APPS_VERSION,
      hostInfo: { name: "page", version: "1" },
      hostCapabilities: {
        ...(this.tools ? { serverTools: {} } : {}),
        ...(this.keepsState ? { experimental: { "cloche/state": {} } } : {}),
      },
      hostContext: {
        theme: isDark ? "dark" : "light",
        ...(this.keepsState ? { "cloche/state": this.#state ?? kept(this.uri) } : {}),
      },
    };
  }
}

/**
 * Show a UI resource inside an element of the page.
 *
 * @param {HTMLElement} element what was in it is replaced
 * @param {string | Record<string, any>} of a tool's result that embeds or names one, the content block itself, or, with
 *   `client`, a URI
 * @param {UIResourceOptions} [options]
 * @returns {ShownUIResource}
 */
export function showUIResource(element, of, options = {}) {
  const { client, sandbox = "display", title = "View", onLoad, onError = reportError } = options;
  if (!Object.hasOwn(SANDBOX_PRESETS, sandbox)) {
    throw Error(`There is no sandbox ${JSON.stringify(sandbox)}: it is one of ${Object.keys(SANDBOX_PRESETS)}`);
  }
  const result = isObject(of) && isObject(of.resource) ? { content: [of] } : of;
  const source = new UIResourceSource(client, result);
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", SANDBOX_PRESETS[sandbox]);
  frame.title = title;
  frame.style.cssText = "display: block; width: 100%; border: 0";
  const showing = new Showing(frame, result, source.getSnapshot().uri ?? "", options);
  /** @type {string | undefined} */
  let shown;
  const show = () => {
    const { html, error, uri } = source.getSnapshot();
    if (error || !uri) return onError(error ?? Error("The result shows no UI resource"));
    if (html === undefined || html === shown) return;
    shown = html;
    frame.onload = () => onLoad?.();
    frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${html}`;
  };
  addEventListener("message", showing.hear);
  element.replaceChildren(frame);
  const stop = source.subscribe(show);
  show();
  return {
    frame,
    close: () => {
      stop();
      removeEventListener("message", showing.hear);
      frame.remove();
    },
  };
}
