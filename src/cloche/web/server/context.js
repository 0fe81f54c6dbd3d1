// @ts-check
/**
 * What a handler gets beside its arguments: the request it answers, and ways to tell and ask the client something.
 *
 * In the handshake era a question goes to the client as a request. In the stateless era there is no way back: the call is
 * answered with the question, the client repeats the call with the answer, and the handler runs again from the top;
 * what was answered before is there at once, and `once` keeps an effect from happening twice.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {{
 *   version: string, capabilities: Params, info?: Params, logLevel?: string, stateless: boolean,
 * }} Peer the client, as far as it said
 * @typedef {{answers: Params, done: Params}} Memory what a call keeps over its repetitions
 */
import { ASK_TIMEOUT, CONNECTION_CLOSED, LOG_LEVELS, META, MISSING_CAPABILITY } from "../protocol.js";
import { isObject } from "../json.js";
import { RpcError } from "../rpc.js";
import * as say from "../sentences.js";
import { invalidParams } from "./results.js";
import { schemaFlaw } from "./schema-check.js";
import { misfit } from "./schema.js";

export class Context {
  #order = 0;
  /** @type {Params} Questions that the call is answered with. */
  questions = {};

  /**
   * @param {import("./connection.js").Connection} connection
   * @param {Peer} peer
   * @param {{id: string | number, method: string, params: Params}} request
   * @param {AbortSignal} signal
   * @param {Memory | undefined} memory
   */
  constructor(connection, peer, { id, method, params }, signal, memory) {
    this.connection = connection;
    this.peer = peer;
    this.id = id;
    this.method = method;
    this.meta = params._meta ?? {};
    /** Aborted when nobody waits for the outcome any more. */
    this.signal = signal;
    this.memory = memory;
  }

  get protocolVersion() {
    return this.peer.version;
  }

  get clientInfo() {
    return this.peer.info;
  }

  get clientCapabilities() {
    return this.peer.capabilities;
  }

  /**
   * Say how far the work is; nothing is sent when the client did not ask for it.
   *
   * @param {number} progress
   * @param {number} [total]
   * @param {string} [message]
   */
  progress(progress, total, message) {
    const { progressToken } = this.meta;
    if (progressToken === undefined || this.signal.aborted) return;
    this.connection.tell("notifications/progress", { progressToken, progress, total, message });
  }

  /**
   * Send a log message, when the client wants messages of this level.
   *
   * @param {string} level
   * @param {any} data
   * @param {string} [logger]
   */
  log(level, data, logger) {
    const { stateless, logLevel } = this.peer;
    const wanted = stateless ? this.meta[META + "logLevel"] : logLevel ?? "info";
    if (wanted === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(wanted)) return;
    this.connection.tell("notifications/message", { level, data, logger });
  }

  /**
   * Ask the client's model.
   *
   * @param {string | any[]} messages
   * @param {Params & {key?: string}} [options] `maxTokens`, `systemPrompt`, `temperature` and so on
   * @returns {Promise<Params>} `role`, `content`, `model`
   */
  async sample(messages, { key, ...options } = {}) {
    const given = [messages].flat().map((item) =>
      typeof item == "string" ? { role: "user", content: { type: "text", text: item } } : item
    );
    const params = { maxTokens: 1024, ...options, messages: given };
    const answer = await this.#ask(key, "sampling", "sampling/createMessage", params);
    if (!isObject(answer) || !("content" in answer)) throw invalidParams("The client's answer has no content");
    return answer;
  }

  /**
   * Ask the user to fill in a form.
   *
   * @param {string} message
   * @param {Params} requestedSchema a flat JSON Schema
   * @param {{key?: string}} [options]
   * @returns {Promise<{action: string, content?: Params}>} `action` is "accept", "decline" or "cancel"
   */
  async elicit(message, requestedSchema, { key } = {}) {
    const schema = { type: "object", ...requestedSchema };
    const unclear = schemaFlaw(schema);
    if (unclear) throw new TypeError("The form of an elicitation cannot be checked: " + unclear);
    const params = { mode: "form", message, requestedSchema };
    const answer = elicited(await this.#ask(key, "elicitation", "elicitation/create", params));
    if (answer.action != "accept") return { action: answer.action };
    const flaw = misfit(schema, answer.content ?? {});
    if (flaw) throw invalidParams("The answer to the elicitation does not fit its form: " + flaw);
    return { action: "accept", content: answer.content ?? {} };
  }

  /**
   * Ask the user to visit a URL, for what must not pass through the client.
   *
   * @param {string} message
   * @param {string} url
   * @param {{key?: string, elicitationId?: string}} [options]
   */
  async elicitUrl(message, url, { key, elicitationId = url } = {}) {
    if (!isObject(this.peer.capabilities.elicitation?.url)) this.#lacks("elicitation", "elicitation/create with a URL");
    const params = { mode: "url", message, url, elicitationId };
    return { action: elicited(await this.#ask(key, "elicitation", "elicitation/create", params)).action };
  }

  /**
   * Ask for the folders that the client lets the server work in.
   *
   * @param {{key?: string}} [options]
   * @returns {Promise<Params[]>}
   */
  async roots({ key } = {}) {
    const answer = await this.#ask(key, "roots", "roots/list", {});
    if (!Array.isArray(answer?.roots)) throw invalidParams("The client's answer to roots/list has no roots");
    return answer.roots;
  }

  /**
   * Do something once, however often the call is repeated to answer questions.
   *
   * @template T
   * @param {string} key
   * @param {() => T | Promise<T>} work
   * @returns {Promise<T>}
   */
  async once(key, work) {
    if (!this.memory) return await work();
    if (!Object.hasOwn(this.memory.done, key)) this.memory.done[key] = await work();
    return this.memory.done[key];
  }

  /** @param {string | undefined} given @param {string} capability @param {string} method @param {Params} params */
  async #ask(given, capability, method, params) {
    const key = given ?? `${capability}-${++this.#order}`;
    const { memory, peer } = this;
    if (memory && Object.hasOwn(memory.answers, key)) return memory.answers[key];
    if (!isObject(peer.capabilities[capability])) this.#lacks(capability, method);
    if (!peer.stateless) {
      return await this.connection.ask(method, params, { timeout: ASK_TIMEOUT, signal: this.signal });
    }
    const lost = method + " needs a way back to the client, and this request has none";
    if (!memory) throw new RpcError(CONNECTION_CLOSED, lost);
    this.questions[key] = { method, params };
    throw new Error("The client must answer first");
  }

  /** @param {string} capability @param {string} method */
  #lacks(capability, method) {
    const data = { requiredCapabilities: { [capability]: {} } };
    throw new RpcError(MISSING_CAPABILITY, say.missingCapability(method, capability), data);
  }
}

/** @param {any} answer */
function elicited(answer) {
  if (["accept", "decline", "cancel"].includes(answer?.action)) return answer;
  throw invalidParams("The client's answer to elicitation/create has no action");
}
