import { ExtAppsAdapter } from "./ext-apps.js";
import { GenericAdapter } from "./generic.js";
import { OpenAiAdapter } from "./openai.js";
export { ExtAppsAdapter, GenericAdapter, OpenAiAdapter };
export type Params = import("./rpc.js").Params;
export type RequestOptions = import("./rpc.js").RequestOptions;
export type ToolHandler = (args: Params, signal?: AbortSignal) => unknown;
export type AppOptions = import("./generic.js").AdapterOptions;
/**
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {import("./rpc.js").RequestOptions} RequestOptions
 * @typedef {(args: Params, signal?: AbortSignal) => unknown} ToolHandler
 * @typedef {import("./generic.js").AdapterOptions} AppOptions
 */
/** A view's side of the conversation with its host. `window.cloche` is one. */
export declare class App {
    #private;
    adapter: string;
    /** Resolves when the host has answered; rejects when it refused. */
    ready: Promise<import("./json.js").Params>;
    /** @type {Params | undefined} the tool's arguments */
    toolInput: Params | undefined;
    /** @type {Params | undefined} as much of them as there is while the model still writes */
    toolInputPartial: Params | undefined;
    /** @type {Params | undefined} */
    toolResult: Params | undefined;
    /** @type {Params} */
    hostContext: Params;
    /** @type {Params} */
    hostCapabilities: Params;
    /**
     * @param {(new (setup: import("./generic.js").Setup) => GenericAdapter)[]} adapters tried in this order
     * @param {AppOptions} [options]
     */
    constructor(adapters: (new (setup: import("./generic.js").Setup) => GenericAdapter)[], options?: AppOptions);
    /** Wait for the handshake, which has begun by itself: what the host said of itself. */
    connect(): Promise<import("./json.js").Params>;
    /** @param {string} method @param {Params} params @param {RequestOptions} [options] */
    request(method: string, params: Params, options?: RequestOptions): Promise<any>;
    /**
     * Call `handler` with the value of every such event, and of the last one that has already been.
     *
     * @param {string} name
     * @param {(detail: any) => void} handler
     * @returns {() => void} stop listening
     */
    on(name: string, handler: (detail: any) => void): () => void;
    /** @param {string} name @param {Params} [args] @param {RequestOptions} [options] */
    callTool(name: string, args?: Params, options?: RequestOptions): Promise<any>;
    /**
     * The same, as the official `App` has it.
     *
     * @param {{name: string, arguments?: Params}} call
     * @param {RequestOptions} [options]
     */
    callServerTool({ name, arguments: given }: {
        name: string;
        arguments?: Params;
    }, options?: RequestOptions): Promise<any>;
    /** @param {string} uri @param {RequestOptions} [options] */
    readResource(uri: string, options?: RequestOptions): Promise<any>;
    /**
     * Say something in the user's name.
     *
     * @param {string | Params | Params[]} content text, or one or more content blocks
     * @param {RequestOptions} [options]
     */
    sendMessage(content: string | Params | Params[], options?: RequestOptions): Promise<any>;
    /**
     * What the model knows of this view, instead of what it knew before.
     *
     * @param {any} context text, an object, or `{content, structuredContent}`
     * @param {RequestOptions} [options]
     */
    updateModelContext(context: any, options?: RequestOptions): Promise<any>;
    /** @param {string} url @param {RequestOptions} [options] */
    openLink(url: string, options?: RequestOptions): Promise<any>;
    /**
     * @param {any} file `{name, mimeType, text}`, `{name, mimeType, blob}` (base64), or resource blocks
     * @param {RequestOptions} [options]
     */
    downloadFile(file: any, options?: RequestOptions): Promise<any>;
    /**
     * @param {"inline" | "fullscreen" | "pip"} mode
     * @param {RequestOptions} [options]
     * @returns {Promise<string>} the mode that it is now
     */
    requestDisplayMode(mode: "inline" | "fullscreen" | "pip", options?: RequestOptions): Promise<string>;
    /** Ask the host to close this view. */
    close(): void;
    /**
     * @param {string} level one of MCP's
     * @param {unknown} message
     * @param {unknown} [data]
     * @param {string} [logger] whose word it is: the view's or the browser's
     */
    log(level: string, message: unknown, data?: unknown, logger?: string): void;
    /**
     * Offer a tool to the model while this view is shown.
     *
     * @param {string} name
     * @param {string | Params} about its description, or `{description, title, inputSchema, outputSchema, annotations}`
     * @param {Params} [inputSchema] of its arguments
     * @param {ToolHandler} [handler]
     */
    registerTool(name: string, about: string | Params, inputSchema?: Params, handler?: ToolHandler): void;
    /** @param {string} name */
    unregisterTool(name: string): void;
    /** @returns {any} what `setState` was last given, before a reload too where the host keeps it */
    getState(): any;
    /**
     * @param {unknown} value plain JSON
     * @param {{model?: boolean}} [options] whether the model may see it
     * @returns {Promise<boolean>} whether the host keeps it
     */
    setState(value: unknown, { model }?: {
        model?: boolean;
    }): Promise<boolean>;
}
/** Make this the view's `window.cloche`. @param {App} app @returns {App} */
export declare const install: (app: App) => App;
/**
 * Make the view's `window.cloche`, for every kind of host. Where `window.openai` is, it is the host's own.
 *
 * @param {AppOptions} [options]
 * @returns {App}
 */
export declare const connect: (options?: AppOptions) => App;
