// @ts-check
import { generateRequestId } from "../rpc.js";
import { Bucket } from "../sandbox/limits.js";
import { keyboard } from "./keyboard.js";
import { hasFrameLimit } from "./leaks.js";
import { waiting } from "./patience.js";
import { countStray } from "./stray.js";

/**
 * One sandbox: the proxy page in a frame on another site, the handshake with it, and the watch over it.
 *
 * @typedef {{
 *   sandbox: {url: string, origin: string, around?: string},
 *   frame: {sandbox: string, allow: string, console?: boolean, framed?: boolean},
 *   limits: import("../sandbox/limits.js").Limits,
 *   html?: Promise<string>,
 *   title?: string,
 *   theme: string,
 * }} SandboxOptions without `html` the proxy is loaded and waits for `show`
 * @typedef {import("./keyboard.js").Told} Told
 * @typedef {{
 *   message: (message: any, gesture: unknown) => void,
 *   event: (event: Record<string, any>) => void,
 *   ended: (
 *     why: "navigated" | "flood" | "unresponsive" | "focus" | "blocked" | "silent" | "html" | "address", facts?: any,
 *   ) => void,
 * }} SandboxHandlers
 */

const OWN = "ui/notifications/sandbox-";
/** What the proxy itself may do: its scripts, its own origin, which is not ours, and forms for the view inside it. */
const PROXY_SANDBOX = "allow-scripts allow-same-origin allow-forms";
/** Milliseconds: for the handshake, between two pings, and for the answer to one. */
const READY_WITHIN = 20_000;
/** Ours speaks before it has loaded. What has loaded and said nothing so long after is something else. */
const SILENT_WITHIN = 10_000;
const PING_EVERY = 5000;
const PONG_WITHIN = 10_000;
/** The time for an answer is counted in ticks; a view that is still loading has more of them. */
const SILENT_TICKS = 10;
const LOADING_TICKS = 30;
const TICK = PONG_WITHIN / SILENT_TICKS;
/** Milliseconds by which a tick is late when the machine is busy or was asleep, and how much such a tick counts. */
const LATE = 250;
const LATE_TICK = 0.25;
/** Seconds for which a page may be too busy to hear anything: all that a view said meanwhile then comes at once. */
const UNHEARD_FOR = 10;
/** Milliseconds between two looks whether it is known how a view came by the keyboard. */
const LOOK_EVERY = 100;

export class SandboxFrame {
  #nonce = generateRequestId();
  #loads = 0;
  #pings = 0;
  #isAlive = false;
  #patience = LOADING_TICKS;
  #ended = false;
  /** When everything that the view has said so far is passed on. */
  #passedUntil = 0;
  /** What it said that is not passed on yet, in order. @type {{message: unknown, gesture: unknown, until: number}[]} */
  #held = [];
  #isHolding = false;
  #stopCounting = () => {};
  /** Who waits to hear what the person did in the view, by the number of the question, and since when. @type {Map<number, {at: number, told: (told: Told) => void}>} */
  #curious = new Map();
  #questions = 0;
  /** When a pointer was last pressed in the view, by its clock. */
  #pointedAt = -Infinity;
  /** By how much that clock is ahead of this page's: as far as is known, at the least and at the most. */
  #ahead = Infinity;
  #aheadRange = [-Infinity, Infinity];
  /** @type {MessagePort | null} */
  #port = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #stopWaiting = () => {};

  /** @param {SandboxOptions} options @param {SandboxHandlers} handlers */
  constructor(options, handlers) {
    this.options = options;
    // A proxy passes on what the limits admit, and says some things itself. One that says more is not ours any more.
    const { rate, burst } = options.limits;
    this.bucket = new Bucket(2 * rate, 2 * burst + UNHEARD_FOR * rate);
    this.handlers = handlers;
    this.element = document.createElement("iframe");
    this.element.setAttribute("sandbox", PROXY_SANDBOX);
    this.element.allow = options.frame.allow;
    this.element.referrerPolicy = "no-referrer";
    this.element.title = options.title ?? "";
  }

