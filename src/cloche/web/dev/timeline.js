// @ts-check
import { make } from "../elements.js";
import { bodyOf } from "./bodies.js";
import { size } from "./elements.js";
import { Exchanges, isNoise, textOf } from "./exchanges.js";
import { recalled, remember } from "./memory.js";
import { addressOf } from "./router.js";

/** Rows that are on the page at once; the filter finds the others. */
const SHOWN = 300;

/** Reports of progress that an open row shows. */
const LATEST = 5;

/** What the filter by kind offers. @type {Record<string, string>} */
const KINDS = { "": "Everything", server: "Servers", view: "Views", page: "The page", failed: "Failed" };

/**
 * Every exchange in a row: what was asked, of whom, how long it took, how large it was.
 *
 * @typedef {import("./exchanges.js").Exchange} Exchange
 */
export class TimelineView {
  exchanges = new Exchanges();
  /** @type {number | undefined} */
  frame;
  /** The rows on the page. @type {Map<Exchange, HTMLElement>} */
  #rows = new Map();
  /** Exchanges that changed since the rows were drawn. @type {Set<Exchange>} */
  #changed = new Set();
  /** Rows before those on the page. */
  #left = 0;

  /** @param {import("./api.js").Api} api */
  constructor(api) {
    this.api = api;
    const redraw = () => this.#redraw();
    this.filter = make("input", {
      type: "search",
      placeholder: "Filter",
      "aria-label": "Filter messages",
      oninput: redraw,
    });
    this.kind = make("select", { "aria-label": "Show", onchange: redraw });
    for (const [value, text] of Object.entries(KINDS)) this.kind.append(new Option(text, value));
    this.noise = make("input", { type: "checkbox", id: "noise", checked: recalled("noise") === true });
    this.noise.onchange = () => (remember("noise", this.noise.checked), redraw());
    const label = make("label", { htmlFor: "noise", class: "noise" }, "Handshakes and lists");
    const clearing = make("button", { type: "button", onclick: () => this.clear() }, "Clear");
    this.list = make("ol", "rows");
    this.list.onkeydown = (event) => this.#move(event);
    this.more = make("p", "about");
    this.element = make(
      "div",
      "timeline",
      make("div", "controls", this.filter, this.kind, clearing),
      make("div", "controls", this.noise, label),
      this.more,
      this.list,
    );
    this.#redraw();
  }

  clear() {
    this.exchanges.clear();
    this.#redraw();
  }

  /** Another playground, which has told nothing yet. */
  begin() {
    this.exchanges.begin();
    this.#redraw();
  }

  /** Messages up to this one came faster than the page could take them. @param {number} number */
  miss(number) {
    this.exchanges.reach(number);
    this.#later();
  }

  /** @param {number} id @returns {Exchange | undefined} */
  find(id) {
    return this.exchanges.all.find((one) => one.id === id);
  }

