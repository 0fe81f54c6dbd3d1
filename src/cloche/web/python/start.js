// @ts-check
/**
 * A Python server in this page: `startPythonServer({url: "./python/"})` starts the bundle in that folder in a worker,
 * and its `transport` is what a client connects to.
 *
 * @typedef {import("../transports/base.js").Message} Message
 * @typedef {import("./boot.js").Progress} Progress
 * @typedef {import("./boot.js").Output} Output
 * @typedef {{reason: string, restarts: number}} Restart
 * @typedef {{
 *   url: string | URL, config?: Record<string, any>, token?: string | Record<string, any>, deadline?: number,
 *   bootTimeout?: number, onProgress?: (progress: Progress) => void, onOutput?: (output: Output) => void,
 *   onRestart?: (restart: Restart) => void, setup?: Record<string, any> | ((addFile: (file: File) => string) => any),
 *   onAsk?: (what: string, wish: any) => Promise<Uint8Array>,
 * }} PythonOptions `onAsk` gives Python what a worker has not, such as a picture
 * @typedef {{displayName?: string, problem?: string, field?: string | null}} SetupOutcome
 * @typedef {{message: Message, timer?: any, late?: boolean}} Call
 */
import { META, REQUEST_TIMEOUT } from "../protocol.js";
import { timedOut } from "../sentences.js";
import { attempt } from "../transports/base.js";
import { refusal, ResumingTransport } from "../transports/session.js";

/** Milliseconds that Python may be stuck in a call, when no deadline is given. */
export const STUCK_TIMEOUT = 60_000;
/** Milliseconds without a word after which a start has failed. */
export const BOOT_TIMEOUT = 60_000;
/** Milliseconds in which a worker that is not stuck says so. */
const PROBE_TIMEOUT = 1_000;
/** Requests that stay open for as long as the connection does. */
const STREAMS = ["subscriptions/listen"];
/** The signal that Python takes for a key pressed by its user. */
const SIGINT = 2;

/** @param {PythonOptions} options */
export const startPythonServer = (options) => new PythonServer(options);

/** A server in a worker, which is replaced when it is stuck. */
export class PythonServer {
  /** How often the worker was replaced. */
  restarts = 0;
  /** @type {Promise<void>} settled when Python is ready, or cannot start */
  ready = Promise.resolve();
  /** @type {Worker | undefined} */
  #worker;
  #isReady = false;
  /** @type {Map<any, Call>} */
  #calls = new Map();
  /** @type {Set<any>} what Python asks the client */
  #asked = new Set();
  /** @type {Set<any>} what was answered in Python's place */
  #answered = new Set();
  /** @type {Map<number, () => void>} */
  #probes = new Map();
  #probed = 0;
  /** @type {Map<number, (outcome: SetupOutcome) => void>} */
  #setups = new Map();
  /** What is wrong with the settings that Python was started with. @type {string | undefined} */
  setupProblem;
  /** Files that Python opens by these paths. @type {Map<string, File>} */
  #files = new Map();
  /** Who waits for a file of Python's. @type {Map<number, {resolve: (content: any) => void, reject: (error: Error) => void}>} */
  #reads = new Map();
  /** @type {Uint8Array | undefined} */
  #interrupts;
  /** @type {Promise<void> | undefined} */
  #rescue;
  /** @type {() => void} */
  #booted = () => {};
  /** @type {(error: Error) => void} */
  #failed = () => {};
  /** @type {any} */
  #watchdog;
  /** @type {string} */
  #stage = "";

  /** @param {PythonOptions} options */
  constructor(options) {
    this.options = options;
    this.folder = folderOf(options.url);
    /** The client's end of the connection: messages wait while Python starts, and the session outlives a worker. */
    const transport = this.transport = new ResumingTransport();
    const { post, deliver } = transport;
    transport.post = (message, transfer) => {
      post.call(transport, message, transfer);
      this.#posted(message);
    };
    transport.put = (message) => this.#put(message);
    transport.deliver = (message) => {
      if (!message?.method) this.#forget(message?.id);
      deliver.call(transport, message);
    };
    transport.release = () => this.#leave();
    const { setup } = options;
    // Files are there before what names them.
    if (typeof setup == "function") this.options = { ...options, setup: setup((file) => this.addFile(file)) };
    this.#spawn();
  }

