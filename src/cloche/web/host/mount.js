// @ts-check
import { DEFAULT_LIMITS, isMessage, objection } from "../sandbox/limits.js";
import { SandboxFrame } from "./frame.js";
import { fetchText } from "./channel.js";
import { greetingOf, methodOf } from "./greeting.js";

/**
 * One view as it is shown: the sandbox on one side, the channel to the host on the other. What may be done came with the
 * packet; this carries it out, answers what it can, and reports.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {{
 *   shown: () => void,
 *   resized: (size: {width?: number, height?: number}) => void,
 *   ended: (code: string, message: string) => void,
 *   escaped: () => void,
 *   act: (frame: Params) => void,
 *   context: () => Params,
 * }} Stage what the element does for it
 */

const SENTENCES = {
  navigated: "The view went to another page, and was removed.",
  flood: "The view sent too many messages, and was removed.",
  unresponsive: "The view stopped responding, and was removed.",
  focus: "The view kept taking the keyboard, and was removed.",
  html: "The view could not be fetched from the host.",
  address: "The host named a sandbox that this page must not show: its address has to be on another origin.",
};

export class Mount {
  #isGreeted = false;
  /** @type {number | undefined} */
  #resizing;
  /** What the view is told as soon as it is initialized. @type {Params[]} */
  #first;
  /** What of it was told already, and comes from the host once more: as text. @type {string[]} */
  #told = [];

  /**
   * @param {any} packet
   * @param {import("./channel.js").ResumableChannel} channel
   * @param {Stage} stage
   * @param {SandboxFrame} [early] the view, when it is being loaded already
   */
  constructor(packet, channel, stage, early) {
    this.packet = packet;
    this.channel = channel;
    this.stage = stage;
    this.limits = { ...DEFAULT_LIMITS, ...packet.limits };
    this.methods = new Set(packet.methods ?? []);
    this.#first = packet.first ?? [];
    /** @type {import("./frame.js").SandboxHandlers} */
    this.handlers = {
      message: (message, gesture) => this.#fromView(message, gesture),
      event: (event) => this.#fromSandbox(event),
      ended: (why, facts) => this.#ended(why, facts),
    };
    this.frame = early ?? this.#newFrame();
    this.frame.element.title = packet.title || packet.tool || "App";
  }

