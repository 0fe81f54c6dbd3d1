// @ts-check
/**
 * Messages put together: a request with its answer and the progress in between is one exchange.
 *
 * @typedef {Record<string, any>} Told one message, as the playground tells it
 * @typedef {{
 *   id: number, lane: string, server: string, direction: string, method: string, name: string, at: number, size: number,
 *   request: Told | null, answer: Told | null, between: Told[], state: "open" | "done" | "failed" | "cancelled" | "notice",
 *   milliseconds?: number,
 * }} Exchange
 */

/** Exchanges that are kept. */
const MOST = 5000;

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

  clear() {
    this.all = [];
    this.#open.clear();
  }

  /** @param {Told} told @returns {Exchange} the exchange that it begins or goes on with */
  add(told) {
    const key = told.exchange === undefined ? "" : `${told.lane} ${told.server} ${told.view ?? ""} ${told.exchange}`;
    const open = key ? this.#open.get(key) : undefined;
    if (open && told.direction === open.direction) this.#open.delete(key);
    else if (open) return this.#goOn(open, told, key);
    /** @type {Exchange} */
    const made = {
      id: told.number,
      lane: told.lane,
      server: told.server,
      direction: told.direction,
      method: String(told.what),
      name: nameIn(told.body),
      at: told.at,
      size: told.size ?? 0,
      request: told,
      answer: null,
      between: [],
      state: key ? "open" : told.failed ? "failed" : "notice",
    };
    if (key) this.#open.set(key, made);
    this.all.push(made);
    if (this.all.length > MOST) this.all.splice(0, MOST / 5);
    return made;
  }

  /** @param {Exchange} open @param {Told} told @param {string} key */
  #goOn(open, told, key) {
    if (told.what === "notifications/progress" && open.method !== "notifications/progress") {
      open.between.push(told);
      return open;
    }
    this.#open.delete(key);
    open.answer = told;
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
  return `${lane} ${server} ${method} ${name} ${JSON.stringify([request?.body, answer?.body])}`.toLowerCase();
}
