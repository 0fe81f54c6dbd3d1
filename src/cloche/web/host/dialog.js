// @ts-check
import { Arming } from "./arming.js";
import { calm } from "./calm.js";
import { make } from "../elements.js";
import { FormError, SchemaForm } from "../form/form.js";
import { openLink, safeLink } from "./actions.js";

/**
 * Questions to the person, over the view that caused them. A view cannot answer one: it is behind the dialog, inert, and
 * the buttons that allow something work only after the person could see them for a moment.
 *
 * @typedef {{
 *   kind?: string, title: string, text?: string, details?: unknown, accept?: string, refuse?: string, lasting?: string,
 *   seconds?: number, form?: import("../form/fields.js").Schema, values?: Record<string, any>, problem?: string,
 *   link?: string,
 * }} Question `lasting` is the word for a yes that is good for as long as the page is open. With `form` a yes is what the
 *   person filled in, `values` is what stands in it first, and `problem` what was wrong with that; with `link` a yes opens
 *   this address
 * @typedef {boolean | "page" | "cancel" | {content: Record<string, any>} | null} Said `null` when nobody answered in time,
 *   "cancel" when a form or an address was put away without an answer
 * @typedef {{key: unknown, question: Question, resolve: (answer: Said) => void, seen: () => void}} Asked
 */

let count = 0;

export class Dialog {
  /** @type {Asked[]} */
  #asked = [];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  /** When nobody has answered; unknown until the question could be answered. @type {number | undefined} */
  #endsAt;
  #wasInView = false;
  /** What the person fills in. @type {SchemaForm | null} */
  #fields = null;
  /** @type {Arming} */
  #arming;

