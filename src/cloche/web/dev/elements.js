// @ts-check
import { make } from "../elements.js";

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Tabs: what is shown, and how the keyboard moves between them.
 *
 * @param {HTMLElement} list
 * @param {[string, string][]} tabs name and label
 * @param {(name: string) => void} show
 */
export function tabs(list, tabs, show) {
  const buttons = tabs.map(([name, label]) =>
    make("button", { type: "button", role: "tab", "data-name": name, onclick: () => select(name) }, label)
  );
  /** @param {string} name */
  const select = (name) => {
    for (const button of buttons) {
      const isIt = button.dataset.name === name;
      button.setAttribute("aria-selected", String(isIt));
      button.tabIndex = isIt ? 0 : -1;
    }
    show(name);
  };
  list.replaceChildren(...buttons);
  list.onkeydown = ({ key }) => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const at = buttons.findIndex((one) => one === document.activeElement);
    if (!step || at < 0) return;
    const next = buttons[(at + step + buttons.length) % buttons.length];
    select(String(next.dataset.name));
    next.focus();
  };
  return select;
}
