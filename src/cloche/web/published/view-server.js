// @ts-check
/**
 * What a view in the page gets of its server: the tools that are for views, and resources. What comes back has no secret
 * of the setup in it.
 *
 * @typedef {import("../client.js").McpClient} McpClient
 * @typedef {(method: string, params: Record<string, any>) => void} Tell
 */
import { isObject } from "../json.js";
import { INVALID_PARAMS } from "../protocol.js";
import { RpcError } from "../rpc.js";

/** Subscriptions that one view may have. */
const FOLLOWED = 50;

export class ViewServer {
  /** @type {Promise<any[]> | undefined} */
  #tools;

  /**
   * @param {McpClient} client
   * @param {(result: any) => any} seen a result as a view may see it
   */
  constructor(client, seen) {
    this.client = client;
    this.seen = seen;
    client.onNotification("notifications/tools/list_changed", () => this.#tools = undefined);
  }

  /** The tools that are for views. */
  async tools() {
    this.#tools ??= this.client.listTools();
    const found = await this.#tools.catch((error) => {
      this.#tools = undefined;
      throw error;
    });
    return found.filter((tool) => isFor("app", tool));
  }

  /** @param {Record<string, any>} params @param {AbortSignal} [signal] */
  async call({ name, arguments: given = {} }, signal) {
    if (typeof name !== "string" || !isObject(given)) {
      throw new RpcError(INVALID_PARAMS, "A tool is called by its name");
    }
    const tools = await this.tools();
    if (!tools.some((one) => one.name === name)) {
      const known = (await this.#tools)?.some((one) => one.name === name);
      const short = JSON.stringify(name.slice(0, 60));
      throw new RpcError(
        INVALID_PARAMS,
        known ? `The tool ${short} is not for views: its visibility lacks "app"` : `There is no tool ${short}`,
      );
    }
    return this.seen(await this.client.callTool(name, given, { signal }));
  }

  /** @param {Record<string, any>} params */
  async read({ uri }) {
    return this.seen(await this.client.readResource(checked(uri)));
  }

  /** @param {string} method @param {Record<string, any>} params */
  async list(method, { cursor }) {
    return this.seen(await this.client.request(method, cursor === undefined ? {} : { cursor }));
  }

  /**
   * Have a view told of changes of a resource.
   *
   * @param {Map<string, () => unknown>} followed what it follows already
   * @param {unknown} uri
   * @param {Tell} tell
   */
  async follow(followed, uri, tell) {
    const name = checked(uri);
    if (followed.has(name)) return;
    if (followed.size >= FOLLOWED) throw new RpcError(INVALID_PARAMS, `A view follows at most ${FOLLOWED} resources`);
    followed.set(name, () => {});
    try {
      const onChange = () => tell("notifications/resources/updated", { uri: name });
      followed.set(name, await this.client.subscribe(name, { onChange }));
    } catch (error) {
      followed.delete(name);
      throw error;
    }
  }
}

/** Whether a tool is for this kind of caller. What is not a list lets nobody. @param {"app" | "model"} who @param {any} tool */
export function isFor(who, { _meta }) {
  const ui = _meta?.ui;
  if (!isObject(ui) || !("visibility" in ui)) return true;
  return Array.isArray(ui.visibility) && ui.visibility.includes(who);
}

/** @param {unknown} uri */
function checked(uri) {
  if (typeof uri === "string" && uri.length <= 2000) return uri;
  throw new RpcError(INVALID_PARAMS, "A resource is named by its URI");
}
