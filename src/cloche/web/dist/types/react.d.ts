/**
 * A server's stores, tools and resources in React 18 and newer. React is not part of Cloche: `react` is your page's own,
 * from its bundler or its import map. Nothing here needs a window before it is shown.
 */
import { Component } from "react";
export type Mcp = import("./provided.js").Mcp;
export type ClientOrMaker = import("./provided.js").ClientOrMaker;
export type ConnectionState = import("./connection.js").ConnectionState;
export type ToolState = import("./sources.js").ToolState;
export type ResourceState = import("./sources.js").ResourceState;
export type UIResourceState = import("./sources.js").UIResourceState;
export type AppState = import("./sources.js").AppState;
/**
 * Gives its children a client: `<Provider client={client}>`, or `<Provider client={makeClient}>`, whose function is
 * called when the page is shown, and never while it is rendered on a server. What it makes is closed with the Provider.
 *
 * @param {{client: ClientOrMaker, children?: import("react").ReactNode}} props
 * @returns {import("react").ReactElement}
 */
export declare function Provider({ client, children }: {
    client: ClientOrMaker;
    children?: import("react").ReactNode;
}): import("react").ReactElement;
/** The client, its status, and `store(name)`. @returns {Mcp} */
export declare function useMcp(): Mcp;
/**
 * What is at a path of a store, such as `useStore("shopping.items")`, or what `select` makes of it; undefined until it
 * was read. It throws, for an `ErrorBoundary` to show, when the store cannot be read.
 *
 * @template [T=any]
 * @param {string | readonly (string | number)[]} path the store's name, then names and numbers
 * @param {(value: any) => T} [select]
 * @returns {T | undefined}
 */
export declare function useStore<T = any>(path: string | readonly (string | number)[], select?: (value: any) => T): T | undefined;
/** Call a tool, and show what became of the latest call. @param {string} name @returns {ToolState} */
export declare function useTool(name: string): ToolState;
/** A resource, read again whenever it changes. @param {string} uri @returns {ResourceState} */
export declare function useResource(uri: string): ResourceState;
/**
 * The HTML that a tool's result shows, or that a `ui://` resource has. It is for a frame with a sandbox, never for
 * `innerHTML`: somebody else wrote it.
 *
 * @param {string | Record<string, any> | undefined} of a URI, or the result of a tool
 * @returns {UIResourceState}
 */
export declare function useUIResource(of: string | Record<string, any> | undefined): UIResourceState;
/**
 * A UI resource in a frame: `<UIResourceRenderer resource={result} sandbox="form" />`. What else it takes are the options of
 * `showUIResource`; the client is the Provider's.
 *
 * @param {Omit<import("./ui-resource.js").UIResourceOptions, "client"> & {resource: string | Record<string, any>}} props
 * @returns {import("react").ReactElement}
 */
export declare function UIResourceRenderer({ resource, ...options }: Omit<import("./ui-resource.js").UIResourceOptions, "client"> & {
    resource: string | Record<string, any>;
}): import("react").ReactElement;
/** What becomes of the connection. @returns {ConnectionState} */
export declare function useTransportStatus(): ConnectionState;
/** In a view: its host, the tool's input and result. It needs no Provider. @returns {AppState} */
export declare const useApp: () => AppState;
export type ErrorBoundaryProps = {
    fallback?: import("react").ReactNode | ((error: Error, retry: () => void) => import("react").ReactNode);
    onError?: (error: Error, info: unknown) => void;
    children?: import("react").ReactNode;
};
/**
 * Shows something else where a component below it throws: `fallback`, which may be a function of the error and of
 * another function that tries again. `onError` hears of it.
 *
 * @typedef {{
 *   fallback?: import("react").ReactNode | ((error: Error, retry: () => void) => import("react").ReactNode),
 *   onError?: (error: Error, info: unknown) => void, children?: import("react").ReactNode,
 * }} ErrorBoundaryProps
 * @extends {Component<ErrorBoundaryProps, {error: Error | undefined}>}
 */
export declare class ErrorBoundary extends Component<ErrorBoundaryProps, {
    error: Error | undefined;
}> {
    /** @override @type {{error: Error | undefined}} */
    state: {
        error: Error | undefined;
    };
    /** @param {Error} error */
    static getDerivedStateFromError(error: Error): {
        error: Error;
    };
    /** @param {Error} error @param {unknown} info */
    componentDidCatch(error: Error, info: unknown): void;
    /** @override @returns {import("react").ReactNode} */
    render(): import("react").ReactNode;
}
