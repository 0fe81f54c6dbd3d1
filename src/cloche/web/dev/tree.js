// @ts-check
import { make } from "../elements.js";
import { size } from "./elements.js";

/** Entries of one level that are shown before a person asks for more. */
const FIRST = 100;

/** Characters of a text that are shown before a person asks for more. */
const LONG = 400;

/** Characters that each click shows further: megabytes at once would stop the page. */
const MORE = 100_000;

/**
 * JSON as a tree that opens and closes. What is closed is made when it is opened, so that megabytes cost nothing.
 *
 * @param {any} value
 * @param {string} [name]
 * @param {number} [open] levels that are open
 * @returns {HTMLElement}
 */
export function tree(value, name = "", open = 2) {
  const label = name ? make("span", "key", `${name}: `) : "";
  if (typeof value === "string") return make("div", "leaf", label, ...textOf(value));
  if (typeof value !== "object" || value === null) {
    const kind = value === null ? "null" : typeof value;
    return make("div", "leaf", label, make("span", { class: kind }, JSON.stringify(value) ?? "undefined"));
  }
  const entries = Object.entries(value);
  const [start, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (!entries.length) return make("div", "leaf", label, start + end);
  const summary = make("summary", {}, label, start, make("span", "count", ` ${about(value, entries)} `), end);
  const details = make("details", { class: "tree", open: open > 0 }, summary);
  let filled = false;
  const fill = () => {
    if (filled || !details.open) return;
    filled = true;
    addEntries(details, entries, 0, open - 1);
  };
  details.addEventListener("toggle", fill);
  fill();
  return details;
}

/** What is inside, in a few words. @param {any} value @param {[string, any][]} entries */
function about(value, entries) {
  if (Array.isArray(value)) return `${entries.length} ${entries.length === 1 ? "entry" : "entries"}`;
  const names = entries.slice(0, 4).map(([key]) => key.slice(0, 40)).join(", ");
  return entries.length > 4 ? `${names}, …` : names;
}

/** @param {string} value */
function textOf(value) {
  const shown = make("span", "string", JSON.stringify(value.slice(0, LONG)));
  if (value.length <= LONG) return [shown];
  const more = make("button", { type: "button", class: "small" }, `… ${size(value.length)}`);
  let length = LONG;
  more.onclick = () => {
    length += MORE;
    shown.textContent = JSON.stringify(value.slice(0, length));
    if (value.length <= length) more.remove();
    else more.textContent = `… ${size(value.length - length)} more`;
  };
  return [shown, " ", more];
}

/** @param {HTMLElement} place @param {[string, any][]} entries @param {number} from @param {number} open */
function addEntries(place, entries, from, open) {
  place.append(...entries.slice(from, from + FIRST).map(([key, one]) => tree(one, key, open)));
  if (entries.length <= from + FIRST) return;
  const more = make("button", { type: "button", class: "small" }, `${entries.length - from - FIRST} more`);
  more.onclick = () => (more.remove(), addEntries(place, entries, from + FIRST, open));
  place.append(more);
}
