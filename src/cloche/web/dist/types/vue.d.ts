export type Mcp = import("./provided.js").Mcp;
export type ConnectionState = import("./connection.js").ConnectionState;
export type ToolState = import("./sources.js").ToolState;
export type ResourceState = import("./sources.js").ResourceState;
export type UIResourceState = import("./sources.js").UIResourceState;
export type AppState = import("./sources.js").AppState;
export type ReadRef<T> = Readonly<import("vue").Ref<T>>;
export type Given<T> = T | import("vue").Ref<T> | (() => T);
/** Gives what is in its slot a client: an `McpClient`, or a function that makes one when the page is shown. */
export declare const Provider: import("vue").DefineComponent;
/** The client, its status, and `store(name)`, as a ref. @returns {ReadRef<Mcp>} */
export declare function useMcp(): ReadRef<Mcp>;
/**
 * What is at a path of a store, such as `useStore("shopping.items")`, or what `select` makes of it, as a ref; undefined
 * until it was read. Reading the ref throws, for an `ErrorBoundary` to show, when the store cannot be read.
 *
 * @template [T=any]
 * @param {Given<string | readonly (string | number)[]>} path the store's name, then names and numbers
 * @param {(value: any) => T} [select]
 * @returns {ReadRef<T | undefined>}
 */
export declare function useStore<T = any>(path: Given<string | readonly (string | number)[]>, select?: (value: any) => T): ReadRef<T | undefined>;
/** Call a tool, and show what became of the latest call. @param {Given<string>} name @returns {ReadRef<ToolState>} */
export declare function useTool(name: Given<string>): ReadRef<ToolState>;
/** A resource, read again whenever it changes. @param {Given<string>} uri @returns {ReadRef<ResourceState>} */
export declare function useResource(uri: Given<string>): ReadRef<ResourceState>;
/**
 * The HTML that a tool's result shows, or that a `ui://` resource has. It is for a frame with a sandbox, never for
 * `v-html`: somebody else wrote it.
 *
 * @param {Given<string | Record<string, any> | undefined>} of a URI, or the result of a tool
 * @returns {ReadRef<UIResourceState>}
 */
export declare function useUIResource(of: Given<string | Record<string, any> | undefined>): ReadRef<UIResourceState>;
/**
 * A UI resource in a frame: `<UIResourceRenderer :resource="result" sandbox="form" />`. Its other props are the options of
 * `showUIResource`, its events `load`, `error` and `message`; the client is the Provider's.
 */
export declare const UIResourceRenderer: import("vue").DefineComponent;
/** What becomes of the connection, as a ref. @returns {ReadRef<ConnectionState>} */
export declare function useTransportStatus(): ReadRef<ConnectionState>;
/** In a view: its host, the tool's input and result. It needs no Provider. @returns {ReadRef<AppState>} */
export declare const useApp: () => ReadRef<AppState>;
/** Shows its `fallback` slot, which gets the error and `retry`, where a component in it throws. It emits `error`. */
export declare const ErrorBoundary: import("vue").DefineComponent;
