// @ts-check
/**
 * What the browser's own `document.modelContext` lacks: it stays what it is, with its tools and events, and learns to
 * check arguments before a tool is called, and to take them as text. One that is older than the draft, with fewer names,
 * gets the others from the polyfill, and still hears of every tool itself.
 */
import { ModelContext } from "./model-context.js";
import { failure, flawOf, parsed, registered } from "./tools.js";

/** Whether it is the browser's, and not what another script put there. @param {any} context */
export const isNative = ({ registerTool }) => /\[native code]/.test(registerTool);

/** @param {any} native @returns {boolean} whether it has the whole draft, and lists and calls its tools itself */
export function complete(native) {
  const { registerTool, executeTool } = native;
  const ours = ModelContext.prototype;
  const isWhole = "getTools" in native && "executeTool" in native;
  /** @param {any} tool */
  const checked = (tool) => {
    const { name, execute, inputSchema } = Object(tool);
    if (typeof execute != "function" || Object(inputSchema) !== inputSchema) return tool;
    const schema = JSON.stringify(inputSchema);
    /** @param {any} input @param {any} options */
    const value = (input, options) => {
      const flaw = flawOf({ inputSchema: schema }, input);
      if (flaw) throw failure("DataError", `Invalid arguments for ${name}: ${flaw}`);
      return execute(input, options);
    };
    return Object.create(tool, { execute: { value } });
  };
  /** @type {Record<string, any>} */
  const members = {
    /** @param {any} tool @param {any} [options] @param {...any} rest */
    async registerTool(tool, options, ...rest) {
      if (isWhole) return await registerTool.call(native, checked(tool), options, ...rest);
      await ours.registerTool(tool, options);
      try {
        await registerTool.call(native, checked(tool), options, ...rest);
      } catch (error) {
        registered.delete(`${tool.name}`);
        throw error;
      }
      // Before there were signals, a tool was taken away by its name.
      options?.signal?.addEventListener("abort", () => native.unregisterTool?.(tool.name));
    },
    /** @param {any} tool @param {any} [input] @param {...any} rest */
    async executeTool(tool, input = {}, ...rest) {
      return await (isWhole
        ? executeTool.call(native, tool, parsed(input), ...rest)
        : ours.executeTool(tool, input, ...rest));
    },
  };
  Object.assign(native, members, native instanceof EventTarget ? {} : eventsOf(new EventTarget()));
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(ours))) {
    if (!(name in native)) Object.defineProperty(native, name, member);
  }
  return isWhole;
}

/** @param {any} events */
const eventsOf = (events) =>
  Object.fromEntries(
    ["addEventListener", "removeEventListener", "dispatchEvent"].map((name) => [name, events[name].bind(events)]),
  );
