// @ts-check
import { make } from "../elements.js";
import { dataOf } from "./data.js";

/**
 * A table that sorts, searches and turns pages. Only the rows of one page are ever in the document, so that ten thousand rows
 * cost no more than fifty.
 *
 * @typedef {{size: number, looks: string[], texts: string[][], keys: (any[] | null)[]}} Data
 */

/** Words in the order that people expect, whatever their case, with numbers in them by size. */
const WORDS = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** @param {any} one @param {any} other values that are there */
const compare = (one, other) =>
  typeof one === "string" ? WORDS.compare(one, other) : Number(one > other) - Number(one < other);

/** @param {HTMLElement} element */
export function table(element) {
  /** @type {Data | null} */
  const data = dataOf(element, "rows");
  const body = element.querySelector("tbody");
  if (!data || !body) return;
  const { size, texts, keys, looks } = data;
  const all = Array.from(texts[0] ?? [], (_, at) => at);
  const field = /** @type {HTMLInputElement | null} */ (element.querySelector("input[type=search]"));
  const range = element.querySelector(".cc-range");
  const steps = /** @type {NodeListOf<HTMLButtonElement>} */ (element.querySelectorAll("[data-step]"));
  const headings = /** @type {NodeListOf<HTMLButtonElement>} */ (element.querySelectorAll("th button"));
  let sorted = all, found = all, first = 0, column = -1, isDown = false;

  const show = () => {
    const shown = found.slice(first, first + size);
    const rows = shown.map((at) => make("tr", {}, ...texts.map((one, number) => make("td", looks[number], one[at]))));
    if (!rows.length) {
      rows.push(make("tr", {}, make("td", { colSpan: texts.length, class: "cc-empty" }, "No row has this.")));
    }
    body.replaceChildren(...rows);
    if (range) {
      const count = (/** @type {number} */ number) => number.toLocaleString("en-US");
      range.textContent = found.length
        ? `${count(first + 1)}–${count(Math.min(first + size, found.length))} of ${count(found.length)}`
        : "None";
    }
    for (const one of steps) one.disabled = one.dataset.step === "1" ? first + size >= found.length : first === 0;
  };

  const search = () => {
    const words = (field?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const has = (/** @type {number} */ at) =>
      words.every((word) => texts.some((one) => one[at].toLowerCase().includes(word)));
    found = words.length ? sorted.filter(has) : sorted;
    first = 0;
    show();
  };

  /** @param {number} number */
  const sort = (number) => {
    isDown = column === number ? !isDown : false;
    column = number;
    const values = keys[number] ?? texts[number];
    const isMissing = (/** @type {any} */ value) => value === null || value === "–";
    sorted = all.toSorted((one, other) => {
      // What is not there stands last in both orders.
      const missing = Number(isMissing(values[one])) - Number(isMissing(values[other]));
      return missing || (isDown ? -1 : 1) * compare(values[one], values[other]) || one - other;
    });
    headings.forEach((one, at) => {
      const order = at === column ? isDown ? "descending" : "ascending" : "";
      if (order) one.parentElement?.setAttribute("aria-sort", order);
      else one.parentElement?.removeAttribute("aria-sort");
    });
    search();
  };

  headings.forEach((one, at) => one.onclick = () => sort(at));
  for (const one of steps) {
    one.onclick = () => {
      first += Number(one.dataset.step) * size;
      show();
      // A button that cannot be pressed any more loses the focus, and the keyboard its place.
      if (one.disabled) [...steps].find((other) => !other.disabled)?.focus();
    };
  }
  if (field) {
    field.hidden = false;
    field.oninput = search;
  }
}
