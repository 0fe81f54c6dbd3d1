// @ts-check
/**
 * What the page opens on: something to see, without a click.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {import("./servers.js").Item} Item
 */

/** Whether a tool has a view: the playground knows every way to say so. @param {Json} tool */
export const hasView = (tool) => tool.hasView === true;

/** Whether a model may call a tool; the others only serve views. @param {Json} tool */
export const isForModels = (tool) => tool.visibility?.includes("model") !== false;

/**
 * What to open first: a tool with a view, else any tool, else a resource or a prompt.
 *
 * @param {Json[]} servers as far as they are listed, in their order @returns {Item | undefined}
 */
export function firstItem(servers) {
  for (const isIt of [hasView, () => true]) {
    for (const { name: server, tools = [] } of servers) {
      const tool = tools.find((/** @type {Json} */ one) => isForModels(one) && isIt(one));
      if (tool) return { server, kind: "tool", name: tool.name };
    }
  }
  for (const { name: server, resources = [], prompts = [], resourceTemplates = [] } of servers) {
    if (resources[0]) return { server, kind: "resource", name: resources[0].uri };
    if (prompts[0]) return { server, kind: "prompt", name: prompts[0].name };
    if (resourceTemplates[0]) return { server, kind: "template", name: resourceTemplates[0].uriTemplate };
  }
}

/**
 * Whether the page may call a tool by itself, with values that nobody typed. One that says that it only reads: yes. One that
 * says nothing, as most do: only if it has a view and the developer's own code runs, which is what `docs/host-policy.md` decides for
 * tools without annotations and for servers that nobody here knows.
 *
 * @param {Json} tool @param {Json} server
 */
export function runsAtOnce(tool, server) {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (readOnlyHint === true) return true;
  return readOnlyHint === undefined && destructiveHint !== true && server.own === true && hasView(tool);
}
