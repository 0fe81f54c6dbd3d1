// @ts-check
/**
 * Starts Python in this context, which is a worker, or a page or frame that can wait while Python works, and puts a
 * bundled server into it.
 *
 * @typedef {"runtime" | "snapshot" | "packages" | "import" | "ready"} Stage
 * @typedef {{stage: Stage, fraction: number, ms: number, note?: string}} Progress
 *   what is being done, how much of all is done, milliseconds since the start
 * @typedef {{stream: "stdout" | "stderr", text: string}} Output
 * @typedef {{
 *   config?: Record<string, any>, token?: string | Record<string, any>, interrupts?: SharedArrayBuffer, ask?: (what: string, wish: string) => Promise<any>,
 *   onProgress?: (progress: Progress) => void, onOutput?: (output: Output) => void, setup?: Record<string, any>,
 * }} BootOptions
 * @typedef {{
 *   format: number, pyodide: string, entry: string, object: string, runtime: string, lock: any, sources: string,
 *   packages: string, site: string, snapshots: Record<string, Snapshot>,
 * }} Manifest
 * @typedef {import("./restoring.js").Snapshot} Snapshot
 */
import { download, unzipped } from "./downloads.js";
import { restoring } from "./restoring.js";
import { unzip } from "./unzip.js";

/** The manifest that this script understands. */
const FORMAT = 2;
/** Where the server's own files are, in Python's file system. */
const FOLDER = "/server";
/** How much of a start is behind when a stage begins: measured, without a snapshot. */
const FRACTIONS = { runtime: 0, snapshot: 0.3, packages: 0.7, import: 0.8, ready: 1 };
/** The smallest WebAssembly there is. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/**
 * Start Python with the server in `folder`; what is returned serves it over transports of the page.
 *
 * @param {URL | string} folder an absolute URL that ends with a slash
 * @param {BootOptions} [options]
 */
export async function bootPython(folder, { config, token, setup, interrupts, ask, onProgress, onOutput } = {}) {
  const begin = performance.now();
  /** @param {Stage} stage @param {string} [note] */
  const tell = (stage, note) =>
    onProgress?.({ stage, fraction: FRACTIONS[stage], ms: performance.now() - begin, ...(note && { note }) });
  tell("runtime");
  checkWebAssembly();
  const manifest = /** @type {Manifest} */ (await (await download(folder, "python.json")).json());
  if (manifest.format != FORMAT) {
    throw new Error(
      `python.json has format ${manifest.format}, and this script reads ${FORMAT}: bundle the server again`,
    );
  }
  const runtime = new URL(manifest.runtime, folder).href;
  // Everything is asked for at once, first what the rest waits for, and waited for where it is needed.
  const parts = {
    core: import(runtime + "pyodide.asm.mjs"), // which the loader would ask for later
    loader: import(runtime + "pyodide.mjs"),
    packages: files(folder, manifest.packages),
    sources: files(folder, manifest.sources),
    page: import("./page.js"),
  };
  for (const part of Object.values(parts)) part.catch(() => {}); // what fails is told where it is waited for
  const pyodide = await load(folder, manifest, parts, tell);
  /** @param {"stdout" | "stderr"} stream */
  const output = (stream) => ({ batched: (/** @type {string} */ text) => onOutput?.({ stream, text }) });
  pyodide.setStdout(output("stdout"));
  pyodide.setStderr(output("stderr"));

  tell("packages");
  // Without `runPython`: it would be the first to need Python's compiler, and the last.
  write(pyodide.FS, manifest.site, await parts.packages);
  write(pyodide.FS, FOLDER, await parts.sources);
  pyodide.pyimport("importlib").invalidate_caches();
  const page = await parts.page;
  pyodide.registerJsModule("cloche_web", page);
  if (ask) pyodide.registerJsModule("cloche_page", { ask });

  tell("import");
  if (interrupts) pyodide.setInterruptBuffer(new Uint8Array(interrupts));
  const { entry, object } = manifest;
  const plan = JSON.stringify({ folder: FOLDER, entry, object, config, token, setup });
  const inside = sentence(() => pyodide.pyimport("cloche.browser.python_main").Inside(plan));
  tell("ready");
  return {
    pyodide,
    page,
    /** @param {import("../transports/base.js").Transport} transport */
    serve: (transport) => inside.serve(transport),
    /** What is wrong with the settings of an earlier setup. @type {string | undefined} */
    setupProblem: inside.restore(),
    /** @param {string} values what a person entered, as JSON @returns {Promise<string>} */
    setUp: (values) => inside.set_up(values),
  };
}

/**
 * The runtime, from the snapshot when there is one and it fits.
 *
 * @param {URL | string} folder
 * @param {Manifest} manifest
 * @param {{core: Promise<any>, loader: Promise<any>, packages: Promise<[string, Uint8Array][]>}} parts
 * @param {(stage: Stage, note?: string) => void} tell
 */
async function load(folder, manifest, { core, loader, packages }, tell) {
  const indexURL = new URL(manifest.runtime, folder).href;
  const options = { indexURL, lockFileContents: JSON.stringify(manifest.lock) };
  // One was made for browsers in which Python can wait for a promise, one for the others.
  const snapshot = manifest.snapshots["Suspending" in WebAssembly ? "switching" : "plain"];
  /** @param {string} path of a library */
  const find = async (path) => {
    const found = (await packages).find(([name]) => `${manifest.site}/${name}` == path);
    if (!found) throw new Error(`${path} is not among the packages`);
    return found[1];
  };
  const memory = snapshot && restoring(folder, snapshot, core, find, () => tell("snapshot"));
  const { loadPyodide, version } = await loader;
  if (version != manifest.pyodide) {
    throw new Error(`${indexURL} has Pyodide ${version}, and the server was bundled for ${manifest.pyodide}`);
  }
  if (memory) {
    try {
      const pyodide = await loadPyodide({ ...options, ...memory });
      memory._loadSnapshot.buffer.transfer?.(0); // Python has copied it, and the loader never lets go of it
      return pyodide;
    } catch (error) {
      // It is only a short cut.
      tell("runtime", `the snapshot does not fit, so Python starts without it: ${error}`);
    }
  }
  return await loadPyodide(options);
}

/** Where a policy forbids WebAssembly, Pyodide's loader waits for ever: so this asks first. */
function checkWebAssembly() {
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch {
    throw new Error(
      "WebAssembly is forbidden here: add 'wasm-unsafe-eval' to script-src in the Content-Security-Policy",
    );
  }
}

/** @param {URL | string} folder @param {string} archive */
async function files(folder, archive) {
  const response = await download(folder, archive);
  try {
    return await unzip(await new Response(await unzipped(response)).arrayBuffer());
  } catch (error) {
    throw new Error(
      `${new URL(archive, folder)} cannot be unpacked: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** @param {any} fileSystem @param {string} root @param {[string, Uint8Array][]} files */
function write(fileSystem, root, files) {
  const folders = new Set();
  for (const [name, data] of files) {
    const path = `${root}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(parent)) fileSystem.mkdirTree(parent);
    folders.add(parent);
    fileSystem.writeFile(path, data, { canOwn: true });
  }
}

/**
 * An error of Python's is its last line: what stands above it is the path to it, of which the console has all.
 *
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function sentence(call) {
  try {
    return call();
  } catch (/** @type {any} */ error) {
    console.error(error);
    const lines = String(error?.message ?? error).trim().split("\n");
    throw new Error(lines[lines.length - 1].replace(/^cloche\.[\w.]*Error: /, ""));
  }
}
