// @ts-check
import { make } from "../elements.js";
import { size } from "./elements.js";
import { tree } from "./tree.js";

/** Rows that are kept. */
const MOST = 1000;

/**
 * Every message on its lane, with a picture of when it was.
 *
 * @typedef {Record<string, any>} Told
 */
export class TimelineView {
  /** @type {Told[]} */
  rows = [];
  /** @type {number | undefined} */
  frame;
  /** @type {Map<string, Told>} requests that wait for their answer */
  #open = new Map();

  constructor() {
    const oninput = () => this.#draw();
    this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter messages", oninput });
    this.clearing = make("button", { type: "button", onclick: () => this.clear() }, "Clear");
    this.list = make("ol", "rows");
    this.element = make("div", "timeline", make("div", "controls", this.filter, this.clearing), this.list);
    this.#draw();
  }

  clear() {
    this.rows = [];
    this.#draw();
  }

  /** @param {Told} told */
  add(told) {
    if (told.exchange !== undefined) {
      const key = `${told.lane} ${told.exchange}`;
      const request = this.#open.get(key);
      if (request && request.direction !== told.direction) {
        this.#open.delete(key);
        told = { ...told, of: request.what, milliseconds: told.milliseconds ?? round((told.at - request.at) * 1000) };
      } else this.#open.set(key, told);
    }
    this.rows.push(told);
    if (this.rows.length > MOST) this.rows.splice(0, MOST / 4);
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#draw();
    });
  }

  #draw() {
    const wanted = this.filter.value.trim().toLowerCase();
    const rows = this.rows.filter((row) => !wanted || textOf(row).includes(wanted));
    if (!rows.length) {
      const text = this.rows.length
        ? "No messages match the filter."
        : "Every message between server, host and view appears here.";
      this.list.replaceChildren(make("li", "about", text));
      return;
    }
    // Who has scrolled up to read stays there.
    const side = this.element.closest("aside");
    const atEnd = !side || side.scrollTop + side.clientHeight > side.scrollHeight - 40;
    const start = rows[0].at;
    const length = Math.max(rows[rows.length - 1].at - start, 0.001);
    const open = new Set([...this.list.querySelectorAll("details[open]")].map((one) => one.id));
    this.list.replaceChildren(...rows.map((row) => rowOf(row, start, length, open)));
    if (side && atEnd) side.scrollTop = side.scrollHeight;
  }
}

/** @param {Told} row */
function textOf(row) {
  return `${row.lane} ${row.server} ${row.what} ${row.of ?? ""} ${JSON.stringify(row.body)}`.toLowerCase();
}

/** @param {number} number */
const round = (number) => Math.round(number * 10) / 10;

/** @param {Told} row @param {number} start @param {number} length @param {Set<string>} open */
function rowOf(row, start, length, open) {
  const arrow = row.direction === "out" ? "→" : "←";
  const took = row.milliseconds === undefined ? "" : `${row.milliseconds} ms`;
  const bar = make("i", "bar-of-time");
  const width = Math.min((row.milliseconds ?? 0) / 1000 / length, 1);
  bar.style.insetInlineStart = `${Math.max(((row.at - start) / length - width) * 100, 0)}%`;
  bar.style.width = `max(3px, ${width * 100}%)`;
  const isAnswer = row.what === "answer" || row.direction === "in" && row.of;
  const name = isAnswer ? `answer to ${row.of ?? "?"}` : row.what;
  const summary = make(
    "summary",
    {},
    make("span", `lane ${row.lane}`, row.lane),
    make("span", "arrow", arrow),
    make("span", `what${row.failed ? " failed" : ""}`, String(name)),
    make("span", "facts", [took, row.size ? size(row.size) : ""].filter(Boolean).join(" · ")),
    make("span", { class: "waterfall", "aria-hidden": "true" }, bar),
  );
  const id = `row-${row.number}`;
  const details = make("details", { id, open: open.has(id) }, summary);
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(tree(row.body, "", 3));
  });
  return make("li", {}, details);
}
