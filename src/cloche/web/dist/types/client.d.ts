export type Params = Record<string, any>;
export type RequestOptions = import("./transports/base.js").RequestOptions;
export type Handler = import("./transports/base.js").Handler;
export type NotificationHandler = (params: Params) => unknown;
export type Subscriber = {
    onChange?: NotificationHandler;
    onError?: (error: any) => void;
};
export type Followed = {
    subscribers: Set<Subscriber>;
    ready: Promise<void>;
    end: () => Promise<void>;
};
export type ClientOptions = {
    name?: string;
    version?: string;
    timeout?: number;
    versions?: string[];
    capabilities?: Params;
    handlers?: Record<string, Handler>;
    isGreeted?: boolean;
};
export declare class McpClient {
    #private;
    transport: import("./transports/base.js").Transport;
    info: {
        name: string;
        version: string;
    };
    /** @type {Params} */
    serverInfo: Params;
    /** @type {Params} */
    serverCapabilities: Params;
    /** @type {string | undefined} */
    instructions: string | undefined;
    protocolVersion: string;
    timeout: number;
    versions: string[];
    isGreeted: boolean;
    /** @type {Params} */
    capabilities: Params;
    /** @param {import("./transports/base.js").Transport} transport @param {ClientOptions} [options] */
    constructor(transport: import("./transports/base.js").Transport, { name, version, handlers, ...options }?: ClientOptions);
    /**
     * Find out what the server is. The first request does it too, and every request waits for it.
     *
     * @returns {Promise<McpClient>}
     */
    connect(): Promise<McpClient>;
    get isConnected(): boolean;
    /** Whether it is the era without a handshake. */
    get isStateless(): boolean;
    close(): void;
    /** @param {RequestOptions} [options] */
    listTools(options?: RequestOptions): Promise<Params[]>;
    /** @param {RequestOptions} [options] */
    listResources(options?: RequestOptions): Promise<Params[]>;
    /** @param {RequestOptions} [options] */
    listResourceTemplates(options?: RequestOptions): Promise<Params[]>;
    /** @param {RequestOptions} [options] */
    listPrompts(options?: RequestOptions): Promise<Params[]>;
    /** @param {string} name @param {Params} [args] @param {RequestOptions} [options] */
    callTool(name: string, args?: Params, options?: RequestOptions): Promise<any>;
    /** @param {string} uri @param {RequestOptions} [options] */
    readResource(uri: string, options?: RequestOptions): Promise<any>;
    /** @param {string} name @param {Record<string, string>} [args] @param {RequestOptions} [options] */
    getPrompt(name: string, args?: Record<string, string>, options?: RequestOptions): Promise<any>;
    /** A sign of life. @param {RequestOptions} [options] */
    ping(options?: RequestOptions): Promise<any>;
    /**
     * Hear of every change of a resource, until the function that is returned is called. Many subscribers of one resource
     * have one subscription at the server.
     *
     * @param {string} uri
     * @param {Subscriber} [subscriber]
     */
    subscribe(uri: string, subscriber?: Subscriber): Promise<() => Promise<void>>;
    /** @param {string} method @param {Params} [params] @param {RequestOptions} [options] @returns {Promise<any>} */
    request(method: string, params?: Params, options?: RequestOptions): Promise<any>;
    /** @param {string} method @param {Params} [params] */
    notify(method: string, params?: Params): void;
    /**
     * Call `handler` with every notification of a method, until the function that is returned is called.
     *
     * @param {string} method
     * @param {NotificationHandler} handler
     */
    onNotification(method: string, handler: NotificationHandler): () => void;
}
/** A client of a server that runs in a worker. */
export declare class McpBrowserClient extends McpClient {
    /** @param {Worker | SharedWorker | MessagePort} worker @param {ClientOptions} [options] */
    constructor(worker: Worker | SharedWorker | MessagePort, options?: ClientOptions);
}
