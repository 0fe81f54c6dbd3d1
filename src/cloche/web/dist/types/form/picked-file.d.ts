export type Field = import("./fields.js").Field;
export type Pick = ((file: File) => string) & {
    takePicture?: () => Promise<File>;
};
/**
 * A file that a tool opens itself, in this page: the argument is its path there, and nothing of it is sent.
 *
 * @typedef {import("./fields.js").Field} Field
 * @typedef {((file: File) => string) & {takePicture?: () => Promise<File>}} Pick
 */
/**
 * @param {import("./schema.js").Schema} schema
 * @param {import("./fields.js").Place} place
 * @param {Pick} pick
 * @returns {Field}
 */
export declare function pickedFileField(schema: import("./schema.js").Schema, place: import("./fields.js").Place, pick: Pick): Field;
