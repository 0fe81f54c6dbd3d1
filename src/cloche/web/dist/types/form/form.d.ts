import { FormError } from "./fields.js";
export { FormError };
export type Schema = import("./fields.js").Schema;
/**
 * A form made from a JSON Schema: one field for each property, and the arguments that a person wrote into it.
 *
 * @typedef {import("./fields.js").Schema} Schema
 */
/** A form for the arguments of one tool. */
export declare class SchemaForm {
    #private;
    schema: import("./schema.js").Schema;
    body: import("./fields.js").Field;
    raw: import("./fields.js").Field;
    element: HTMLDivElement;
    /**
     * @param {Schema} schema its root is an object
     * @param {import("./fields.js").Suggest} [suggest] values for its fields
     * @param {import("./picked-file.js").Pick} [pick] makes a path of a file that a person picked
     */
    constructor(schema: Schema, suggest?: import("./fields.js").Suggest, pick?: import("./picked-file.js").Pick);
    /** Whether the arguments are written as JSON. */
    get isRaw(): boolean;
    /**
     * JSON or fields. What was written is kept: of a form that is not finished what can be read; JSON has to be complete, and to
     * have nothing that the form has no field for.
     *
     * @param {boolean} wanted
     */
    setRaw(wanted: boolean): void;
    /** @returns {Record<string, any>} */
    read(): Record<string, any>;
    /**
     * Say what is wrong with one member, as somebody else has found.
     *
     * @param {string} name
     * @param {string} message
     * @returns {boolean} whether there is a field for it
     */
    refuse(name: string, message: string): boolean;
    /** @param {Record<string, any>} value */
    write(value: Record<string, any>): void;
}
