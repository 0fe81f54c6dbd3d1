// @ts-check
/**
 * What Python has done in a page that it reads tools from (`cloche.webmcp`). Nothing of it can be seen by the page.
 *
 * The text of this module is run once in each document, without `export`. A page may have changed every function that
 * is there, so what goes back is a text whose length is looked at here, by the language itself.
 *
 * @typedef {Record<string, any>} Params
 */

/** @type {any} */
let known;
let changes = 0;
let wake = () => {};
let isLeaving = false;
/** @type {Map<number, AbortController>} Calls under way. */
const calls = new Map();
/** Milliseconds after which a polyfill is noticed that came late, or was replaced. */
const LOOK = 250;

const changed = () => {
  changes++;
  wake();
};

function look() {
  const { modelContext } = /** @type {any} */ (document);
  if (modelContext === known) return;
  known?.removeEventListener?.("toolchange", changed);
  known = modelContext;
  known?.addEventListener?.("toolchange", changed);
  changed();
}

setInterval(look, LOOK);
addEventListener("pagehide", () => isLeaving = true);
addEventListener("pageshow", () => isLeaving = false);

/** The number of changes, as soon as it is another one. @param {number} seen @returns {Promise<number>} */
export function nextChange(seen) {
  look();
  return new Promise((resolve) => {
    wake = () => void (changes != seen && resolve(changes));
    wake();
  });
}

/** @param {string} kind @param {unknown} text @param {number} limit */
const bounded = (kind, text, limit) => typeof text == "string" && text.length <= limit ? kind + text : "long";

/** @param {Params} tool */
const shown = ({ name, title, description, inputSchema, annotations }) => ({
  name,
  title,
  description,
  inputSchema,
  annotations,
});

/** The tools of this document, without those of its frames. */
async function ownTools() {
  const { modelContext } = /** @type {any} */ (document);
  if (typeof modelContext?.getTools != "function") return [];
  const tools = await modelContext.getTools();
  return tools.filter((/** @type {Params} */ { window: home }) => !home || home === window);
}

/** The tools, each as JSON, as JSON. @param {number} most @param {number} limit */
export async function listTools(most, limit) {
  const tools = await ownTools();
  return bounded(
    "=",
    JSON.stringify(tools.slice(0, most).map((/** @type {Params} */ one) => JSON.stringify(shown(one)))),
    limit,
  );
}

/**
 * What a tool gives back: "=" and its result, "null" for none, "!" and why it failed, "gone", "changed" or "long".
 *
 * @param {number} number @param {string} name @param {string} listed the tool's JSON when it was listed
 * @param {string} input @param {number} limit
 */
export async function callTool(number, name, listed, input, limit) {
  const tool = (await ownTools()).find((/** @type {Params} */ one) => one.name === name);
  if (!tool) return "gone";
  if (JSON.stringify(shown(tool)) !== listed) return "changed";
  const own = new AbortController();
  calls.set(number, own);
  try {
    const { modelContext } = /** @type {any} */ (document);
    const result = await modelContext.executeTool(tool, both(input), { signal: own.signal });
    return result == null ? "null" : bounded("=", typeof result == "string" ? result : JSON.stringify(result), limit);
  } catch (error) {
    // The browser says better why a call failed whose page went away.
    if (isLeaving) await new Promise(() => {});
    return bounded("!", `${/** @type {any} */ (error)?.message ?? error}`, limit);
  } finally {
    calls.delete(number);
  }
}

/**
 * Some polyfills take only JSON and others only objects: this is an object, and its JSON wherever a text is wanted. A
 * second try could call the tool twice.
 *
 * @param {string} input
 */
const both = (input) => Object.defineProperty(JSON.parse(input), Symbol.toPrimitive, { value: () => input });

/** Give a call up. @param {number} number */
export function cancelCall(number) {
  calls.get(number)?.abort();
}