  #newFrame() {
    const { sandbox, frame } = this.packet;
    const html = fetchText(new URL(this.packet.html, this.channel.socket.base).href);
    html.catch(() => {}); // told when the sandbox asks for it
    const { theme } = this.stage.context();
    return new SandboxFrame({ sandbox, frame, limits: this.limits, theme, html }, this.handlers);
  }

  /** From the host, in order. @param {Params} frame */
  receive(frame) {
    if (frame.bytes) this.frame.postBytes(frame.bytes);
    else if (frame.message) this.#isTold(frame.message) || this.frame.post(frame.message);
    else this.stage.act(frame);
  }

  /** The view may be spoken to: it need not wait until the host has heard of that. */
  #begin() {
    for (const message of this.#first.splice(0)) {
      this.#told.push(JSON.stringify(message));
      this.frame.post(message);
    }
  }

  /** Whether the view has this already: the host sends what it sends, whatever it gave beforehand. @param {Params} message */
  #isTold(message) {
    return this.#told.length > 0 && this.#told[0] === JSON.stringify(message) && this.#told.shift() !== undefined;
  }

  /** To the host. @param {string} event @param {Params} [facts] */
  report(event, facts) {
    this.channel.send({ ...facts, event });
  }

  /** Off the page; the host hears nothing of it from here. */
  remove() {
    if (this.#resizing !== undefined) cancelAnimationFrame(this.#resizing);
    this.frame.remove();
  }

  /** @param {keyof typeof SENTENCES | "blocked" | "silent"} why @param {any} facts */
  #ended(why, facts) {
    if (why === "flood" || why === "navigated" || why === "unresponsive") this.report(why, facts);
    else this.report("error", { message: this.#sentence(why) });
    this.stage.ended(why, this.#sentence(why));
  }

  /** @param {keyof typeof SENTENCES | "blocked" | "silent"} why */
  #sentence(why) {
    const { origin } = this.packet.sandbox;
    if (why === "blocked") return `This page's Content-Security-Policy forbids the view: add frame-src ${origin}`;
    if (why === "silent") {
      return `The sandbox at ${origin} does not answer: its name must reach host.wrap(…), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`;
    }
    return SENTENCES[why];
  }

  /** @param {Params} event */
  #fromSandbox(event) {
    if (event.event === "loaded") return this.stage.shown();
    if (event.event === "escape") return this.stage.escaped();
    if (HEARD.includes(event.event)) this.channel.send(shortened(event));
  }

  /** @param {any} message @param {unknown} gesture the number of the person's click, tap or key in the view just before */
  #fromView(message, gesture) {
    if (objection(message, this.limits) || !isMessage(message)) return;
    const method = methodOf(message);
    if (method === "ui/initialize" && message.id !== undefined) return this.#greet(message);
    if (method === "ping" && message.id !== undefined) return this.#answer(message.id, {});
    if (method === "ui/notifications/initialized") return this.report("initialized"), this.#begin();
    if (method === "ui/notifications/size-changed") return this.#resize(message.params ?? {});
    if (message.id !== undefined && typeof method === "string" && !this.methods.has(method)) {
      return this.#refuse(message.id, -32601, `Not available here: ${String(message.method).slice(0, 80)}`);
    }
    const paid = Number.isSafeInteger(gesture) && Number(gesture) > 0 ? { gesture } : {};
    if (!this.channel.send({ message, ...paid }) && message.id !== undefined) {
      this.#refuse(message.id, -32600, "The message is too large");
    }
  }

  /** @param {any} message */
  #greet({ id, params = {} }) {
    this.#answer(id, greetingOf(this.packet, this.stage.context(), params));
    this.greeted(params);
  }

  /** The view has its answer to `ui/initialize`. @param {Params} params what it said of itself */
  greeted(params) {
    if (!this.#isGreeted) this.report("initialize", { params, context: this.stage.context() });
    this.#isGreeted = true;
    this.stage.shown();
  }

  /** At most once per painted frame, whatever the view says in between. @param {Params} size */
  #resize(size) {
    const waits = this.#resizing !== undefined;
    this.#size = { ...(waits ? this.#size : {}), ...withinLimits(size, this.limits.maxHeight) };
    if (waits) return;
    this.#resizing = requestAnimationFrame(() => {
      this.#resizing = undefined;
      this.stage.resized(this.#size);
      this.report("size", this.#size);
    });
  }

  /** @type {{width?: number, height?: number}} */
  #size = {};

  /** @param {unknown} id @param {unknown} result */
  #answer(id, result) {
    this.frame.post({ jsonrpc: "2.0", id, result });
  }

  /** @param {unknown} id @param {number} code @param {string} message */
  #refuse(id, code, message) {
    this.frame.post({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

/** The largest number of pixels that a view may say it is wide. */
const WIDEST = 10_000;

/**
 * A size that a view asked for, as far as it is one.
 *
 * @param {Params} size
 * @param {number} [maxHeight]
 * @returns {{width?: number, height?: number}}
 */
export function withinLimits(size, maxHeight = 6000) {
  /** @type {{width?: number, height?: number}} */
  const sane = {};
  const most = { width: WIDEST, height: maxHeight };
  for (const name of /** @type {const} */ (["width", "height"])) {
    const value = size?.[name];
    if (typeof value === "number" && value >= 0) sane[name] = Math.min(Math.ceil(value), most[name]);
  }
  return sane;
}

/** What a sandbox reports of its view. */
const HEARD = ["violation", "error", "console"];

/** What a report may say: nothing that means something to the socket. */
const REPORTED = ["event", "message", "directive", "blocked", "level"];

/** What a sandbox reported, with nothing in it but short texts and a line. @param {Params} event */
function shortened(event) {
  const texts = REPORTED.filter((name) => typeof event[name] === "string");
  /** @type {Params} */
  const line = Number.isSafeInteger(event.line) && event.line > 0 ? { line: event.line } : {};
  // A cut may go through a character.
  return { ...Object.fromEntries(texts.map((name) => [name, event[name].slice(0, 500).toWellFormed()])), ...line };
}
