// @ts-check
/**
 * A server's stores, tools and resources in React 18 and newer. React is not part of Cloche: `react` is your page's own,
 * from its bundler or its import map. Nothing here needs a window before it is shown.
 */
import {
  Component,
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from "react";
import { Provided } from "./provided.js";
import { AppSource, ResourceSource, StoreSource, ToolSource, UIResourceSource } from "./sources.js";
import { showUIResource } from "./ui-resource.js";

/**
 * @typedef {import("./provided.js").Mcp} Mcp
 * @typedef {import("./provided.js").ClientOrMaker} ClientOrMaker
 * @typedef {import("./connection.js").ConnectionState} ConnectionState
 * @typedef {import("./sources.js").ToolState} ToolState
 * @typedef {import("./sources.js").ResourceState} ResourceState
 * @typedef {import("./sources.js").UIResourceState} UIResourceState
 * @typedef {import("./sources.js").AppState} AppState
 */

/** @type {import("react").Context<Mcp | undefined>} */
const Shared = createContext(/** @type {Mcp | undefined} */ (undefined));

/** @template T @param {import("./source.js").Source<T>} source @returns {T} */
const useSource = (source) => useSyncExternalStore(source.subscribe, source.getSnapshot, source.getInitial);

/**
 * Gives its children a client: `<Provider client={client}>`, or `<Provider client={makeClient}>`, whose function is
 * called when the page is shown, and never while it is rendered on a server. What it makes is closed with the Provider.
 *
 * @param {{client: ClientOrMaker, children?: import("react").ReactNode}} props
 * @returns {import("react").ReactElement}
 */
export function Provider({ client, children }) {
  // A function is often a new one with every rendering, and means the same.
  const provided = useMemo(() => new Provided(client), [typeof client == "function" ? undefined : client]);
  return createElement(Shared.Provider, { value: useSource(provided) }, children);
}

/** The client, its status, and `store(name)`. @returns {Mcp} */
export function useMcp() {
  const mcp = useContext(Shared);
  if (!mcp) throw Error("There is no <Provider client={…}> around this component: put one there");
  return mcp;
}

/**
 * What is at a path of a store, such as `useStore("shopping.items")`, or what `select` makes of it; undefined until it
 * was read. It throws, for an `ErrorBoundary` to show, when the store cannot be read.
 *
 * @template [T=any]
 * @param {string | readonly (string | number)[]} path the store's name, then names and numbers
 * @param {(value: any) => T} [select]
 * @returns {T | undefined}
 */
export function useStore(path, select) {
  const { client } = useMcp();
  const key = JSON.stringify(path);
  const source = useMemo(() => new StoreSource(client, JSON.parse(key)), [client, key]);
  source.select = select ?? ((value) => value);
  const value = useSource(source);
  // That it failed is news of its own: the value stays undefined.
  const error = useSyncExternalStore(source.subscribe, () => source.error, () => undefined);
  if (error) throw error;
  return value;
}

/** Call a tool, and show what became of the latest call. @param {string} name @returns {ToolState} */
export function useTool(name) {
  const { client } = useMcp();
  return useSource(useMemo(() => new ToolSource(client, name), [client, name]));
}

/** A resource, read again whenever it changes. @param {string} uri @returns {ResourceState} */
export function useResource(uri) {
  const { client } = useMcp();
  return useSource(useMemo(() => new ResourceSource(client, uri), [client, uri]));
}

/**
 * The HTML that a tool's result shows, or that a `ui://` resource has. It is for a frame with a sandbox, never for
 * `innerHTML`: somebody else wrote it.
 *
 * @param {string | Record<string, any> | undefined} of a URI, or the result of a tool
 * @returns {UIResourceState}
 */
export function useUIResource(of) {
  const { client } = useMcp();
  return useSource(useMemo(() => new UIResourceSource(client, of), [client, of]));
}

/**
 * A UI resource in a frame: `<UIResourceRenderer resource={result} sandbox="form" />`. What else it takes are the options of
 * `showUIResource`; the client is the Provider's.
 *
 * @param {Omit<import("./ui-resource.js").UIResourceOptions, "client"> & {resource: string | Record<string, any>}} props
 * @returns {import("react").ReactElement}
 */
export function UIResourceRenderer({ resource, ...options }) {
  const client = useContext(Shared)?.client;
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const now = useRef(options);
  now.current = options; // functions are often new ones with every rendering, and mean the same
  const { sandbox, title, autoResize } = options;
  useEffect(() => {
    if (!place.current) return;
    const shown = showUIResource(place.current, resource, {
      ...now.current,
      client,
      onLoad: () => now.current.onLoad?.(),
      onError: (error) => (now.current.onError ?? reportError)(error),
      onMessage: (message) => now.current.onMessage?.(message),
    });
    return shown.close;
  }, [client, resource, sandbox, title, autoResize]);
  return createElement("div", { ref: place });
}

/** What becomes of the connection. @returns {ConnectionState} */
export function useTransportStatus() {
  const { status, error } = useMcp();
  return useMemo(() => ({ status, error }), [status, error]);
}

/** In a view: its host, the tool's input and result. It needs no Provider. @returns {AppState} */
export const useApp = () => useSource(useMemo(() => new AppSource(), []));

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
export class ErrorBoundary extends Component {
  /** @override @type {{error: Error | undefined}} */
  state = { error: undefined };

  /** @param {Error} error */
  static getDerivedStateFromError(error) {
    return { error };
  }

  /** @param {Error} error @param {unknown} info */
  componentDidCatch(error, info) {
    this.props.onError?.(error, info);
  }

  /** @override @returns {import("react").ReactNode} */
  render() {
    const { error } = this.state;
    const { fallback, children } = this.props;
    if (!error) return children;
    if (typeof fallback == "function") return fallback(error, () => this.setState({ error: undefined }));
    return fallback ?? createElement("p", { role: "alert" }, error.message);
  }
}
