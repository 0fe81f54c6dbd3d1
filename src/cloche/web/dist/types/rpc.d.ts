export type Params = import("./json.js").Params;
export type RequestOptions = {
    id?: string | number;
    timeout?: number;
    signal?: AbortSignal;
    onProgress?: (progress: Params) => void;
    transfer?: Transferable[];
};
export type Handler = (params: Params, signal?: AbortSignal, id?: any) => unknown;
export type Find = (method: string) => Handler | undefined;
export type Pending = {
    resolve: (result: any) => void;
    reject: (error: Error) => void;
    progress: (params: Params) => void;
};
/** An error with a JSON-RPC code: what the other side answered, or what a handler wants to answer. */
export declare class RpcError extends Error {
    code: number | undefined;
    data: unknown;
    /** @param {number} [code] @param {string} [message] @param {unknown} [data] */
    constructor(code?: number, message?: string, data?: unknown);
}
/**
 * An id that nobody gives twice and nobody can guess: on an emitter, a channel or a window everybody hears every answer.
 *
 * @returns {string}
 */
export declare const generateRequestId: () => string;
/** One end of a conversation. Those that carry messages say how one is sent, and why a request has no answer. */
export declare class Rpc {
    /** @type {Map<unknown, Pending>} */
    pending: Map<unknown, Pending>;
    /** @type {Map<unknown, AbortController>} */
    running: Map<unknown, AbortController>;
    /** Send a message. @param {Params} _message @param {Transferable[]} [_transfer] */
    post(_message: Params, _transfer?: Transferable[]): void;
    /**
     * Why a request has no answer: the time is up, or the caller gave up.
     *
     * @param {string} method
     * @param {string | number} _id
     * @param {AbortSignal} [signal]
     * @returns {Error}
     */
    unanswered(method: string, _id: string | number, signal?: AbortSignal): Error;
    /**
     * Send a request: its result, or an `RpcError` with what the other side answered instead.
     *
     * @param {string} method
     * @param {Params} [params]
     * @param {RequestOptions} [options]
     * @returns {Promise<any>}
     */
    request(method: string, params?: Params, { id, timeout, signal, onProgress, transfer }?: RequestOptions): Promise<any>;
    /** @param {string} method @param {Params} [params] */
    notify(method: string, params?: Params): void;
    /**
     * Give an answer, or a word of progress, to who waits for it.
     *
     * @param {Params} message
     * @returns {Pending | undefined} who waited
     */
    settle({ id, method, params, result, error }: Params): Pending | undefined;
    /** Answer a request, or hear a notification. @param {Params} message @param {Find} find */
    answer({ id, method, params }: Params, find: Find): Promise<unknown>;
}
/** The end of a conversation between windows. Give it what arrives with `receive`; it sends through the function it was made with. */
export declare class WindowRpc extends Rpc {
    send: (message: Params) => void;
    find: Find;
    onerror: (error: Error) => void;
    /**
     * @param {(message: Params) => void} send
     * @param {Find} find the handler of a method, for requests and notifications
     * @param {(error: Error) => void} onerror hears of what arrived and could not be used
     */
    constructor(send: (message: Params) => void, find: Find, onerror: (error: Error) => void);
    /**
     * Take one message: an answer to who waits for it, or something for a handler. What is not JSON-RPC is ignored, because
     * other scripts talk to windows too; so is an answer to nothing that is waited for.
     *
     * @param {any} message
     */
    receive(message: any): any;
    /**
     * A copy through JSON, so that a date or a proxy never leaves as something that the other side does not
     * expect. What JSON would make nothing of, such as a buffer or a map, is refused.
     *
     * @override
     * @param {Params} message
     */
    post(message: Params): void;
}
