// @ts-check
/**
 * A channel that every script of an origin may speak on, for those only who know a secret:
 *
 *     new BroadcastChannelTransport({channelName, seal: withSecret("known to both")})
 *
 * Each envelope carries `counter` and `mac`, the HMAC-SHA-256 of the channel's name as JSON and the envelope's JSON without
 * `mac`. What others say is dropped, and so is what was said on another channel under the same secret. Both ends need
 * this version: what was sealed without the channel's name, by a tab that has not been loaded again, is dropped, too.
 */
import { weigh } from "./base.js";

/** @typedef {Record<string, any>} Envelope */

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** What the option `seal` of the transports between tabs takes. @param {string} secret */
export const withSecret = (secret) => (/** @type {string} */ channel) => new Seal(secret, channel);

/** The seal of one speaker. */
class Seal {
  /** @type {Map<unknown, number>} The newest envelope of each other speaker; counters are times. */
  #heard = new Map();
  #born = Date.now();
  #counter = 0;

  /** @param {string} secret @param {string} channel */
  constructor(secret, channel) {
    this.channel = JSON.stringify(channel);
    this.key = crypto.subtle.importKey("raw", bytes(secret), ALGORITHM, false, ["sign", "verify"]);
  }

  /** @param {string} text of an envelope */
  #signed(text) {
    return bytes(this.channel + text);
  }

  /**
   * The envelope with what proves that its sender knows the secret.
   *
   * @param {Envelope} envelope
   * @returns {Promise<Envelope>}
   */
  async close(envelope) {
    const counter = this.#counter = Math.max(Date.now(), this.#counter + 1);
    const text = JSON.stringify({ ...envelope, counter });
    return { ...JSON.parse(text), mac: await crypto.subtle.sign("HMAC", await this.key, this.#signed(text)) };
  }

  /**
   * The envelope as it was signed, and nothing besides. Throws when it was not signed by one who knows the secret, or
   * was heard before, or was said before this one was there.
   *
   * @param {Envelope} envelope
   * @param {number} [limit] of its length
   * @returns {Promise<Envelope>}
   */
  async open({ mac, ...envelope }, limit) {
    const { instanceId, counter } = envelope;
    const { flaw } = weigh(envelope, limit, false);
    if (flaw) throw new Error(flaw);
    const text = JSON.stringify(envelope);
    const isSigned = await crypto.subtle.verify("HMAC", await this.key, mac, this.#signed(text));
    if (!isSigned || !(counter > (this.#heard.get(instanceId) ?? this.#born - 1))) throw new Error("not sealed");
    this.#heard.set(instanceId, counter);
    return JSON.parse(text);
  }
}
