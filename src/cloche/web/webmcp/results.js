// @ts-check
/** What comes of a tool of MCP, as an agent in the browser gets it. */

/** The texts of a result's content. @param {any} content */
export const textOf = (content) =>
  Array.isArray(content)
    ? content.map((block) => typeof block?.text === "string" ? block.text : "").join("\n").trim()
    : "";

/**
 * A result's data, or its text, or its contents as they are. A failure is thrown.
 *
 * @param {any} result
 */
export function valueOf({ structuredContent, content, isError } = /** @type {any} */ ({})) {
  if (isError) throw new Error(textOf(content) || "The tool failed");
  if (structuredContent !== undefined) return structuredContent;
  const isText = Array.isArray(content) && content.every((block) => block?.type === "text");
  return isText ? textOf(content) : content;
}
