// @ts-check
/**
 * What a view may send: how much, how deep, how often. The proxy asks before it passes anything on, and the host's page
 * asks again, because a view with permissions shares the proxy's origin.
 *
 * @typedef {{bytes: number, depth: number, rate: number, burst: number, pending: number, maxHeight?: number}} Limits
 */
import { isJson, isKnown } from "../json.js";
import { INVALID_REQUEST } from "../protocol.js";
import { idInUse } from "../sentences.js";

/** What holds where the host said nothing. @type {Limits} */
export const DEFAULT_LIMITS = { bytes: 1_000_000, depth: 64, rate: 100, burst: 400, pending: 64, maxHeight: 6000 };

/** What each value of a message costs beside its text: quotes, commas, and the work of looking at it. */
const OVERHEAD = 4;

/**
 * Why a message may not pass, or `null`. It must be plain JSON: `postMessage` also carries cycles, dates, buffers, ports,
 * halves of characters that no UTF-8 has, and an own `__proto__` that poisons whatever it is copied into. Stops looking
 * as soon as it is too much.
 *
 * @param {unknown} message
 * @param {{bytes: number, depth: number}} limits
 * @returns {string | null}
 */
export function objection(message, { bytes, depth }) {
  /** @type {string[]} */
  const path = [];
  let left = bytes;
  let wrong = "";
  const isFine = isJson(message, (value) => {
    const key = path.at(-1) ?? "";
    const text = typeof value === "string" ? value : "";
    // A list can be a billion long and hold nothing, until it is written out.
    left -= OVERHEAD + key.length + text.length + (Array.isArray(value) ? value.length : 0);
    if (left < 0) wrong = "is too large";
    else if (!text.isWellFormed()) wrong = "holds half a character";
    else if (Object(value) === value && path.length >= depth) wrong = "is nested too deeply";
    else if (!isKnown(value) || typeof value === "symbol" || !key.isWellFormed()) wrong = "is not JSON";
    return !wrong;
  }, path);
  return isFine ? null : wrong || "is not JSON";
}

/** Whether it is an object that says it is JSON-RPC; a list can say so too. @param {any} message */
export function isMessage(message) {
  return typeof message === "object" && !Array.isArray(message) && message?.jsonrpc === "2.0";
}

/** So many at once, then so many per second. */
export class Bucket {
  /** @param {number} rate per second @param {number} burst @param {() => number} [now] milliseconds */
  constructor(rate, burst, now = () => performance.now()) {
    this.rate = rate;
    this.burst = burst;
    this.now = now;
    this.left = burst;
    this.last = now();
  }

  /** Take one, if there is one. */
  take() {
    const now = this.now();
    this.left = Math.min(this.burst, this.left + (now - this.last) / 1000 * this.rate);
    this.last = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}

/** Everything that one view sends passes here. A message too many is refused; who goes on regardless is cut off. */
export class Gate {
  /** Ids of requests that wait for their answer. @type {Set<unknown>} */
  #waiting = new Set();

  /** @param {Limits} limits @param {() => number} [now] */
  constructor(limits, now) {
    this.limits = limits;
    this.passing = new Bucket(limits.rate, limits.burst, now);
    this.patience = new Bucket(limits.rate, limits.burst, now);
    this.count = 0;
  }

  /**
   * @param {any} message
   * @returns {"pass" | "drop" | "cut" | {code: number, message: string}} an object is an error to answer a request with
   */
  judge(message) {
    this.count += 1;
    if (!this.passing.take()) {
      if (!this.patience.take()) return "cut";
      return this.#refusal(message, -32000, "Too many messages: wait a moment");
    }
    const wrong = objection(message, this.limits);
    if (wrong) return this.#refusal(message, INVALID_REQUEST, "The message " + wrong);
    if (!isMessage(message)) return "drop";
    if (!isRequest(message)) return "pass";
    if (this.#waiting.has(message.id)) return this.#refusal(message, INVALID_REQUEST, idInUse());
    if (this.#waiting.size >= this.limits.pending) return this.#refusal(message, -32000, "Too many requests at once");
    this.#waiting.add(message.id);
    return "pass";
  }

  /** An answer, or anything else, goes to the view. @param {any} message */
  answered(message) {
    if (message?.method === undefined) this.#waiting.delete(message?.id);
  }

  /** @param {any} message @param {number} code @param {string} text */
  #refusal(message, code, text) {
    return isRequest(message) ? { code, message: text } : "drop";
  }
}

/** @param {any} message */
const isRequest = (message) => typeof message?.method === "string" && /^(string|number)$/.test(typeof message.id);
