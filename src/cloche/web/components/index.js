// @ts-check
import { markdown } from "../markdown.js";
import { chart } from "./chart.js";
import { code } from "./code.js";
import { dataOf } from "./data.js";
import { form } from "./form.js";
import { images } from "./images.js";
import { table } from "./table.js";
import { tabs } from "./tabs.js";

/**
 * What the components of `cloche.components` do in the page. Each is there as HTML already; `data-cc` says what it becomes.
 *
 * @typedef {{callTool: (name: string, args?: object) => Promise<any>,
 *   component?: (name: string, draw: (element: HTMLElement, props: any) => void) => void}} Bridge
 * @typedef {(element: HTMLElement, bridge: Bridge) => void} Behaviour
 */

/** @type {Record<string, Behaviour>} */
const BEHAVIOURS = {
  chart,
  code,
  form,
  images,
  table,
  tabs,
  markdown: (element) => element.replaceChildren(markdown(element.textContent ?? "")),
};

/**
 * Bring the components of a page to life: those that are there, and those that come later.
 *
 * @param {Bridge} bridge @param {Document | ShadowRoot} [root]
 */
export function startComponents(bridge, root = document) {
  /** How components of the page are drawn. @type {Map<string, (element: HTMLElement, props: any) => void>} */
  const drawn = new Map();

  /** @param {HTMLElement} element */
  const start = (element) => {
    const { cc = "", component = "" } = element.dataset;
    const draw = drawn.get(component);
    if (cc === "own" ? !draw : !Object.hasOwn(BEHAVIOURS, cc)) return;
    element.dataset.ready = "";
    try {
      if (draw) draw(element, dataOf(element, "props"));
      else BEHAVIOURS[cc](element, bridge);
    } catch (error) {
      const note = document.createElement("p");
      note.role = "alert";
      note.textContent = `${component || cc} could not be drawn: ${/** @type {Error} */ (error).message}`;
      element.append(note);
    }
  };
  const scan = () => {
    if (document.readyState === "loading") return; // of an element that is being read, some parts are missing
    for (const one of root.querySelectorAll("[data-cc]:not([data-ready])")) start(/** @type {HTMLElement} */ (one));
  };
  bridge.component = (name, draw) => {
    drawn.set(name, draw);
    scan();
  };
  document.addEventListener("DOMContentLoaded", scan);
  new MutationObserver(scan).observe(root, { childList: true, subtree: true });
  scan();
}
