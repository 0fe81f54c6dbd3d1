// @ts-check
import { make } from "../elements.js";

/**
 * A view of a story: in its theme and its size, or as a picture of that.
 *
 * @typedef {{
 *   name: string, tool: string, arguments?: Record<string, any>, profile?: string, theme?: "light" | "dark",
 *   width?: number, height?: number, hasResult?: boolean,
 * }} Story
 */

/** The room of a view whose story names none. */
export const WIDTH = 480;

/** The sizes of a picture on a card. */
const CARD = { width: 288, height: 180 };

/** @param {string} ticket @param {Story} story @returns {HTMLElement} */
export function viewOf(ticket, { theme, width, height }) {
  const view = document.createElement("mcp-app");
  view.setAttribute("ticket", ticket);
  if (theme) view.setAttribute("theme", theme);
  const room = make("div", "story-room", view);
  if (theme) room.style.colorScheme = theme;
  if (width) room.style.width = `${width}px`;
  if (height) room.style.maxHeight = `${height}px`;
  return room;
}

/** A picture: the living view, made small, which nobody can click or tab into. @param {string} ticket @param {Story} story */
export function pictureOf(ticket, story) {
  const width = story.width ?? WIDTH;
  const room = viewOf(ticket, { ...story, width });
  const scale = CARD.width / width;
  room.style.transform = `scale(${scale})`;
  room.style.height = `${CARD.height / scale}px`;
  room.style.overflow = "hidden";
  room.inert = true;
  return room;
}

/** What a tool without a view gave, or is given, made small: nobody can click or tab into it. @param {...HTMLElement} parts */
export function miniature(...parts) {
  return make("div", { class: "miniature", inert: true }, ...parts);
}

/**
 * Pictures that are made when they come into sight, a few at a time, and taken down when they are far away: each is a view
 * with frames of its own.
 */
export class Pictures {
  /** @type {Map<Element, () => Promise<HTMLElement | null>>} */
  #makers = new Map();
  #observer = new IntersectionObserver((seen) => seen.forEach((one) => this.#look(one)), { rootMargin: "200px" });

  /** @param {HTMLElement} place @param {() => Promise<HTMLElement | null>} maker null when there is nothing to see */
  add(place, maker) {
    this.#makers.set(place, maker);
    this.#observer.observe(place);
  }

  stop() {
    this.#observer.disconnect();
    this.#makers.clear();
  }

  /** @param {IntersectionObserverEntry} seen */
  async #look({ target, isIntersecting }) {
    const place = /** @type {HTMLElement} */ (target);
    if (!isIntersecting) {
      if (place.dataset.state === "shown") {
        place.replaceChildren();
        delete place.dataset.state;
      }
      return;
    }
    if (place.dataset.state) return;
    place.dataset.state = "making";
    const made = await this.#makers.get(target)?.().catch((error) => make("p", "problem", error.message));
    if (!made || !this.#makers.has(target)) return;
    place.dataset.state = "shown";
    place.replaceChildren(made);
  }
}
