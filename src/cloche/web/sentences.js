// @ts-check
// Written by tools/protocol_facts.py from what Python knows: change that, then run `make web`.
/** What errors say, in the words of Python's. */
export const alreadyInitialized = () => "Already initialized";
export const unexpectedInitialized = () => "Unexpected initialized notification";
export const notInitialized = () => "Connection not initialized";
/** @param {any} method */
export const methodNotFound = (method) => "Method not found: " + method;
/** @param {any} kind @param {any} name */
export const unknownName = (kind, name) => "Unknown " + kind + ": " + name;
export const resourceNotFound = () => "Resource not found";
/** @param {any} id */
export const timedOut = (id) => "Request " + id + " timed out";
/** @param {any} id */
export const wasCancelled = (id) => "Request " + id + " was cancelled";
export const transportClosed = () => "Transport is closed";
export const idInUse = () => "This id is in use by a request that is not answered yet";
/** @param {any} limit */
export const tooManyRequests = (limit) => "Invalid Request: more than " + limit + " requests are under way";
/** @param {any} method @param {any} capability */
export const missingCapability = (method, capability) =>
  method + " needs the client capability '" + capability + "', which the client did not declare";
/** @param {any} version */
export const unsupportedVersion = (version) => "Unsupported protocol version: " + version;
