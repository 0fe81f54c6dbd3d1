import { Transport } from "./base.js";
/** A WebSocket to a server that Python serves with `server.websocket()`, or with `cloche run`. */
export declare class WebSocketTransport extends Transport {
    #private;
    socket: WebSocket;
    /** @override */
    carriesBuffers: boolean;
    /** @param {WebSocket} socket that is open @param {import("./base.js").TransportOptions} [options] */
    constructor(socket: WebSocket, options?: import("./base.js").TransportOptions);
    /**
     * Open one; rejects when the server is not there or refuses the page's origin.
     *
     * @param {string | URL} url also one that belongs to the page's own address, such as `"/mcp"`
     * @param {import("./base.js").TransportOptions} [options]
     * @returns {Promise<WebSocketTransport>}
     */
    static open(url: string | URL, options?: import("./base.js").TransportOptions): Promise<WebSocketTransport>;
    /** @override @param {import("./base.js").Message} message */
    post(message: import("./base.js").Message): void;
    /** @override */
    farewell(): void;
    /** @override */
    release(): void;
}
