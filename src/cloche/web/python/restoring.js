// @ts-check
/**
 * Python's memory as it was when the bundle was written, which is much sooner there than by a start.
 *
 * @typedef {{file: string, size: number, libraries: {path: string, place: number, handle: number}[]}} Snapshot
 */
import { download, unzipped } from "./downloads.js";
import { createWith } from "./libraries.js";

/**
 * What Pyodide's loader must be told to restore a snapshot. It arrives while WebAssembly is compiled.
 *
 * @param {URL | string} folder
 * @param {{integrity: import("./downloads.js").Integrity}} manifest
 * @param {Snapshot} snapshot
 * @param {Promise<any>} core the module that the loader would import
 * @param {(path: string) => Promise<Uint8Array>} find what a library among the packages has in it
 * @param {() => void} onArrived
 */
export function restoring(folder, { integrity }, { file, size, libraries }, core, find, onArrived) {
  const memory = new Uint8Array(size);
  const fill = async () => {
    const response = await download(folder, file, integrity);
    await core; // unpacking is a lot of work, and before it WebAssembly should be on its way
    const reader = (await unzipped(response)).getReader();
    let at = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      memory.set(part.value, at);
      at += part.value.length;
    }
    if (at != size) throw new Error(`${file} has ${at} bytes instead of ${size}`);
    onArrived();
  };
  const filled = fill();
  filled.catch(() => {}); // it is waited for below
  /** @param {any} settings */
  const createPyodideModule = async (settings) => {
    const found = Promise.all(libraries.map(async (library) => ({ ...library, data: await find(library.path) })));
    found.catch(() => {});
    const created = core.then((module) => createWith(module.default, settings, found));
    const [python] = await Promise.all([created, filled]);
    if (python.HEAP8.length < size) python.growMemory(size);
    return python;
  };
  return { _loadSnapshot: memory, createPyodideModule };
}
