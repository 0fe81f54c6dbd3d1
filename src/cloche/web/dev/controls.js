// @ts-check
import { make } from "../elements.js";
import { recalled, remember } from "./memory.js";

/**
 * The host around a view: which one it emulates, its room, its language, its display mode.
 *
 * @typedef {{name: string, title: string, about: string}} EmulatedHost
 */

/** Widths in which a view is looked at, as hosts have them. */
const WIDTHS = { full: "Full width", "720": "Desktop chat", "420": "Side panel", "360": "Phone" };

/** Languages that show what a view forgot: long words, another direction, other digits. */
const LOCALES = { "": "Browser's language", "en-US": "en-US", "de-DE": "de-DE", "ar-EG": "ar-EG", "ja-JP": "ja-JP" };

export class HostControls {
  /** @type {HTMLElement | null} */
  #stage = null;
  /** @type {any} the `<mcp-app>` */
  #view = null;

  /** @param {(name: string) => void} choose called with the name of another profile */
  constructor(choose) {
    this.host = make("select", { "aria-label": "Host", onchange: () => choose(this.host.value) });
    this.width = select("Width of the view", WIDTHS, recalled("width") ?? "full");
    this.locale = select("Language of the view", LOCALES, recalled("locale") ?? "");
    this.larger = make("button", { type: "button", title: "Show the view in the whole window (f)" }, "Fullscreen");
    this.about = make("p", "about");
    this.width.onchange = () => this.#apply();
    this.locale.onchange = () => this.#apply();
    this.larger.onclick = () => this.enlarge();
    this.element = make(
      "div",
      {},
      make("div", "controls", this.host, this.width, this.locale, this.larger),
      this.about,
    );
  }

  /** @param {{all: EmulatedHost[], chosen: string}} hosts */
  setHosts({ all, chosen }) {
    this.host.replaceChildren(...all.map(({ name, title }) => new Option(title, name)));
    this.host.value = chosen;
    const about = all.find(({ name }) => name === chosen)?.about ?? "";
    this.about.textContent = chosen === "strict" ? "" : about;
  }

  /** @param {HTMLElement} view @param {HTMLElement} stage */
  attach(view, stage) {
    this.#view = view;
    this.#stage = stage;
    this.#apply();
  }

  enlarge() {
    this.#view?.setDisplayMode("fullscreen");
  }

  #apply() {
    remember("width", this.width.value);
    remember("locale", this.locale.value);
    if (this.#stage) this.#stage.dataset.width = this.width.value;
    if (this.locale.value) this.#view?.setAttribute("locale", this.locale.value);
    else this.#view?.removeAttribute("locale");
  }
}

/** @param {string} label @param {Record<string, string>} options @param {string} chosen */
function select(label, options, chosen) {
  const made = make("select", { "aria-label": label });
  for (const [value, text] of Object.entries(options)) made.append(new Option(text, value));
  made.value = chosen in options ? chosen : Object.keys(options)[0];
  return made;
}
