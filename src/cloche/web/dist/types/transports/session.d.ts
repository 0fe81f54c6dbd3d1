import { Transport } from "./base.js";
export type Message = import("./base.js").Message;
export type Waiting = [message: Message, transfer: Transferable[], length: number];
/**
 * @typedef {import("./base.js").Message} Message
 * @typedef {[message: Message, transfer: Transferable[], length: number]} Waiting
 */
/** The code of the answer to a request whose server went away before it answered. */
export declare const SERVER_GONE = -32000;
/** @param {unknown} id @param {string} message */
export declare const refusal: (id: unknown, message: string) => {
    jsonrpc: string;
    id: unknown;
    error: {
        code: number;
        message: string;
    };
};
/** What a client and its server have agreed on, read from what they say to each other. */
export declare class Session {
    #private;
    /** @type {Map<unknown, Message>} Requests of the client that have no answer yet. */
    waiting: Map<unknown, Message>;
    /** @type {Set<string>} */
    subscriptions: Set<string>;
    /** @type {Message | undefined} What `initialize` asked for, in the version that was agreed on, and its answer. */
    asked: Message | undefined;
    /** @type {Message | undefined} */
    agreed: Message | undefined;
    /** @type {Message | undefined} */
    initialized: Message | undefined;
    /** @type {Message | undefined} */
    level: Message | undefined;
    /** @type {Message | undefined} What the newest request of the era without a handshake says of its client. */
    client: Message | undefined;
    /** @type {Message | undefined} What the server was found to be there. */
    found: Message | undefined;
    /** The client says this. @param {Message} message */
    asks(message: Message): void;
    /**
     * Take a message from the server. True for answers to requests that we replayed: the client must not see them.
     *
     * @param {Message} message
     */
    answers({ id, method, result }: Message): boolean;
    /**
     * What a tab keeps of it, in whichever era it is.
     *
     * @param {{protocolVersion?: string, serverCapabilities: Message, clientCapabilities: Message}} before what is known
     *   from earlier
     */
    facts(before: {
        protocolVersion?: string;
        serverCapabilities: Message;
        clientCapabilities: Message;
    }): {
        protocolVersion: any;
        serverCapabilities: any;
        clientCapabilities: any;
        subscriptions: any[];
    };
    /**
     * Tell another server. Resolves when it has answered; false when it did not take up the session.
     *
     * @param {(message: Message) => void} tell
     * @param {string[]} [knows] what it is subscribed to, when it knows the session since earlier
     */
    replay(tell: (message: Message) => void, knows?: string[]): Promise<boolean>;
}
/** Base of the transports of a client whose server may be replaced: they have `put` instead of `post`, or `say`. */
export declare class ResumingTransport extends Transport {
    #private;
    session: Session;
    /** @type {((attempt: number) => void) | undefined} Called when the server is gone. */
    onReconnecting: ((attempt: number) => void) | undefined;
    /** @type {(() => void) | undefined} Called when another one has taken up the session. */
    onReconnected: (() => void) | undefined;
    /** @type {(() => void) | undefined} Called when no other one is looked for any more. */
    onReconnectFailed: (() => void) | undefined;
    /** @override @param {Message} message @param {Transferable[]} transfer */
    post(message: Message, transfer: Transferable[]): void;
    /** Put a message on its way to the server that is there. @param {Message} message @param {Transferable[]} transfer */
    put(message: Message, transfer: Transferable[]): void;
    /** Takes a message from the server; answers to requests that were replayed are not passed on. @param {any} message */
    arrived(message: any): void;
    /** Another server is looked for, and those who want to know are told. @param {number} number */
    reconnecting(number: number): void;
    /**
     * The server is gone; `unheard` when there was none, so that everything can be asked again.
     *
     * @param {boolean} [unheard]
     */
    lost(unheard?: boolean): void;
    /** No server comes back any more: it is over, and those who want to know are told. */
    abandon(): void;
    /**
     * There is a server: tell it what the session is, then send what waits.
     *
     * @param {string[]} [knows] what it is subscribed to, when it knows the session already
     */
    resume(knows?: string[]): Promise<void>;
}
