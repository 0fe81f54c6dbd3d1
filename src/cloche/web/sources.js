// @ts-check
/**
 * What a page shows of a server, as sources that React's hooks and Vue's composables stand on, and any other script can:
 * a store's state, a resource, the calls of a tool, a view's own host.
 */
import { Source } from "./source.js";
import { keep, openStore, pathOf } from "./store.js";
import { at } from "./store-copy.js";

/**
 * @typedef {import("./client.js").McpClient} McpClient
 * @typedef {import("./rpc.js").RequestOptions} RequestOptions
 * @typedef {Record<string, any>} Params
 * @typedef {{contents: Params[], text?: string, data?: any, error?: Error, isLoading: boolean, refresh: () => Promise<void>}}
 *   ResourceState `text` is that of the first of the contents, and `data` what it is as JSON, where it is JSON
 * @typedef {{
 *   call: (args?: Params, options?: RequestOptions) => Promise<Params>, result?: Params, data?: any, error?: Error,
 *   isCalling: boolean,
 * }} ToolState of the latest call: `data` is its structured content, else its text
 * @typedef {{
 *   uri?: string, html?: string, mimeType?: string, meta?: Params, error?: Error, isLoading: boolean,
 * }} UIResourceState
 * @typedef {{
 *   app?: import("./view.js").App, isConnected: boolean, error?: Error, input?: Params, partialInput?: Params,
 *   result?: Params, context: Params,
 * }} AppState
 */

/** Where there is no client yet. */
const noClient = () => Promise.reject(Error("There is no client yet: call it after the page was shown"));

/**
 * A store, or a part of one, by a path such as `"shopping.items"`.
 *
 * @extends {Source<any>}
 */
export class StoreSource extends Source {
  /** @type {Error | undefined} */
  error;
  /** @type {any} */
  #last;

  /** @param {McpClient | undefined} client @param {string | readonly (string | number)[]} path @param {(value: any) => any} [select] */
  constructor(client, path, select = (value) => value) {
    super(undefined);
    const [name, ...parts] = pathOf(path);
    this.store = client && openStore(client, name);
    this.select = select;
    this.getSnapshot = () => {
      const { store } = this;
      // Without a store there is nothing to select from.
      if (!store || store.version === undefined) return undefined;
      return this.#last = keep(this.#last, this.select(at(store.getSnapshot(), parts)));
    };
  }

  /** @override */
  start() {
    return this.store?.subscribe(() => {
      // A state that was read once is shown also when the connection is gone.
      this.error = this.store?.version === undefined ? this.store?.error : undefined;
      this.tell();
    });
  }
}

/** @extends {Source<ResourceState>} */
export class ResourceSource extends Source {
  #turn = 0;

