// @ts-check
import { Adapter, parsed } from "./adapter.js";
import { isObject } from "./rpc.js";

/**
 * ChatGPT's `window.openai`: what it offers, under the names of MCP Apps.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class OpenAiAdapter extends Adapter {
  /** @override */
  name = "openai";

  /** @override */
  canHandle() {
    return "openai" in window;
  }

  /** @override */
  async initialize() {
    const { openai } = /** @type {any} */ (window);
    const keep = (/** @type {any} */ modelContent, /** @type {any} */ privateContent) =>
      openai.setWidgetState({ modelContent, privateContent });
    Object.assign(this.table, {
      "tools/call": async (/** @type {Params} */ params) => {
        const result = await openai.callTool(params.name, params.arguments);
        if (result?.content || result?.structuredContent) return result;
        return { content: [{ type: "text", text: String(result?.result ?? JSON.stringify(result)) }] };
      },
      "ui/message": (/** @type {Params} */ { content }) => openai.sendFollowUpMessage({ prompt: textOf(content) }),
      "ui/open-link": (/** @type {Params} */ { url }) => openai.openExternal({ href: url }),
      "ui/request-display-mode": (/** @type {Params} */ params) => openai.requestDisplayMode(params),
      "ui/notifications/size-changed": (/** @type {Params} */ { height }) => openai.notifyIntrinsicHeight?.(height),
      "ui/notifications/request-teardown": () => openai.requestClose?.(),
      "ui/update-model-context": (/** @type {Params} */ { structuredContent, content }) =>
        keep(structuredContent ?? textOf(content), stateOf(openai)),
      "cloche/set-state": (/** @type {Params} */ { value, model }) =>
        keep(model ? value : openai.widgetState?.modelContent, value),
    });
    const tell = (/** @type {string} */ method, /** @type {Params} */ params) =>
      this.rpc.receive({ jsonrpc: "2.0", method: "ui/notifications/" + method, params });
    const show = (/** @type {Params} */ { toolInput, toolOutput, toolResponseMetadata }) => {
      if (toolInput) tell("tool-input", { arguments: toolInput });
      if (toolOutput == null) return;
      const content = isObject(toolOutput) ? [] : [{ type: "text", text: String(toolOutput) }];
      const _meta = toolResponseMetadata ?? openai.toolResponseMetadata ?? {};
      tell("tool-result", { content, structuredContent: toolOutput, _meta });
    };
    addEventListener("openai:set_globals", (/** @type {any} */ { detail: { globals } }) => {
      tell("host-context-changed", contextOf(globals));
      show(globals);
    });
    await parsed();
    setTimeout(show, 0, openai);
    const offered = {};
    return {
      hostCapabilities: {
        serverTools: offered,
        openLinks: offered,
        message: offered,
        updateModelContext: offered,
        experimental: { "cloche/state": offered },
      },
      hostContext: contextOf(openai),
    };
  }
}

/** @param {Params[]} [content] */
function textOf(content = []) {
  return content.map(({ text }) => text).join("\n");
}

/** @param {Params} globals */
function stateOf({ widgetState }) {
  return isObject(widgetState) && "privateContent" in widgetState ? widgetState.privateContent : widgetState;
}

/**
 * @param {Params} globals
 * @returns {Params} without what is undefined, because a part is merged into the whole
 */
function contextOf(globals) {
  const { theme, locale, displayMode, maxHeight, safeArea, userAgent } = globals;
  return JSON.parse(JSON.stringify({
    theme,
    locale,
    displayMode,
    containerDimensions: maxHeight && { maxHeight },
    safeAreaInsets: safeArea?.insets,
    deviceCapabilities: userAgent?.capabilities,
    "cloche/state": stateOf(globals),
  }));
}
