// @ts-check
import { pageDialog } from "../host/page-dialog.js";
import { hintsOf } from "../webmcp/hints.js";
import { install } from "../webmcp/install.js";
import { valueOf } from "../webmcp/results.js";

/** What a person reads beside a call that is not theirs. */
const BY = "Called by an agent. ";

/**
 * Offer the tools of the page to the agent in the visitor's browser, on `document.modelContext`: the browser's own, or the
 * polyfill. Their arguments are checked here, so that Python never sees wrong ones; the person is asked before a tool
 * runs that does more than read; and each call is shown where the person's own calls are.
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
    const asker = new Asker(panel.tool);
    const execute = async (/** @type {any} */ input, /** @type {{signal?: AbortSignal}} */ { signal } = {}) => {
      await asker.ask(input, signal);
      return valueOf(await panel.run(input, { by: BY, signal }));
    };
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

/** Asks the person whether an agent may run one tool. */
class Asker {
  #isAllowed;
  #mayLast;

  /** @param {import("./about.js").Tool} tool */
  constructor({ name, title, annotations, _meta }) {
    this.name = title || name;
    this.#isAllowed = annotations?.readOnlyHint === true;
    this.#mayLast = !hintsOf(annotations, _meta).consequentialHint;
  }

  /** Resolves when they allow it, and throws when they do not. @param {any} input @param {AbortSignal} [signal] */
  async ask(input, signal) {
    if (this.#isAllowed) return;
    const key = {};
    const takeBack = () => pageDialog().unask(key);
    signal?.addEventListener("abort", takeBack);
    const said = await pageDialog().ask(key, {
      title: "Let the agent do this?",
      text: `An agent in your browser wants to run “${this.name}”.`,
      details: input,
      accept: "Allow once",
      refuse: "Don't allow",
      // What destroys something is asked about each time.
      ...this.#mayLast && { lasting: "Allow on this page" },
    });
    signal?.removeEventListener("abort", takeBack);
    signal?.throwIfAborted();
    if (said === "page") this.#isAllowed = true;
    else if (said !== true) {
      throw new Error(said === null ? "Nobody answered whether the agent may" : "The person does not allow it");
    }
  }
}
