export type Field = import("./fields.js").Field;
/** @param {import("./schema.js").Schema} schema @param {import("./fields.js").Place} place @returns {Field} */
export declare function fileField(schema: import("./schema.js").Schema, place: import("./fields.js").Place): Field;
