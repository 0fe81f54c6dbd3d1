/** What becomes of a client's connection, told to whoever wants to know. */
import { Source } from "./source.js";
export type McpClient = import("./client.js").McpClient;
export type TransportStatus = "connecting" | "connected" | "reconnecting" | "closed" | "failed";
export type ConnectionState = {
    status: TransportStatus;
    error?: Error;
};
/** @extends {Source<ConnectionState>} */
export declare class ConnectionSource extends Source<ConnectionState> {
    #private;
    client: import("./client.js").McpClient;
    /** @param {McpClient} client */
    constructor(client: McpClient);
    /** @override */
    start(): void;
}
/** The connection of a client: the same object for everybody who asks. @param {McpClient} client */
export declare function connectionOf(client: McpClient): ConnectionSource;
