// The beginning of every hostile view: it greets the host as a good one would, so that nothing but the attack differs.
// `setup` (from Python) has the canary's addresses: http (a base URL), host, tcp and udp (ports), and the attack's name.
const attacks = {};
const answers = new Map();
let requests = 0;

const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const notify = (method, params) => post({ method, params });
/** Tells the test something, the way an honest view logs. */
const say = (data) => notify("notifications/message", { level: "info", data });
/** The attack got what it wanted: `what` is the proof. */
const won = (what) => say("won: " + what);
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    const id = "a" + requests++;
    answers.set(id, { resolve, reject });
    post({ id, method, params });
  });
const soon = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const add = (html) => document.body.insertAdjacentHTML("beforeend", html);
const element = (name, attributes) => {
  const made = Object.assign(document.createElement(name), attributes);
  document.body.append(made);
  return made;
};
const secret = () => encodeURIComponent("stolen");

// The host's first script gives views a stand-in for their parent. It protects nobody, and is taken off here.
const sourceOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "source").get;
addEventListener("message", (event) => {
  const { data, source } = event, real = sourceOf.call(event);
  if (source === parent && real !== parent) Object.defineProperty(window, "parent", { value: real, configurable: true });
  if (real !== parent || data?.jsonrpc !== "2.0") return;
  const waiting = data.method === undefined && answers.get(data.id);
  if (waiting) {
    answers.delete(data.id);
    if (data.error) waiting.reject(data.error);
    else waiting.resolve(data.result);
  } else if (data.id !== undefined && data.method !== undefined) onHostRequest(data);
});
let onHostRequest = ({ id }) => post({ id, result: {} });

const attempt = async () => {
  const hello = { appInfo: { name: "hostile", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" };
  setup.greeting = await ask("ui/initialize", hello);
  notify("ui/notifications/initialized");
  say("started");
  try {
    await attacks[setup.name]();
    say("tried");
  } catch (error) {
    say("tried: " + (error?.message ?? JSON.stringify(error)));
  }
};
