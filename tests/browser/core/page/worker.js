// Starts Python in a module worker, unpacks the wheels and the project's tests, and runs pytest on them.
// Everything told to the page is a pair: [kind, content].

import { loadPyodide } from "/pyodide/pyodide.mjs";

const PROJECT = "/project";

function tell(kind, content) {
  self.postMessage([kind, content]);
}

function fail(error) {
  tell("failure", String(error?.stack ?? error));
}

self.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
  tell("violation", `${effectiveDirective} ${blockedURI}`));
// Python's loop reports what goes wrong in a callback; a rejection that nobody handles comes from a broken Python.
self.addEventListener("unhandledrejection", ({ reason }) => fail(reason));

async function download(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

// Pyodide's own list of packages is left out: every wheel is served, and chosen, by the test.
async function startPython() {
  const { info } = await (await download("/pyodide/pyodide-lock.json")).json();
  return loadPyodide({ indexURL: "/pyodide/", lockFileContents: JSON.stringify({ info, packages: {} }) });
}

async function unpack(pyodide, path, format, extractDir) {
  pyodide.unpackArchive(await (await download(path)).arrayBuffer(), format, { extractDir });
}

async function install(pyodide) {
  const wheels = await (await download("/wheels.json")).json();
  const sitePackages = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')");
  await Promise.all(wheels.map((wheel) => unpack(pyodide, wheel, "wheel", sitePackages)));
  await unpack(pyodide, "/project.zip", "zip", PROJECT);
  pyodide.registerJsModule("cloche_web", await import("/web/transports/index.js"));
  pyodide.runPython(`import sys; sys.path.insert(0, "${PROJECT}")`);
}

async function run() {
  const pyodide = await startPython();
  await install(pyodide);
  const plan = await (await download("/plan.json")).text();
  const { run: runTests } = pyodide.pyimport("tests.browser.core.inside");
  // callPromising lets `asyncio.run` wait inside a call that is not a coroutine, without a task around the tests.
  await runTests.callPromising(PROJECT, plan, (kind, json) => tell(kind, JSON.parse(json)));
}

run().catch(fail);
