// @ts-check
import { APPS_VERSION } from "../protocol.js";

/**
 * `window.openai` for a page that is shown as ChatGPT would show it. Runs before the page's own scripts, and asks the host
 * around the page in the words of MCP Apps. Whole in one function, because its text is put in front of the page.
 *
 * @param {any} scope the page's window
 * @param {Record<string, any>} globals what is known from the beginning
 * @param {boolean} keepsState whether the host keeps a state
 */
export function installOpenAi(scope, globals, keepsState) {
  const host = scope.parent;
  const OWN = "openai-";
  /** @type {Map<string, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let count = 0;
  /** Whether the page has shaken hands with the host itself. */
  let isGreeted = false;
  /** @type {Promise<unknown> | undefined} */
  let greeting;

  /** @param {object} message */
  const post = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = OWN + count++;
      waiting.set(id, { resolve, reject });
      post({ id, method, params });
    });
  /** A page that uses this object need not speak to the host at all, so the first words are said for it. */
  const greet = () =>
    greeting ??= request("ui/initialize", {
      appInfo: { name: "window.openai", version: "1" },
      appCapabilities: {},
      protocolVersion: APPS_VERSION,
    }).then(() => post({ method: "ui/notifications/initialized", params: {} }));
  /** @param {string} method @param {object} params */
  const ask = async (method, params) => {
    await greet();
    return await request(method, params);
  };
  /** @param {string} method @param {object} params */
  const tell = async (method, params) => {
    await greet();
    post({ method, params });
  };
  /** @param {Record<string, any>} changed */
  const set = (changed) => {
    Object.assign(openai, changed);
    scope.dispatchEvent(new scope.CustomEvent("openai:set_globals", { detail: { globals: changed } }));
  };

  /** @type {Record<string, any>} */
  const openai = {
    ...globals,
    callTool: (/** @type {string} */ name, /** @type {object} */ args = {}) =>
      ask("tools/call", { name, arguments: args }),
    sendFollowUpMessage: (/** @type {{prompt: string}} */ { prompt }) =>
      ask("ui/message", { role: "user", content: [{ type: "text", text: prompt }] }),
    openExternal: (/** @type {{href: string}} */ { href }) => ask("ui/open-link", { url: href }),
    requestDisplayMode: (/** @type {{mode: string}} */ { mode }) => ask("ui/request-display-mode", { mode }),
    requestClose: () => tell("ui/notifications/request-teardown", {}),
    notifyIntrinsicHeight: (/** @type {number} */ height) => tell("ui/notifications/size-changed", { height }),
    setWidgetState: (/** @type {any} */ state) => {
      set({ widgetState: state });
      if (keepsState) ask("cloche/set-state", { value: state }).catch(() => {});
      const seen = state?.modelContent ?? state;
      const structured = typeof seen === "object" && seen !== null;
      return ask(
        "ui/update-model-context",
        structured ? { structuredContent: seen } : { content: [{ type: "text", text: String(seen) }] },
      );
    },
  };
  Object.defineProperty(scope, "openai", {
    get: () => {
      greet();
      return openai;
    },
    configurable: true,
  });

  /** @type {Record<string, (params: any) => void>} */
  const heard = {
    "ui/notifications/tool-input": (params) => set({ toolInput: params.arguments ?? {} }),
    "ui/notifications/tool-result": (params) =>
      set({ toolOutput: params.structuredContent ?? null, toolResponseMetadata: params._meta ?? null }),
    "ui/notifications/host-context-changed": (params) => {
      const known = ["theme", "locale", "displayMode"].filter((name) => name in params);
      set(Object.fromEntries(known.map((name) => [name, params[name]])));
    },
  };
  scope.addEventListener("message", (/** @type {MessageEvent} */ event) => {
    const { data, source } = event;
    if (source !== host || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) {
      const asked = waiting.get(data.id);
      if (asked === undefined) isGreeted = true; // what it answers was asked by the page
      else {
        event.stopImmediatePropagation();
        waiting.delete(data.id);
        if (data.error) asked.reject(new Error(data.error.message));
        else asked.resolve(data.result);
      }
    } else if (data.id === undefined) heard[data.method]?.(data.params ?? {});
    else if (!isGreeted) {
      const known = data.method === "ping" || data.method === "ui/resource-teardown";
      post({ id: data.id, ...(known ? { result: {} } : { error: { code: -32601, message: "Method not found" } }) });
    }
  });
}
