import { ResumingTransport } from "./session.js";
export type Transport = import("./base.js").Transport;
export type Message = import("./base.js").Message;
export type Ping = (options: {
    timeout: number;
}) => Promise<unknown>;
/**
 * @typedef {import("./base.js").Transport} Transport
 * @typedef {import("./base.js").Message} Message
 */
/** @typedef {(options: {timeout: number}) => Promise<unknown>} Ping rejects when no answer has come in time */
/**
 * Asks the other side now and then whether it is there. Any answer proves life, an error too. Without one in time,
 * `onTimeout` is called, and it stops; so it does when the connection ends, which is not a missed beat.
 */
export declare class Heartbeat {
    #private;
    peer: any;
    /** Milliseconds between two beats. */
    interval: number;
    /** Milliseconds for the answer to one. */
    timeout: number;
    /** @type {((error: Error) => void) | undefined} */
    onTimeout: ((error: Error) => void) | undefined;
    /** @type {Ping | undefined} */
    ping: Ping | undefined;
    /**
     * @param {any} peer a transport, or a client, which knows what to ask in its era
     * @param {{interval?: number, timeout?: number, onTimeout?: (error: Error) => void, ping?: Ping}} [options]
     *   `ping` asks in another way, such as `notificationPing`
     */
    constructor(peer: any, options?: {
        interval?: number;
        timeout?: number;
        onTimeout?: (error: Error) => void;
        ping?: Ping;
    });
    get isRunning(): any;
    /** Begin; the first beat comes after one interval. Does nothing when it beats already. */
    start(): void;
    /** No more beats; `onTimeout` is not called any more. */
    stop(): void;
}
/**
 * A sign of life from those who know no `ping`, and answer a notification with one of the same name.
 *
 * @param {Transport} transport
 * @param {string} method
 * @param {Message} [params]
 * @returns {Ping}
 */
export declare const notificationPing: (transport: Transport, method: string, params?: Message) => Ping;
export type ReconnectingOptions = import("./base.js").TransportOptions & {
    maxAttempts?: number;
    baseDelay?: number;
    maxDelay?: number;
    backoffMultiplier?: number;
    onReconnecting?: (attempt: number) => void;
    onReconnected?: () => void;
    onReconnectFailed?: () => void;
};
/**
 * A transport that opens a new connection when the present one ends: after one second, then two, four, eight, sixteen.
 * Session and calls fare as session.js says.
 *
 * @typedef {import("./base.js").TransportOptions & {
 *   maxAttempts?: number, baseDelay?: number, maxDelay?: number, backoffMultiplier?: number,
 *   onReconnecting?: (attempt: number) => void, onReconnected?: () => void, onReconnectFailed?: () => void,
 * }} ReconnectingOptions
 */
export declare class ReconnectingTransport extends ResumingTransport {
    #private;
    open: () => Transport | Promise<Transport>;
    /** Attempts to get a new connection, and the milliseconds before them. */
    maxAttempts: number;
    baseDelay: number;
    maxDelay: number;
    backoffMultiplier: number;
    /** Attempts since the connection was lost; 0 while there is one. */
    attempts: number;
    /** @param {() => Transport | Promise<Transport>} open makes a connection @param {ReconnectingOptions} [options] */
    constructor(open: () => Transport | Promise<Transport>, options?: ReconnectingOptions);
    /** Milliseconds before an attempt (1, 2, …). @param {number} attempt */
    delay(attempt: number): number;
    /** Abandon the present connection, which may be dead without having ended, and try for a new one. */
    drop(): void;
    /** @override @param {Message} message @param {Transferable[]} transfer */
    put(message: Message, transfer: Transferable[]): void;
    /** @override */
    release(): void;
}
