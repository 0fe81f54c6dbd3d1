// @ts-check
/** Puts `document.modelContext` into a document, or completes the browser's own. */
import { joinFrames } from "./frames.js";
import { ModelContext, toolsChanged } from "./model-context.js";
import { complete } from "./native.js";
import { INSIDE, share, ToolActivatedEvent, ToolCancelEvent } from "./tools.js";

/** @param {(onChange: () => void) => (() => import("./tools.js").Tool[])} [watch] begins to look for forms that are tools */
export function install(watch) {
  if (typeof document == "undefined" || !isSecureContext || INSIDE in document) return;
  const { modelContext } = /** @type {any} */ (document);
  if (modelContext) {
    share(modelContext);
    complete(modelContext);
  } else {
    const context = new ModelContext();
    share(context, watch?.(toolsChanged));
    for (const [name, value] of Object.entries({ ModelContext, ToolActivatedEvent, ToolCancelEvent })) {
      const rest = { configurable: true, writable: true };
      Object.defineProperty(globalThis, name, { value, ...rest });
      // A bundle shortens the names of classes.
      Object.defineProperty(value, "name", { value: name });
      Object.defineProperty(value.prototype, Symbol.toStringTag, { value: name, ...rest });
    }
    Object.defineProperty(document, "modelContext", { get: () => context, configurable: true, enumerable: true });
    joinFrames();
  }
  if (!("modelContext" in navigator)) addAlias();
}

/** The name that it had until 2026. */
function addAlias() {
  let warned = false;
  Object.defineProperty(navigator, "modelContext", {
    configurable: true,
    enumerable: true,
    get() {
      if (!warned) console.warn("navigator.modelContext is deprecated: use document.modelContext");
      warned = true;
      return /** @type {any} */ (document).modelContext;
    },
  });
}
