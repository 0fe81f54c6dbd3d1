import { Source } from "./source.js";
export type McpClient = import("./client.js").McpClient;
export type StoreClient = import("./store.js").StoreClient;
export type ClientOrMaker = McpClient | (() => McpClient | Promise<McpClient>);
export type Mcp = {
    client?: McpClient;
    status: import("./connection.js").TransportStatus;
    error?: Error;
    store: (name: string) => StoreClient;
};
/** @extends {Source<Mcp>} */
export declare class Provided extends Source<Mcp> {
    #private;
    given: ClientOrMaker;
    /** @param {ClientOrMaker} given */
    constructor(given: ClientOrMaker);
    /** @override */
    start(): () => void;
}