  /** End the server and the connection to it. */
  close() {
    this.transport.close();
  }

  /**
   * Give what a person entered to the server's setup function. Beside MCP, so that no client can, and nothing records it.
   *
   * @param {Record<string, any>} values
   * @returns {Promise<SetupOutcome>}
   */
  async setUp(values) {
    await this.ready;
    const outcome = await new Promise((/** @type {(outcome: SetupOutcome) => void} */ resolve) => {
      const number = ++this.#probed;
      this.#setups.set(number, resolve);
      this.#worker?.postMessage({ type: "cloche:setup", number, values: JSON.stringify(values) });
    });
    // A worker in the place of this one starts with them.
    if (!outcome.problem) this.options = { ...this.options, setup: values };
    return outcome;
  }

  /**
   * Let Python open a file that a person picked. It is read where it is, in pieces, when Python reads it: nothing is
   * copied, and its size does not matter.
   *
   * @param {File} file
   * @returns {string} its path
   */
  addFile(file) {
    const name = file.name.replaceAll(/[/\0]/g, "_").replace(/^\.+$/, "_") || "_";
    const path = `/files/${++this.#probed}/${name}`;
    this.#files.set(path, file);
    this.#worker?.postMessage({ type: "cloche:file", path, file });
    return path;
  }

  /**
   * The content of a file in Python's file system.
   *
   * @param {string} path
   * @returns {Promise<Blob>}
   */
  async readFile(path) {
    await this.ready;
    const number = ++this.#probed;
    return await new Promise((resolve, reject) => {
      this.#reads.set(number, { resolve, reject });
      this.#worker?.postMessage({ type: "cloche:read", number, path });
    });
  }

  // Starting

  #spawn() {
    this.ready = new Promise((resolve, reject) => {
      this.#booted = resolve;
      this.#failed = reject;
    });
    this.ready.catch(() => {}); // whoever wants to know waits for it
    this.#stage = "the worker";
    this.#watch();
    const script = new URL("web/python/worker.js", this.folder).href;
    const worker = this.#worker = new Worker(workerUrl(script), { type: "module", name: "python" });
    worker.addEventListener("message", ({ data }) => worker == this.#worker && this.#heard(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker != this.#worker) return;
      const policy = "is it there, and do worker-src and script-src of the Content-Security-Policy allow it?";
      if (!event.message) this.#fail(`${script} could not be started as a worker: ${policy}`);
      else if (!this.#isReady) this.#fail(event.message);
    });
    const { config, token, setup } = this.options;
    const shared = globalThis.crossOriginIsolated ? new SharedArrayBuffer(1) : undefined;
    this.#interrupts = shared && new Uint8Array(shared);
    worker.postMessage({ type: "cloche:start", folder: this.folder, config, token, setup, shared });
    for (const [path, file] of this.#files) worker.postMessage({ type: "cloche:file", path, file });
  }

