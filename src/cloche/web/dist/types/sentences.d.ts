/** What errors say, in the words of Python's. */
export declare const alreadyInitialized: () => string;
export declare const unexpectedInitialized: () => string;
export declare const notInitialized: () => string;
/** @param {any} method */
export declare const methodNotFound: (method: any) => string;
/** @param {any} kind @param {any} name */
export declare const unknownName: (kind: any, name: any) => string;
export declare const resourceNotFound: () => string;
/** @param {any} id */
export declare const timedOut: (id: any) => string;
/** @param {any} id */
export declare const wasCancelled: (id: any) => string;
export declare const transportClosed: () => string;
export declare const idInUse: () => string;
/** @param {any} limit */
export declare const tooManyRequests: (limit: any) => string;
/** @param {any} method @param {any} capability */
export declare const missingCapability: (method: any, capability: any) => string;
/** @param {any} version */
export declare const unsupportedVersion: (version: any) => string;
