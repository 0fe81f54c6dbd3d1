// @ts-check
import { resultOf } from "./content.js";
import { GenericAdapter } from "./generic.js";

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
  host() {
    const { openai } = /** @type {any} */ (window);
    const keep = (/** @type {any} */ modelContent, /** @type {any} */ privateContent) =>
      openai.setWidgetState({ modelContent, privateContent });
    const tell = (/** @type {string} */ method, /** @type {Params} */ params) => this.handlerOf(method)?.(params);
    const show = (/** @type {Params} */ { toolInput, toolOutput }) => {
      if (toolInput) tell("ui/notifications/tool-input", { arguments: toolInput });
      if (toolOutput) {
        tell("ui/notifications/tool-result", {
          content: [],
          structuredContent: toolOutput,
          _meta: openai.toolResponseMetadata,
        });
      }
    };
    Object.assign(this.methods, {
      "tools/call": async (/** @type {Params} */ params) => {
        const answer = await openai.callTool(params.name, params.arguments);
        // Some versions answer `{result: "text"}`.
        return resultOf(answer?.result ?? answer);
      },
      "ui/message": (/** @type {Params} */ { content }) => openai.sendFollowUpMessage({ prompt: textOf(content) }),
      "ui/open-link": (/** @type {Params} */ { url }) => openai.openExternal({ href: url }),
      "ui/request-display-mode": (/** @type {Params} */ params) => openai.requestDisplayMode(params),
      "ui/notifications/size-changed": (/** @type {Params} */ { height }) => openai.notifyIntrinsicHeight?.(height),
      "ui/notifications/request-teardown": () => openai.requestClose?.(),
      // Later, because the view is not ready before it knows what the host says of itself.
      "ui/notifications/initialized": () => setTimeout(show, 0, openai),
      "ui/update-model-context": (/** @type {Params} */ { structuredContent, content }) =>
        keep(structuredContent ?? textOf(content), stateOf(openai)),
      "cloche/set-state": (/** @type {Params} */ { value, model }) =>
        keep(model ? value : openai.widgetState?.modelContent, value),
    });
    addEventListener("openai:set_globals", (/** @type {any} */ event) => {
      tell("ui/notifications/host-context-changed", contextOf(openai));
      show(event.detail.globals);
    });
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

/** @param {Params[]} content */
const textOf = (content) => content.map(({ text }) => text).join("\n");

/** @param {Params} openai */
const stateOf = (openai) => openai.widgetState?.privateContent ?? openai.widgetState;

/** @param {Params} openai @returns {Params} */
const contextOf = (openai) => ({
  theme: openai.theme,
  locale: openai.locale,
  displayMode: openai.displayMode,
  containerDimensions: { maxHeight: openai.maxHeight },
  safeAreaInsets: openai.safeArea?.insets,
  "cloche/state": stateOf(openai),
});
