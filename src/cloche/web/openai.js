// @ts-check
import { Adapter } from "./adapter.js";
import { isObject } from "./rpc.js";

/**
 * ChatGPT's `window.openai`: what it offers, under the names of MCP Apps.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export class OpenAiAdapter extends Adapter {
  /** @override */
  name = "openai";

  /** @returns {any} */
  get #openai() {
    return /** @type {any} */ (this.window).openai;
  }

  /** @override */
  canHandle() {
    return !!this.#openai;
  }

  /** @override */
  async initialize() {
    await this.parsed();
    this.window.addEventListener("openai:set_globals", (/** @type {any} */ event) => {
      const globals = event.detail?.globals ?? {};
      this.find("ui/notifications/host-context-changed")?.(contextOf(globals), new AbortController().signal);
      this.#deliver(globals);
    });
    setTimeout(() => this.#deliver(this.#openai));
    const offered = { serverTools: {}, openLinks: {}, message: {}, updateModelContext: {} };
    return {
      hostInfo: { name: "openai", version: "" },
      hostCapabilities: { ...offered, experimental: { "cloche/state": {} } },
      hostContext: contextOf(this.#openai),
    };
  }

  /** @param {Params} globals */
  #deliver({ toolInput, toolOutput, toolResponseMetadata }) {
    const { signal } = new AbortController();
    if (toolInput) this.find("ui/notifications/tool-input")?.({ arguments: toolInput }, signal);
    if (toolOutput == null) return;
    const content = isObject(toolOutput) ? [] : [{ type: "text", text: String(toolOutput) }];
    const _meta = toolResponseMetadata ?? this.#openai.toolResponseMetadata ?? {};
    const result = { content, structuredContent: toolOutput, _meta };
    this.find("ui/notifications/tool-result")?.(result, signal);
  }

  /**
   * @override
   * @param {string} method
   * @param {Params} params
   */
  perform(method, params) {
    const openai = this.#openai;
    const { modelContent, privateContent = stateOf(openai.widgetState) } = openai.widgetState ?? {};
    switch (method) {
      case "tools/call":
        return openai.callTool(params.name, params.arguments).then(resultOf);
      case "ui/message":
        return openai.sendFollowUpMessage({ prompt: textOf(params.content) });
      case "ui/open-link":
        return openai.openExternal({ href: params.url });
      case "ui/request-display-mode":
        return openai.requestDisplayMode(params);
      case "ui/notifications/size-changed":
        return openai.notifyIntrinsicHeight?.(params.height);
      case "ui/notifications/request-teardown":
        return openai.requestClose?.();
      case "ui/update-model-context":
        return openai.setWidgetState({
          modelContent: params.structuredContent ?? textOf(params.content ?? []),
          privateContent,
        });
      case "cloche/set-state":
        return openai.setWidgetState({
          modelContent: params.model ? params.value : modelContent,
          privateContent: params.value,
        });
    }
    return super.perform(method, params);
  }
}

/** @param {Params[]} content */
function textOf(content) {
  return content.map((block) => block.text ?? "").join("\n");
}

/** @param {any} value what callTool gave: a result, or in older versions its text */
function resultOf(value) {
  if (isObject(value) && (value.content || value.structuredContent)) return value;
  return { content: [{ type: "text", text: String(value?.result ?? JSON.stringify(value)) }] };
}

/** @param {any} widgetState */
function stateOf(widgetState) {
  return isObject(widgetState) && "privateContent" in widgetState ? widgetState.privateContent : widgetState;
}

/**
 * @param {Params} globals
 * @returns {Params}
 */
function contextOf(globals) {
  const { theme, locale, displayMode, maxHeight, safeArea, userAgent, widgetState } = globals;
  const context = {
    theme,
    locale,
    displayMode,
    containerDimensions: maxHeight && { maxHeight },
    safeAreaInsets: safeArea?.insets,
    deviceCapabilities: userAgent?.capabilities,
    "cloche/state": stateOf(widgetState),
  };
  return JSON.parse(JSON.stringify(context));
}
