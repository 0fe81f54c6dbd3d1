export type Params = import("./rpc.js").Params;
/** @typedef {import("./rpc.js").Params} Params */
/** @param {any} content a text, or one or more content blocks @returns {Params[]} */
export declare const blocksOf: (content: any) => Params[];
/** @param {any} value what a tool gave: its result, or any value to be told as text @returns {Params} */
export declare const resultOf: (value: any) => Params;
