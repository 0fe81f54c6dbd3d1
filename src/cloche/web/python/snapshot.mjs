// @ts-check
/**
 * Run by Deno or Node when a server is bundled: starts Python, imports modules, and writes its memory to a file, from
 * which a browser goes on, and to another what the browser must know of it. `deno run snapshot.mjs RUNTIME LOCK PLAN`,
 * where LOCK is what Pyodide is told instead of its list of packages.
 *
 * @typedef {{
 *   kind: "switching" | "plain", packages: string, site: string, libraries: string[], modules: string[],
 *   target: string, about: string,
 * }} Plan the files in the archive `packages` go to `site` in Python's file system; `libraries` among them are compiled
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { createWith } from "./libraries.js";
import { unzip } from "./unzip.js";

const [runtime, lock, plan] = process.argv.slice(2);
const { kind, packages, site, libraries, modules, target, about } = /** @type {Plan} */ (JSON.parse(plan));
// Python asks once, when it starts, what its engine can do, and the answers are in the snapshot. So an engine that can
// do less than browsers makes one that is of no use to them.
if (!("Suspending" in WebAssembly)) {
    console.log("this JavaScript engine is too old");
    process.exit(3);
}
// The other way round it works: for browsers in which functions cannot wait for promises (JSPI), this one cannot either.
if (kind == "plain") delete /** @type {any} */ (WebAssembly).Suspending;
/** @param {string} name */
const part = (name) => import(pathToFileURL(`${runtime}/${name}`).href);
const [{ loadPyodide }, { default: create }] = [await part("pyodide.mjs"), await part("pyodide.asm.mjs")];
const files = new Map(await unzip(new Uint8Array(readFileSync(packages)).buffer));
/** @type {import("./libraries.js").Library[]} */
const compiled = libraries.map((name) => ({ path: `${site}/${name}`, data: files.get(name) ?? new Uint8Array() }));
/** @type {any} */
let python;
const pyodide = await loadPyodide({
    indexURL: `${runtime}/`,
    lockFileContents: lock,
    _makeSnapshot: true,
    createPyodideModule: async (/** @type {any} */ settings) => python = await createWith(create, settings, compiled),
});
for (const [name, data] of files) {
    const path = `${site}/${name}`;
    pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    pyodide.FS.writeFile(path, data);
}
pyodide.pyimport("importlib").invalidate_caches();
pyodide.runPython(`import ${modules.join(", ")}`);
for (const [handle, { name }] of Object.entries(python.LDSO.loadedLibsByHandle)) {
    for (const library of compiled) if (library.path == name) library.handle = Number(handle);
}
pyodide.pyimport("gc").collect();
clearFreeMemory(python);
const picture = pyodide.makeMemorySnapshot();
writeFileSync(target, picture);
const known = compiled.map(({ path, place, handle }) => ({ path, place, handle }));
writeFileSync(about, JSON.stringify({ size: picture.length, libraries: known }));
// It would wait for what Python's loop left behind.
process.exit(0);

/**
 * What was in memory that is free now would be in the snapshot, a tenth of it: so all of it is taken once, and cleared.
 *
 * @param {any} python
 */
function clearFreeMemory(python) {
    const end = python.HEAPU32[python._emscripten_get_sbrk_ptr() >>> 2];
    const taken = [];
    for (let size = 2 ** 16; size >= 16; size = size > 1024 ? size / 2 : size - 8) {
        let place = python._malloc(size);
        for (; place && place + size <= end; place = python._malloc(size)) {
            python.HEAPU8.fill(0, place, place + size);
            taken.push(place);
        }
        python._free(place); // which is new memory: there is nothing free of this size
    }
    taken.forEach(python._free);
}
