import { WindowRpc } from "./rpc.js";
export type Params = import("./rpc.js").Params;
export type Handler = import("./rpc.js").Handler;
export type AdapterOptions = {
    trustedOrigins?: string[];
    appInfo?: {
        name: string;
        version: string;
    };
};
export type Setup = {
    options?: AdapterOptions;
    find?: (method: string) => Handler | undefined;
    onerror?: (error: Error) => void;
};
/**
 * How a view reaches its host: an adapter takes current MCP Apps messages and carries them in its own way. This one, for
 * a page that nobody embeds, answers them itself from a table, so that what needs a host is refused. The others build on
 * it.
 *
 * @typedef {import("./rpc.js").Params} Params
 * @typedef {import("./rpc.js").Handler} Handler
 * @typedef {{trustedOrigins?: string[], appInfo?: {name: string, version: string}}} AdapterOptions
 * @typedef {{
 *   options?: AdapterOptions,
 *   find?: (method: string) => Handler | undefined,
 *   onerror?: (error: Error) => void,
 * }} Setup `find` gives the handler of what the host says or asks.
 */
export declare class GenericAdapter extends WindowRpc {
    options: AdapterOptions;
    handlerOf: (method: string) => Handler | undefined;
    name: string;
    /** @type {Record<string, Handler>} what it can do, by method */
    methods: Record<string, Handler>;
    /** @param {Setup} [setup] */
    constructor({ options, find, onerror }?: Setup);
    /** @returns {boolean} */
    canHandle(): boolean;
    /**
     * The handshake. It ends when the page's own scripts have run, so that nothing arrives before they listen.
     *
     * @returns {Promise<Params>} what the host says of itself
     */
    initialize(): Promise<Params>;
    /** @returns {Params | Promise<Params>} */
    host(): Params | Promise<Params>;
    /** @param {string} name @param {Params} [args] @param {import("./rpc.js").RequestOptions} [options] */
    callTool(name: string, args?: Params, options?: import("./rpc.js").RequestOptions): Promise<any>;
}
