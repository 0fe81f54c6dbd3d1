// @ts-check
/**
 * What a client has told its server, so that a server that takes the place of the first can be told the same: the
 * greeting, the level of logs, subscriptions, and streams that stay open.
 *
 * @typedef {import("../transports/base.js").Message} Message
 */

const REPLAYED = "cloche:again:";
/** Requests that stay open for as long as the connection does. */
const STREAMS = ["subscriptions/listen"];

/** @param {Message} message */
export const isStream = ({ method }) => STREAMS.includes(method);

export class Session {
  /** @type {Map<string, Message>} in the order in which they were said */
  #said = new Map();
  #count = 0;

  /** The resources that the client subscribed to. */
  get subscribed() {
    return [...this.#said.values()].filter(({ method }) => method == "resources/subscribe").map(({ params }) =>
      params.uri
    );
  }

  /** @param {Message} message what the client sends */
  note(message) {
    const { id, method, params } = message;
    if (method == "initialize" || method == "notifications/initialized" || method == "logging/setLevel") {
      this.#said.set(method, message);
    }
    if (method == "resources/subscribe") this.#said.set("to " + params?.uri, message);
    if (method == "resources/unsubscribe") this.#said.delete("to " + params?.uri);
    if (isStream(message)) this.#said.set("stream " + id, message);
    if (method == "notifications/cancelled") this.#said.delete("stream " + params?.requestId);
  }

  /** @param {string | number} id a request was answered: if it was a stream, it is over */
  ended(id) {
    this.#said.delete("stream " + id);
  }

  /** What to say again. The answers are the old ones, so the client gets none; a stream keeps its own id. */
  again() {
    return [...this.#said.values()].map((message) =>
      "id" in message && !isStream(message) ? { ...message, id: REPLAYED + ++this.#count } : message
    );
  }

  /** @param {unknown} id whether this is the answer to something said again */
  swallows(id) {
    return typeof id == "string" && id.startsWith(REPLAYED);
  }
}
