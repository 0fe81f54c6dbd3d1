// @ts-check
/**
 * What MCP says of a tool in its annotations, as WebMCP says it.
 *
 * @typedef {Record<string, any>} Params
 */

/**
 * @param {Params} [annotations] of MCP
 * @param {Params} [meta] the tool's `_meta`, whose `confirmRequired` asks for a person's yes
 */
export const hintsOf = (annotations = {}, meta = {}) => ({
  readOnlyHint: annotations.readOnlyHint === true,
  // What MCP does not say is open: the world is, unless a tool says otherwise.
  untrustedContentHint: annotations.openWorldHint !== false,
  consequentialHint: annotations.readOnlyHint !== true &&
    (annotations.destructiveHint === true || meta.confirmRequired === true),
});
