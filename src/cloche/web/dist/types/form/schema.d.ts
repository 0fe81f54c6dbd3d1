/**
 * A JSON Schema, read: what it refers to, what it leaves open, what it gives as an example.
 *
 * @typedef {Record<string, any>} Schema
 */
export type Schema = Record<string, any>;
/** @param {Schema} schema @param {Schema} root @param {number} [hops] @returns {Schema} */
export declare function resolved(schema: Schema, root: Schema, hops?: number): Schema;
/**
 * The alternatives of a schema that a person can choose from; that it may be null is said by leaving it out.
 *
 * @param {Schema} schema @param {Schema} root @returns {Schema[]}
 */
export declare function alternatives(schema: Schema, root: Schema): Schema[];
/**
 * What there is to choose from, with the title of each: an enum, or alternatives that are one value each.
 *
 * @param {Schema} schema @param {Schema} root @returns {{value: any, title: string}[] | null}
 */
export declare function choicesOf(schema: Schema, root: Schema): {
    value: any;
    title: string;
}[] | null;
/** What a schema says beside its alternatives. @param {Schema} schema */
export declare function annotations(schema: Schema): {
    [k: string]: any;
};
/** @param {Schema} schema */
export declare function typeOf(schema: Schema): string | undefined;
/** What a field may look like: the schema's own example, or the one in its description. @param {Schema} schema */
export declare function exampleOf(schema: Schema): string;
/** @param {string} pattern @param {string} value */
export declare function matches(pattern: string, value: string): boolean;
