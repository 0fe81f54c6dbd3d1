// @ts-check
import { APPS_VERSION } from "../protocol.js";
import { WindowRpc } from "../rpc.js";

/**
 * `window.openai` for a page that is shown as ChatGPT would show it. Runs before the page's own scripts, and asks the host
 * around the page in the words of MCP Apps.
 *
 * @param {any} scope the page's window
 * @param {Record<string, any>} globals what is known from the beginning
 * @param {boolean} keepsState whether the host keeps a state
 */
export function installOpenAi(scope, globals, keepsState) {
  const host = scope.parent;
  let count = 0;
  /** Whether the page has shaken hands with the host itself. */
  let isGreeted = false;
  /** @type {Promise<unknown> | undefined} */
  let greeting;

  const rpc = new WindowRpc((message) => host.postMessage(message, "*"), (method) => heard[method], console.error);
  /** @param {string} method @param {object} params */
  const request = (method, params) => rpc.request(method, params, { id: "openai-" + count++, timeout: 0 });
  /** A page that uses this object need not speak to the host at all, so the first words are said for it. */
  const greet = () =>
    greeting ??= request("ui/initialize", {
      appInfo: { name: "window.openai", version: "1" },
      appCapabilities: {},
      protocolVersion: APPS_VERSION,
    }).then(() => rpc.notify("ui/notifications/initialized", {}));
  /** @param {string} method @param {object} params */
  const ask = async (method, params) => {
    await greet();
    return await request(method, params);
  };
  /** @param {string} method @param {object} params */
  const tell = async (method, params) => {
    await greet();
    rpc.notify(method, params);
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
    ping() {},
    "ui/resource-teardown"() {},
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
      if (rpc.pending.has(data.id)) event.stopImmediatePropagation();
      else isGreeted = true; // what it answers was asked by the page
    }
    // The page itself answers what it is asked, once it has shaken hands.
    if (data.method === undefined || data.id === undefined || !isGreeted) rpc.receive(data);
  });
}
