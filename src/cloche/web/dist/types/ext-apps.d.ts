import { GenericAdapter } from "./generic.js";
export type Params = import("./rpc.js").Params;
/** @typedef {import("./rpc.js").Params} Params */
/**
 * MCP Apps: JSON-RPC with the window that embeds this one. Who speaks is known by the window, which nobody can forge; an
 * origin is asked for only when trusted ones were named, because there are hosts with opaque ones.
 */
export declare class ExtAppsAdapter extends GenericAdapter {
    #private;
    /** @override */
    name: string;
    /** @override */
    find: (method: string) => import("./generic.js").Handler | undefined;
    /** @override @param {Params} message */
    send: (message: Params) => void;
    /** @override */
    canHandle(): boolean;
    /** @override */
    host(): Promise<any>;
}
