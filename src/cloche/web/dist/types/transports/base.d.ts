export type Message = Record<string, any>;
export type MessageHandler = (message: Message) => void;
export type SendOptions = {
    transfer?: Transferable[];
};
export type TransportOptions = {
    limit?: number;
    messageType?: string;
    onOriginViolation?: (origin: string) => void;
};
export type RequestOptions = import("../rpc.js").RequestOptions;
export type Handler = import("../rpc.js").Handler;
import { generateRequestId, Rpc, RpcError } from "../rpc.js";
export { generateRequestId, RpcError };
/** The longest message, unless a transport is told otherwise. */
export declare const MESSAGE_LIMIT = 16777216;
/** How deep a message may be nested. */
export declare const MESSAGE_DEPTH = 256;
/** Milliseconds that a request waits for its answer, unless the call says otherwise. */
export declare const REQUEST_TIMEOUT = 30000;
/** What envelopes say they are, unless a transport has another `messageType`. */
export declare const MESSAGE_TYPES: {
    MESSAGE: string;
    CONNECT: string;
    CONNECTED: string;
    CLOSE: string;
};
/** There is no answer: the connection is gone, the time is up, or the caller gave up. */
export declare class TransportError extends Error {
    code: string;
    /** @param {string} message @param {string} code */
    constructor(message: string, code: string);
}
export declare class TransportClosedError extends TransportError {
    constructor();
}
export declare class RequestTimeoutError extends TransportError {
    /** @param {string | number} id */
    constructor(id: string | number);
}
export declare class RequestCancelledError extends TransportError {
    /** @param {string | number} id */
    constructor(id: string | number);
}
/**
 * The length of a message in characters, whether it has buffers, and what keeps it from being a message, with the path to
 * it: an empty string when nothing does. Structured clone carries more than JSON, and refuses some of what looks like it:
 * both ends agree on JSON, and on buffers, which can be transferred.
 *
 * @param {any} message
 * @param {number} [limit]
 * @param {boolean} [buffers] whether they can be carried
 */
export declare function weigh(message: any, limit?: number, buffers?: boolean): {
    length: number;
    hasBuffers: boolean;
    flaw: string;
};
/** @param {any} message */
export declare const isJSONRPCRequest: (message: any) => boolean;
/** @param {any} message */
export declare const isJSONRPCResponse: (message: any) => boolean;
/** @param {any} message */
export declare const isJSONRPCNotification: (message: any) => boolean;
/** Whether something has the structure of one JSON-RPC message. @param {any} message */
export declare const isValidMcpMessage: (message: any) => boolean;
/** What asks and answers over a transport: with errors of its own kind, and with buffers. */
declare class TransportRpc extends Rpc {
    transport: Transport;
    /** @param {Transport} transport */
    constructor(transport: Transport);
    /** @override @param {Message} message @param {Transferable[]} [transfer] */
    post(message: Message, transfer?: Transferable[]): void;
    /** @override @param {string} _method @param {string | number} id @param {AbortSignal} [signal] */
    unanswered(_method: string, id: string | number, signal?: AbortSignal): RequestCancelledError | RequestTimeoutError;
    /** It is over: what waits for an answer is rejected, and what is under way is given up. @param {Error} reason */
    close(reason: Error): void;
}
/** Base of every transport. */
export declare class Transport {
    #private;
    limit: number;
    messageType: string;
    /** @type {((origin: string) => void) | undefined} */
    onOriginViolation: ((origin: string) => void) | undefined;
    /** Whether `ArrayBuffer`s can be sent, and are taken. */
    carriesBuffers: boolean;
    /** What arrived and was not delivered. */
    dropped: number;
    /** What came from somewhere that it may not come from. */
    violations: number;
    /** Aborted when it is over. */
    over: AbortController;
    /** What asks and answers. */
    rpc: TransportRpc;
    /** @param {TransportOptions} [options] */
    constructor(options?: TransportOptions);
    /** Whether messages can be sent. */
    get isConnected(): boolean;
    /** Send one message; what it transfers is gone here. @param {Message} message @param {SendOptions} [options] */
    send(message: Message, { transfer }?: SendOptions): void;
    /**
     * Call `handler` with every message that arrives, until the function that is returned is called.
     *
     * @param {MessageHandler} handler
     */
    onMessage(handler: MessageHandler): () => undefined;
    /** Call `handler` when the connection ends; at once when it has ended already. @param {() => void} handler */
    onClose(handler: () => void): () => undefined;
    /**
     * Send a request and wait for its answer: a message with `result` or `error`. Rejects when none comes.
     *
     * @param {Message} request `method` and `params`; it gets an id by itself
     * @param {RequestOptions} [options]
     * @returns {Promise<Message>}
     */
    request({ method, params, id }: Message, options?: RequestOptions): Promise<Message>;
    /**
     * Answer what the other side asks, until the function that is returned is called.
     *
     * @param {import("../rpc.js").Find} find the handler of a method
     */
    serve(find: import("../rpc.js").Find): () => undefined;
    /** End the connection. */
    close(): void;
    /** Put a message on its way. @param {Message} payload @param {Transferable[]} transfer */
    post(payload: Message, transfer: Transferable[]): void;
    /** Tell the other side that this one closes. */
    farewell(): void;
    /** Put an envelope on its way. @param {Message} _envelope @param {Transferable[]} [_transfer] */
    say(_envelope: Message, _transfer?: Transferable[]): void;
    /**
     * An envelope arrived, from where it may come from: `{type: "mcp", payload}`, or in the words of the protocol's diagrams
     * `{type: "mcp:request", id, method, params}` and `{type: "mcp:response", id, result}`.
     *
     * @param {any} envelope
     * @param {readonly MessagePort[]} [_ports] that came with it
     */
    take(envelope: any, _ports?: readonly MessagePort[]): void;
    /** A message arrived, from where it may come from. @param {any} message */
    deliver(message: any): void;
    /** @param {string} origin of somebody who is not the other side */
    violated(origin: string): void;
    /** It is over, from whichever side. */
    ended(): void;
    /** Leave nothing behind that `over` does not end. */
    release(): void;
    /** Refuse what cannot be sent. @param {Message} message @returns {boolean} whether it has buffers */
    verify(message: Message): boolean;
}
/** Call somebody else's function: what it throws is reported, and disturbs nobody. @param {() => any} call */
export declare function attempt(call: () => any): Promise<void>;
