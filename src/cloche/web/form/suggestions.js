// @ts-check
import { make } from "../elements.js";

/** A pause in typing after which a server is asked. */
const PAUSE = 200;

/** The most suggestions that are shown. */
const MOST = 100;

let count = 0;

/**
 * A line of text with suggestions that are asked for while a person writes.
 *
 * @param {string} name of the argument
 * @param {(name: string, value: string) => Promise<string[]>} suggest
 */
export function suggested(name, suggest) {
  const id = `suggestions-${++count}`;
  const list = make("datalist", { id });
  const control = make("input", { type: "text", autocomplete: "off" });
  control.setAttribute("list", id);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let latest = 0;
  const ask = async () => {
    const mine = ++latest;
    const found = await suggest(name, control.value).catch(() => []);
    if (mine === latest) list.replaceChildren(...found.slice(0, MOST).map((one) => new Option(one, one)));
    if (!list.isConnected) control.after(list);
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  };
  control.addEventListener("input", soon);
  control.addEventListener("focus", soon);
  return control;
}