  /** @param {Record<string, any>} told */
  add(told) {
    this.#changed.add(this.exchanges.add(told));
    // A tab that nobody looks at draws nothing: when it does, it draws what is left of them.
    if (this.#changed.size > 2 * SHOWN) this.#forgetRows();
    this.#later();
  }

  #later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#update();
    });
  }

  /** @param {Exchange} one */
  #isWanted(one) {
    const kind = this.kind.value;
    if (kind === "failed" ? one.state !== "failed" : kind && one.lane !== kind) return false;
    const words = this.filter.value.trim().toLowerCase();
    if (words) return textOf(one).includes(words);
    return this.noise.checked || kind !== "" || !isNoise(one);
  }

  /** Draw what is new: rows that are there stay, open or closed. */
  #update() {
    if (!this.#rows.size) return this.#redraw();
    this.#count();
    const side = this.element.closest("aside");
    // Who has scrolled up to read stays there.
    const atEnd = !side || side.scrollTop + side.clientHeight > side.scrollHeight - 40;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const one of changed) {
      const known = this.#rows.get(one);
      if (known) known.replaceChildren(...rowOf(this.api, one, isOpen(known)));
      else if (this.#isWanted(one)) this.#append(one);
    }
    for (const [one, row] of this.#rows) {
      if (this.#rows.size <= SHOWN) break;
      row.remove();
      this.#rows.delete(one);
      this.#count(this.#left + 1);
    }
    if (side && atEnd) side.scrollTop = side.scrollHeight;
  }

  /** @param {Exchange} one */
  #append(one) {
    const row = make("li", { "data-id": String(one.id) }, ...rowOf(this.api, one, false));
    this.#rows.set(one, row);
    this.list.append(row);
  }

  #forgetRows() {
    this.#changed.clear();
    this.#rows.clear();
    this.list.replaceChildren();
  }

  /** Say how much is not in the list. @param {number} [left] rows that a filter finds */
  #count(left = this.#left) {
    const { lost, all } = this.exchanges;
    this.#left = left = Math.min(left, all.length - this.#rows.size);
    this.more.textContent = [
      left > 0 && `${left.toLocaleString("en")} earlier rows: filter to find them.`,
      lost > 0 && `${lost.toLocaleString("en")} ${lost === 1 ? "message is" : "messages are"} no longer kept.`,
    ].filter(Boolean).join(" ");
  }

  #redraw() {
    this.#forgetRows();
    const wanted = this.exchanges.all.filter((one) => this.#isWanted(one));
    for (const one of wanted.slice(-SHOWN)) this.#append(one);
    this.#count(wanted.length - this.#rows.size);
    if (this.#rows.size) return;
    const hidden = this.exchanges.all.length;
    const text = hidden
      ? `No messages match: ${hidden} others are hidden.`
      : "Every message between server, host and view appears here.";
    this.list.replaceChildren(make("li", "about", text));
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const target = /** @type {HTMLElement} */ (event.target);
    if (!step || !target.matches(".rows > li > details > summary")) return;
    const all = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll(".rows > li > details > summary")]);
    event.preventDefault();
    all[all.indexOf(target) + step]?.focus();
  }
}

/** @param {HTMLElement} row */
const isOpen = (row) => row.querySelector("details")?.open === true;

/** Words for what became of an exchange. */
const STATES = { open: "…", done: "", failed: "Failed", cancelled: "Cancelled", notice: "" };

/** @param {import("./api.js").Api} api @param {Exchange} one @param {boolean} open */
function rowOf(api, one, open) {
  const { state, milliseconds, lane, server, method, name } = one;
  const time = new Date(one.at * 1000);
  const took = milliseconds === undefined ? "" : `${milliseconds} ms`;
  const arrow = { out: state === "notice" ? "→" : "⇄", in: state === "notice" ? "←" : "⇆" }[one.direction] ?? "";
  const facts = [STATES[state], took, one.size ? size(one.size) : ""].filter(Boolean).join(" · ");
  const who = make("span", { class: `lane ${lane}`, title: `${lane} ${server}` }, lane);
  const summary = make(
    "summary",
    {},
    who,
    make("span", "arrow", arrow),
    make("span", { class: `what ${state}`, title: `${method} ${name}` }, name ? `${name} ` : method),
    make("span", { class: `facts ${state}`, title: time.toLocaleTimeString() }, facts),
    make("span", "sub", `${name ? `${method} · ` : ""}${server} · ${time.toLocaleTimeString()}`),
  );
  const details = make("details", { open }, summary);
  const fill = () => details.open && details.childElementCount === 1 && details.append(...insideOf(api, one));
  details.addEventListener("toggle", fill);
  fill();
  return [details];
}

/** @param {import("./api.js").Api} api @param {Exchange} one */
function insideOf(api, one) {
  /** @type {HTMLElement[]} */
  const parts = [make("p", {}, make("a", { href: addressOf("message", String(one.id)) }, "Open, copy or send again"))];
  if (one.request) {
    parts.push(make("h3", {}, one.state === "notice" ? "Message" : "Request"), bodyOf(one.request, api, 3));
  }
  if (one.progress) parts.push(make("h3", {}, `Progress (${one.progress})`));
  for (const told of one.between.slice(-LATEST)) parts.push(bodyOf(told, api, 1));
  if (one.answer) parts.push(make("h3", {}, "Answer"), bodyOf(one.answer, api, 3));
  return parts;
}