  /** Listen, and then load: the proxy speaks first. @param {Element | ShadowRoot} place */
  start(place) {
    if (!isSandbox(this.options.sandbox)) return this.#end("address");
    this.element.src = `${this.options.sandbox.url}#${this.#nonce}`;
    addEventListener("message", this.#takeHandshake);
    document.addEventListener("securitypolicyviolation", this.#blocked);
    this.element.addEventListener("load", () => this.#loaded());
    this.#expect(READY_WITHIN);
    place.append(this.element);
    keyboard.watch(this.element, {
      ask: () => this.#ask(),
      focus: () => this.focus(),
      release: () => this.#release(),
      stolen: () => this.#end("focus"),
    });
  }

  /** Whether it was removed, or ended by itself. */
  get isOver() {
    return this.#ended;
  }

  /**
   * Show a view in a frame that was started without one, at another place of the page.
   *
   * @param {Element} place
   * @param {Promise<string>} html
   * @param {string} theme
   */
  show(place, html, theme) {
    // Any other way to move it would load it again.
    /** @type {any} */ (place).moveBefore(this.element, null);
    Object.assign(this.options, { html, theme });
    if (!this.#port) return;
    this.#expect(READY_WITHIN);
    this.#fill(html);
  }

  /** To the view. @param {unknown} message */
  post(message) {
    this.#port?.postMessage({ message });
  }

  /** To the view, as it came from the network. @param {ArrayBuffer} bytes */
  postBytes(bytes) {
    this.#port?.postMessage({ bytes }, [bytes]);
  }

  /** @param {string} theme */
  setTheme(theme) {
    this.#port?.postMessage({ theme });
  }

  /** The keyboard goes on where it was in the view. */
  focus() {
    keyboard.give(this.element);
    this.#port?.postMessage({ focus: true });
  }

  /** Take it off the page; nothing is heard of it any more. */
  remove() {
    this.#ended = true;
    this.#stopWaiting();
    clearTimeout(this.#timer);
    this.#stopCounting();
    keyboard.unwatch(this.element);
    removeEventListener("message", this.#takeHandshake);
    document.removeEventListener("securitypolicyviolation", this.#blocked);
    this.#port?.close();
    this.#port = null;
    this.element.remove();
  }

  /** @param {Parameters<SandboxHandlers["ended"]>[0]} why @param {unknown} [facts] */
  #end(why, facts) {
    if (this.#ended) return;
    this.remove();
    this.handlers.ended(why, facts);
  }

  /** @param {number} milliseconds until the sandbox must have got further */
  #expect(milliseconds) {
    this.#stopWaiting();
    this.#stopWaiting = waiting(milliseconds, () => this.#end("silent"));
  }

  #loaded() {
    this.#loads += 1;
    // The first is ours. Whoever loads it again, it is not the page that we shook hands with.
    if (this.#loads > 1) return this.#end("navigated");
    this.#count();
    if (this.#port || this.#ended) return;
    this.#expect(SILENT_WITHIN);
  }

  /** @param {SecurityPolicyViolationEvent} event */
  #blocked = ({ effectiveDirective, blockedURI }) => {
    const { origin } = this.options.sandbox;
    if (/^(frame|child|default)-src$/.test(effectiveDirective) && blockedURI.startsWith(origin)) this.#end("blocked");
  };

  /** @param {MessageEvent} event */
  #takeHandshake = (event) => {
    if (!this.#isGenuine(event)) return;
    removeEventListener("message", this.#takeHandshake);
    this.#count();
    const { html } = this.options;
    if (html) this.#expect(READY_WITHIN);
    else this.#stopWaiting();
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }) => this.#receive(data);
    const params = { nonce: this.#nonce };
    const welcome = { jsonrpc: "2.0", method: OWN + "port", params };
    this.#proxy()?.postMessage(welcome, this.options.sandbox.origin, [channel.port2]);
    if (html) this.#fill(html);
  };

  /**
   * Every opaque view on this page can post here with the origin "null", and knows the method's name. The window is
   * looked at last: a frame that has not loaded yet gets an environment for scripts by that, which takes milliseconds.
   *
   * @param {MessageEvent} event
   */
  #isGenuine({ source, origin, data }) {
    return data?.method === OWN + "proxy-ready" && data.params?.nonce === this.#nonce &&
      origin === this.options.sandbox.origin && source !== null && source === this.#proxy();
  }

  /** Messages past the sandbox are counted as soon as there is a page in it. */
  #count() {
    this.#stopCounting();
    const flooded = (/** @type {number} */ count) => this.#end("flood", { count });
    this.#stopCounting = countStray(this.element.contentWindow, () => this.#proxy(), flooded);
  }

  /** The proxy's window: with a permission, there is a page around the proxy's that keeps it where it is. */
  #proxy() {
    const own = this.element.contentWindow;
    // An index of another origin's window that is not there throws.
    return !this.options.sandbox.around ? own : own?.length ? own[0] : null;
  }

  /** @param {Promise<string>} given */
  async #fill(given) {
    const { frame, limits, theme } = this.options;
    try {
      const html = await given;
      this.#stopWaiting();
      this.setTheme(theme);
      // A view that declares frames needs them: it is shown where it can have some.
      const deep = !frame.framed && hasFrameLimit();
      this.#port?.postMessage({ html, frame, limits, deep });
      if (!this.#ended) this.#ping();
    } catch (error) {
      this.#end("html", error);
    }
  }

  /** What the person did in the view, up to now. @returns {Promise<Told>} */
  #ask() {
    if (!this.#port) return Promise.resolve({ pointedAt: -Infinity, isActive: false, isKnown: true });
    const question = ++this.#questions, at = performance.now();
    this.#port.postMessage({ question });
    return new Promise((told) => this.#curious.set(question, { at, told }));
  }

  /** @param {Record<string, any>} data */
  #told({ question, now, timeOrigin, isActive }) {
    const asked = this.#curious.get(question);
    this.#curious.delete(question);
    if (asked && typeof now === "number") {
      // The clock was read between the question and the answer, which may take long. In between, the time of day decides.
      const [least, most] = this.#aheadRange;
      this.#aheadRange = [Math.max(least, now - performance.now()), Math.min(most, now - asked.at)];
      this.#ahead = Math.min(Math.max(performance.timeOrigin - timeOrigin, this.#aheadRange[0]), this.#aheadRange[1]);
    }
    const isKnown = typeof now === "number" && !this.options.frame.framed;
    asked?.told({ pointedAt: this.#pointedAt - this.#ahead, isActive: isActive === true, isKnown });
  }

  /** @param {Record<string, any>} data a press in the view */
  #pressed({ pointedAt, typedAt, key, code, types }) {
    if (typeof pointedAt === "number") this.#pointedAt = Math.max(this.#pointedAt, pointedAt);
    // A view that shares the sandbox's origin could say anything in its name, and so write into fields of this page.
    if (typeof key !== "string" || this.options.frame.sandbox.includes("allow-same-origin")) return;
    keyboard.pressed(this.element, {
      key,
      code: String(code),
      types: types === true,
      at: Number(typedAt) - this.#ahead,
    });
  }

  #ping() {
    this.#isAlive = false;
    this.#port?.postMessage({ ping: ++this.#pings });
    this.#wait(0);
  }

  /** @param {number} ticks without a sign of life */
  #wait(ticks) {
    const due = performance.now() + TICK;
    this.#timer = setTimeout(() => {
      if (this.#isAlive) return void (this.#timer = setTimeout(() => this.#ping(), PING_EVERY));
      // Where this page is late itself, the view may be no busier than everything else.
      const now = ticks + (performance.now() - due > LATE ? LATE_TICK : 1);
      if (now >= this.#patience) this.#end("unresponsive");
      else this.#wait(now);
    }, TICK);
  }

  /** @param {any} data from the proxy */
  #receive(data) {
    if (!this.bucket.take()) return this.#end("flood", { count: this.bucket.burst });
    if (this.#ended || data === null || typeof data !== "object") return;
    this.#isAlive = true;
    if (data.event === "navigated" || data.event === "flood") this.#end(data.event, { count: Number(data.count) });
    else if (data.event === "told") this.#told(data);
    else if (data.event === "pressed") this.#pressed(data);
    else if (typeof data.event === "string") this.#happened(data);
    else if ("message" in data) this.#pass(data);
  }

  /**
   * What a view says while the person types elsewhere on the page waits a moment, in order.
   *
   * @param {{message?: unknown, gesture?: unknown, hasFocus?: unknown}} data
   */
  #pass({ message, gesture, hasFocus }) {
    const now = performance.now();
    this.#passedUntil = Math.max(this.#passedUntil, now + keyboard.holdBack(this.element, hasFocus === true));
    this.#held.push({ message, gesture, until: this.#passedUntil });
    if (!this.#isHolding) this.#passOn();
  }

  /** What it said has waited for long enough. */
  #release() {
    this.#passedUntil = 0;
    for (const one of this.#held) one.until = 0;
    this.#passOn();
  }

  /** A timer may be late: what comes when the time is over still stands behind what has waited. */
  #passOn() {
    this.#isHolding = false;
    while (!this.#ended && this.#held.length > 0) {
      const least = keyboard.isJudging(this.element) ? LOOK_EVERY : 0;
      const wait = Math.max(Math.ceil(this.#held[0].until - performance.now()), least);
      if (wait > 0) {
        this.#isHolding = true;
        setTimeout(() => this.#passOn(), wait);
        return;
      }
      const [{ message, gesture }] = this.#held.splice(0, 1);
      this.handlers.message(message, gesture);
    }
  }

  /** @param {Record<string, any>} data */
  #happened(data) {
    if (data.event === "loaded") {
      this.#patience = SILENT_TICKS;
      this.#ask(); // what time it is there
    }
    this.handlers.event(data);
  }
}

/**
 * Whether this may be shown in a frame that has its own origin: `javascript:` and `data:` would run as this page, and so
 * would an address of this page's origin.
 *
 * @param {{url: string, origin: string, around?: string}} sandbox
 */
function isSandbox({ url, origin, around = origin }) {
  const address = URL.canParse(url) ? new URL(url) : null;
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  return isWeb && address.origin === around && ![origin, around].includes(location.origin);
}
