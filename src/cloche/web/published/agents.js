// @ts-check
import { hintsOf } from "../webmcp/hints.js";
import { install } from "../webmcp/install.js";
import { valueOf } from "../webmcp/results.js";

/** What a person reads beside a call that is not theirs. */
const BY = "Called by an agent. ";

/**
 * Offer the tools of the page to the agent in the visitor's browser, on `document.modelContext`: the browser's own, or the
 * polyfill. Their arguments are checked here, so that Python never sees wrong ones; each call is shown where
 * the person's own calls are.
 *
 * @param {import("./tool-panel.js").ToolPanel[]} panels
 */
export function offerToAgents(panels) {
  install();
  const { modelContext } = /** @type {any} */ (document);
  // Without HTTPS there is none.
  if (!modelContext) return;
  for (const panel of panels) {
    const { name, title, description, inputSchema, annotations, _meta } = panel.tool;
    const execute = async (/** @type {any} */ input, /** @type {{signal?: AbortSignal}} */ options) =>
      valueOf(await panel.run(input, { by: BY, signal: options?.signal }));
    const offered = modelContext.registerTool({
      name,
      ...title && { title },
      // Agents get no tool without a description, and MCP does not ask for one.
      description: description || title || name,
      inputSchema,
      annotations: hintsOf(annotations, _meta),
      execute,
    });
    offered.catch((/** @type {any} */ error) => console.warn(`The tool ${name} is not offered to agents: ${error}`));
  }
}
