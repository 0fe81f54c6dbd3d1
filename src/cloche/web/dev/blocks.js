// @ts-check
import { make } from "../elements.js";
import { size } from "./elements.js";
import { bytesOf, copyButton, fileName, saveButton } from "./files.js";
import { isMarkdown, link, markdown } from "../markdown.js";
import { addressOf } from "./router.js";
import { tree } from "./tree.js";

/**
 * Content as a person wants it: text laid out, JSON as a tree, pictures seen, sound heard, files saved, links opened.
 *
 * @typedef {Record<string, any>} Json
 */

/** Characters of a plain text that are shown before a person asks for the rest. */
const FIRST = 20_000;

/** Characters that each click shows further: megabytes at once would stop the page. */
const MORE = 200_000;

/** Characters of Markdown that are laid out. */
const LARGEST_MARKDOWN = 100_000;

/** Whom a block can be for. @type {Record<string, string>} */
const AUDIENCE = { user: "the user", assistant: "the model" };

/** Characters of JSON in a text that are still made into a tree. */
const LARGEST_JSON = 10_000_000;

/** One block of content. @param {Json} block @param {string} [server] whose resources it may link to @returns {HTMLElement} */
export function blockOf(block, server = "") {
  const shown = contentOf(block, server);
  const about = aboutAnnotations(block?.annotations ?? block?.resource?.annotations);
  if (about) shown.append(make("p", "about", about));
  return shown;
}

/** Who a block is for, and how much it matters, as the server says. @param {Json} [annotations] */
function aboutAnnotations(annotations) {
  const { audience, priority, lastModified } = annotations ?? {};
  const people = Array.isArray(audience) ? audience.map((one) => AUDIENCE[String(one)] ?? String(one)) : [];
  return [
    people.length && `for ${people.join(" and ")}`,
    typeof priority === "number" && `priority ${priority}`,
    typeof lastModified === "string" && `last modified ${lastModified}`,
  ].filter(Boolean).join(" · ");
}

/** @param {Json} block @param {string} server */
function contentOf(block, server) {
  const { type, text, data, mimeType = "", resource } = block ?? {};
  if (type === "text") return textOf(String(text));
  if (type === "image" || type === "audio") return mediaOf(String(data), String(mimeType), `the tool's ${type}`);
  if (type === "resource_link") return linkTo(block, server);
  if (type === "resource" && typeof resource?.text === "string") return readText(resource);
  if (type === "resource" && typeof resource?.blob === "string") return readBytes(resource);
  return framed(tree(block), copyButton(() => JSON.stringify(block, null, 2)));
}

/** @param {HTMLElement} content @param {...(HTMLElement | false)} buttons */
function framed(content, ...buttons) {
  return make("div", "block", make("div", "block-actions", ...buttons), content);
}

/** @param {string} text @param {string} [type] what the server says it is @param {boolean} [isFile] with a name of its own */
function textOf(text, type = "", isFile = false) {
  const copy = copyButton(() => text);
  const save = text.length > FIRST && !isFile && saveButton(text, "text/plain", "result.txt");
  const json = jsonIn(text, type);
  if (json !== undefined) return twoWays(tree(json), plain(text), "JSON", copy, save);
  if (text.length <= LARGEST_MARKDOWN && (type === "text/markdown" || !type && isMarkdown(text))) {
    return twoWays(markdown(text), plain(text), "Markdown", copy, save);
  }
  return framed(plain(text), copy, save);
}

/**
 * Laid out, or as it is.
 *
 * @param {HTMLElement} laidOut @param {HTMLElement} raw @param {string} name @param {...(HTMLElement | false)} buttons
 */
function twoWays(laidOut, raw, name, ...buttons) {
  raw.hidden = true;
  const toggle = make(
    "button",
    { type: "button", class: "small", "aria-pressed": "true", title: `Lay out as ${name}` },
    name,
  );
  toggle.onclick = () => {
    raw.hidden = !raw.hidden;
    laidOut.hidden = !raw.hidden;
    toggle.setAttribute("aria-pressed", String(raw.hidden));
  };
  return framed(make("div", {}, laidOut, raw), toggle, ...buttons);
}

/** @param {string} text @param {string} type @returns {any} */
function jsonIn(text, type) {
  const start = text.trimStart()[0];
  if (text.length > LARGEST_JSON || start !== "{" && start !== "[" || type && !/json/.test(type)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function plain(text) {
  const shown = make("pre", "text", text.slice(0, FIRST));
  if (text.length <= FIRST) return shown;
  const more = make("button", { type: "button" });
  let length = FIRST;
  const say = () => {
    if (length >= text.length) more.remove();
    else {more.textContent = text.length <= length + MORE
        ? `Show all ${size(text.length)}`
        : `Show more of ${size(text.length)}`;}
  };
  more.onclick = () => (shown.append(text.slice(length, length += MORE)), say());
  say();
  return make("div", {}, shown, more);
}

/** @param {string} data base64 @param {string} type @param {string} about @param {string} [uri] */
function mediaOf(data, type, about, uri = about) {
  const bytes = bytesOf(data);
  if (!bytes) return make("p", "problem", `This is not base64: ${about}, ${type}.`);
  const name = fileName(uri, type);
  const facts = make("span", "about", `${name} · ${type || "no type"} · ${size(bytes.length)}`);
  const save = saveButton(bytes, type, name);
  const shown = shownAs(data, bytes, type, about);
  return framed(shown ? make("div", {}, shown, make("p", {}, facts)) : make("p", {}, facts), save);
}

/** @param {string} data @param {Uint8Array<ArrayBuffer>} bytes @param {string} type @param {string} about */
function shownAs(data, bytes, type, about) {
  if (type.startsWith("image/")) return make("img", { src: `data:${type};base64,${data}`, alt: about });
  if (type.startsWith("audio/")) return make("audio", { src: `data:${type};base64,${data}`, controls: true });
  if (type.startsWith("video/")) return make("video", { src: `data:${type};base64,${data}`, controls: true });
  if (type !== "application/pdf") return null;
  // The type is ours, not the server's: as anything else it would be a page with this page's rights.
  const src = URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
  return make("iframe", { src, class: "pdf", title: about });
}

/** @param {Json} resource */
function readText({ uri, mimeType = "", text }) {
  const facts = make("p", "about", `${uri} · ${mimeType || "no type"} · ${size(text.length)}`);
  const shown = textOf(text, mimeType, true);
  shown.firstElementChild?.append(saveButton(text, mimeType, fileName(String(uri), mimeType || "text/plain")));
  return make("div", {}, facts, shown);
}

/** @param {Json} resource */
function readBytes({ uri, mimeType = "", blob }) {
  return mediaOf(blob, mimeType, String(uri), String(uri));
}

/** A link that opens in the playground, and one to the web where it leads there. @param {Json} block @param {string} server */
function linkTo({ uri, name, title, description, mimeType, size: bytes }, server) {
  const label = String(title ?? name ?? uri);
  const facts = [String(uri), mimeType, typeof bytes === "number" && size(bytes)].filter(Boolean).join(" · ");
  const inside = server ? make("a", { href: `${addressOf("resource", server, String(uri))}?read` }, label) : label;
  const outside = /^https?:/i.test(String(uri)) && link(String(uri), "Open in a new tab");
  return make(
    "div",
    "block link",
    make("p", {}, inside, " ", make("span", "about", facts)),
    description && make("p", "about", String(description)),
    outside && make("p", {}, outside),
  );
}
