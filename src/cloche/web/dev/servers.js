// @ts-check
import { make } from "../elements.js";
import { byId } from "./elements.js";
import { recalled, remember } from "./memory.js";
import { hasView, isForModels } from "./opening.js";
import { addressOf } from "./router.js";

/**
 * The servers on the left, and everything that they have.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {{server: string, kind: "tool" | "resource" | "template" | "prompt", name: string}} Item
 */

const LISTS = { tool: "tools", resource: "resources", template: "resourceTemplates", prompt: "prompts" };

/** What stands under which title; those that are closed are for the curious. */
const TITLES = ["Tools", "Resources", "Prompts", "Tools for views only", "View pages"];
const CLOSED = TITLES.slice(3);

/** @param {Json} entry */
const nameOf = (entry) => entry.uri ?? entry.uriTemplate ?? entry.name;

/** @param {Item | null} one @param {Item | null} other */
export const isSame = (one, other) =>
  one !== null && other !== null && one.server === other.server && one.kind === other.kind && one.name === other.name;

/** @param {Item} item */
const keyOf = ({ server, kind, name }) => `${kind} ${server} ${name}`;

export class ServerList {
  /** @type {Json[]} */
  servers = [];
  /** What is chosen. @type {Item | null} */
  item = null;
  /** Whether another page than that of the item is shown. */
  isAway = false;
  /** Resources that changed while nobody looked, by server and URI. @type {Set<string>} */
  changed = new Set();
  /** How much is wrong with a tool. @type {(item: Item) => number} */
  countOf = () => 0;
  /** How many tasks a server has under way. @type {(server: string) => number} */
  runningOf = () => 0;

  /** @param {(item: Item) => void} choose */
  constructor(choose) {
    this.choose = choose;
    const search = byId("search");
    search.oninput = () => this.draw();
    search.onkeydown = (event) => {
      const buttons = this.#buttons();
      if (event.key === "Enter") buttons[0]?.click();
      else if (event.key === "ArrowDown") buttons[0]?.focus();
      else return;
      event.preventDefault();
    };
    byId("servers").onkeydown = (event) => this.#move(event);
  }

  /** The items that can be seen. */
  #buttons() {
    const all = /** @type {NodeListOf<HTMLElement>} */ (byId("servers").querySelectorAll("li button"));
    return [...all].filter((one) => one.checkVisibility());
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const buttons = this.#buttons();
    const at = buttons.findIndex((one) => one === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    (at + step < 0 ? byId("search") : buttons[Math.min(at + step, buttons.length - 1)]).focus();
  }

  /** Whether it is known what a server has; one that is not here has nothing. @param {string} server */
  isListed(server) {
    const found = this.servers.find((one) => one.name === server);
    return this.servers.length > 0 && (!found || found.tools !== undefined);
  }

  /** @param {Item} item @returns {Json | undefined} */
  entry({ server, kind, name }) {
    const found = this.servers.find((one) => one.name === server);
    return (found?.[LISTS[kind]] ?? []).find((/** @type {Json} */ one) => nameOf(one) === name);
  }

  /** Say which item is open: the list itself is as it was. */
  mark() {
    const key = this.item && !this.isAway ? keyOf(this.item) : null;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (byId("servers").querySelectorAll("li button"))) {
      const isIt = button.dataset.key === key;
      if (isIt) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (isIt) button.closest("details")?.setAttribute("open", "");
    }
  }

  draw() {
    const search = /** @type {HTMLInputElement} */ (byId("search"));
    const wanted = search.value.trim().toLowerCase();
    byId("servers").replaceChildren(...this.servers.map((server) => this.#section(server, wanted)));
    this.drawRunning();
  }

  /** Say below each server's name how many tasks run there. */
  drawRunning() {
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (byId("servers").querySelectorAll(".running"))) {
      const server = String(place.dataset.server);
      const count = this.runningOf(server);
      place.hidden = count === 0;
      const text = `${count} ${count === 1 ? "task" : "tasks"} running`;
      place.replaceChildren(make("a", { href: addressOf("server", server) }, text));
    }
  }

  /** @param {Json} server @param {string} wanted */
  #section(server, wanted) {
    const about = `About ${server.name}: version, protocol, capabilities`;
    const head = make("h2", {}, make("a", { href: addressOf("server", server.name), title: about }, server.name));
    if (!server.tools) return make("section", {}, head, make("p", { class: "about", role: "status" }, "starting …"));
    if (server.problem) return make("section", {}, head, make("p", "problem", "does not run"));
    const items = itemsOf(server).filter((one) => one.name.toLowerCase().includes(wanted));
    const groups = TITLES.map((title) =>
      this.#group(server.name, title, items.filter((one) => this.#titleOf(one) === title), wanted !== "")
    );
    const nothing = make("p", "about", wanted ? "No matches." : "This server offers nothing.");
    const running = make("p", { class: "about running", hidden: true, "data-server": server.name });
    return make("section", {}, head, running, ...(groups.some(Boolean) ? groups : [nothing]));
  }

  /** @param {Item} item */
  #titleOf(item) {
    if (item.kind === "prompt") return "Prompts";
    if (item.kind === "tool") return isForModels(this.entry(item) ?? {}) ? "Tools" : "Tools for views only";
    return item.name.startsWith("ui://") ? "View pages" : "Resources";
  }

  /** @param {string} server @param {string} title @param {Item[]} items @param {boolean} found */
  #group(server, title, items, found) {
    if (!items.length) return null;
    const list = make("ul", {}, ...items.map((one) => this.#button(one)));
    if (!CLOSED.includes(title)) return make("div", {}, make("h3", {}, title), list);
    const key = `open ${server} ${title}`;
    const isOpen = found || recalled(key) === true || items.some((one) => isSame(one, this.item));
    const details = make("details", { open: isOpen }, make("summary", {}, `${title} (${items.length})`), list);
    details.addEventListener("toggle", () => remember(key, details.open));
    return details;
  }

  /** @param {Item} item */
  #button(item) {
    const button = make("button", { type: "button", onclick: () => this.choose(item) }, item.name);
    button.dataset.key = keyOf(item);
    if (isSame(item, this.item) && !this.isAway) button.setAttribute("aria-current", "true");
    const count = this.countOf(item);
    if (count) {
      const label = `${count} ${count === 1 ? "finding" : "findings"}`;
      button.append(make("span", { class: "count", title: label }, make("span", "unseen", label)));
    }
    const server = this.servers.find((one) => one.name === item.server);
    if (this.changed.has(`${item.server} ${item.name}`)) button.append(make("small", "badge", "changed"));
    else if (server?.followed?.includes(item.name)) button.append(make("small", {}, "subscribed"));
    if (hasView(this.entry(item) ?? {})) button.append(make("small", {}, "view"));
    return make("li", {}, button);
  }
}

/** @param {Json} server @returns {Item[]} */
function itemsOf(server) {
  return Object.entries(LISTS).flatMap(([kind, list]) =>
    (server[list] ?? []).map((/** @type {Json} */ one) => ({ server: server.name, kind, name: nameOf(one) }))
  );
}
