// @ts-check
import { make } from "../elements.js";

/**
 * The keys of the page, and the list of them that `?` shows.
 *
 * @typedef {{shown: string, about: string, act?: (event: KeyboardEvent) => void}} Key
 */
export class Keys {
  /** @type {Map<string, Key>} */
  #keys = new Map();
  #list = make("dl", "keys");
  #dialog = make(
    "dialog",
    { id: "help", "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    this.#list,
    make("form", { method: "dialog" }, make("button", { class: "main", autofocus: true }, "Close")),
  );

  constructor() {
    document.body.append(this.#dialog);
    addEventListener("keydown", (event) => this.#pressed(event));
    this.add("?", "Show this list", () => this.help());
  }

  /**
   * @param {string} key as `KeyboardEvent.key` has it, in front of it `Ctrl+` for one that also works in fields
   * @param {string} about what it does, for the list
   * @param {(event: KeyboardEvent) => void} [act] what to do; without, the key is only listed
   */
  add(key, about, act) {
    this.#keys.set(key, { shown: key, about, act });
  }

  help() {
    this.#list.replaceChildren(...[...this.#keys.values()].flatMap(({ shown, about }) => [
      make("dt", {}, ...shown.split(" ").flatMap((one) => [make("kbd", {}, one), " "])),
      make("dd", {}, about),
    ]));
    this.#dialog.showModal();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (this.#dialog.open || altKey || event.defaultPrevented) return;
    const isTyping = target instanceof HTMLElement &&
      (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);
    if (ctrlKey || metaKey) this.#keys.get(`Ctrl+${key}`)?.act?.(event);
    else if (!isTyping) this.#keys.get(key)?.act?.(event);
  }
}
