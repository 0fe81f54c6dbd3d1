/**
 * What a page shows of a server, as sources that React's hooks and Vue's composables stand on, and any other script can:
 * a store's state, a resource, the calls of a tool, a view's own host.
 */
import { Source } from "./source.js";
export type McpClient = import("./client.js").McpClient;
export type RequestOptions = import("./rpc.js").RequestOptions;
export type Params = Record<string, any>;
export type ResourceState = {
    contents: Params[];
    text?: string;
    data?: any;
    error?: Error;
    isLoading: boolean;
    refresh: () => Promise<void>;
};
export type ToolState = {
    call: (args?: Params, options?: RequestOptions) => Promise<Params>;
    result?: Params;
    data?: any;
    error?: Error;
    isCalling: boolean;
};
export type UIResourceState = {
    uri?: string;
    html?: string;
    mimeType?: string;
    meta?: Params;
    error?: Error;
    isLoading: boolean;
};
export type AppState = {
    app?: import("./view.js").App;
    isConnected: boolean;
    error?: Error;
    input?: Params;
    partialInput?: Params;
    result?: Params;
    context: Params;
};
/**
 * A store, or a part of one, by a path such as `"shopping.items"`.
 *
 * @extends {Source<any>}
 */
export declare class StoreSource extends Source<any> {
    #private;
    store: import("./store.js").StoreClient | undefined;
    select: (value: any) => any;
    /** @type {Error | undefined} */
    error: Error | undefined;
    /** @param {McpClient | undefined} client @param {string | readonly (string | number)[]} path @param {(value: any) => any} [select] */
    constructor(client: McpClient | undefined, path: string | readonly (string | number)[], select?: (value: any) => any);
    /** @override */
    start(): (() => void) | undefined;
}
/** @extends {Source<ResourceState>} */
export declare class ResourceSource extends Source<ResourceState> {
    #private;
    client: import("./client.js").McpClient | undefined;
    uri: string | undefined;
    /** @param {McpClient | undefined} client @param {string | undefined} uri */
    constructor(client: McpClient | undefined, uri: string | undefined);
    /** @override */
    start(): (() => undefined) | undefined;
}
/** @extends {Source<ToolState>} */
export declare class ToolSource extends Source<ToolState> {
    #private;
    /** @param {McpClient | undefined} client @param {string} name */
    constructor(client: McpClient | undefined, name: string);
}
/** The `ui://` resource that a tool's result shows or names; a URI is taken as it is. @param {string | Params | undefined} of */
export declare const uiUriOf: (of: string | Params | undefined) => any;
/** The HTML of a UI resource, by its URI or from a tool's result. @extends {Source<UIResourceState>} */
export declare class UIResourceSource extends Source<UIResourceState> {
    #private;
    /** @param {McpClient | undefined} client @param {string | Params | undefined} of */
    constructor(client: McpClient | undefined, of: string | Params | undefined);
    /** @override */
    start(): (() => void) | undefined;
}
/** The host of a view, from inside the view. @extends {Source<AppState>} */
export declare class AppSource extends Source<AppState> {
    constructor();
    /** @override */
    start(): () => void;
}
