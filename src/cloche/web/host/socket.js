// @ts-check
import { ResumableChannel } from "./channel.js";

/** Where the host answers: beside this script, whatever origin the page has. */
export const BASE = new URL(".", import.meta.url).href;

const SUBPROTOCOL = "cloche.1";
/** Milliseconds before the first and the longest wait between two attempts to connect. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;
/** How long a connection that no view uses stays open: moving an element closes one view and opens another. */
const IDLE = 1000;

/** @type {Map<string, Socket>} */
const sockets = new Map();

/** The one connection of this page to a host. @param {string} base */
export function socketTo(base) {
  const socket = sockets.get(base) ?? new Socket(base);
  sockets.set(base, socket);
  return socket;
}

/** One WebSocket for all views of a page. It comes back by itself, and the views go on where they were. */
export class Socket {
  /** @type {Map<number, ResumableChannel>} */
  #channels = new Map();
  #count = 0;
  /** @type {WebSocket | null} */
  #socket = null;
  #attempts = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} base */
  constructor(base) {
    this.base = base;
    const wake = () => {
      if (this.#timer !== undefined && !document.hidden) this.#connect();
    };
    addEventListener("online", wake);
    document.addEventListener("visibilitychange", wake);
    // A page that goes for good says so; one that the browser keeps may come back.
    addEventListener("pagehide", ({ persisted }) => {
      if (!persisted && this.isOpen) { for (const view of this.#channels.keys()) this.send({ close: view }); }
    });
  }

  /** Whether what is sent now goes out. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * A channel for one more view.
   *
   * @param {import("./channel.js").Opening} opening
   * @param {import("./channel.js").Handlers} handlers
   */
  open(opening, handlers) {
    const channel = new ResumableChannel(this, ++this.#count, opening, handlers);
    this.#channels.set(channel.view, channel);
    if (this.isOpen) channel.connected();
    else if (!this.#socket && this.#timer === undefined) this.#connect();
    return channel;
  }

  /** @param {ResumableChannel} channel */
  drop(channel) {
    this.#channels.delete(channel.view);
    if (this.isOpen) this.send({ close: channel.view });
    setTimeout(() => this.#channels.size === 0 && this.#stop(), IDLE);
  }

  /** A connection that is closing takes nothing any more: what counts is sent again on the next. @param {object} frame */
  send(frame) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(frame));
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = new WebSocket(new URL("socket", this.base).href.replace(/^http/, "ws"), SUBPROTOCOL);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = 0;
      this.send({ hello: 1 });
      for (const channel of this.#channels.values()) channel.connected();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = (event) => this.#socket === socket && this.#lost(event);
  }

  /** @param {CloseEvent} event */
  #lost(event) {
    this.#socket = null;
    if (this.#channels.size === 0) return;
    this.#attempts += 1;
    for (const channel of [...this.#channels.values()]) channel.disconnected(this.#attempts, event.reason);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.#attempts - 1));
    // Not all pages of all people at the same moment after a restart.
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  /** @param {string} text */
  #receive(text) {
    const frame = JSON.parse(text);
    this.#channels.get(frame.view)?.receive(frame);
  }
}
