// @ts-check
import { make } from "../elements.js";

/** Entries of one level that are shown before a person asks for more. */
const FIRST = 100;

/**
 * JSON as a tree that opens and closes.
 *
 * @param {any} value
 * @param {string} [name]
 * @param {number} [open] levels that are open
 * @returns {HTMLElement}
 */
export function tree(value, name = "", open = 2) {
  const label = name ? make("span", "key", `${name}: `) : "";
  if (typeof value !== "object" || value === null) {
    const kind = value === null ? "null" : typeof value;
    return make("div", "leaf", label, make("span", { class: kind }, JSON.stringify(value) ?? "undefined"));
  }
  const entries = Object.entries(value);
  const [start, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (!entries.length) return make("div", "leaf", label, start + end);
  const count = Array.isArray(value) ? `${entries.length}` : entries.slice(0, 4).map(([key]) => key).join(", ");
  const summary = make("summary", {}, label, start, make("span", "count", ` ${count} `), end);
  const details = make("details", { open: open > 0 }, summary);
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

/** @param {HTMLElement} place @param {[string, any][]} entries @param {number} from @param {number} open */
function addEntries(place, entries, from, open) {
  place.append(...entries.slice(from, from + FIRST).map(([key, one]) => tree(one, key, open)));
  if (entries.length <= from + FIRST) return;
  const more = make("button", { type: "button" }, `${entries.length - from - FIRST} more`);
  more.onclick = () => (more.remove(), addEntries(place, entries, from + FIRST, open));
  place.append(more);
}
