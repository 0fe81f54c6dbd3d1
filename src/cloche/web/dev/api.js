// @ts-check
/**
 * The playground's socket: ask for something, and hear what happens.
 *
 * @typedef {Record<string, any>} Told
 */

const SUBPROTOCOL = "cloche.dev.1";
const LONGEST_WAIT = 5000;

/** The token of the printed address. Every other address of the page lives without it, in this tab and in others. */
function tokenOf() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    localStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? localStorage.getItem("token") ?? "";
}

export class Api extends EventTarget {
  #count = 0;
  #wait = 250;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #asked = new Map();
  /** @type {WebSocket | null} */
  #socket = null;
  #token = tokenOf();
  /** What this page has heard last, and of which run of the playground. */
  #heard = { run: "", seq: 0 };

  connect() {
    const socket = new WebSocket(`ws://${location.host}/dev/socket`, SUBPROTOCOL);
    this.#socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ token: this.#token, ...this.#heard })));
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    socket.addEventListener("close", ({ reason }) => this.#lost(reason));
  }

  /**
   * Hear of an event of the playground. @param {string} name @param {(told: Told) => void} handle
   * @returns {() => void} stops it
   */
  on(name, handle) {
    const heard = (/** @type {Event} */ event) => handle(/** @type {CustomEvent} */ (event).detail);
    this.addEventListener(name, heard);
    return () => this.removeEventListener(name, heard);
  }

  /** @param {string} what @param {Told} [params] @returns {Promise<any>} */
  ask(what, params = {}) {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) throw Error("The playground is not running");
      this.#asked.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, do: what, ...params }));
    });
  }

  /** @param {Told} told */
  #receive(told) {
    if (told.event === "ready") this.#wait = 250;
    if (told.event === "begin") return this.#begin(told.run);
    if (told.seq) this.#heard.seq = told.seq;
    if (told.event) return this.dispatchEvent(new CustomEvent(told.event, { detail: told }));
    const asked = this.#asked.get(told.id);
    this.#asked.delete(told.id);
    if (told.error !== undefined) asked?.reject(Error(told.error));
    else asked?.resolve(told.value);
  }

  /** What was heard of another run is over: its numbers are given out again. @param {string} run */
  #begin(run) {
    if (this.#heard.run && this.#heard.run !== run) this.dispatchEvent(new CustomEvent("anew"));
    if (this.#heard.run !== run) this.#heard = { run, seq: 0 };
  }

  /** @param {string} reason */
  #lost(reason) {
    for (const { reject } of this.#asked.values()) reject(Error("The playground has stopped"));
    this.#asked.clear();
    this.dispatchEvent(new CustomEvent("lost", { detail: { reason } }));
    if (reason === "token") return;
    setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }
}
