// @ts-check
/**
 * What the browser's own `document.modelContext` lacks: it stays what it is, with its tools and events, and learns to
 * check arguments before a tool is called, and to take them as text.
 */
import { failure, flawOf, parsed } from "./tools.js";

/** @param {any} native */
export function complete(native) {
  const prototype = Object.getPrototypeOf(native);
  const { registerTool, executeTool } = prototype;
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

  Object.assign(prototype, {
    /** @param {any} tool @param {...any} rest */
    async registerTool(tool, ...rest) {
      return await registerTool.call(this, checked(tool), ...rest);
    },
    /** @param {any} tool @param {any} [input] @param {...any} rest */
    async executeTool(tool, input = {}, ...rest) {
      return await executeTool.call(this, tool, parsed(input), ...rest);
    },
  });
}
