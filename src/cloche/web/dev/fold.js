// @ts-check
import { byId } from "./elements.js";
import { recalled, remember } from "./memory.js";

/** Where the list of servers stands above everything else; `dev.css` has the same number. */
const NARROW = matchMedia("(max-width: 639px)");

/** @param {boolean} open */
function fold(open) {
  document.body.classList.toggle("no-nav", !open);
  byId("nav-toggle").setAttribute("aria-expanded", String(open));
}

/** Show the list of servers, for somebody who looks for something in it. */
export const unfold = () => fold(true);

/** On a phone the list of servers is folded, and a button in the header shows it. It stays as the person has left it. */
export function bindFold() {
  byId("nav-toggle").onclick = () => {
    const open = document.body.classList.contains("no-nav");
    fold(open);
    remember("nav", open);
  };
  const fit = () => fold(!NARROW.matches || recalled("nav") === true);
  NARROW.addEventListener("change", fit);
  fit();
}
