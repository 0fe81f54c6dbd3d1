// @ts-check
import { forgetAsker, pageDialog } from "./page-dialog.js";
import { BASE, socketTo } from "./socket.js";
import { make } from "../elements.js";
import { hintsOf } from "../webmcp/hints.js";
import { valueOf } from "../webmcp/results.js";

/**
 * What the host says of a tool; `version` stands for all of it.
 *
 * @typedef {{
 *   name: string, title?: string, description: string, inputSchema: Record<string, any>,
 *   annotations: Record<string, boolean>, version: string,
 * }} Tool
 * @typedef {{resolve: (value: any) => void, reject: (error: any) => void}} Waiting
 */

/** The polyfill, where the browser has no `document.modelContext`. */
const POLYFILL = new URL("webmcp.js", BASE).href;

/**
 * `<mcp-tools ticket="…">`: tools of the host for the agent in the visitor's browser, on `document.modelContext`. The host
 * decides which there are, asks the person where its policy says so, and runs them.
 *
 * Its ticket is from `session.agent_tools_element()`. It takes no room. Its events: `statechange`, after which `state` is
 * "idle", "connecting", "ready" or "error"; and `toolschange`, after which `tools` names what the page offers.
 */
export class McpTools extends HTMLElement {
  static observedAttributes = ["ticket"];

  /** @type {"idle" | "connecting" | "ready" | "error"} */
  state = "idle";
  /** What went wrong: a word, and a sentence. @type {{code: string, message: string} | null} */
  error = null;

  /** @type {import("./channel.js").ResumableChannel | null} */
  #channel = null;
  /** What takes each tool out again, by its name. @type {Map<string, {version: string, over: AbortController}>} */
  #offered = new Map();
  /** Calls under way. @type {Map<number, Waiting>} */
  #calls = new Map();
  #count = 0;
  /** One list after the other. */
  #listing = Promise.resolve();

  connectedCallback() {
    this.style.display = "none";
    this.#open();
  }

  disconnectedCallback() {
    this.#close("The page offers its tools no longer");
    this.#become("idle");
  }

  attributeChangedCallback() {
    if (!this.isConnected) return;
    this.#close("The page has another ticket");
    this.#open();
  }

  /** The names of the tools that agents see. */
  get tools() {
    return [...this.#offered.keys()];
  }

  #open() {
    const ticket = this.getAttribute("ticket");
    if (!ticket || this.#channel) return;
    this.error = null;
    this.#become("connecting");
    let wasReady = false;
    const channel = this.#channel = socketTo(BASE).open(() => ({ agents: ticket }), {
      mounted: () => {
        wasReady = true;
        this.#become("ready");
      },
      frame: (frame) => this.#act(channel, frame),
      failed: (code, message) => {
        if (code === "unreachable") return; // the channel goes on trying
        this.#close(message);
        // The host was started anew, or waited too long for this page: it takes the same ticket again.
        if (code === "gone" && wasReady) return this.#open();
        this.#fail(code, message);
      },
    });
  }

  /** @param {import("./channel.js").ResumableChannel} channel @param {import("./channel.js").Frame} frame */
  #act(channel, frame) {
    if (frame.ask !== undefined) channel.ask(pageDialog(), frame.ask, frame.question);
    else if (frame.unask !== undefined) pageDialog().unask(frame.unask);
    else if (frame.bytes) this.#answered(JSON.parse(new TextDecoder().decode(frame.bytes)));
    else if (frame.message) this.#answered(frame.message);
    else if (frame.do === "tools") this.#listing = this.#listing.then(() => this.#offer(channel, frame.tools));
  }

  /** Offer these tools, and no others. @param {object} channel @param {Tool[]} tools */
  async #offer(channel, tools) {
    if (!("modelContext" in document)) await loadPolyfill();
    if (this.#channel !== channel) return;
    const context = /** @type {any} */ (document).modelContext;
    if (!context) {
      return this.#fail(
        "insecure",
        `This page has no document.modelContext: serve it by https, and let ${POLYFILL} load`,
      );
    }
    const versions = new Map(tools.map(({ name, version }) => [name, version]));
    for (const [name, { version, over }] of [...this.#offered]) {
      if (versions.get(name) === version) continue;
      this.#offered.delete(name);
      over.abort();
    }
    for (const tool of tools) if (!this.#offered.has(tool.name)) await this.#register(context, tool);
    this.dispatchEvent(new Event("toolschange"));
  }

  /** @param {any} context @param {Tool} tool */
  async #register(context, { annotations, version, ...tool }) {
    const over = new AbortController();
    const execute = (/** @type {any} */ input, /** @type {any} */ options) =>
      this.#call({ name: tool.name, arguments: input, version }, options?.signal);
    this.#offered.set(tool.name, { version, over });
    try {
      await context.registerTool({ ...tool, annotations: hintsOf(annotations), execute }, { signal: over.signal });
    } catch (error) {
      if (this.#offered.get(tool.name)?.over === over) this.#offered.delete(tool.name);
      // Whoever was first on this page keeps the name: nothing is put in its place.
      if (!over.signal.aborted) console.warn(`The tool ${tool.name} is not offered to agents: ${error}`);
    }
  }

  /** @param {Record<string, any>} params @param {AbortSignal} [signal] @returns {Promise<any>} */
  async #call(params, signal) {
    const id = ++this.#count;
    const result = await new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (!this.#channel?.send({ message: { jsonrpc: "2.0", id, method: "tools/call", params } })) {
        throw new Error(
          this.#channel ? "The arguments are longer than the host takes" : "The page offers it no longer",
        );
      }
      this.#calls.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => {
        if (!this.#calls.delete(id)) return;
        reject(signal.reason);
        const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
        this.#channel?.send({ message: cancelled });
      });
    });
    return valueOf(result);
  }

  /** @param {Record<string, any>} message */
  #answered({ id, result, error }) {
    const waiting = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) waiting?.reject(new Error(String(error.message)));
    else waiting?.resolve(result);
  }

  /** @param {string} code @param {string} message */
  #fail(code, message) {
    this.#close(message);
    this.error = { code, message };
    this.#become("error");
  }

  /** @param {string} reason */
  #close(reason) {
    for (const { over } of this.#offered.values()) over.abort();
    this.#offered.clear();
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
    if (this.#channel) forgetAsker(this.#channel);
    this.#channel?.close();
    this.#channel = null;
  }

  /** @param {McpTools["state"]} state */
  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

/** Resolves when it has run, or cannot be loaded. */
const loadPolyfill = () =>
  new Promise((resolve) => document.head.append(make("script", { src: POLYFILL, onload: resolve, onerror: resolve })));

if (!customElements.get("mcp-tools")) customElements.define("mcp-tools", McpTools);
