// @ts-check
/**
 * Messages put together: a request with its answer and the progress in between is one exchange.
 *
 * @typedef {Record<string, any>} Told one message, as the playground tells it
 * @typedef {{
 *   id: number, lane: string, server: string, direction: string, method: string, name: string, at: number, size: number,
 *   request: Told | null, answer: Told | null, between: Told[], state: "open" | "done" | "failed" | "cancelled" | "notice",
 *   milliseconds?: number, progress: number, held: number, key: string,
 * }} Exchange `between` are the latest of `progress` reports; `held` is about how many bytes it keeps
 */

/** Exchanges that are kept, and bytes of them. The playground cuts what is larger than 64 kB. */
const MOST = 5000;
const MOST_BYTES = 32e6;
const LARGEST = 64 * 1024;

/** Reports of progress that are kept for one request. */
const MOST_BETWEEN = 50;

/** What says little to somebody who looks for something: handshakes, lists, signs of life. */
const NOISE = new Set([
  ...[
    "ping",
    "initialize",
    "server/discover",
    "logging/setLevel",
    "notifications/initialized",
    "notifications/progress",
  ],
  ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"],
  ...["ui/initialize", "ui/notifications/initialized", "ui/notifications/size-changed"],
]);

export class Exchanges {
  /** @type {Exchange[]} */
  all = [];
  /** Requests without an answer, by lane and number. @type {Map<string, Exchange>} */
  #open = new Map();
  /** Messages that are not here any more, or never came: the playground numbers them without gaps. */
  lost = 0;
  #last = 0;
  #held = 0;

  clear() {
    this.all = [];
    this.#open.clear();
    this.lost = 0;
    this.#held = 0;
  }

  /** Another playground counts from the start. */
  begin() {
    this.clear();
    this.#last = 0;
  }

  /** Every message up to this one was told, or is lost. @param {number} number */
  reach(number) {
    if (number > this.#last) this.lost += number - this.#last;
    this.#last = Math.max(this.#last, number);
  }

  /** @param {Told} told @returns {Exchange} the exchange that it begins or goes on with */
  add(told) {
    this.reach(told.number - 1);
    this.#last = told.number;
    const key = told.exchange === undefined ? "" : `${told.lane} ${told.server} ${told.view ?? ""} ${told.exchange}`;
    const open = key ? this.#open.get(key) : undefined;
    if (open && told.direction === open.direction) this.#open.delete(key);
    else if (open) return this.#goOn(open, told, key);
    const isAnswer = told.milliseconds !== undefined; // to a request that is not here any more
    /** @type {Exchange} */
    const made = {
      id: told.number,
      lane: told.lane,
      server: told.server,
      direction: told.direction,
      method: String(told.what),
      ...isAnswer ? { milliseconds: told.milliseconds } : {},
      name: nameIn(told.body),
      at: told.at,
      size: told.size ?? 0,
      request: told,
      answer: null,
      between: [],
      progress: 0,
      held: 0,
      key,
      state: told.failed ? "failed" : isAnswer ? "done" : key ? "open" : "notice",
    };
    if (key && !isAnswer) this.#open.set(key, made);
    this.all.push(made);
    this.#hold(made, told);
    return made;
  }

  /** @param {Exchange} exchange @param {Told} told what it holds now, too */
  #hold(exchange, told) {
    const bytes = 200 + Math.min(told.size ?? 0, LARGEST);
    exchange.held += bytes;
    this.#held += bytes;
    if (this.all.length > MOST || this.#held > MOST_BYTES) this.#forget();
  }

  /** Some at once, so that it is done seldom. */
  #forget() {
    let count = 0;
    const most = Math.max(this.all.length - MOST * 4 / 5, 1);
    while (count < this.all.length - 1 && (count < most || this.#held > MOST_BYTES * 4 / 5)) {
      const { held, progress, answer, key } = this.all[count++];
      this.#held -= held;
      this.lost += 1 + progress + (answer ? 1 : 0);
      if (!answer) this.#open.delete(key);
    }
    this.all.splice(0, count);
  }

  /** @param {Exchange} open @param {Told} told @param {string} key */
  #goOn(open, told, key) {
    if (told.what === "notifications/progress" && open.method !== "notifications/progress") {
      open.progress += 1;
      open.between.push(told);
      if (open.between.length > MOST_BETWEEN) open.between.shift();
      else this.#hold(open, told);
      return open;
    }
    this.#open.delete(key);
    open.answer = told;
    this.#hold(open, told);
    open.size += told.size ?? 0;
    open.milliseconds = told.milliseconds ?? Math.round((told.at - open.at) * 10_000) / 10;
    open.state = told.failed ? isCancelled(told) ? "cancelled" : "failed" : told.body?.isError ? "failed" : "done";
    return open;
  }
}

/** @param {Told} told */
const isCancelled = ({ body }) => body?.error === "cancelled" || /\bcancell?ed\b/i.test(String(body?.error ?? ""));

/** The tool, resource or prompt that a message is about. @param {any} body */
function nameIn(body) {
  const given = body?.name ?? body?.uri ?? body?.ref?.name ?? body?.ref?.uri;
  return typeof given === "string" ? given : "";
}

/** @param {Exchange} exchange */
export function isNoise({ method, lane, state }) {
  if (state === "failed") return false;
  return lane === "page" ? !["violation", "error", "console"].includes(method) : NOISE.has(method);
}

/** What a filter looks at. @param {Exchange} exchange */
export function textOf({ lane, server, method, name, request, answer }) {
  return `${lane} ${server} ${method} ${name} ${JSON.stringify([request?.body, answer?.body])} ${request?.cut ?? ""} ${
    answer?.cut ?? ""
  }`.toLowerCase();
}
