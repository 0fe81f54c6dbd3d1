// @ts-check
import theme from "./theme.css" with { type: "text" };

/** The style variables of MCP Apps, all 76, by name: what theme.css gives them. @type {Record<string, string>} */
export const TOKENS = Object.fromEntries(
  theme.split("\n").filter((line) => line.startsWith("  --")).map((line) => line.slice(2, -1).split(": ")),
);
