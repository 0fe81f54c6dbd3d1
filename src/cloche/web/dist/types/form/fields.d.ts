export type Schema = import("./schema.js").Schema;
export type Field = {
    element: HTMLElement;
    read: () => any;
    write: (value: any) => void;
    draft?: () => any;
    find?: (name: string) => HTMLElement | null;
};
/**
 * The fields of a form made from a JSON Schema, one kind for each kind of schema.
 *
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {{element: HTMLElement, read: () => any, write: (value: any) => void, draft?: () => any,
 *   find?: (name: string) => HTMLElement | null}} Field
 *   `read` gives `undefined` for what was left empty, and throws a `FormError` for what is wrong; `draft` gives what can be
 *   read so far, and never throws; `find` gives the control of a member.
 */
/** What a person wrote is not what the schema asks for. */
export declare class FormError extends Error {
    element: HTMLElement | undefined;
    /** @param {string} message @param {HTMLElement} [element] where to look */
    constructor(message: string, element?: HTMLElement);
}
/** What can be read of a field that is not finished. @param {Field} field @returns {any} */
export declare function draftOf(field: Field): any;
export type Suggest = (name: string, value: string) => Promise<string[]>;
export type Place = {
    root: Schema;
    depth: number;
    name: string;
    required?: boolean;
    suggest?: Suggest;
    pick?: import("./picked-file.js").Pick;
};
/**
 * @typedef {(name: string, value: string) => Promise<string[]>} Suggest what may be written into a field
 * @typedef {{root: Schema, depth: number, name: string, required?: boolean, suggest?: Suggest,
 *   pick?: import("./picked-file.js").Pick}} Place where a field is
 *
 * @param {Schema} given
 * @param {Place} place
 * @returns {Field}
 */
export declare function fieldOf(given: Schema, place: Place): Field;
/**
 * A label, the control, what it is about, and a place for what is wrong with it.
 *
 * @param {HTMLElement & {required?: boolean}} control
 * @param {Schema} schema
 * @param {Place} place
 */
export declare function labelled(control: HTMLElement & {
    required?: boolean;
}, schema: Schema, { name, required }: Place): HTMLDivElement;
/** @param {HTMLElement} control @param {Place} place @returns {undefined} */
export declare function empty(control: HTMLElement, place: Place): undefined;
/** @param {Schema} schema @param {Place} place @returns {Field} */
export declare function objectField(schema: Schema, place: Place): Field;
/** Anything, as JSON. @param {Schema} schema @param {string} name @param {Place} [place] @returns {Field} */
export declare function rawField(schema: Schema, name: string, place?: Place): Field;
