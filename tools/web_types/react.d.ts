// What web/react.js uses of React, for checking it without React.
export type ReactNode = unknown;
export interface ReactElement {
    type: unknown;
    props: unknown;
}
export interface Context<T> {
    Provider: (props: { value: T; children?: ReactNode }) => ReactElement;
}
export declare function createContext<T>(initial: T): Context<T>;
export declare function createElement(type: unknown, props?: object | null, ...children: ReactNode[]): ReactElement;
export declare function useContext<T>(context: Context<T>): T;
export declare function useMemo<T>(make: () => T, of: unknown[]): T;
export declare function useSyncExternalStore<T>(
    subscribe: (tell: () => void) => () => void,
    getSnapshot: () => T,
    getServerSnapshot?: () => T,
): T;
export declare class Component<P = object, S = object> {
    constructor(props: P);
    readonly props: Readonly<P>;
    state: S;
    setState(change: Partial<S>): void;
    render(): ReactNode;
}
export declare function useEffect(effect: () => void | (() => void), inputs: readonly unknown[]): void;
export declare function useRef<T>(initial: T): { current: T };
