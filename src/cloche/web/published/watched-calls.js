// @ts-check
/**
 * The views of the calls that a client makes, in the frame in which it shows this page: the page hears what passes through
 * it, and shows the view of the newest call. What the view asks goes to Python beside the client's own requests, in the
 * session that the client has.
 *
 * @typedef {import("../transports/base.js").Message} Message
 */
import { McpClient } from "../client.js";
import { make } from "../elements.js";
import { ViewServer } from "./view-server.js";
import { viewOf, Views } from "./views.js";

export class WatchedCalls {
  /** The calls that are under way, by the client's ids. @type {Map<any, {tool: string, shown?: ReturnType<import("./views.js").ViewRoom["begin"]>}>} */
  #calls = new Map();
  /** The tools as they were last listed. @type {Promise<any[]> | undefined} */
  #tools;

  /**
   * @param {Record<string, string>} policies
   * @param {import("../transports/base.js").Transport} transport to Python
   * @param {{seen: (result: any) => any, storage: import("../frames/storage.js").SessionStorage}} options
   */
  constructor(policies, transport, { seen, storage }) {
    this.transport = transport;
    // The client of the other page has greeted the server, or will.
    this.client = new McpClient(transport, { name: "view", isGreeted: true });
    const views = new Views(policies, new ViewServer(this.client, seen), storage);
    this.room = views.room();
    this.name = make("h2", {});
    this.element = make(
      "section",
      { class: "panel", hidden: true, "aria-label": "View" },
      this.name,
      this.room.element,
    );
  }

  /** Whether this answers what a view asked, or tells it how far that is. @param {Message} message */
  isOwn({ id, method, params }) {
    const { pending } = this.transport.rpc;
    return method ? method === "notifications/progress" && pending.has(params?.progressToken) : pending.has(id);
  }

  /** The client says this to the server. @param {Message} message */
  asked({ id, method, params }) {
    if (method === "notifications/cancelled") this.#end(params?.requestId, "The client cancelled the call");
    if (method !== "tools/call" || typeof params?.name !== "string") return;
    const call = { tool: params.name, shown: undefined };
    this.#calls.set(id, call);
    this.#show(call, params.arguments ?? {});
  }

  /** The server says this to the client. @param {Message} message */
  answered({ id, method, result, error }) {
    if (method || !this.#calls.has(id)) return;
    if (error) return this.#end(id, "The call failed");
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    // The client asks once more, with the answers.
    if (result?.resultType === "input_required") return;
    Promise.resolve(call?.shown).then((shown) => shown?.finish(result));
  }

  /** @param {any} id @param {string} reason */
  #end(id, reason) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    Promise.resolve(call?.shown).then((shown) => shown?.cancel(reason));
  }

  /** @param {{tool: string, shown?: any}} call @param {Record<string, any>} input */
  #show(call, input) {
    call.shown = this.#tool(call.tool).then((tool) => {
      if (!tool || !viewOf(tool)) return undefined;
      this.name.textContent = tool.title ?? tool.name;
      this.element.hidden = false;
      return this.room.begin(tool, input);
    }).catch((error) => console.warn(`The view of ${call.tool} is not shown: ${error.message}`));
  }

  /** @param {string} name @returns {Promise<any>} */
  async #tool(name) {
    this.#tools ??= this.client.listTools();
    try {
      return (await this.#tools).find((one) => one.name === name);
    } catch (error) {
      this.#tools = undefined;
      throw error;
    }
  }
}