  /**
   * @param {HTMLElement} panel what it lies over, and belongs to
   * @param {HTMLElement} stage what is inert meanwhile
   * @param {() => void} giveBack the focus, to the view that had it
   */
  constructor(panel, stage, giveBack) {
    this.panel = panel;
    this.stage = stage;
    this.giveBack = giveBack;
    const id = `cloche-question-${++count}`;
    this.title = make("h2", { id: `${id}-title` });
    this.text = make("p", { id: `${id}-text` });
    this.details = make("pre", { tabIndex: 0 });
    this.form = make("form", { class: "form", noValidate: true });
    this.problem = make("p", { class: "danger", role: "alert" });
    this.time = make("span", { class: "time", role: "timer" });
    this.refuse = make("button", { class: "refuse", onclick: () => this.#answer(false) });
    this.lasting = make("button", "lasting");
    this.accept = make("button", "accept main");
    const row = make("div", "row", this.time, make("span", "buttons", this.refuse, this.lasting, this.accept));
    const named = { "aria-modal": "true", "aria-labelledby": this.title.id, "aria-describedby": this.text.id };
    const about = { class: "question", role: "alertdialog", tabIndex: -1, ...named };
    this.box = make("div", about, this.title, this.text, this.details, this.problem, this.form, row);
    this.shade = make("div", { class: "shade", hidden: true }, this.box);
    this.#arming = new Arming(this.shade, this.box, [this.lasting, this.accept], (isArmed) => this.#armed(isArmed));
    this.accept.addEventListener("click", (event) => this.#arming.counts(event) && this.#accept());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#arming.counts(event)) this.#accept();
    });
    // Whoever writes has not gone away.
    this.form.addEventListener("input", () => this.#goesOn());
    this.lasting.addEventListener("click", (event) => this.#arming.counts(event) && this.#answer("page"));
    this.shade.addEventListener("keydown", (event) => this.#pressed(event));
    panel.append(this.shade);
  }

  /**
   * @param {unknown} key by which it can be taken back
   * @param {Question} question
   * @param {() => void} [seen] the person could see it: from now on the time for an answer runs
   * @returns {Promise<Said>} `false` also when it was taken back
   */
  ask(key, question, seen = () => {}) {
    return new Promise((resolve) => {
      this.#asked.push({ key, question, resolve, seen });
      if (this.#asked.length === 1) this.#show();
    });
  }

  /** It need not be answered any more. @param {unknown} key */
  unask(key) {
    const index = this.#asked.findIndex((asked) => asked.key === key);
    if (index === 0) this.dismiss();
    else if (index > 0) {
      const [{ question, resolve }] = this.#asked.splice(index, 1);
      resolve(unanswered(question));
    }
  }

  /** Nothing is asked any more. */
  clear() {
    for (const { question, resolve } of this.#asked.splice(1)) resolve(unanswered(question));
    this.dismiss();
  }

  /** Put the question away without an answer. */
  dismiss() {
    if (this.#asked.length > 0) this.#answer(unanswered(this.#asked[0].question));
  }

  /** Whether a question is open. */
  get isOpen() {
    return this.#asked.length > 0;
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
    this.problem.textContent = question.problem ?? "";
    this.problem.hidden = !question.problem;
    this.#showForm(question);
    this.#endsAt = undefined;
    this.shade.hidden = false;
    calm.begin(this);
    this.#takeFocus();
    this.#arming.start();
    clearInterval(this.#ticking);
    this.#ticking = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  /** @param {Question} question */
  #showForm({ form, values }) {
    this.#fields = form ? new SchemaForm(form) : null;
    if (this.#fields && values) this.#fields.write(values);
    this.form.replaceChildren(...(this.#fields ? [this.#fields.element] : []));
    this.form.hidden = !form;
  }

  /** The person says yes: with what they filled in, or to the address, which is opened by this click and no other. */
  #accept() {
    const { question } = this.#asked[0];
    if (this.#fields) {
      try {
        this.#answer({ content: this.#fields.read() });
      } catch (error) {
        if (!(error instanceof FormError)) throw error; // else it stands beside the field
      }
      return;
    }
    const link = question.link ? safeLink(question.link) : null;
    if (link) openLink(link);
    this.#answer(true);
  }

  /** The time for an answer begins again; the host is told now and then. */
  #goesOn() {
    const asked = this.#asked[0];
    if (!asked || this.#endsAt === undefined) return;
    const ends = performance.now() + secondsFor(asked.question) * 1000;
    if (ends - this.#endsAt < GOES_ON_AFTER) return;
    this.#endsAt = ends;
    asked.seen();
  }

  /**
   * The time for an answer begins when there can be one: a question that nobody has seen, because it is below the fold
   * or the tab is in the background, has not been answered with silence.
   *
   * @param {boolean} isArmed
   */
  #armed(isArmed) {
    for (const yes of [this.accept, this.lasting]) yes.setAttribute("aria-disabled", String(!isArmed));
    const asked = this.#asked[0];
    if (!isArmed || !asked || this.#endsAt !== undefined) return;
    this.#endsAt = performance.now() + secondsFor(asked.question) * 1000;
    asked.seen();
  }

  #tick() {
    if (this.#asked.length === 0) return;
    const all = secondsFor(this.#asked[0].question);
    const left = this.#endsAt === undefined ? all : (this.#endsAt - performance.now()) / 1000;
    if (left <= 0) return this.#answer(null);
    // Always as wide as it was first, or the buttons would move.
    const means = isDismissible(this.#asked[0].question) ? "cancels" : "means no";
    this.time.textContent = `No answer ${means}: ${String(Math.ceil(left)).padStart(String(all).length, WIDE_SPACE)} s`;
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

  #root() {
    return /** @type {ShadowRoot} */ (this.panel.getRootNode());
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.dismiss();
    } else if (event.key === "Tab") {
      this.#keepFocus(event);
    }
  }

  /** Round and round. @param {KeyboardEvent} event */
  #keepFocus(event) {
    /** @type {HTMLElement[]} */
    const fields = [...this.form.querySelectorAll("input, select, textarea, button")].map(asElement);
    const stops = [this.details, ...fields, this.refuse, this.lasting, this.accept]
      .filter((stop) => !stop.closest("[hidden]"));
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
    this.#arming.stop();
    const root = this.#root();
    const hadFocus = this.box.contains(root.activeElement);
    this.shade.hidden = true;
    this.stage.inert = false;
    if (hadFocus && this.#wasInView) this.giveBack();
    this.#wasInView = false;
    calm.end(this);
  }
}

/** Milliseconds between two signs to the host that somebody is writing. */
const GOES_ON_AFTER = 5000;

/** @param {Element} element */
const asElement = (element) => /** @type {HTMLElement} */ (element);

/** Whether putting it away is something else than a no. @param {Question} question */
const isDismissible = ({ form, link }) => form !== undefined || link !== undefined;

/** @param {Question} question @returns {Said} */
const unanswered = (question) => isDismissible(question) ? "cancel" : false;

/** A space as wide as a digit. */
const WIDE_SPACE = "\u2007";

/** @param {Question} question */
const secondsFor = (question) => question.seconds ?? 30;

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
const oneLine = (value) => typeof value === "string" ? value : JSON.stringify(value) ?? "";
