// @ts-check
/**
 * A server that runs in this page, offered to the host: `offerServer({ticket, transport})`. The host's model can call
 * its tools, when the person at this page allows it.
 *
 * @typedef {import("../transports/base.js").Transport} Transport
 * @typedef {import("../transports/base.js").Message} Message
 * @typedef {{
 *   ticket: string | (() => string | Promise<string>),
 *   transport: Transport | Worker | MessagePort,
 *   base?: string,
 * }} Offering `ticket` is what `session.offer(name)` gave, or a function that fetches one; `transport` leads to the server,
 *   or is the worker or port that it is in; `base` is where the host answers, else where this script is from
 */
import { PortTransport } from "../transports/port.js";
import { failure } from "./channel.js";
import { forgetAsker, pageDialog } from "./page-dialog.js";
import { Relay } from "./relay.js";
import { BASE, socketTo } from "./socket.js";

/** Offer a server of this page to the host. @param {Offering} offering */
export const offerServer = (offering) => new OfferedServer(offering);

/** One offered server. Its event `statechange` tells that `state` is another one. */
export class OfferedServer extends EventTarget {
  /** @type {"connecting" | "offered" | "error" | "closed"} */
  state = "connecting";
  /** What went wrong: a word, and a sentence. @type {{code: string, message: string} | null} */
  error = null;

  /** @type {import("./channel.js").ResumableChannel | null} */
  #channel = null;
  /** Whether the host has taken the offer up on this channel. */
  #isMounted = false;
  /** @type {Relay} */
  #relay;
  /** @type {(() => void)[]} */
  #stops = [];
  /** Aborted when it is offered no longer. */
  #over = new AbortController();

  /** @param {Offering} offering */
  constructor({ ticket, transport, base = BASE }) {
    super();
    // By what it can do, because a module that is loaded from two addresses has two classes of every name.
    this.transport = "onMessage" in transport ? transport : new PortTransport(transport);
    this.base = new URL(base.replace(/\/?$/, "/"), document.baseURI).href;
    this.ticket = ticket;
    this.#relay = new Relay((message) => this.#toServer(message), (message) => this.#toHost(message));
    this.#stops = [
      this.transport.onMessage((message) => this.#relay.fromServer(message)),
      this.transport.onClose(() => this.close()),
    ];
    document.addEventListener("visibilitychange", this.#looked, this.#over);
    addEventListener("focus", this.#looked, this.#over);
    this.#open();
  }

  /** Offer it no longer. The server itself goes on. */
  close() {
    this.#end("closed", null);
  }

  async #open() {
    this.#isMounted = false;
    /** @type {string} */
    let ticket;
    try {
      ticket = typeof this.ticket === "function" ? await this.ticket() : this.ticket;
    } catch (error) {
      return this.#end("error", { code: "ticket", message: `There is no ticket: ${error}` });
    }
    if (this.state === "closed") return;
    this.#channel = socketTo(this.base).open(() => ({ offer: ticket, visible: !document.hidden }), {
      mounted: () => {
        this.#isMounted = true;
        this.error = null;
        this.#become("offered");
      },
      frame: (frame) => this.#fromHost(frame),
      failed: (code, message) => this.#failed(code, message),
    });
  }

  /** @param {string} code @param {string} message */
  #failed(code, message) {
    if (code === "unreachable") { // the channel goes on trying
      this.error = { code, message };
      return this.#become("connecting");
    }
    const wasMounted = this.#isMounted;
    this.#channel?.close();
    this.#channel = null;
    this.#relay.forget();
    // The host was started anew, or waited too long for this page: it takes the same offer again.
    if (code !== "gone" || !wasMounted) return this.#end("error", { code, message });
    this.#become("connecting");
    this.#open();
  }

  /** @param {import("./channel.js").Frame} frame */
  #fromHost(frame) {
    if (frame.bytes) this.#relay.fromHost(JSON.parse(new TextDecoder().decode(frame.bytes)));
    else if (frame.message) this.#relay.fromHost(frame.message);
    else if (frame.ask !== undefined) this.#channel?.ask(pageDialog(), frame.ask, frame.question);
    else if (frame.unask !== undefined) pageDialog().unask(frame.unask);
  }

  /** @param {Message} message */
  #toServer(message) {
    try {
      this.transport.send(message);
    } catch (error) {
      if (message.method && message.id !== undefined) this.#relay.fromServer(failure(message.id, `${error}`));
    }
  }

  /** @param {Message} message */
  #toHost(message) {
    if (this.#isMounted) this.#channel?.pass(message);
  }

  /** The tab that the person looked at last answers. */
  #looked = () => {
    if (!document.hidden && this.#isMounted) this.#channel?.send({ event: "visible" });
  };

  /** @param {"error" | "closed"} state @param {{code: string, message: string} | null} error */
  #end(state, error) {
    if (this.state === "closed" || this.state === "error") return;
    for (const stop of this.#stops.splice(0)) stop();
    this.#over.abort();
    this.#relay.forget();
    if (this.#channel) forgetAsker(this.#channel);
    this.#channel?.close();
    this.#channel = null;
    this.error = error;
    this.#become(state);
  }

  /** @param {OfferedServer["state"]} state */
  #become(state) {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}
