// @ts-check
import { outside } from "../elements.js";
import { TOKENS } from "../tokens.js";

/**
 * What the page around an element looks like, in the words of MCP Apps: theme, style variables, room, language.
 *
 * @typedef {"light" | "dark"} Theme
 */

/** The longest value of a variable that is passed on. */
const LONGEST = 300;

/**
 * The theme: what the element's attribute says, else the page's `color-scheme`, in its styles or in a meta element, else
 * whether its background is dark.
 *
 * @param {Element} element
 * @returns {Theme}
 */
export function themeOf(element) {
  const said = element.getAttribute("theme");
  if (said === "light" || said === "dark") return said;
  const styled = getComputedStyle(element).colorScheme;
  const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=color-scheme]"));
  const scheme = (styled === "normal" ? meta?.content ?? "" : styled).split(" ");
  const [light, dark] = [scheme.includes("light"), scheme.includes("dark")];
  if (light && dark) return prefersDark().matches ? "dark" : "light";
  if (light || dark) return dark ? "dark" : "light";
  return isDark(backgroundBehind(element)) ? "dark" : "light";
}

/** What the person's system prefers. */
export const prefersDark = () => matchMedia("(prefers-color-scheme: dark)");

/** @param {Element | null} element @returns {string} */
function backgroundBehind(element) {
  for (let one = element; one; one = outside(one)) {
    const color = getComputedStyle(one).backgroundColor;
    if (!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(color)) return color;
  }
  return "rgb(255, 255, 255)";
}

/** @param {string} color as computed styles write it: as rgb, or in the color space that the page named */
export function isDark(color) {
  const [space, values] = color.split("(");
  const [first, second, third] = values.split(/[^\w.+-]+/).map(Number).filter((value) => !isNaN(value));
  if (/^(ok)?l(ab|ch)$/.test(space)) return first / (space.startsWith("ok") ? 1 : 100) < 0.5;
  const scale = space.startsWith("rgb") ? 255 : 1;
  return (0.299 * first + 0.587 * second + 0.114 * third) / scale < 0.5;
}

/** The style variables of MCP Apps as the page defines them, with ours where it does not. @param {Element} element */
export function variablesOf(element) {
  const style = getComputedStyle(element);
  return Object.fromEntries(
    Object.entries(TOKENS).map(([name, ours]) => {
      const theirs = style.getPropertyValue(name).trim();
      return [name, theirs && theirs.length <= LONGEST ? theirs : ours];
    }),
  );
}

/**
 * The page's part of a view's host context.
 *
 * @param {Element} element
 * @param {{displayMode: string, width: number, height?: number}} room
 */
export function contextOf(element, { displayMode, width, height }) {
  return {
    theme: themeOf(element),
    styles: { variables: variablesOf(element) },
    displayMode,
    containerDimensions: height === undefined ? { width } : { width, height },
    locale: element.getAttribute("locale") || navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
    userAgent: "cloche",
    deviceCapabilities: { touch: matchMedia("(any-pointer: coarse)").matches, hover: matchMedia("(hover)").matches },
  };
}

/** What is different now. @param {Record<string, unknown>} before @param {Record<string, unknown>} after */
export function changes(before, after) {
  const changed = Object.entries(after).filter(([name, value]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  );
  return Object.fromEntries(changed);
}

/**
 * Call `look` when the page may look different: the system's preference changed, or an attribute or a style sheet that
 * pages switch themes with.
 *
 * @param {() => void} look
 * @returns {() => void} stop watching
 */
export function watchTheme(look) {
  const observer = new MutationObserver(look);
  for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true });
  observer.observe(document.head, { childList: true, subtree: true, attributes: true });
  const query = prefersDark();
  query.addEventListener("change", look);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", look);
  };
}
