// @ts-check
import { GenericAdapter, parsed } from "./generic.js";

/**
 * ChatGPT's `window.openai`: what it offers, under the names of MCP Apps.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class OpenAiAdapter extends GenericAdapter {
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
      "tools/call": (/** @type {Params} */ params) => openai.callTool(params.name, params.arguments),
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
      this.find("ui/notifications/" + method)?.(params);
    const show = (/** @type {Params} */ { toolInput, toolOutput }) => {
      if (toolInput) tell("tool-input", { arguments: toolInput });
      if (toolOutput) {
        tell("tool-result", { content: [], structuredContent: toolOutput, _meta: openai.toolResponseMetadata });
      }
    };
    addEventListener("openai:set_globals", (/** @type {any} */ { detail }) => {
      tell("host-context-changed", contextOf(openai));
      show(detail.globals);
    });
    await parsed();
    setTimeout(show, 0, openai);
    return {
      hostCapabilities: {
        serverTools: {},
        openLinks: {},
        message: {},
        updateModelContext: {},
        experimental: { "cloche/state": {} },
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
  return widgetState?.privateContent ?? widgetState;
}

/**
 * @param {Params} openai
 * @returns {Params}
 */
function contextOf(openai) {
  const { theme, locale, displayMode, maxHeight, safeArea } = openai;
  return {
    theme,
    locale,
    displayMode,
    containerDimensions: { maxHeight },
    safeAreaInsets: safeArea?.insets,
    "cloche/state": stateOf(openai),
  };
}
