// @ts-check
/**
 * What a server renders, in named places of a page: for `Components(targets=[…])`, whose tool `render` takes one of them.
 * The HTML is the server's, and becomes a part of the page: for servers of your own.
 *
 * @typedef {import("./client.js").McpClient} McpClient
 * @typedef {(element: HTMLElement, props: any, about: {instance: string, component: string, version: number}) => void} Draw
 *   draws a component by itself: the element is empty, or has what was drawn before
 */
import { startComponents } from "./components/index.js";

const STYLES = ["shell.css", "components/components.css"];

/** @param {string} name */
async function text(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw Error(`The style sheet ${name} is not beside Cloche's scripts: ${answer.status} ${answer.url}`);
  return answer.text();
}

/** @type {Promise<CSSStyleSheet> | undefined} */
let looks;

/** The looks of components; the page's own style variables stand over those of the theme. */
function componentLooks() {
  looks ??= Promise.all(["theme.css", ...STYLES].map(text)).then(([theme, ...styles]) => {
    const variables = new CSSStyleSheet();
    variables.replaceSync(theme.replace("color-scheme: light dark;", ""));
    document.adoptedStyleSheets.push(variables);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      styles.join("\n").replace(/^body \{/m, ":host {") + ":host { display: block; padding: 0; background: none; }",
    );
    return sheet;
  });
  return looks;
}

/** One place: what the server says is in it. */
class Place {
  /** @type {ShadowRoot | undefined} */
  #shadow;
  /** @type {Promise<void>} */
  #last = Promise.resolve();

  /** @param {McpClient} client @param {string} name @param {HTMLElement} element @param {Record<string, Draw>} renderers */
  constructor(client, name, element, renderers) {
    this.client = client;
    this.uri = "target://" + encodeURIComponent(name);
    this.element = element;
    this.renderers = renderers;
  }

  /** Draw what is there now, one time after the other. @returns {Promise<void>} */
  show() {
    return this.#last = this.#last.catch(() => {}).then(async () => {
      const { contents: [{ text: json }] } = await this.client.readResource(this.uri);
      await this.#draw(JSON.parse(json));
    });
  }

  /** @param {any} told */
  async #draw({ instance, component, version, props, html }) {
    const draw = Object.hasOwn(this.renderers, component ?? "") ? this.renderers[component] : undefined;
    if (draw) return draw(this.#own(), props, { instance, component, version });
    if (!instance && !this.#shadow) return this.element.replaceChildren();
    const shadow = await this.#inShadow();
    const template = document.createElement("template");
    template.innerHTML = html ?? "";
    shadow.replaceChildren(template.content);
  }

  /** The element for the page's own renderers: a shadow root that was needed before would hide what is in it. */
  #own() {
    if (!this.#shadow) return this.element;
    const slot = document.createElement("slot");
    this.#shadow.replaceChildren(slot);
    return this.element;
  }

  async #inShadow() {
    if (!this.#shadow) {
      const sheet = await componentLooks();
      this.#shadow = this.element.attachShadow({ mode: "open" });
      this.#shadow.adoptedStyleSheets = [sheet];
      startComponents({ callTool: (name, args) => this.client.callTool(name, { ...args }) }, this.#shadow);
    }
    return this.#shadow;
  }
}

/**
 * Draw what the server renders into places of this page, now and whenever it changes.
 *
 * @param {McpClient} client
 * @param {Record<string, HTMLElement | string>} targets the element of each target, or a selector that finds it
 * @param {{renderers?: Record<string, Draw>, onError?: (error: Error) => void}} [options] `renderers` draw components by
 *   name, in place of the server's HTML
 * @returns {Promise<() => Promise<void>>} what ends it; what was drawn stays
 */
export async function drawComponents(client, targets, { renderers = {}, onError = reportError } = {}) {
  const places = Object.entries(targets).map(([name, where]) => {
    const element = typeof where == "string" ? document.querySelector(where) : where;
    if (!(element instanceof HTMLElement)) throw Error(`The page has no element for the target ${name}: ${where}`);
    return new Place(client, name, element, renderers);
  });
  const stops = await Promise.all(places.map(async (place) => {
    const again = () => void place.show().catch(onError);
    const stop = await client.subscribe(place.uri, { onChange: again, onError });
    await place.show();
    return stop;
  }));
  return async () => void await Promise.all(stops.map((stop) => stop()));
}
