// @ts-check
/**
 * Compiled packages in a snapshot. A snapshot is Python's memory, and in memory a compiled function is the number of
 * its place in a table, which is not a part of it. So a library must get the same places in the browser as it had when
 * the snapshot was made: both times it is loaded before anything else happens.
 *
 * @typedef {{path: string, data: Uint8Array, place?: number, handle?: number}} Library
 *   a file of Python's, where its functions begin in the table, and what Python knows it by
 */

const WAITING = "libraries";

/**
 * Create Emscripten's module, with libraries in it from the beginning.
 *
 * @param {(settings: any) => Promise<any>} create
 * @param {any} settings
 * @param {Library[] | Promise<Library[]>} libraries
 */
export function createWith(create, settings, libraries) {
  return new Promise((resolve, reject) => {
    settings.preRun.push((/** @type {any} */ python) => {
      python.addRunDependency(WAITING);
      // Without `reject` whoever creates it would wait for ever.
      loadLibraries(python, libraries).then(() => python.removeRunDependency(WAITING), reject);
    });
    create(settings).then(resolve, reject);
  });
}

/** @param {any} python @param {Library[] | Promise<Library[]>} libraries */
async function loadLibraries(python, libraries) {
  for (const library of await libraries) {
    const { path, data, handle } = library;
    library.place ??= python.wasmTable.length;
    if (library.place != python.wasmTable.length) throw new Error(`${path} has another place in it`);
    const exports = await python.loadWebAssemblyModule(data, { loadAsync: true, nodelete: true }, path, {});
    // Python has opened it already, or will.
    if (handle) python.newDSO(path, handle, exports);
    else python.preloadedWasm[path] = exports;
  }
}
