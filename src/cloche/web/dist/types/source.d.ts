/**
 * A value that changes, and those who want to hear of it. What it takes to follow the value begins with the first
 * subscriber and ends with the last. React's `useSyncExternalStore` takes `subscribe` and `getSnapshot` as they are.
 *
 * @template T
 */
export declare class Source<T> {
    #private;
    /** The value before anything was heard, always the same object. */
    getInitial: () => T;
    /** The value now: the same object until it changes. */
    getSnapshot: () => T;
    /**
     * Call `tell` after every change, until the function that is returned is called.
     *
     * @param {() => void} tell
     * @returns {() => void}
     */
    subscribe: (tell: () => void) => () => void;
    /** @param {T} initial also what a page that is rendered on a server shows */
    constructor(initial: T);
    /** Begin to follow the value. @returns {(() => void) | void} what ends it */
    start(): (() => void) | void;
    /** @param {T} value */
    put(value: T): void;
    /** Some members of a value that is an object. @param {Partial<T>} change */
    merge(change: Partial<T>): void;
    tell(): void;
}
