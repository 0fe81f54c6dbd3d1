// @ts-check
/** Puts `document.modelContext` into a document, or completes the browser's own. */
import { allowed, joinFrames } from "./frames.js";
import { ModelContext, toolsChanged } from "./model-context.js";
import { complete, isNative } from "./native.js";
import { INSIDE, share, ToolActivatedEvent, ToolCancelEvent } from "./tools.js";

/** @param {(onChange: () => void) => (() => import("./tools.js").Tool[])} [watch] begins to look for forms that are tools */
export function install(watch) {
  if (typeof document == "undefined" || !isSecureContext || INSIDE in document) return;
  // Until 2026 browsers had theirs at the navigator.
  const native = /** @type {any} */ (document).modelContext ?? /** @type {any} */ (navigator).modelContext;
  if (native && !isNative(native)) return;
  const context = native ?? new ModelContext();
  const isWhole = native && complete(native);
  const list = isWhole || "agentInvoked" in SubmitEvent.prototype ? undefined : watch?.(toolsChanged);
  // Nobody registers a form: where tools are not allowed there are none.
  share(context, list && (() => allowed() === true ? list() : []));
  if (!isWhole) {
    for (const [name, value] of Object.entries({ ModelContext, ToolActivatedEvent, ToolCancelEvent })) {
      if (name in globalThis) continue;
      const rest = { configurable: true, writable: true };
      Object.defineProperty(globalThis, name, { value, ...rest });
      // A bundle shortens the names of classes.
      Object.defineProperty(value, "name", { value: name });
      Object.defineProperty(value.prototype, Symbol.toStringTag, { value: name, ...rest });
    }
    joinFrames();
  }
  if (!("modelContext" in document)) {
    Object.defineProperty(document, "modelContext", { get: () => context, configurable: true, enumerable: true });
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
