/**
 * Hold a lock until `signal` is aborted; resolves when it is held.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {AbortSignal} [waiting] gives up to wait for it
 * @returns {Promise<void>}
 */
export declare const hold: (name: string, signal: AbortSignal, waiting?: AbortSignal) => Promise<void>;
/**
 * Call `gone` when nobody holds a lock any more, until `signal` is aborted.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {() => void} gone
 */
export declare const watch: (name: string, signal: AbortSignal, gone: () => void) => undefined;
