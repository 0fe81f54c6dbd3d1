// @ts-check
/**
 * Run by Node when a server is bundled: starts Python, imports modules of the standard library, and writes its memory
 * to a file, from which a browser goes on. `node snapshot.mjs RUNTIME LOCK TARGET MODULE…`, where LOCK is what
 * Pyodide is told instead of its list of packages.
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [runtime, lock, target, ...modules] = process.argv.slice(2);
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
// Node would wait for what Python's loop left behind.
process.exit(0);
