// Starts the worker and keeps what it says. `window.report` is a promise of everything that it said, and is settled in
// every case: where the policy forbids WebAssembly, Pyodide's loader waits for ever, so only a watchdog can tell.

const silenceSeconds = Number(new URLSearchParams(location.search).get("silence-seconds"));

const report = {
  python: null,
  collected: [],
  outcomes: [],
  violations: [],
  running: null,
  status: null,
  output: "",
  failure: null,
};

document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
  report.violations.push(`${effectiveDirective} ${blockedURI}`));

window.report = new Promise((resolve) => {
  const worker = new Worker("/worker.js", { type: "module" });
  let watchdog;

  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end(`nothing was heard from Python for ${silenceSeconds} s`), silenceSeconds * 1000);
  }

  function end(failure) {
    clearTimeout(watchdog);
    worker.terminate();
    report.failure = failure;
    resolve(report);
  }

  const take = {
    python: (facts) => (report.python = facts),
    collected: (names) => report.collected.push(...names),
    running: (name) => (report.running = name),
    outcome: (outcome) => report.outcomes.push(outcome),
    violation: (text) => report.violations.push(text),
    failure: end,
    finished({ status, output }) {
      Object.assign(report, { status, output, running: null });
      end(null);
    },
  };

  worker.addEventListener("error", (event) => end(`the worker failed: ${event.message}`));
  worker.addEventListener("message", ({ data: [kind, content] }) => {
    watch();
    take[kind](content);
  });
  watch();
});
