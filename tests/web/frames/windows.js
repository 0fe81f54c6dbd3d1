// @ts-check
/**
 * Two windows without a browser: what one posts reaches the other after a while, in an order that a test chooses, twice or
 * not at all. The checks of `event.source` are the browser controls' own, and are tested in a browser.
 *
 * @typedef {{data: any, origin: string, ports?: readonly MessagePort[]}} Event
 * @typedef {{to: "outer" | "inner", event: Event, targetOrigin: string}} Letter
 */

export const OUTER = "https://outer.example";
export const INNER = "https://inner.example";

/** @param {any} data */
const cloned = (data) => data === undefined ? data : structuredClone(data);

export class Windows {
  /** @type {Record<"outer" | "inner", Set<(event: Event) => void>>} */
  handlers = { outer: new Set(), inner: new Set() };
  /** Everything that was posted. @type {Letter[]} */
  posted = [];
  /** @type {{url: string, allow: string[]}[]} */
  navigations = [];
  /** @type {boolean[]} */
  shown = [];
  /** @type {(url: string) => void} */
  onLoad = () => {};
  innerOrigin = INNER;
  outerOrigin = OUTER;

  /** @param {(letter: Letter, deliver: () => void) => void} [carry] */
  constructor(carry = (_, deliver) => queueMicrotask(deliver)) {
    this.carry = carry;
  }

  /** @param {"outer" | "inner"} to @param {any} data @param {string} targetOrigin @param {any[]} [transfer] */
  post(to, data, targetOrigin, transfer = []) {
    const [here, there] = to == "outer" ? [this.innerOrigin, this.outerOrigin] : [this.outerOrigin, this.innerOrigin];
    const letter = { to, targetOrigin, event: { data: cloned(data), origin: here, ports: transfer } };
    this.posted.push(letter);
    if (targetOrigin == "null") throw new SyntaxError("null is not a target origin");
    if (targetOrigin != "*" && targetOrigin != there) return;
    this.carry(letter, () => this.deliver(letter));
  }

  /** @param {Letter} letter */
  deliver({ to, event }) {
    for (const handler of [...this.handlers[to]]) handler(event);
  }

  /** @param {"outer" | "inner"} side @param {(event: Event) => void} handler */
  listen(side, handler) {
    this.handlers[side].add(handler);
    return () => void this.handlers[side].delete(handler);
  }

  /** @param {any} [more] */
  outer(more = {}) {
    return {
      navigate: (/** @type {string} */ url, { allow = /** @type {string[]} */ ([]) } = {}) => {
        this.navigations.push({ url, allow });
        queueMicrotask(() => this.onLoad(url));
      },
      postMessage: (/** @type {any} */ message, /** @type {string} */ origin, /** @type {any[]} */ transfer) =>
        this.post("inner", message, origin, transfer),
      onMessage: (/** @type {any} */ handler) => this.listen("outer", handler),
      setVisible: (/** @type {boolean} */ isVisible) => void this.shown.push(isVisible),
      isOpaque: false,
      grantsPermissions: true,
      ...more,
    };
  }

  /** @param {string[]} [allowedOrigins] */
  inner(allowedOrigins = [OUTER]) {
    const post = this.post.bind(this);
    const listen = this.listen.bind(this);
    return {
      allowedOrigins,
      pinnedOrigin: /** @type {string | undefined} */ (undefined),
      allows: (/** @type {string} */ origin) => allowedOrigins.includes(origin),
      /** @param {string} origin */
      pin(origin) {
        this.pinnedOrigin = origin;
      },
      unpin() {
        this.pinnedOrigin = undefined;
      },
      /** @param {any} message @param {string} [origin] @param {any[]} [transfer] */
      postMessage(message, origin, transfer) {
        post("outer", message, origin ?? this.pinnedOrigin ?? "*", transfer);
      },
      onMessage: (/** @type {any} */ handler) => listen("inner", handler),
      destroy() {},
    };
  }
}
