// @ts-check
import { make } from "./elements.js";

/**
 * Markdown as elements: headings, paragraphs, lists, tables, quotes, code, emphasis and links. Nothing of it is ever read as
 * HTML, images are shown as links, and a link leads to http, https or mail only.
 */

/** Characters that are laid out; the rest follows as it is. */
const LONGEST = 100_000;

/** Emphasis in emphasis in emphasis. */
const DEEPEST = 6;

const BLOCK = /^(#{1,6} |```|~~~|> ?|[-*+] |\d{1,9}[.)] |\||(?:-{3,}|\*{3,}|_{3,})$)/;
const ITEM = /^( {0,12})(?:[-*+]|(\d{1,9})[.)]) (.*)$/;
const INLINE =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|__([^_\n]{1,500})__|\*([^*\s][^*\n]{0,500})\*|\b_([^_\s][^_\n]{0,500})_\b|~~([^~\n]{1,500})~~|!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,2000})\)|\bhttps?:\/\/[^\s<>"'()]{1,2000}/g;

/** Whether a text was meant to be laid out: several of the signs, or one that nothing else has. @param {string} text */
export function isMarkdown(text) {
  const start = text.slice(0, 20_000);
  const marks = [
    /^#{1,6} \S/m,
    /^```/m,
    /\*\*[^*\s][^*\n]{0,200}\*\*/,
    /\[[^[\]\n]{1,200}\]\(https?:/,
    /^\|[^\n]{0,500}\n\|[ :|-]{3,200}$/m,
  ];
  return marks.some((mark) => mark.test(start));
}

/** @param {string} text @returns {HTMLElement} */
export function markdown(text) {
  const place = make("div", "markdown", ...blocks(text.slice(0, LONGEST).split(/\r?\n/), 0));
  if (text.length > LONGEST) place.append(make("pre", {}, text.slice(LONGEST)));
  return place;
}

/** @param {string[]} lines @param {number} depth @returns {HTMLElement[]} */
function blocks(lines, depth) {
  const made = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at].trimStart();
    if (!line) at += 1;
    else {
      const [element, next] = block(lines, at, line, depth);
      made.push(element);
      at = next;
    }
  }
  return made;
}

/**
 * The block that begins at a line, and the line after it.
 *
 * @param {string[]} lines @param {number} at @param {string} line @param {number} depth @returns {[HTMLElement, number]}
 */
function block(lines, at, line, depth) {
  const fence = /^(```|~~~)/.exec(line)?.[0];
  if (fence) return code(lines, at, fence);
  const level = /^(#{1,6}) /.exec(line)?.[1].length;
  if (level) return [heading(level, line.slice(level + 1)), at + 1];
  if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.trimEnd())) return [make("hr"), at + 1];
  if (line.startsWith(">") && depth < DEEPEST) return quote(lines, at, depth);
  if (ITEM.test(lines[at])) return list(lines, at, depth);
  if (line.startsWith("|") && /^\|[\s:|-]+$/.test((lines[at + 1] ?? "").trim())) return table(lines, at);
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !BLOCK.test(lines[end].trimStart())) end += 1;
  return [make("p", {}, ...inline(lines.slice(at, end).join("\n"))), end];
}

/** The page has its own headings: those of a text stand below them. @param {number} level @param {string} text */
function heading(level, text) {
  const name = /** @type {"h3" | "h4" | "h5" | "h6"} */ (`h${Math.min(level + 2, 6)}`);
  return make(name, {}, ...inline(text));
}

/** @param {string[]} lines @param {number} at @param {string} fence @returns {[HTMLElement, number]} */
function code(lines, at, fence) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trimStart().startsWith(fence)) end += 1;
  return [make("pre", "text", lines.slice(at + 1, end).join("\n")), end + 1];
}

/** @param {string[]} lines @param {number} at @param {number} depth @returns {[HTMLElement, number]} */
function quote(lines, at, depth) {
  let end = at;
  while (end < lines.length && lines[end].trimStart().startsWith(">")) end += 1;
  const inner = lines.slice(at, end).map((one) => one.trimStart().replace(/^> ?/, ""));
  return [make("blockquote", {}, ...blocks(inner, depth + 1)), end];
}

/** @param {string[]} lines @param {number} at @param {number} depth @returns {[HTMLElement, number]} */
function list(lines, at, depth) {
  const [, indent, number] = /** @type {RegExpExecArray} */ (ITEM.exec(lines[at]));
  const element = number === undefined ? make("ul") : make("ol", { start: Number(number) });
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]);
    if (!item || item[1].length < indent.length) break;
    if (item[1].length > indent.length && depth < DEEPEST && element.lastElementChild) {
      const [inner, next] = list(lines, end, depth + 1);
      element.lastElementChild.append(inner);
      end = next;
      continue;
    }
    let next = end + 1;
    while (next < lines.length && lines[next].trim() && /^ {2,}/.test(lines[next]) && !ITEM.test(lines[next])) {
      next += 1;
    }
    element.append(make("li", {}, ...inline([item[3], ...lines.slice(end + 1, next)].join("\n"))));
    end = next;
  }
  return [element, end];
}

/** @param {string[]} lines @param {number} at @returns {[HTMLElement, number]} */
function table(lines, at) {
  const cells = (/** @type {string} */ line) => line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  const head = make("tr", {}, ...cells(lines[at]).map((one) => make("th", { scope: "col" }, ...inline(one.trim()))));
  const body = make("tbody");
  let end = at + 2;
  while (end < lines.length && lines[end].trimStart().startsWith("|")) {
    body.append(make("tr", {}, ...cells(lines[end]).map((one) => make("td", {}, ...inline(one.trim())))));
    end += 1;
  }
  return [make("div", { class: "wide", tabIndex: 0 }, make("table", {}, make("thead", {}, head), body)), end];
}

/** @param {string} text @param {number} [depth] @returns {(Node | string)[]} */
function inline(text, depth = 0) {
  if (depth > DEEPEST) return [text];
  const made = [];
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, quoted, strong, strong2, soft, soft2, struck, label, target] = found;
    made.push(text.slice(last, found.index));
    last = found.index + whole.length;
    const inner = (/** @type {string} */ part) => inline(part, depth + 1);
    if (quoted !== undefined) made.push(make("code", {}, quoted));
    else if (strong ?? strong2) made.push(make("strong", {}, ...inner(strong ?? strong2)));
    else if (soft ?? soft2) made.push(make("em", {}, ...inner(soft ?? soft2)));
    else if (struck !== undefined) made.push(make("s", {}, ...inner(struck)));
    else made.push(link(target ?? whole, label || target || whole));
  }
  made.push(text.slice(last));
  return made.filter((one) => one !== "");
}

/** A link that leaves the playground says nothing of where it comes from. @param {string} target @param {string} label */
export function link(target, label) {
  if (!/^(?:https?|mailto):/i.test(target)) return label;
  return make("a", { href: target, target: "_blank", rel: "noopener noreferrer", title: target }, label);
}
