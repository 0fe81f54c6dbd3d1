// @ts-check
/** The module worker that Python runs in. What the page says beside MCP has a `type` that begins with `cloche:`. */
import { bootPython } from "./boot.js";
import { mount, read } from "./files.js";

/** @type {any} */
const scope = self;
/** @type {Uint8Array | undefined} */
let interrupts;
/** @type {any} */
let pyodide;
/** Files that were picked before Python was there. @type {{path: string, file: File}[]} */
const early = [];
/** @type {(values: string) => Promise<string>} */
let setUp;

/** What Python has asked the page, and waits for. @type {((answer: {content?: Uint8Array, problem?: string}) => void)[]} */
const asked = [];

/** @param {string} kind @param {Record<string, any>} [content] */
const tell = (kind, content) => scope.postMessage({ type: `cloche:${kind}`, ...content });

/** @param {any} error */
const fail = (error) => tell("failed", { message: String(error?.message ?? error) });

scope.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
  if (data?.type == "cloche:start") start(data).catch(fail);
  if (data?.type == "cloche:setup") enter(data);
  if (data?.type == "cloche:file") {
    if (pyodide) mount(pyodide.FS, data);
    else early.push(data);
  }
  if (data?.type == "cloche:answer") asked[data.number]?.(data);
  if (data?.type == "cloche:read") tell("read", { number: data.number, ...read(pyodide.FS, data.path) });
  if (data?.type == "cloche:probe") {
    // Whoever reads this is not stuck: an interrupt that came too late must not hit what runs next.
    if (interrupts) interrupts[0] = 0;
    tell("probe", { number: data.number });
  }
});

// Python's own errors end where they happen. What arrives here may be the end of Python itself, as when the stack of
// WebAssembly overflows; then nothing works any more.
scope.addEventListener("unhandledrejection", look);
scope.addEventListener("error", look);

/** @param {any} event */
function look({ reason, message }) {
  try {
    pyodide?.runPython("0");
  } catch {
    tell("broken", { message: String(reason?.message ?? message).split("\n")[0] });
  }
}

/** @param {any} data */
async function enter({ number, values }) {
  const broken = (/** @type {any} */ error) =>
    JSON.stringify({ problem: `The setup failed (${error?.type ?? "Error"})` });
  tell("setup", { number, outcome: JSON.parse(await setUp(values).catch(broken)) });
}

/** Ask the page for what a worker has not. @param {string} what @param {string} wish as JSON */
const ask = (what, wish) =>
  new Promise((resolve) => tell("ask", { number: asked.push(resolve) - 1, what, wish: JSON.parse(wish) }));

/** @param {any} data */
async function start({ folder, config, token, setup, shared }) {
  if (shared) interrupts = new Uint8Array(shared);
  const booted = await bootPython(folder, {
    config,
    token,
    setup,
    interrupts: shared,
    ask,
    onProgress: (progress) => tell("progress", progress),
    onOutput: (output) => tell("output", output),
  });
  pyodide = booted.pyodide;
  for (const one of early.splice(0)) mount(pyodide.FS, one);
  await booted.serve(new booted.page.PortTransport(scope));
  setUp = booted.setUp;
  tell("ready", { setupProblem: booted.setupProblem });
}
