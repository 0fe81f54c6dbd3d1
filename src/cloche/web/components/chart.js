// @ts-check
import { make } from "../elements.js";
import { dataOf } from "./data.js";

/**
 * What a chart says of single points: under the pointer, and with the arrow keys.
 *
 * @typedef {[x: number, y: number, name: string, value: string]} Point
 * @typedef {{box: number, along?: "x" | "y" | "both", series: {name: string, points: Point[]}[]}} Data
 * @typedef {{x: number, y: number, name: string, lines: {number: number, name: string, value: string, y: number, x: number}[]}} Stop
 *   what is told together: all series at one place, or one point
 */

/** @param {HTMLElement} element */
export function chart(element) {
  /** @type {Data | null} */
  const data = dataOf(element, "chart");
  const area = /** @type {HTMLElement | null} */ (element.querySelector(".cc-area"));
  if (!data || !area) return;
  const { box, along = "x" } = data;
  const stops = along === "both" ? single(data) : together(data, along);
  if (!stops.length) return;
  const tip = make("div", { class: "cc-tip", role: "status", hidden: true });
  const dots = make("div", { class: "cc-dots", "aria-hidden": "true" });
  area.append(dots, tip);
  let at = -1;

  const hide = () => {
    tip.hidden = true;
    dots.replaceChildren();
  };

  /** @param {number} number */
  const show = (number) => {
    at = Math.max(0, Math.min(number, stops.length - 1));
    const stop = stops[at];
    const percent = (/** @type {number} */ one) => `${100 * one / box}%`;
    dots.replaceChildren(...stop.lines.map((line) => {
      const dot = make("i", `cc-s${line.number % 8}`);
      Object.assign(dot.style, { left: percent(line.x), top: percent(line.y) });
      return dot;
    }));
    tip.replaceChildren(
      make("b", {}, stop.name),
      ...stop.lines.map((line) =>
        make(
          "span",
          {},
          make("i", `cc-s${line.number % 8}`),
          line.name && make("em", {}, line.name),
          make("span", {}, line.value),
        )
      ),
    );
    tip.hidden = false;
    const { clientWidth: width, clientHeight: height } = area;
    const x = stop.x / box * width, y = stop.y / box * height;
    const left = x + 12 + tip.offsetWidth <= width ? x + 12 : Math.max(x - 12 - tip.offsetWidth, 0);
    Object.assign(tip.style, {
      left: `${Math.min(left, Math.max(width - tip.offsetWidth, 0))}px`,
      top: `${Math.max(0, Math.min(y - tip.offsetHeight / 2, height - tip.offsetHeight))}px`,
    });
  };

  area.onpointermove = ({ clientX, clientY }) => {
    const { left, top, width, height } = area.getBoundingClientRect();
    const x = (clientX - left) / width * box, y = (clientY - top) / height * box;
    show(nearest(stops, x, y, along, height / width));
  };
  area.onpointerleave = () => area.matches(":focus") || hide();
  area.onblur = hide;
  area.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step) show(at < 0 ? 0 : at + step);
    else if (event.key === "Home") show(0);
    else if (event.key === "End") show(stops.length - 1);
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
  };
}

/** Each point alone, from left to right. @param {Data} data @returns {Stop[]} */
function single({ series }) {
  const stops = series.flatMap(({ name, points }, number) =>
    points.map(([x, y, about, value]) => ({ x, y, name: about, lines: [{ number, name, value, x, y }] }))
  );
  return series.length > 1 ? stops.sort((one, other) => one.x - other.x) : stops;
}

/** All series at one place, in the order in which they stand. @param {Data} data @param {"x" | "y"} along @returns {Stop[]} */
function together({ series }, along) {
  /** @type {Map<string, Stop & {places: number[]}>} */
  const stops = new Map();
  series.forEach(({ name, points }, number) => {
    for (const [x, y, about, value] of points) {
      const stop = stops.get(about) ?? { x, y, name: about, lines: [], places: [] };
      stop.lines.push({ number, name, value, x, y });
      stop.places.push(along === "x" ? x : y);
      stops.set(about, stop);
    }
  });
  const found = [...stops.values()].map(({ places, ...stop }) => {
    const middle = places.reduce((sum, one) => sum + one, 0) / places.length;
    return { ...stop, [along]: middle };
  });
  return found.sort((one, other) => one[along] - other[along]);
}

/** @param {Stop[]} stops @param {number} x @param {number} y @param {string} along @param {number} ratio height to width */
function nearest(stops, x, y, along, ratio) {
  let best = 0, least = Infinity;
  stops.forEach((stop, at) => {
    const across = along === "y" ? 0 : stop.x - x, down = along === "x" ? 0 : (stop.y - y) * ratio;
    const distance = across * across + down * down;
    if (distance < least) [best, least] = [at, distance];
  });
  return best;
}
