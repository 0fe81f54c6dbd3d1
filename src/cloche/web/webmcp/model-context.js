// @ts-check
/**
 * `document.modelContext`, as the draft of WebMCP describes it, for browsers that have none.
 *
 * @typedef {Record<string, any>} Params
 */
import { allowed, callFar, exposeChange, listFar, windows } from "./frames.js";
import { NAME } from "./names.js";
import { failure, gone, inside, parsed, registered, tools } from "./tools.js";

/** Hosts of this machine, which count as safe without HTTPS. */
const LOCAL = /(^|\.)localhost$|^127\.|^\[::1\]$/;

export class ModelContext extends EventTarget {
  constructor() {
    super();
    if ("modelContext" in document) throw new TypeError("Illegal constructor");
  }

  /**
   * @param {import("./tools.js").Tool & {inputSchema?: any}} tool
   * @param {{exposedTo?: string[], signal?: AbortSignal}} [options]
   */
  async registerTool(tool, options) {
    const { name, title = "", description, inputSchema, execute, annotations } = members(
      tool,
      "name",
      "description",
      "execute",
    );
    const { signal, exposedTo } = members(options);
    if (typeof execute != "function") throw new TypeError("execute is not a function");
    if (inputSchema !== undefined) mustBeObject(inputSchema, "inputSchema");
    mustBeSignal(signal);
    const made = {
      name: `${name}`,
      title: `${title}`,
      description: `${description}`,
      inputSchema: inputSchema && JSON.stringify(inputSchema),
      annotations: annotations === undefined ? undefined : hints(members(annotations)),
      execute,
      exposedTo: [],
    };
    const may = mayHaveTools();
    if (may) await may;
    if (tools().some((one) => one.name == made.name)) throw failure("InvalidStateError", "Duplicate tool name");
    if (!NAME.test(made.name)) throw failure("InvalidStateError", "Invalid tool name");
    if (!made.description) throw failure("InvalidStateError", "Description is required");
    const entry = { ...made, exposedTo: origins(exposedTo) };
    signal?.throwIfAborted();
    registered.set(made.name, entry);
    signal?.addEventListener("abort", () => {
      if (registered.get(made.name) === entry && registered.delete(made.name)) toolsChanged(entry.exposedTo);
    });
    await toolsChanged(entry.exposedTo);
    signal?.throwIfAborted();
  }

  /** @param {{fromOrigins?: string[]}} [options] */
  async getTools(options) {
    const wanted = origins(members(options).fromOrigins);
    await mayHaveTools();
    const near = windows().flatMap((window) =>
      (inside(window)?.tools() ?? []).map((tool) => listed(tool, window, origin))
    );
    const far = await listFar(wanted, listed);
    return [...near, ...far].sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  }

  /**
   * @param {Params} tool as `getTools` lists it
   * @param {any} [input] the arguments: an object, or its JSON
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<string | null>} null when the call led to another page
   */
  async executeTool(tool, input = {}, options) {
    const { name, window: target, origin: where } = members(tool, "name", "description", "window", "origin");
    const { signal } = members(options);
    const given = parsed(input);
    mustBeObject(given, "The input");
    mustBeSignal(signal);
    if (target?.window !== target) throw new TypeError("The tool's window is not a Window");
    const json = JSON.stringify(given);
    await mayHaveTools();
    signal?.throwIfAborted();
    if (where == "null") throw failure("NotSupportedError", "A tool of an opaque origin cannot be executed");
    return await answer(target, { name: `${name}`, input: json, origin, where: `${where}` }, signal);
  }
}

for (const type of ["toolchange", "toolactivated", "toolcancel"]) {
  /** @type {WeakMap<EventTarget, any>} */
  const handlers = new WeakMap();
  Object.defineProperty(ModelContext.prototype, `on${type}`, {
    enumerable: true,
    configurable: true,
    get() {
      return handlers.get(this) ?? null;
    },
    set(handler) {
      if (!handlers.has(this)) {
        this.addEventListener(type, (/** @type {Event} */ event) => handlers.get(this)?.call(this, event));
      }
      handlers.set(this, typeof handler == "function" ? handler : null);
    },
  });
}

/**
 * The result of a call, unless the caller gives it up or either document goes away.
 *
 * @param {Window} target
 * @param {{name: string, input: string, origin: string, where: string}} call
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
function answer(target, call, signal) {
  const over = new AbortController(), own = new AbortController();
  const once = { signal: over.signal };
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal?.reason);
      own.abort(signal?.reason);
    };
    signal?.addEventListener("abort", abort, once);
    addEventListener("pagehide", abort, once);
    const there = inside(target);
    if (there) {
      if (call.where != origin) throw gone();
      if (target != window) target.addEventListener("pagehide", () => setTimeout(() => reject(gone())), once);
    }
    // A failure of another document is made anew, with this one's classes.
    (there ? there.run({ ...call, signal: own.signal }) : callFar(target, call, own.signal))
      .then(resolve, ({ name, message }) => reject(failure(name, message)));
  }).finally(() => over.abort());
}

/** Tell every document that sees a tool, and may have to ask again. @param {string[]} exposedTo */
export async function toolsChanged(exposedTo = []) {
  await null;
  for (const window of windows()) inside(window)?.fire(new Event("toolchange"));
  exposeChange(exposedTo);
}

/** @param {import("./tools.js").Tool} tool @param {Window} window @param {string} origin */
function listed({ annotations, description, inputSchema, name, title }, window, origin) {
  const schema = inputSchema ? { inputSchema: JSON.parse(inputSchema) } : {};
  return { ...annotations && { annotations: { ...annotations } }, description, ...schema, name, origin, title, window };
}

// What WebIDL does with arguments

/** @param {any} value @param {...string} required @returns {Params} */
function members(value, ...required) {
  if (value != null) mustBeObject(value, "The argument");
  for (const name of required) {
    if (value?.[name] === undefined) throw new TypeError(`The required member ${name} is undefined`);
  }
  return value ?? {};
}

/** @param {any} value @param {string} what */
function mustBeObject(value, what) {
  if (Object(value) !== value) throw new TypeError(`${what} is not an object`);
}

/** @param {any} signal */
function mustBeSignal(signal) {
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError("signal is not an AbortSignal");
}

/** @returns {void | Promise<void>} nothing where it is known at once */
function mayHaveTools() {
  if (!self.document?.defaultView) throw failure("InvalidStateError", "The document is not active");
  const may = allowed();
  /** @param {boolean} may */
  const decide = (may) => {
    if (!may) throw failure("NotAllowedError", 'Permissions policy disallows "tools"');
  };
  return typeof may == "boolean" ? decide(may) : may.then(decide);
}

/** @param {Params} given */
const hints = (given) =>
  Object.fromEntries(
    ["consequentialHint", "debugging", "readOnlyHint", "untrustedContentHint"].map((name) => [name, !!given[name]]),
  );

/** @param {Iterable<string>} [given] */
function origins(given = []) {
  return [...given].map((one) => {
    const url = URL.canParse(one) ? new URL(one) : undefined;
    if (url && (/^(https|wss|file):$/.test(url.protocol) || LOCAL.test(url.hostname))) return url.origin;
    throw failure("SecurityError", `Not a secure origin: ${one}`);
  });
}