  /** @param {McpClient | undefined} client @param {string | undefined} uri */
  constructor(client, uri) {
    super({ contents: [], isLoading: !!uri, refresh: () => this.#read() });
    this.client = client;
    this.uri = uri;
  }

  async #read() {
    const { client, uri } = this;
    if (!client || !uri) return;
    const turn = ++this.#turn;
    try {
      const { contents } = await client.readResource(uri);
      if (turn == this.#turn) this.merge({ ...readOf(contents), error: undefined, isLoading: false });
    } catch (/** @type {any} */ error) {
      if (turn == this.#turn) this.merge({ error, isLoading: false });
    }
  }

  /** @override */
  start() {
    if (!this.client || !this.uri) return;
    this.#read();
    // A server that tells of no changes is read once.
    const following = this.client.subscribe(this.uri, { onChange: () => this.#read() }).catch(() => undefined);
    following.then((stop) => stop && this.#read());
    return () => void following.then((stop) => stop?.()).catch(() => {});
  }
}

/** @param {Params[]} contents */
function readOf(contents) {
  const [{ text, mimeType = "" } = /** @type {Params} */ ({})] = contents;
  if (text === undefined || !/[/+]json\b/.test(mimeType)) return { contents, text, data: undefined };
  try {
    return { contents, text, data: JSON.parse(text) };
  } catch {
    return { contents, text, data: undefined };
  }
}

/** @param {Params} result the text of its blocks */
const textOf = ({ content = [] }) => content.map((/** @type {Params} */ { text = "" }) => text).join("\n");

/** @extends {Source<ToolState>} */
export class ToolSource extends Source {
  #turn = 0;

  /** @param {McpClient | undefined} client @param {string} name */
  constructor(client, name) {
    super({ isCalling: false, call: client ? (args, options) => this.#call(client, name, args, options) : noClient });
  }

  /** @param {McpClient} client @param {string} name @param {Params} [args] @param {RequestOptions} [options] */
  async #call(client, name, args, options) {
    const turn = ++this.#turn;
    this.merge({ isCalling: true });
    try {
      const result = await client.callTool(name, args, options);
      if (result.isError) throw Error(textOf(result) || "The tool failed");
      const data = result.structuredContent ?? textOf(result);
      if (turn == this.#turn) this.merge({ result, data, error: undefined, isCalling: false });
      return result;
    } catch (/** @type {any} */ error) {
      if (turn == this.#turn) this.merge({ error, isCalling: false });
      throw error;
    }
  }
}

/** The `ui://` resource that a tool's result shows or names; a URI is taken as it is. @param {string | Params | undefined} of */
export const uiUriOf = (of) =>
  typeof of == "string" ? of : embedded(of)?.uri ?? of?._meta?.ui?.resourceUri ?? of?._meta?.["ui/resourceUri"];

/** @param {string | Params | undefined} of @returns {Params | undefined} */
const embedded = (of) =>
  typeof of == "string"
    ? undefined
    : of?.content?.map((/** @type {Params} */ { resource }) => resource).find((/** @type {Params} */ one) =>
      /^ui:/.test(one?.uri ?? "")
    );

/** The HTML of a UI resource, by its URI or from a tool's result. @extends {Source<UIResourceState>} */
export class UIResourceSource extends Source {
  #resource;

  /** @param {McpClient | undefined} client @param {string | Params | undefined} of */
  constructor(client, of) {
    const uri = uiUriOf(of);
    const given = embedded(of);
    const isHere = given?.text !== undefined;
    super({ uri, isLoading: !!uri && !isHere, ...(isHere ? htmlOf(given) : {}) });
    this.#resource = new ResourceSource(client, isHere ? undefined : uri);
  }

  /** @override */
  start() {
    const resource = this.#resource;
    if (!resource.uri) return;
    return resource.subscribe(() => {
      const { contents: [found], error, isLoading } = resource.getSnapshot();
      this.merge({ ...(found ? htmlOf(found) : {}), error, isLoading });
    });
  }
}

/** @param {Params} resource */
const htmlOf = ({ text, mimeType, _meta }) => ({ html: text, mimeType, meta: _meta });

/** The host of a view, from inside the view. @extends {Source<AppState>} */
export class AppSource extends Source {
  constructor() {
    super({ isConnected: false, context: {} });
  }

  /** @override */
  start() {
    let isOver = false;
    /** @type {(() => void)[]} */
    const stops = [];
    viewApp().then((app) => {
      if (isOver) return;
      const now = () => {
        const { toolInput: input, toolInputPartial: partialInput, toolResult: result, hostContext: context } = app;
        this.merge({ app, input, partialInput, result, context });
      };
      now();
      for (const name of ["tool:input", "tool:input-partial", "tool:result", "host:context"]) {
        stops.push(app.on(name, now));
      }
      app.ready.then(() => isOver || (now(), this.merge({ isConnected: true, error: undefined })), fail);
    }, (error) => fail(error));
    const fail = (/** @type {Error} */ error) => void (isOver || this.merge({ error }));
    return () => {
      isOver = true;
      stops.forEach((stop) => stop());
    };
  }
}

/** The one that the page has already, or a new one. @returns {Promise<import("./view.js").App>} */
const viewApp = async () => /** @type {any} */ (globalThis).cloche ?? (await import("./view.js")).connect();
