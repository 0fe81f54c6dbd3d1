// @ts-check
import { make } from "../elements.js";
import { size } from "./elements.js";
import { saveFile } from "./files.js";
import { tree } from "./tree.js";

/**
 * What a message says. Of a large one the page has the beginning only, and asks for the rest when a person wants it.
 *
 * @typedef {Record<string, any>} Told one message, as the playground tells it
 */

/** The whole of a message. @param {Told} told @param {import("./api.js").Api} api */
export async function wholeOf(told, api) {
  if (told.cut === undefined) return told.body;
  return JSON.parse((await api.ask("body", { number: told.number })).json);
}

/**
 * @param {Told} told
 * @param {import("./api.js").Api} api
 * @param {number} [open] levels that are open
 * @returns {HTMLElement}
 */
export function bodyOf(told, api, open = 2) {
  if (told.cut === undefined) return tree(told.body, "", open);
  const about = make("p", "about", `The beginning of ${size(told.size)}`);
  const shown = make("div", {}, make("pre", "text", `${told.cut} …`));
  const fetched = (/** @type {(whole: any) => void} */ use) => async () => {
    try {
      use(await wholeOf(told, api));
    } catch (error) {
      about.textContent = String(/** @type {Error} */ (error).message);
    }
  };
  const all = make("button", { type: "button", class: "small" }, "Show all");
  all.onclick = fetched((whole) => {
    all.remove();
    about.textContent = size(told.size);
    shown.replaceChildren(tree(whole, "", open));
  });
  const save = make("button", { type: "button", class: "small", title: `message-${told.number}.json` }, "Save");
  save.onclick = fetched((whole) => saveFile(JSON.stringify(whole, null, 2), `message-${told.number}.json`));
  return make("div", "cut", make("div", "actions", about, all, save), shown);
}
