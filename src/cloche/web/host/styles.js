// @ts-check
import { TOKENS } from "../tokens.js";
import css from "./element.css" with { type: "text" };

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** One sheet for all elements. A variable is the page's, or ours where the page has none. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css.replaceAll(/var\((--[\w-]+)\)/g, (_, name) => `var(${name}, ${TOKENS[name]})`));
  }
  return sheet;
}
