// @ts-check
/** Notices forms that come, go and change. */
import { extendSubmitEvents, runs } from "./filling.js";
import { formTools, roots, toolOf } from "./forms.js";
import { registered } from "./tools.js";

/**
 * @param {() => void} onChange
 * @returns {() => import("./tools.js").Tool[]} that list, also of shadow trees that nobody told of
 */
export function watchForms(onChange) {
  const list = () => formTools(registered);
  let known = "[]";
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) find(node);
    compare();
  });
  const compare = () => {
    const now = JSON.stringify(list());
    for (const [form, run] of runs) {
      const tool = toolOf(/** @type {HTMLFormElement} */ (form));
      if (tool?.name != run.name || tool?.description != run.description) run.cancel(": the form changed");
    }
    if (now != known) onChange();
    known = now;
  };
  /** Look for shadow trees. @param {Node} node */
  const find = (node) => {
    for (const each of [node, .../** @type {any} */ (node).querySelectorAll?.("*") ?? []]) {
      const root = each instanceof Document ? each : each instanceof Element ? each.shadowRoot : null;
      if (!root || roots.has(root)) continue;
      roots.add(root);
      observer.observe(root, { subtree: true, childList: true, attributes: true });
      if (root != node) find(root);
    }
  };
  const look = () => {
    find(document);
    return list();
  };
  extendSubmitEvents();
  look();
  compare();
  return look;
}