  /** A start that says nothing for too long has failed: a loader that may not use WebAssembly just waits. */
  #watch() {
    const { bootTimeout = BOOT_TIMEOUT } = this.options;
    clearTimeout(this.#watchdog);
    const seconds = bootTimeout / 1000;
    this.#watchdog = setTimeout(() =>
      this.#fail(
        `Python did not start: nothing was heard for ${seconds} s after ${this.#stage}. Either a file does not arrive, ` +
          "or WebAssembly is forbidden: script-src in the Content-Security-Policy needs 'wasm-unsafe-eval'",
      ), bootTimeout);
  }

  /** @param {string} message */
  #fail(message) {
    if (!this.#worker) return;
    const error = new Error(message);
    this.#stop();
    this.#failed(error);
    for (const id of [...this.#calls.keys()]) this.transport.deliver(refusal(id, message));
    this.transport.ended();
  }

  /** Python can take messages. @param {{setupProblem?: string}} content */
  #begin({ setupProblem }) {
    this.setupProblem = setupProblem;
    clearTimeout(this.#watchdog);
    this.#isReady = true;
    this.#booted();
    this.transport.resume();
  }

  #stop() {
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
    for (const gone of this.#probes.values()) gone();
    for (const tell of this.#setups.values()) tell({ problem: "Python ended before it had taken the settings" });
    this.#setups.clear();
    for (const { reject } of this.#reads.values()) reject(new Error("Python ended before it had read the file"));
    this.#reads.clear();
  }

  #leave() {
    this.#stop();
    this.#calls.clear();
    this.#failed(new Error("The server was closed"));
  }

  // Messages

  /** @param {Message} message from the client, which may have to wait */
  #posted(message) {
    const { id, method, params } = message;
    if (method == "notifications/cancelled") this.#forget(params?.requestId);
    if (!method) this.#told(id);
    else if ("id" in message && !this.#calls.has(id)) this.#calls.set(id, { message });
  }

  /** @param {Message} message from the client, on its way */
  #put(message) {
    this.#worker?.postMessage({ type: "mcp", payload: message });
    const { id, method } = message;
    if (!method || !("id" in message) || STREAMS.includes(method)) return;
    const call = this.#calls.get(id) ?? { message };
    this.#calls.set(id, call);
    this.#time(call);
  }

  /** @param {any} data from the worker */
  #heard(data) {
    const kind = data?.type;
    if (kind == "mcp") return this.#deliver(data.payload);
    if (kind == "mcp:close") return this.transport.ended();
    if (kind == "cloche:probe") return this.#probes.get(data.number)?.();
    if (kind == "cloche:setup") return this.#entered(data);
    if (kind == "cloche:read") return this.#wasRead(data);
    if (kind == "cloche:ask") return void this.#ask(data, this.#worker);
    if (kind == "cloche:broken") return this.#restart(`Python broke down (${data.message})`);
    const { type: _, ...content } = data;
    if (kind == "cloche:progress") {
      this.#stage = content.stage;
      this.#watch();
      attempt(() => this.options.onProgress?.(content));
    } else if (kind == "cloche:output") attempt(() => this.options.onOutput?.(content));
    else if (kind == "cloche:ready") this.#begin(content);
    else if (kind == "cloche:failed") this.#fail(content.message);
  }

  /** @param {{number: number, outcome: SetupOutcome}} data what became of what a person entered */
  #entered({ number, outcome }) {
    this.#setups.get(number)?.(outcome);
    this.#setups.delete(number);
  }

  /** @param {{number: number, what: string, wish: any}} data what Python asks the page @param {Worker | undefined} worker */
  async #ask({ number, what, wish }, worker) {
    /** @type {Record<string, any>} */
    let answer;
    try {
      const { onAsk } = this.options;
      if (!onAsk) throw new Error(`The page around this server gives it no ${what}`);
      answer = { content: await onAsk(what, wish) };
    } catch (/** @type {any} */ error) {
      answer = { problem: String(error?.message ?? error) };
    }
    worker?.postMessage({ type: "cloche:answer", number, ...answer });
  }

  /** @param {{number: number, content?: Blob, problem?: string}} data */
  #wasRead({ number, content, problem = "" }) {
    const waiting = this.#reads.get(number);
    this.#reads.delete(number);
    if (content) waiting?.resolve(content);
    else waiting?.reject(new Error(problem));
  }

  /** @param {any} message from Python */
  #deliver(message) {
    const { id, method } = message;
    if (method && "id" in message) this.#asked.add(id);
    if (!method && this.#answered.delete(id)) return;
    if (!method) this.#forget(id);
    this.transport.arrived(message);
  }

  /** @param {any} id */
  #forget(id) {
    clearTimeout(this.#calls.get(id)?.timer);
    this.#calls.delete(id);
  }

  // Deadlines

  /** @param {Call} call @param {number} [ms] */
  #time(call, ms = this.options.deadline ?? STUCK_TIMEOUT) {
    clearTimeout(call.timer);
    if (ms) call.timer = setTimeout(() => this.#overdue(call), ms);
  }

  /** @param {Call} call */
  async #overdue(call) {
    const { id } = call.message;
    // While a person is asked, the clock stands still.
    if (this.#asked.size) return this.#time(call);
    call.late = true;
    if (await this.#answersProbe()) {
      // Not stuck, only slow: Python keeps its own deadlines, unless the page has set one.
      if (this.options.deadline) this.#giveUp(id);
      return;
    }
    this.#rescue ??= this.#free().finally(() => this.#rescue = undefined);
    await this.#rescue;
    if (this.#calls.get(id) == call) this.#time(call, PROBE_TIMEOUT);
  }

  /** Python does not react: stop what it does, gently where the browser lets us. */
  async #free() {
    if (this.#interrupts) {
      this.#interrupts[0] = SIGINT;
      if (await this.#answersProbe()) return;
    }
    if (this.#worker) this.#restart(`a call did not finish within ${this.#seconds()} s`);
  }

  /** @param {any} id of what Python asked: after the last answer, the clock of every call begins anew */
  #told(id) {
    if (!this.#asked.delete(id) || this.#asked.size) return;
    for (const call of this.#calls.values()) if (call.timer && !call.late) this.#time(call);
  }

  #seconds() {
    return (this.options.deadline ?? STUCK_TIMEOUT) / 1000;
  }

  /** @returns {Promise<boolean>} whether the worker reacts */
  #answersProbe() {
    const number = ++this.#probed;
    return new Promise((/** @type {(alive: boolean) => void} */ resolve) => {
      const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT);
      this.#probes.set(number, () => (clearTimeout(timer), resolve(true)));
      this.#worker?.postMessage({ type: "cloche:probe", number });
    }).finally(() => this.#probes.delete(number));
  }

  /** @param {any} id a call whose time is up; Python goes on, and what it answers later is dropped */
  #giveUp(id) {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#answered.add(id);
    const params = { requestId: id, reason: "its time is up" };
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    this.transport.session.asks(cancelled);
    this.#put(cancelled);
    this.transport.deliver(this.#timeIsUp(call));
  }

  /** @param {Call} call @returns {Message} */
  #timeIsUp({ message: { id, method, params } }) {
    const answer = { jsonrpc: "2.0", id };
    if (method != "tools/call") return { ...answer, error: { code: REQUEST_TIMEOUT, message: timedOut(id) } };
    const text = `The tool did not finish within ${this.#seconds()} seconds`;
    const complete = params?._meta?.[META + "protocolVersion"] && { resultType: "complete" };
    return { ...answer, result: { content: [{ type: "text", text }], isError: true, ...complete } };
  }

  /**
   * Another worker in the place of this one. Python's memory is gone; the client's session is not.
   *
   * @param {string} reason
   */
  #restart(reason) {
    if (!this.#isReady) return this.#fail(reason);
    const { transport } = this;
    this.#stop();
    this.restarts++;
    this.#answered.clear();
    for (const call of [...this.#calls.values()]) {
      if (!call.late) continue;
      transport.session.waiting.delete(call.message.id);
      transport.deliver(this.#timeIsUp(call));
    }
    transport.lost();
    for (const requestId of this.#asked) this.#tell("notifications/cancelled", { requestId, reason });
    this.#asked.clear();
    this.#spawn();
    attempt(() => this.options.onRestart?.({ reason, restarts: this.restarts }));
    // What was read before may no longer be so.
    const changed = [...transport.session.subscriptions];
    const told = () => changed.forEach((uri) => this.#tell("notifications/resources/updated", { uri }));
    this.ready.then(told, () => {});
  }

  /** @param {string} method @param {Message} params what the client hears in Python's place */
  #tell(method, params) {
    this.transport.deliver({ jsonrpc: "2.0", method, params });
  }
}

/** @param {string | URL} url of the folder, or of the manifest in it */
function folderOf(url) {
  const { href } = new URL(url, globalThis.document?.baseURI ?? location.href);
  return href.replace(/(python\.json)?([?#].*)?$/, "").replace(/\/?$/, "/");
}

/**
 * A worker's script comes from the page's own origin. From anywhere else, and in a frame that has no origin, only a
 * `data:` URL starts one; it imports the script, which the web server must allow (`Access-Control-Allow-Origin: *`).
 *
 * @param {string} script
 */
function workerUrl(script) {
  if (new URL(script).origin === self.origin) return script;
  return "data:text/javascript," + encodeURIComponent(`import ${JSON.stringify(script)};`);
}
