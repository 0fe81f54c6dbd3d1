// @ts-check
import { make } from "./styles.js";

/**
 * Questions to the person, over the view that caused them. A view cannot answer one: it is behind the dialog, inert, and
 * the button that allows works only a moment after it was seen, so that nobody hits it in the middle of a click or a
 * word meant for something else.
 *
 * @typedef {{
 *   kind?: string, title: string, text?: string, details?: unknown, accept?: string, refuse?: string, lasting?: string,
 *   seconds?: number,
 * }} Question `lasting` is the word for a yes that is good for as long as the page is open
 * @typedef {boolean | "page"} Said
 * @typedef {{key: unknown, question: Question, resolve: (answer: Said) => void}} Asked
 */

/** How often a view may take the focus from a question. */
const MOST_THEFTS = 3;
/** Milliseconds until the question can be answered with yes. */
const ARM_AFTER = 700;

let count = 0;

export class Dialog {
  /** @type {Asked[]} */
  #asked = [];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #armedAt = 0;
  #endsAt = 0;
  #wasInView = false;
  #thefts = 0;

  /**
   * @param {HTMLElement} panel what it lies over, and belongs to
   * @param {HTMLElement} stage what is inert meanwhile
   * @param {() => void} giveBack the focus, to the view that had it
   * @param {() => void} stolen the view keeps taking the focus from the question
   */
  constructor(panel, stage, giveBack, stolen) {
    this.panel = panel;
    this.stage = stage;
    this.giveBack = giveBack;
    this.stolen = stolen;
    this.title = make("h2", "");
    this.text = make("p", "");
    this.details = make("pre", "");
    this.time = make("span", "time");
    this.refuse = make("button", "refuse");
    this.lasting = make("button", "lasting");
    this.accept = make("button", "accept main");
    const row = make("div", "row", this.time, make("span", "buttons", this.refuse, this.lasting, this.accept));
    this.box = make("div", "question", this.title, this.text, this.details, row);
    this.shade = make("div", "shade", this.box);
    this.shade.hidden = true;
    this.#describe();
    this.refuse.addEventListener("click", () => this.#answer(false));
    this.accept.addEventListener("click", () => this.#isArmed() && this.#answer(true));
    this.lasting.addEventListener("click", () => this.#isArmed() && this.#answer("page"));
    this.shade.addEventListener("keydown", (event) => this.#pressed(event));
    panel.append(this.shade);
  }

  #describe() {
    const id = `cloche-question-${++count}`;
    this.title.id = `${id}-title`;
    this.text.id = `${id}-text`;
    this.details.tabIndex = 0;
    this.box.tabIndex = -1;
    this.box.setAttribute("role", "alertdialog");
    this.box.setAttribute("aria-modal", "true");
    this.box.setAttribute("aria-labelledby", this.title.id);
    this.box.setAttribute("aria-describedby", this.text.id);
    this.time.setAttribute("role", "timer");
  }

  /**
   * @param {unknown} key by which it can be taken back
   * @param {Question} question
   * @returns {Promise<Said>} `false` also when nobody answered in time, or it was taken back
   */
  ask(key, question) {
    return new Promise((resolve) => {
      this.#asked.push({ key, question, resolve });
      if (this.#asked.length === 1) this.#show();
    });
  }

  /** It need not be answered any more. @param {unknown} key */
  unask(key) {
    const index = this.#asked.findIndex((asked) => asked.key === key);
    if (index === 0) this.#answer(false);
    else if (index > 0) this.#asked.splice(index, 1)[0].resolve(false);
  }

  /** Nothing is asked any more. */
  clear() {
    for (const { resolve } of this.#asked.splice(1)) resolve(false);
    if (this.#asked.length > 0) this.#answer(false);
  }

  #show() {
    const { question } = this.#asked[0];
    this.title.textContent = question.title;
    this.text.textContent = question.text ?? "";
    this.details.textContent = written(question.details);
    this.details.hidden = this.details.textContent === "";
    this.refuse.textContent = question.refuse ?? "Refuse";
    this.accept.textContent = question.accept ?? "Allow";
    this.lasting.textContent = question.lasting ?? "";
    this.lasting.hidden = !question.lasting;
    const now = performance.now();
    this.#armedAt = now + ARM_AFTER;
    this.#endsAt = now + (question.seconds ?? 30) * 1000;
    this.shade.hidden = false;
    this.#takeFocus();
    addEventListener("blur", this.#guardSoon);
    clearInterval(this.#ticking);
    this.#ticking = setInterval(() => this.#tick(), 250);
    this.#tick();
    setTimeout(() => this.#tick(), ARM_AFTER + 1);
  }

  #isArmed() {
    return performance.now() >= this.#armedAt;
  }

  #tick() {
    if (this.#asked.length === 0) return;
    this.#guard();
    const left = Math.ceil((this.#endsAt - performance.now()) / 1000);
    if (left <= 0) return this.#answer(false);
    for (const yes of [this.accept, this.lasting]) yes.setAttribute("aria-disabled", String(!this.#isArmed()));
    this.time.textContent = `No answer means no: ${left} s`;
  }

  /**
   * The focus is taken from the view, never from something else on the page: what somebody types into the chat must
   * not become an answer.
   */
  #takeFocus() {
    const root = this.#root();
    const isInside = root.activeElement !== null;
    this.#wasInView ||= root.activeElement?.localName === "iframe";
    this.stage.inert = true;
    if (isInside) this.box.focus();
  }

  /**
   * A frame that is inert takes no clicks, yet its scripts can take the focus, and only the window hears of it. Once
   * may be chance; a view that goes on wants what is typed into the dialog.
   */
  #guard = () => {
    const frame = this.stage.querySelector("iframe");
    if (!frame || this.#root().activeElement !== frame) return;
    this.#thefts += 1;
    if (this.#thefts > MOST_THEFTS) return this.stolen();
    frame.blur();
    this.box.focus();
  };

  /** While the focus is on its way, it cannot be turned back. */
  #guardSoon = () => setTimeout(this.#guard);

  #root() {
    return /** @type {ShadowRoot} */ (this.panel.getRootNode());
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.#answer(false);
    } else if (event.key === "Tab") {
      this.#keepFocus(event);
    }
  }

  /** Round and round. @param {KeyboardEvent} event */
  #keepFocus(event) {
    const stops = [this.details, this.refuse, this.lasting, this.accept].filter((stop) => !stop.hidden);
    const root = this.#root();
    const at = stops.findIndex((stop) => stop === root.activeElement);
    const next = at < 0 ? (event.shiftKey ? stops.length - 1 : 0) : at + (event.shiftKey ? -1 : 1);
    event.preventDefault();
    stops[(next + stops.length) % stops.length].focus();
  }

  /** @param {Said} value */
  #answer(value) {
    const asked = this.#asked.shift();
    if (this.#asked.length > 0) this.#show();
    else this.#hide();
    asked?.resolve(value);
  }

  #hide() {
    clearInterval(this.#ticking);
    removeEventListener("blur", this.#guardSoon);
    const root = this.#root();
    const hadFocus = this.box.contains(root.activeElement);
    this.shade.hidden = true;
    this.stage.inert = false;
    this.#thefts = 0;
    if (hadFocus && this.#wasInView) this.giveBack();
    this.#wasInView = false;
  }
}

/**
 * What the question is about, for people: a line for each part, and no braces around a single one.
 *
 * @param {unknown} details
 * @returns {string}
 */
export function written(details) {
  if (details === null || details === undefined) return "";
  if (typeof details !== "object") return String(details);
  const lines = Object.entries(details).map(([name, value]) => [name, oneLine(value)]);
  return lines.length === 1 ? lines[0][1] : lines.map(([name, value]) => `${name}: ${value}`).join("\n");
}

/** @param {unknown} value */
function oneLine(value) {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
