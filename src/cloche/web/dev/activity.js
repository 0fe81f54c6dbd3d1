// @ts-check
import { make } from "../elements.js";
import { blockOf } from "./blocks.js";
import { byId, tabs } from "./elements.js";
import { recalled, remember } from "./memory.js";
import { problemOf } from "./problems.js";
import { TimelineView } from "./timeline.js";
import { tree } from "./tree.js";

/**
 * The right side: what was said, what views told the model, what went wrong, what servers wrote.
 *
 * @typedef {Record<string, any>} Json
 */

/** Entries of a panel that are kept. */
const MOST = 100;

/** Lines of output that are kept. */
const MOST_LINES = 1000;

/** A panel on the right. @param {"div" | "pre"} name @param {string} empty what it says while nothing is in it */
const panel = (name, empty) => make(name, { class: "said", "data-empty": empty });

/** @param {Json[]} content */
const blocksOf = (content) => content.map((one) => blockOf(one));

export class Activity {
  #problemCount = 0;
  /** The problems in the panel, by what they say. @type {Map<string, {element: HTMLElement, times: number}>} */
  #told = new Map();
  model = panel("div", "What a view tells the model or the conversation appears here.");
  problems = panel("div", "No problems so far. Errors, logs and blocked requests of views appear here.");
  output = panel("pre", "What servers print and log appears here.");

  /** @param {import("./api.js").Api} api @param {() => boolean} namesServers whether a line says which server wrote it */
  constructor(api, namesServers) {
    this.namesServers = namesServers;
    this.timeline = new TimelineView(api);
    this.output.tabIndex = 0;
    /** @type {[string, string, HTMLElement][]} */
    this.panels = [
      ["timeline", "Messages", this.timeline.element],
      ["model", "Model", this.model],
      ["problems", "Problems", this.problems],
      ["output", "Output", this.output],
    ];
    this.show = tabs(byId("side-tabs"), this.panels.map(([name, label]) => [name, label]), (name) => {
      remember("side", name);
      const [, , element] = this.panels.find(([one]) => one === name) ?? this.panels[0];
      byId("side-body").replaceChildren(element);
    });
    this.show(recalled("side") ?? "timeline");
    byId("side-toggle").onclick = () => this.toggle();
    if (innerWidth < 1000) this.toggle();
    this.#listen(api);
  }

  toggle() {
    const isHidden = document.body.classList.toggle("no-side");
    byId("side-toggle").setAttribute("aria-pressed", String(!isHidden));
  }

  /** @param {import("./api.js").Api} api */
  #listen(api) {
    api.on("traffic", (told) => this.timeline.add(told));
    api.on("anew", () => this.#begin());
    api.on("dropped", ({ number, lines }) => {
      if (number) this.timeline.miss(number);
      if (lines) {
        this.#write("", `(${lines} lines and notices were left out: they came faster than this page took them)`);
      }
    });
    api.on(
      "message",
      ({ tool, content }) => this.#say(this.model, `${tool} says to the conversation`, ...blocksOf(content)),
    );
    api.on("context", ({ tool, content, structured }) => {
      const parts = blocksOf(content);
      if (structured) parts.push(tree(structured));
      this.#say(this.model, `${tool} tells the model`, ...parts);
    });
    api.on("log", ({ tool, level, data }) => {
      this.#say(this.problems, `${tool}: ${level}`, typeof data === "string" ? make("pre", {}, data) : tree(data));
    });
    api.on("problem", (told) => this.#complain(told));
    api.on("server-log", ({ server, level, logger, data }) => {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      this.#write(server, `${level}${logger ? ` ${logger}` : ""}: ${text}`, level);
    });
    api.on("output", ({ server, line }) => this.#write(server, line));
  }

  /** Another playground: nothing was said in it yet. */
  #begin() {
    this.timeline.begin();
    for (const place of [this.model, this.problems, this.output]) place.replaceChildren();
    this.#told.clear();
    this.#problemCount = 0;
  }

  /** A problem stands there once, and says how often it came: every view of a tool has the same. @param {Json} told */
  #complain(told) {
    const key = JSON.stringify([told.tool, told.code, told.what, told.fix]);
    const known = this.#told.get(key);
    if (known && this.problems.contains(known.element)) {
      known.times += 1;
      known.element.querySelector(".times")?.replaceChildren(`${known.times} times`);
      return this.problems.prepend(known.element);
    }
    const element = this.#say(this.problems, told.tool, problemOf(/** @type {any} */ (told)));
    element.querySelector("h3")?.append(make("span", "badge times"));
    this.#told.set(key, { element, times: 1 });
    this.#count("problems", ++this.#problemCount);
  }

  /** @param {HTMLElement} place @param {string} title @param {...Node} parts */
  #say(place, title, ...parts) {
    const time = new Date().toLocaleTimeString();
    const said = make("article", {}, make("h3", {}, title, make("small", {}, time)), ...parts);
    place.prepend(said);
    while (place.childElementCount > MOST) place.lastElementChild?.remove();
    return said;
  }

  /** Say on a tab how much there is that was not there before. @param {string} name @param {number} count */
  #count(name, count) {
    const tab = byId("side-tabs").querySelector(`[data-name="${name}"]`);
    const label = this.panels.find(([one]) => one === name)?.[1] ?? "";
    tab?.replaceChildren(label, " ", make("span", "badge", count > 99 ? "99+" : String(count)));
  }

  /** @param {string} server @param {string} line @param {string} [level] of a server's log */
  #write(server, line, level = "") {
    const text = `${this.namesServers() && server ? `${server}: ` : ""}${line}\n`;
    const strong = /^(?:warning|error|critical|alert|emergency)$/.test(level) ? level : "";
    this.output.append(strong ? make("span", strong === "warning" ? "warning" : "failed", text) : text);
    while (this.output.childNodes.length > MOST_LINES) this.output.firstChild?.remove();
  }
}
