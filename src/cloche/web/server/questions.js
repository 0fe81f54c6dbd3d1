// @ts-check
/**
 * Calls of the newer era that were answered with a question, until the client comes back with the answer. What they
 * remember stays here, so a client can neither read nor forge it.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {import("./context.js").Memory} Memory
 */
import { isObject } from "../json.js";
import { STATE_TIMEOUT } from "../protocol.js";
import { generateRequestId } from "../rpc.js";
import { invalidParams } from "./results.js";

/** Questions that may be open; the oldest is forgotten first. */
const MOST_QUESTIONS = 64;

export class Questions {
  /** @type {Map<string, {call: string, memory: Memory, expires: number}>} */
  #open = new Map();

  /**
   * What a call remembers: nothing, or what it did and was told before.
   *
   * @param {Params} params
   * @param {string} call what the state must have been made for
   * @returns {Memory}
   */
  memory({ requestState, inputResponses = {} }, call) {
    if (!isObject(inputResponses)) throw invalidParams("Invalid params: inputResponses is not an object");
    if (requestState === undefined) return { answers: { ...inputResponses }, done: {} };
    const open = this.#open.get(requestState);
    if (!open || open.expires < Date.now()) {
      throw invalidParams("The request state has expired: repeat the request without it");
    }
    if (open.call != call) throw invalidParams("The request state belongs to another request");
    this.#open.delete(requestState);
    return { answers: { ...open.memory.answers, ...inputResponses }, done: open.memory.done };
  }

  /** The answer that asks back. @param {Params} inputRequests @param {string} call @param {Memory} memory */
  ask(inputRequests, call, memory) {
    const requestState = generateRequestId();
    if (this.#open.size >= MOST_QUESTIONS) this.#open.delete(this.#open.keys().next().value ?? "");
    this.#open.set(requestState, { call, memory, expires: Date.now() + STATE_TIMEOUT });
    return { resultType: "input_required", inputRequests, requestState };
  }
}
