/** Client and server in one page, on one emitter. */
import { Transport } from "./base.js";
export type Listener = (data: any) => void;
export type Emitter = {
    emit: (event: string, data: any) => void;
    on: (event: string, handler: Listener) => void;
    off: (event: string, handler: Listener) => void;
};
/**
 * @typedef {(data: any) => void} Listener
 * @typedef {{
 *   emit: (event: string, data: any) => void,
 *   on: (event: string, handler: Listener) => void,
 *   off: (event: string, handler: Listener) => void,
 * }} Emitter what most libraries call an event emitter
 */
/** The smallest emitter that does. @returns {Emitter} */
export declare function createSimpleEmitter(): Emitter;
/** One end on an emitter: the server's, which sends `mcp:response` and receives `mcp:request`, or with `role: "client"` the client's, which has the names the other way. */
export declare class EventTransport extends Transport {
    #private;
    sendEvent: string;
    receiveEvent: string;
    emitter: Emitter;
    /**
     * @param {Emitter} emitter
     * @param {import("./base.js").TransportOptions & {
     *   role?: "server" | "client", sendEvent?: string, receiveEvent?: string,
     * }} [options]
     */
    constructor(emitter: Emitter, { role, sendEvent, receiveEvent, ...options }?: import("./base.js").TransportOptions & {
        role?: "server" | "client";
        sendEvent?: string;
        receiveEvent?: string;
    });
    /** @override @param {import("./base.js").Message} message */
    post(message: import("./base.js").Message): void;
    /** @override */
    release(): void;
}
/**
 * A client's and a server's end on an emitter of their own; closing one closes the other.
 *
 * @returns {[EventTransport, EventTransport]}
 */
export declare function createLinkedPair(): [EventTransport, EventTransport];
