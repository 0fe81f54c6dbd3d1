// @ts-check
/**
 * Run by Deno or Node when a server is bundled: starts Python, imports modules of the standard library, and writes its memory
 * to a file, from which a browser goes on. `deno run snapshot.mjs RUNTIME LOCK KIND TARGET MODULE…`, where
 * LOCK is what Pyodide is told instead of its list of packages.
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [runtime, lock, kind, target, ...modules] = process.argv.slice(2);
// Python asks once, when it starts, what its engine can do, and the answers are in the snapshot. So an engine that can
// do less than browsers makes one that is of no use to them.
if (!("Suspending" in WebAssembly)) {
    console.log("this JavaScript engine is too old");
    process.exit(3);
}
// The other way round it works: for browsers in which functions cannot wait for promises (JSPI), this one cannot either.
if (kind == "plain") delete /** @type {any} */ (WebAssembly).Suspending;
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const pyodide = await loadPyodide({
    indexURL: `${runtime}/`,
    lockFileContents: lock,
    _makeSnapshot: true,
});
for (const name of modules) {
    // Some modules of the standard library are not there in a browser.
    pyodide.runPython(`try:\n    import ${name}\nexcept ImportError:\n    pass`);
}
writeFileSync(target, pyodide.makeMemorySnapshot());
// It would wait for what Python's loop left behind.
process.exit(0);
