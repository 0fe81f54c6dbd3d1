// @ts-check
/**
 * Addresses of the page, `#/tool/SERVER/NAME`, and which page each of them shows. The back button works because every change
 * of place is a change of the address.
 *
 * @typedef {Record<string, string>} Params what the parts of an address with a colon in their pattern are
 * @typedef {{pattern: string, title?: string, about?: string, isShown?: (app: any) => boolean, draw: (visit: Visit) => void | (() => void)}} PageEntry
 *   see `pages.js`
 * @typedef {{place: HTMLElement, params: Params, query: URLSearchParams, app: any}} Visit what a page is drawn with
 */

/** An address of the page. @param {...string} parts as they are: they are encoded here */
export const addressOf = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;

/** @param {string} pattern `/tool/:server/:name` @param {string} path @returns {Params | null} */
export function matched(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  /** @type {Params} */
  const params = {};
  for (const [index, part] of wanted.entries()) {
    if (!part.startsWith(":")) {
      if (part !== given[index]) return null;
    } else {
      try {
        params[part.slice(1)] = decodeURIComponent(given[index]);
      } catch {
        return null;
      }
    }
  }
  return params;
}

export class Router {
  /** @type {(() => void) | void} what the page that is shown wants to do before it goes */
  #leave = undefined;

  /** @param {PageEntry[]} pages @param {(entry: PageEntry | null, visit: {params: Params, query: URLSearchParams}) => void | (() => void)} show */
  constructor(pages, show) {
    this.pages = pages;
    this.show = show;
    addEventListener("hashchange", () => this.draw());
  }

  /** The path and the query of the address, or empty where it names no page. */
  get address() {
    return location.hash.startsWith("#/") ? location.hash : "";
  }

  /** Go somewhere, by an address of `addressOf`. @param {string} address @param {{replace?: boolean}} [options] */
  go(address, { replace = false } = {}) {
    // Drawn at once, not when the browser reports the change: what is typed meanwhile would go into the page before.
    if (replace) history.replaceState(null, "", address);
    else if (address !== this.address) history.pushState(null, "", address);
    this.draw();
  }

  /** Show the page that the address names. */
  draw() {
    const [path, query = ""] = this.address.slice(1).split("?");
    this.#leave?.();
    this.#leave = undefined;
    for (const entry of this.pages) {
      const params = matched(entry.pattern, path);
      if (params) return void (this.#leave = this.show(entry, { params, query: new URLSearchParams(query) }));
    }
    this.#leave = this.show(null, { params: {}, query: new URLSearchParams() });
  }
}
