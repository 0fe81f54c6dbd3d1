// @ts-check
/**
 * The tools of this document, and what happens when one is called.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {(input: any, options: {signal: AbortSignal}) => any} Execute
 * @typedef {{
 *   name: string, title: string, description: string, inputSchema?: string, annotations?: Params, exposedTo: string[],
 *   execute: Execute, check?: (input: any) => string, isForm?: boolean,
 * }} Tool `inputSchema` is JSON, so that everybody gets a copy
 * @typedef {{tools: () => Tool[], run: (call: Call) => Promise<any>, fire: (event: Event) => void}} Inside
 * @typedef {{name: string, input: string, origin: string, signal: AbortSignal}} Call
 */
import { misfit } from "../server/schema.js";

/** Where the polyfills of documents of one origin find each other. */
export const INSIDE = Symbol.for("cloche.webmcp.1");
/** Characters of a tool's own error that the caller is told. */
const ERROR_LIMIT = 700;

/** @type {Map<string, Tool>} */
export const registered = new Map();
/** Where events go, and what the page's forms add. */
let target = /** @type {EventTarget} */ (/** @type {unknown} */ (undefined));
/** @type {() => Tool[]} */
let forms = () => [];

/** Kept, because a window loses it when its frame is removed. */
const { DOMException } = globalThis;

/** @param {string} name @param {string} message */
export const failure = (name, message) => new DOMException(message, name);

export const gone = () => failure("UnknownError", "The tool's document is gone");

/** Every tool of this document. */
export const tools = () => [...registered.values(), ...forms()];

/** @param {Event} event */
export const fire = (event) => void target.dispatchEvent(event);

/**
 * Let documents of this origin see the tools of this one.
 *
 * @param {EventTarget} context
 * @param {() => Tool[]} [listForms]
 */
export function share(context, listForms = forms) {
  target = context;
  forms = listForms;
  Object.defineProperty(document, INSIDE, { value: { tools, run, fire } });
}

/** The polyfill of another window, if it is of this origin. @param {Window} window @returns {Inside | undefined} */
export function inside(window) {
  try {
    return /** @type {any} */ (window.document)[INSIDE];
  } catch {
    return undefined;
  }
}

/** @param {Tool} tool @param {string} origin */
export const mayUse = (tool, origin) => origin == self.origin || tool.exposedTo.includes(origin);

/** @param {Pick<Tool, "inputSchema" | "check">} tool @param {any} input @returns {string} what is wrong with the arguments */
export function flawOf({ inputSchema, check }, input) {
  try {
    return check?.(input) ?? (inputSchema ? misfit(JSON.parse(inputSchema), input) : "");
  } catch (error) {
    // A word that is not supported, a pattern that is none, or a schema that refers to itself for ever.
    return `the tool's inputSchema cannot be checked: ${/** @type {Error} */ (error).message}`;
  }
}

/** Call a tool of this document. @param {Call} call @returns {Promise<string | null>} */
async function run({ name, input, origin, signal }) {
  const tool = tools().find((one) => one.name == name && mayUse(one, origin));
  if (!tool) throw failure("UnknownError", `Tool not found: ${name}`);
  const given = JSON.parse(input);
  const flaw = flawOf(tool, given);
  if (flaw) throw failure("DataError", `Invalid arguments for ${name}: ${flaw}`);
  const own = new AbortController();
  signal.addEventListener("abort", () => {
    own.abort(signal.reason);
    setTimeout(() => fire(new ToolCancelEvent("toolcancel", { toolName: name })));
  });
  setTimeout(() => fire(new ToolActivatedEvent("toolactivated", { toolName: name })));
  try {
    return shown(await tool.execute(given, { signal: own.signal }));
  } catch (error) {
    if (error instanceof DOMException && tool.isForm) throw error;
    console.error(error);
    // What a tool throws is not written for other sites.
    const told = error instanceof Error ? error.message : error;
    const reason = origin == self.origin ? `: ${String(told).slice(0, ERROR_LIMIT)}` : "";
    throw failure("UnknownError", `The tool ${name} failed${reason}`);
  }
}

/** Arguments, which may be JSON. @param {any} given */
export function parsed(given) {
  if (typeof given != "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw failure("DataError", "The arguments are not JSON");
  }
}

/** @param {any} value */
const shown = (value) => value === NAVIGATED ? null : Object(value) === value ? `${JSON.stringify(value)}` : `${value}`;

/** What a form gives back when its answer is another page. */
export const NAVIGATED = Symbol();

class ToolEvent extends Event {
  /** @param {[type: string, init?: EventInit & {toolName?: string}]} given */
  constructor(...given) {
    super(...given);
    this.toolName = `${given[1]?.toolName ?? ""}`;
  }
}
export class ToolActivatedEvent extends ToolEvent {}
export class ToolCancelEvent extends ToolEvent {}
