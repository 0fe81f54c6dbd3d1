export type Params = Record<string, any>;
/** @typedef {Record<string, any>} Params */
/** @param {any} value @returns {value is Params} */
export declare const isObject: (value: any) => value is Params;
/** Whether JSON has this value, whatever is in it. @param {any} value */
export declare const isKnown: (value: any) => boolean;
/**
 * Whether a value is plain JSON.
 *
 * @param {any} value
 * @param {(value: any) => boolean} see is called with each value in it, and says whether it is one
 * @param {string[]} [path] becomes that of the first value that is none
 * @param {number} [depth]
 * @returns {boolean}
 */
export declare const isJson: (value: any, see: (value: any) => boolean, path?: string[], depth?: number) => boolean;
