// @ts-check
/**
 * Run by Deno or Node when a server is bundled: compiles the modules in an archive, so that no browser has to.
 * Writes an archive of the compiled ones. `deno run compile.mjs RUNTIME LOCK SOURCES TARGET`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [runtime, lock, sources, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: `${runtime}/`, lockFileContents: lock });
pyodide.FS.writeFile("/sources.zip", readFileSync(sources));
// Unchecked: the files that a browser gets have no times to compare, and nobody edits them there.
pyodide.runPython(`
import compileall, pathlib, py_compile, sysconfig, zipfile

root = pathlib.Path("/sources")
zipfile.ZipFile("/sources.zip").extractall(root)
compileall.compile_dir(
    root, quiet=2, stripdir=str(root), prependdir=sysconfig.get_path("purelib"),
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
)
with zipfile.ZipFile("/compiled.zip", "w") as archive:
    for file in sorted(root.rglob("*.pyc")):
        archive.write(file, file.relative_to(root))
`);
writeFileSync(target, pyodide.FS.readFile("/compiled.zip"));
// It would wait for what Python's loop left behind.
process.exit(0);
