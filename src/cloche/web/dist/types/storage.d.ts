/**
 * Where a page keeps states: IndexedDB, localStorage, or memory where a browser denies both. Each keeps states by name, a
 * member at a time, each member as JSON text; a write happens as a whole or not at all. One tab has a storage at a time.
 *
 * @typedef {{version: number, schema: number, members: Record<string, string>}} Saved
 * @typedef {Record<string, string | null>} Members null for one that is dropped
 * @typedef {"indexeddb" | "localstorage" | "memory"} Mode
 * @typedef {{
 *   mode: Mode, load: () => Promise<Record<string, Saved>>, close: () => void,
 *   write: (state: string, version: number, schema: number, members: Members) => Promise<void>,
 * }} PageStorage
 */
export type Saved = {
    version: number;
    schema: number;
    members: Record<string, string>;
};
export type Members = Record<string, string | null>;
export type Mode = "indexeddb" | "localstorage" | "memory";
export type PageStorage = {
    mode: Mode;
    load: () => Promise<Record<string, Saved>>;
    close: () => void;
    write: (state: string, version: number, schema: number, members: Members) => Promise<void>;
};
/** A storage is in use, full, damaged or too new; what is in it is left as it is. */
export declare class StorageError extends Error {
}
/**
 * The first storage that works here, in the order of `modes`; memory at the last. What a storage refuses because it is
 * in use, damaged or too new is an error, and nothing else is tried: the states are there.
 *
 * @param {string} [name] pages of one origin share what is under one name
 * @param {Mode[]} [modes]
 * @returns {Promise<PageStorage & {reasons: string[]}>} `reasons` says why those before it do not work here
 */
export declare function openStorage(name?: string, modes?: Mode[]): Promise<PageStorage & {
    reasons: string[];
}>;
export type Room = {
    used?: number;
    free?: number;
    isPersistent: boolean;
};
/**
 * How much room this page's origin has in the browser, in bytes, and whether the browser may clear it by itself when the
 * disk is full. Undefined is what the browser does not say.
 *
 * @typedef {{used?: number, free?: number, isPersistent: boolean}} Room
 * @returns {Promise<Room>}
 */
export declare function storageRoom(): Promise<Room>;
/**
 * Ask the browser to clear this origin's storage only when the person says so. It may ask the person, so do it after a
 * click that makes sense of the question.
 *
 * @returns {Promise<boolean>} whether it will
 */
export declare const persistStorage: () => Promise<boolean>;
/** For Python, which gets and gives texts. @param {string} name @param {string} modes as JSON */
export declare function openStorageOfTexts(name: string, modes: string): Promise<{
    mode: Mode;
    states: string;
    reasons: string;
    /** @param {string} state @param {number} version @param {number} schema @param {string} members as JSON */
    write: (state: string, version: number, schema: number, members: string) => Promise<void>;
    close: () => void;
}>;
