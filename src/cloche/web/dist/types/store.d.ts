export type McpClient = import("./client.js").McpClient;
export type Operation = import("./store-copy.js").Operation;
export type Head = import("./store-copy.js").Head;
export type Path = string | readonly (string | number)[];
import { Source } from "./source.js";
import { StoreRefusedError } from "./store-copy.js";
export { StoreRefusedError };
/** A path in any spelling. @param {Path} path */
export declare const pathOf: (path: Path) => string[];
/**
 * A value in which everything that is equal to what was there before is the same object as before.
 *
 * @template T
 * @param {any} before @param {T} now @returns {T}
 */
export declare function keep<T>(before: any, now: T): T;
/** One store of a server. `openStore(client, name)` gives the same one to everybody. @extends {Source<any>} */
export declare class StoreClient extends Source<any> {
    #private;
    client: import("./client.js").McpClient;
    name: string;
    uri: string;
    /** @type {"loading" | "ready" | "error"} */
    status: "loading" | "ready" | "error";
    /** Why it could not be read, or is followed no more. @type {Error | undefined} */
    error: Error | undefined;
    /** @param {McpClient} client @param {string} name */
    constructor(client: McpClient, name: string);
    /** The version of the state that the snapshot is; undefined before it was read. */
    get version(): number | undefined;
    /** What the snapshot is, for `{ base }` of a change that is made from it and sent later; undefined before it was read. */
    get base(): import("./store-copy.js").Head | undefined;
    /** What is at a path now; undefined where nothing is, and before the state was read. @param {Path} [path] */
    get(path?: Path): any;
    /** Read the state, unless that was done already. @returns {Promise<any>} the state */
    load(): Promise<any>;
    /**
     * Call `fn` with what is at a path whenever it changes, until the function that is returned is called.
     *
     * @param {Path} path @param {(value: any, before: any) => void} fn
     */
    subscribeKey(path: Path, fn: (value: any, before: any) => void): () => void;
    /**
     * Call `fn` with what a function makes of the state whenever that is another value, until the function that is returned
     * is called.
     *
     * @template T
     * @param {(state: any) => T} selector @param {(value: T, before: T) => void} fn
     */
    select<T>(selector: (state: any) => T, fn: (value: T, before: T) => void): () => void;
    /**
     * Set what is at a path. Rejects with `StoreRefusedError` when the server refuses, or when what is there was changed
     * by somebody else after the snapshot of this moment, or of `base`.
     *
     * @param {Path} path @param {unknown} value @param {{base?: Head}} [options]
     */
    set(path: Path, value: unknown, { base }?: {
        base?: Head;
    }): Promise<void>;
    /** Remove what is at a path. @param {Path} path @param {{base?: Head}} [options] */
    remove(path: Path, options?: {
        base?: Head;
    }): Promise<void>;
    /**
     * Change several things at once: all of them, or none.
     *
     * @param {Operation[]} patch a JSON Patch (RFC 6902) @param {{base?: Head}} [options]
     */
    patch(patch: Operation[], { base }?: {
        base?: Head;
    }): Promise<void>;
    /** Ask for what was missed. */
    refresh(): Promise<void>;
    /** @override */
    start(): () => void;
}
/**
 * A server's store, by its name: the same object for everybody who asks.
 *
 * @param {McpClient} client @param {string} name
 * @returns {StoreClient}
 */
export declare function openStore(client: McpClient, name: string): StoreClient;
