/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string | Record<string, any>} [given] its class, or `class` and anything that an element of this kind has, and
 *   attributes: `role`, `aria-…`, `data-…`
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export declare function make<K extends keyof HTMLElementTagNameMap>(name: K, given?: string | Record<string, any>, ...children: (Node | string | null | undefined | false)[]): HTMLElementTagNameMap[K];
/** What an element stands in on the screen, through slots and shadow roots. @param {Element} element */
export declare function outside(element: Element): Element | null;
/** A line-drawn icon of 16 pixels. @param {string} path */
export declare function icon(path: string): SVGSVGElement;
