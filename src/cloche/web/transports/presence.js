// @ts-check
/**
 * Who is there, told by Web Locks: everybody holds a lock with its name, and whoever wants to know of its end waits for
 * that lock. A browser releases it when the page or worker is gone, however it went, so a crash is noticed at once and
 * nobody has to ask now and then.
 */
const PREFIX = "mcp:";

/**
 * Hold a lock until `signal` is aborted; resolves when it is held.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {AbortSignal} [waiting] gives up to wait for it
 * @returns {Promise<void>}
 */
export const hold = (name, signal, waiting = signal) =>
  new Promise((held, failed) => {
    const keep = () => new Promise((release) => (signal.addEventListener("abort", release), held()));
    navigator.locks.request(PREFIX + name, { signal: waiting }, keep).catch(failed);
  });

/**
 * Call `gone` when nobody holds a lock any more, until `signal` is aborted.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {() => void} gone
 */
export const watch = (name, signal, gone) =>
  // Shared, so that those who wait do not wait for each other.
  void navigator.locks.request(PREFIX + name, { mode: "shared", signal }, () => void gone()).catch(() => {});
