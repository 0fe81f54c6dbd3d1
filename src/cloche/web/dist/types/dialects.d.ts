/** How views and hosts of older dialects of MCP Apps call what they mean. */
/** @type {Record<string, string>} */
export declare const toView: Record<string, string>;
/** @type {Record<string, string>} */
export declare const toHost: Record<string, string>;
/** @type {Record<string, string>} */
export declare const params: Record<string, string>;
/** @type {Record<string, string>} */
export declare const capabilities: Record<string, string>;
/** @type {Record<string, string>} */
export declare const hostReads: Record<string, string>;
/** The capabilities that only hosts of an older dialect have. */
export declare const flags: string[];
