export type Operation = {
    op: string;
    path: string;
    value?: any;
};
export type CallTool = (tool: string, args: object) => Promise<any>;
export type Head = {
    epoch?: string;
    version?: number;
};
/** Nothing is inherited: names come from the state. @param {any} value @param {string[]} parts */
export declare const at: (value: any, parts: string[]) => any;
/** The JSON Pointer to a path. @param {string[]} parts */
export declare const pointerTo: (parts: string[]) => string;
/** The path that a JSON Pointer names. @param {string} pointer */
export declare const partsOf: (pointer: string) => string[];
/**
 * A value after a patch, which leaves the value before it as it was.
 *
 * @param {any} value @param {Operation[]} patch
 */
export declare const patched: (value: any, patch: Operation[]) => any;
/** The server refused a change. `isConflict` says that somebody else was faster. */
export declare class StoreRefusedError extends Error {
    isConflict: boolean;
    /** @param {{message: string, conflict?: boolean}} refused */
    constructor({ message, conflict }: {
        message: string;
        conflict?: boolean;
    });
}
/** A copy of one store's state. Its values are never changed in place. */
export declare class StoreCopy {
    #private;
    name: string;
    callTool: CallTool;
    tell: () => void;
    /** @type {any} undefined until it was read */
    value: any;
    /** What the value is; another object with every answer. @type {Head} */
    head: Head;
    /** @param {string} name @param {CallTool} callTool @param {() => void} tell is called when it may have changed */
    constructor(name: string, callTool: CallTool, tell: () => void);
    /**
     * Bring it up to date, and send a patch along: what changed since `base`, and this copy did not write, is not
     * overwritten.
     *
     * @param {Operation[]} [patch] @param {Head} [base] what its writer had before them @returns {Promise<void>}
     */
    sync(patch?: Operation[], base?: Head): Promise<void>;
    /**
     * Set what is at a path; rejects when the server refuses, or somebody else was faster.
     *
     * @param {string[]} parts @param {any} value @param {Head} [base]
     */
    set(parts: string[], value: any, base?: Head): Promise<void>;
    /** Where nobody tells of changes: ask and wait for one, else ask now and then. @param {() => boolean} [isOver] */
    poll(isOver?: () => boolean): Promise<void>;
}
