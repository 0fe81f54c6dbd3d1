// @ts-check
/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string | Record<string, any>} [given] its class, or `class` and anything that an element of this kind has, and
 *   attributes: `role`, `aria-…`, `data-…`
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, given = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(typeof given === "string" ? { class: given } : given)) {
    if (key in element && !key.includes("-")) Reflect.set(element, key, value);
    else if (value !== "") element.setAttribute(key, value);
  }
  element.append(...children.filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

/** What an element stands in on the screen, through slots and shadow roots. @param {Element} element */
export function outside(element) {
  if (element.assignedSlot) return element.assignedSlot;
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

const SVG = "http://www.w3.org/2000/svg";

/** A line-drawn icon of 16 pixels. @param {string} path */
export function icon(path) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  const looks = { d: path, fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linecap": "round" };
  for (const [name, value] of Object.entries(looks)) line.setAttribute(name, value);
  drawing.append(line);
  return drawing;
}
