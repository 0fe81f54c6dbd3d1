// @ts-check
// `document.modelContext` of a view. It is in the sandbox of another site: what the browser's own WebMCP is told there reaches
// nobody, or is refused. Here a view's tools go through the bridge, to the host, which asks the person.
import { NAME } from "./webmcp/names.js";
import { failure, flawOf, parsed } from "./webmcp/tools.js";

/**
 * @typedef {Record<string, any>} Params
 * @typedef {object} Offering
 * @property {(name: string, about: Params, inputSchema: Params | undefined, handler: (args: Params, signal?: AbortSignal) => unknown) => void} registerTool
 * @property {(name: string) => void} unregisterTool
 */

/** What WebMCP has, as far as a view can have it: its own tools. */
class ViewModelContext extends EventTarget {
  #bridge;
  /** @type {Map<string, Params>} */
  #tools = new Map();

  /** @param {Offering} bridge */
  constructor(bridge) {
    super();
    this.#bridge = bridge;
  }

  /** @param {Params} tool @param {{signal?: AbortSignal}} [options] whoever may see it is the host's affair */
  async registerTool(tool, { signal } = {}) {
    await null; // as in the draft, whatever is wrong with a tool is a rejection, and comes later
    const { name, title = "", description, inputSchema, annotations, execute } = Object(tool);
    if (name === undefined || description === undefined || typeof execute != "function") {
      throw new TypeError("A tool has a name, a description and a function as execute");
    }
    const key = `${name}`;
    if (this.#tools.has(key)) throw failure("InvalidStateError", "Duplicate tool name");
    if (!NAME.test(key)) throw failure("InvalidStateError", "Invalid tool name");
    if (!`${description}`) throw failure("InvalidStateError", "Description is required");
    signal?.throwIfAborted();
    const schema = inputSchema && JSON.stringify(inputSchema);
    const made = { name: key, title: `${title}`, description: `${description}`, schema, annotations, execute };
    this.#tools.set(key, made);
    const about = {
      description: made.description,
      ...title && { title: made.title },
      ...annotations && { annotations },
    };
    this.#bridge.registerTool(
      key,
      about,
      schema && JSON.parse(schema),
      (args, given) => this.#run(made, args, given ?? new AbortController().signal),
    );
    signal?.addEventListener("abort", () => {
      if (this.#tools.get(key) !== made) return;
      this.#tools.delete(key);
      this.#bridge.unregisterTool(key);
      this.dispatchEvent(new Event("toolchange"));
    });
    this.dispatchEvent(new Event("toolchange"));
  }

  /** The view's own tools: it sees nobody else's. */
  async getTools() {
    await null;
    return [...this.#tools.values()].map(({ name, title, description, schema, annotations }) => ({
      ...{ name, title, description, origin, window },
      ...schema && { inputSchema: JSON.parse(schema) },
      ...annotations && { annotations: { ...annotations } },
    })).sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** @param {Params} tool @param {any} [input] @param {{signal?: AbortSignal}} [options] */
  async executeTool(tool, input = {}, { signal = new AbortController().signal } = {}) {
    const found = this.#tools.get(Object(tool).name);
    if (!found) throw failure("UnknownError", "Tool not found");
    const result = await this.#run(found, parsed(input), signal);
    return Object(result) === result ? `${JSON.stringify(result)}` : `${result}`;
  }

  /** @param {Params} tool @param {any} input @param {AbortSignal} signal */
  #run({ name, schema, execute }, input, signal) {
    const flaw = flawOf({ inputSchema: schema }, input);
    if (flaw) throw failure("DataError", `Invalid arguments for ${name}: ${flaw}`);
    return execute(input, { signal });
  }
}

/** @param {Offering} bridge */
export function shareTools(bridge) {
  const value = new ViewModelContext(bridge);
  Object.defineProperty(document, "modelContext", { value, configurable: true });
}

// A view that stands alone in a tab is an ordinary page.
if (self != top) shareTools(/** @type {any} */ (globalThis).cloche);
