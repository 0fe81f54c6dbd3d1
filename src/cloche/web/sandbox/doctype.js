// @ts-check
/** Where something can be put in front of a page without a change of how it is laid out. */

const SPACE = /\s*/y;
const DOCTYPE = /<!doctype[^>]*>/iy;

/**
 * Where the doctype ends, with white space and comments before it; 0 without one. In steps: one expression for all of it
 * tries every way to divide a row of comments.
 *
 * @param {string} html
 */
export function endOfDoctype(html) {
  const [open, close] = ["<!" + "--", "--" + ">"];
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(html);
    at = SPACE.lastIndex;
    if (!html.startsWith(open, at)) break;
    const end = html.indexOf(close, at + open.length);
    if (end < 0) return 0;
    at = end + close.length;
  }
  DOCTYPE.lastIndex = at;
  return DOCTYPE.test(html) ? DOCTYPE.lastIndex : 0;
}
