// @ts-check
// Runs in every frame before its own scripts: what the policy forbids is reported, and only the host's page keeps
// the way to Python, so that a view finds nothing here that another host would not have.

(() => {
  const report = Reflect.get(globalThis, "clocheReport");
  if (self !== top) Reflect.deleteProperty(globalThis, "clocheReport");
  addEventListener("securitypolicyviolation", (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event;
    report("violation", JSON.stringify({ effectiveDirective, blockedURI, sourceFile, lineNumber }));
  });
})();
